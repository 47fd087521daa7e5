package crash

import (
	"fmt"
	"runtime"
	"strings"
)

// Site is where the program panicked, and nothing of what it panicked with. It is
// an error that says no more than that something is wrong with the program.
type Site struct {
	kind  string
	stack string
}

// Error names no value and no place: the stack is for a log.
func (s *Site) Error() string { return "stopped by a fault of its own" }

// Kind is the Go type of what was panicked with, such as runtime.boundsError. Where a
// deferred function panicked in its turn, it is of that second panic, and Stack is of
// the first: that is the one to mend.
func (s *Site) Kind() string { return s.kind }

// Stack is the functions that were running, the innermost first, each with its
// file and line on a line below it. There are no arguments in it.
func (s *Site) Stack() string { return s.stack }

// maxFrames is how many functions a stack names; a deep recursion has thousands.
const maxFrames = 64

// NewSite is the site of a panic. The deferred function that recovered it calls At, with
// what recover gave; one that was passed on keeps the site it had.
func NewSite(recovered any) *Site {
	if s, ok := recovered.(*Site); ok {
		return s
	}
	callers := make([]uintptr, maxFrames+16)
	callers = callers[:runtime.Callers(2, callers)]
	return &Site{kind: fmt.Sprintf("%T", recovered), stack: formatStack(callers)}
}

// formatStack leaves out what stands between the first fault and the one who recovered it.
func formatStack(callers []uintptr) string {
	var lines []string
	frames := runtime.CallersFrames(callers)
	for {
		f, more := frames.Next()
		switch runtimes := strings.HasPrefix(f.Function, "runtime."); {
		case f.Function == "runtime.gopanic":
			lines = lines[:0]
		case len(lines) < 2*maxFrames && (len(lines) > 0 || !runtimes):
			lines = append(lines, f.Function, fmt.Sprintf("\t%s:%d", f.File, f.Line))
		}
		if !more {
			return strings.Join(lines, "\n")
		}
	}
}

// Catch makes a panic the error of the function that defers it: a *Site.
func Catch(err *error) {
	if p := recover(); p != nil {
		*err = NewSite(p)
	}
}
