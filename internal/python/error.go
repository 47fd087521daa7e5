package python

import (
	"errors"
	"fmt"
	"strings"
)

// What callers branch on, with errors.Is. Cancellation is context.Canceled or
// context.DeadlineExceeded, a script that is not there is fs.ErrNotExist.
var (
	// ErrNoInterpreter means that there is no usable python3: none, too old, or
	// one that does not start.
	ErrNoInterpreter = errors.New("no Python interpreter")

	// ErrOutsideFolder means that a path leads out of the skill's directory.
	ErrOutsideFolder = errors.New("leads out of its directory")
	// ErrRuntimeChanged means that another runtime would be used than was confirmed.
	ErrRuntimeChanged = errors.New("the Python runtime is another than was confirmed")
	// ErrTimeLimit, ErrMemory and ErrOutputTooLarge mean that a script met a limit.
	ErrTimeLimit      = errors.New("stopped at the time limit")
	ErrMemory         = errors.New("stopped at the memory limit")
	ErrOutputTooLarge = errors.New("output too large")
)

// ImportError refuses a script before it runs, because the sandbox lacks what
// it imports.
type ImportError struct{ Missing []MissingModule }

// MissingModule is an import the sandbox cannot serve.
type MissingModule struct {
	Module string
	File   string // the script or module that imports it
	Line   int
	Reason string
}

func (e *ImportError) Error() string {
	var out strings.Builder
	out.WriteString("the Python sandbox cannot serve ")
	for i, m := range e.Missing {
		if i > 0 {
			out.WriteString(", ")
		}
		fmt.Fprintf(&out, "import %s (%s, line %d): %s", m.Module, m.File, m.Line, m.Reason)
	}
	return out.String()
}

// ExitError is a script that ended with anything but success.
type ExitError struct {
	Status string // "exit status 1", "signal: segmentation fault"
	Code   int    // -1 when a signal ended it
	Stderr string // its tail, as the script wrote it: not sanitised
}

// Error begins with the last line of standard error, which in a traceback is
// the one that says what happened. It is the script's text: not sanitised.
func (e *ExitError) Error() string {
	last := lastLine(e.Stderr)
	if last == "" {
		return e.Status + ", nothing on standard error"
	}
	return last + " (" + e.Status + ")"
}

func lastLine(text string) string {
	text = strings.TrimRight(text, " \t\r\n")
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// OutputError is output that is not one JSON value.
type OutputError struct {
	Reason    string
	Beginning string // of the output, as the script wrote it: not sanitised
}

func (e *OutputError) Error() string {
	if e.Beginning == "" {
		return "output is not JSON: " + e.Reason
	}
	return fmt.Sprintf("output is not JSON: %s; it begins %q", e.Reason, e.Beginning)
}
