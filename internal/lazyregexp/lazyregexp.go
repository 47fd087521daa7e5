package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles a regular expression at its first call and caches it. Compiling
// all expressions of nfa would delay every start by a millisecond. The function panics if the source is
// invalid. A test compiles every source in the program, so a source must be a literal or a constant of
// its package.
func New(source string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
}
