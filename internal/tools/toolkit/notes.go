package toolkit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
)

// Notes holds the notes of an answer. In JSON only the warnings appear, as sentences.
//
// Pass the user's amounts as arguments of type Amount or OwnWords: the model reads the sentence
// without them if the user hides amounts.
type Notes []tool.Note

// Warn adds a warning: the result may mislead.
func (n *Notes) Warn(code, format string, args ...any) {
	*n = append(*n, newNote(code, true, format, args))
}

// WarnEach adds a warning for each text.
func (n *Notes) WarnEach(code string, texts ...string) {
	for _, text := range texts {
		n.Warn(code, "%s", text)
	}
}

// Note adds background that only people read.
func (n *Notes) Note(code, format string, args ...any) {
	*n = append(*n, newNote(code, false, format, args))
}

// MarshalJSON implements json.Marshaler.
func (n Notes) MarshalJSON() ([]byte, error) {
	texts := []string{}
	for _, note := range n {
		if note.Warning {
			texts = append(texts, note.Text)
		}
	}
	return json.Marshal(texts)
}

// BackgroundNotes holds notes without warnings. In JSON they appear as sentences, so the model
// reads them.
type BackgroundNotes []tool.Note

// Add adds a sentence.
func (n *BackgroundNotes) Add(code, format string, args ...any) {
	*n = append(*n, newNote(code, false, format, args))
}

// MarshalJSON implements json.Marshaler.
func (n BackgroundNotes) MarshalJSON() ([]byte, error) {
	texts := []string{}
	for _, note := range n {
		texts = append(texts, note.Text)
	}
	return json.Marshal(texts)
}

func newNote(code string, warning bool, format string, args []any) tool.Note {
	note := tool.Note{Code: code, Text: fmt.Sprintf(format, args...), Warning: warning}
	note.Public, _ = redactedSprintf(format, args)
	return note
}

// HiddenAmount replaces an amount for the model if the user hides amounts.
const HiddenAmount = tool.HiddenNumber

// AmountsHiddenNote tells the model that amounts are missing from the result.
const AmountsHiddenNote = "amounts are hidden from you by the user's setting share_amounts; the user sees them, so do not ask for them or guess them"

// Amount is a formatted amount or quantity of the user's portfolio in a sentence.
type Amount string

// Redacted implements [tool.Redactor].
func (Amount) Redacted() string { return HiddenAmount }

// OwnWords is text that the user or a broker wrote, such as a note, a goal or a line of a file. Any
// number in it may be an amount, so all are hidden except dates and percentages.
type OwnWords string

// Redacted implements [tool.Redactor].
func (w OwnWords) Redacted() string { return tool.HideNumbers(string(w)) }

// Errorf works like fmt.Errorf for an error with the user's amounts, passed as arguments of type Amount or
// OwnWords or as an error that is a [tool.Redactor]. Its Redacted method returns the text without
// them.
func Errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	public, changed := redactedSprintf(strings.ReplaceAll(format, "%w", "%v"), args)
	if !changed {
		return err
	}
	return &redactedError{err, public}
}

// RedactError returns err with public as its text for the model if the user hides amounts.
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

// redactedSprintf formats like fmt.Sprintf, with the redacted text of each argument. changed is
// false if no argument has one.
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
