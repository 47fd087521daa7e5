package usage

import "fmt"

// Error is a mistake in how nfa was called.
type Error struct{ err error }

// Errorf returns an *Error with a message formatted as by fmt.Errorf.
func Errorf(format string, args ...any) error { return &Error{fmt.Errorf(format, args...)} }

// Error returns the message.
func (e *Error) Error() string { return e.err.Error() }

// Unwrap returns the error of fmt.Errorf.
func (e *Error) Unwrap() error { return e.err }
