package crash

import (
	"fmt"
	"runtime"
	"strings"
)

// Site is the place of a panic without the panic value. As an error it says only that the program
// has a bug.
type Site struct {
	kind  string
	stack string
}

// Error contains neither the value nor the place, because the stack belongs in the log.
func (s *Site) Error() string { return "internal error" }

// Kind returns the Go type of the panic value, such as runtime.boundsError. If a deferred function
// panicked as well, Kind describes that second panic, and Stack the first, which is the one to fix.
func (s *Site) Kind() string { return s.kind }

// Stack returns the functions that were running, the innermost first, each with its file and line
// on the next line. It contains no arguments.
func (s *Site) Stack() string { return s.stack }

// maxFrames limits the functions in a stack, because a deep recursion has thousands.
const maxFrames = 64

// NewSite returns the site of a panic. The deferred function that recovered the panic calls it with
// the recovered value. If that value is a *Site already, NewSite returns it.
func NewSite(recovered any) *Site {
	if s, ok := recovered.(*Site); ok {
		return s
	}
	callers := make([]uintptr, maxFrames+16)
	callers = callers[:runtime.Callers(2, callers)]
	return &Site{kind: fmt.Sprintf("%T", recovered), stack: formatStack(callers)}
}

// formatStack omits the frames between the first panic and the function that recovered it.
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

// Catch converts a panic to the error of the function that defers it, a *Site.
func Catch(err *error) {
	if p := recover(); p != nil {
		*err = NewSite(p)
	}
}
