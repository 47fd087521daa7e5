package lazyregexp

import (
	"regexp"
	"sync"
)

// New is a regular expression that is compiled at its first use and kept. There
// are many in the house, and together they would cost every start of the program a
// millisecond. Like regexp.MustCompile it panics on a source that is none, but then
// only; a test of this package reads and compiles those of the whole house, so a source
// is written out or made of constants of the package that it stands in.
func New(source string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
}
