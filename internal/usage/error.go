package usage

import "fmt"

// Error is a mistake of whoever asked.
type Error struct{ err error }

// Errorf words one as fmt.Errorf does.
func Errorf(format string, args ...any) error { return &Error{fmt.Errorf(format, args...)} }

// Error says what the mistake is.
func (e *Error) Error() string { return e.err.Error() }

// Unwrap gives the error that was wrapped as a mistake.
func (e *Error) Unwrap() error { return e.err }
