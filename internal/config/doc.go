// Package config reads the settings of nfa and records where each value comes from.
//
// Load applies flags over environment variables, the project file, the user file and the defaults.
// Anything that it does not understand is an error with file and line, because a misspelled setting
// must not be ignored. Settings is the table of all settings. Write changes one setting in a file
// and keeps all other lines.
package config
