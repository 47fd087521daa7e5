package python

import (
	"errors"
	"fmt"
	"strings"
)

// Errors to test for with errors.Is. Cancellation is context.Canceled or context.DeadlineExceeded; a missing
// script is fs.ErrNotExist.
var (
	// ErrNoInterpreter means that there is no usable python3: missing, too old, or unable to
	// start.
	ErrNoInterpreter = errors.New("no Python interpreter")
	// ErrOnlySandboxed means that someone else's script may not run with the user's permissions.
	ErrOnlySandboxed = errors.New("scripts you did not write run only in the sandbox")
	// ErrOutsideFolder means that a path is outside the skill's directory.
	ErrOutsideFolder = errors.New("path is outside the skill's directory")
	// ErrRuntimeChanged means that the runtime differs from the one the user confirmed.
	ErrRuntimeChanged = errors.New("the Python runtime has changed since the confirmation")
	// ErrTimeLimit, ErrMemory and ErrOutputTooLarge mean that a script reached a limit.
	ErrTimeLimit      = errors.New("stopped at the time limit")
	ErrMemory         = errors.New("stopped at the memory limit")
	ErrOutputTooLarge = errors.New("output too large")
)

// SandboxName names the sandbox in errors.
const SandboxName = "the Python sandbox"

// ImportError refuses a script before it runs, because the runtime lacks a module that it imports.
type ImportError struct {
	Runtime string // SandboxName, or the path of an interpreter
	Missing []MissingModule
}

// MissingModule is an import that the runtime lacks.
type MissingModule struct {
	Module string
	File   string // the script or module that imports it
	Line   int
	Reason string
}

func (e *ImportError) Error() string {
	var out strings.Builder
	out.WriteString(e.Runtime + " does not support ")
	for i, m := range e.Missing {
		if i > 0 {
			out.WriteString(", ")
		}
		fmt.Fprintf(&out, "import %s (%s, line %d): %s", m.Module, m.File, m.Line, m.Reason)
	}
	return out.String()
}

// ExitError means that a script did not exit successfully.
type ExitError struct {
	Status string // "exit status 1", "signal: segmentation fault"
	Code   int    // -1 if a signal ended it
	Stderr string // the end of it, as written by the script: not sanitized
}

// Error starts with the last line of standard error, which in a traceback is the error message. It
// is the script's text: not sanitized.
func (e *ExitError) Error() string {
	last := lastLine(e.Stderr)
	if last == "" {
		return e.Status + ", no output on standard error"
	}
	return last + " (" + e.Status + ")"
}

func lastLine(text string) string {
	text = strings.TrimRight(text, " \t\r\n")
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// OutputError means that the output is not one JSON value.
type OutputError struct {
	Reason    string
	Beginning string // start of the output, as written by the script: not sanitized
}

func (e *OutputError) Error() string {
	if e.Beginning == "" {
		return "output is not JSON: " + e.Reason
	}
	return fmt.Sprintf("output is not JSON: %s; it starts with %q", e.Reason, e.Beginning)
}
