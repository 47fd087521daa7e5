package toolkit

import (
	"encoding/json"
	"fmt"

	"github.com/nfa-cli/nfa/internal/tool"
)

// Notes are what an answer says about its numbers. As JSON they are the sentences of the
// warnings among them.
//
// A sentence that names the user's amounts takes them as arguments of type Amount or OwnWords: the
// model reads it without them if the user hides amounts.
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

// Note adds background, which only people read.
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

// BackgroundNotes are notes of which none is a warning. As JSON they are their sentences, and the
// model reads them.
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
