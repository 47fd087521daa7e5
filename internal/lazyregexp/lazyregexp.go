package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles a regular expression at its first call and keeps it. nfa has
// many of them, and compiling all would delay every start by a millisecond. The function panics if
// the source is invalid. A test of this package compiles every source in the program; therefore a
// source must be a literal or consist of constants of its package.
func New(source string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
}
