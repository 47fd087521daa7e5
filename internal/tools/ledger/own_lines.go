package ledger

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// ownLines are lines of an error that quote the user's file, each with the text that a model reads
// of it if amounts are hidden.
type ownLines toolkit.Notes

func (l *ownLines) add(format string, args ...any) { (*toolkit.Notes)(l).Note("", format, args...) }

func (l ownLines) String() string {
	var texts []string
	for _, line := range l {
		texts = append(texts, line.Text)
	}
	return strings.Join(texts, "\n")
}

// Redacted implements [tool.Redactor].
func (l ownLines) Redacted() string {
	var texts []string
	for _, line := range l {
		texts = append(texts, line.Public)
	}
	return strings.Join(texts, "\n")
}
