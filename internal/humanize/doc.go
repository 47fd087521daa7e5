// Package humanize formats counts for people and rewrites messages that were written for a model.
//
// Number and Count format counts with thousands separators. ForPeople replaces the tool call named
// in a message with the command that does the same. ShortPath writes the home folder as ~.
package humanize
