package toolkit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
)

// HiddenAmount is written for an amount in what a model reads if the user hides amounts.
const HiddenAmount = tool.HiddenNumber

// AmountsHiddenNote tells a model that amounts are missing from what it reads.
const AmountsHiddenNote = "amounts are hidden from you by the user's setting share_amounts; the user sees them, so neither ask for them nor guess them"

// Amount is a formatted amount or quantity of the user's portfolio in a sentence.
type Amount string

// Redacted implements [tool.Redactor].
func (Amount) Redacted() string { return HiddenAmount }

// OwnWords is text that the user or a broker wrote, such as a note, a goal or a line of a file.
// Nobody can say which of its numbers are amounts, so all are hidden but dates and percentages.
type OwnWords string

// Redacted implements [tool.Redactor].
func (w OwnWords) Redacted() string { return tool.HideNumbers(string(w)) }

// Errorf is fmt.Errorf for an error that may name the user's amounts, as arguments of type Amount,
// OwnWords or an error that is itself a [tool.Redactor]. Its method Redacted is the text without them.
func Errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	public, changed := redactedSprintf(strings.ReplaceAll(format, "%w", "%v"), args)
	if !changed {
		return err
	}
	return &redactedError{err, public}
}

// RedactError is err with the text that a model reads of it if the user hides amounts.
func RedactError(err error, public string) error {
	if err == nil {
		return nil
	}
	return &redactedError{err, public}
}

// redactedError is an error with a text without amounts.
type redactedError struct {
	error
	public string
}

func (e *redactedError) Redacted() string { return e.public }
func (e *redactedError) Unwrap() error    { return e.error }

// redactedSprintf is fmt.Sprintf with the redacted text of each argument; changed is false if
// no argument has one.
func redactedSprintf(format string, args []any) (text string, changed bool) {
	args = slices.Clone(args)
	for i, arg := range args {
		switch arg := arg.(type) {
		case tool.Redactor:
			args[i], changed = arg.Redacted(), true
		case error:
			if public, ok := tool.RedactedText(arg); ok {
				args[i], changed = public, true
			}
		}
	}
	return fmt.Sprintf(format, args...), changed
}
