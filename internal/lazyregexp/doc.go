// Package lazyregexp compiles regular expressions at their first use, because compiling all of them
// at start-up would delay every command.
package lazyregexp
