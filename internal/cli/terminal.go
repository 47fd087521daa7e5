package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && file != nil && term.IsTerminal(int(file.Fd()))
}

// TerminalWidth returns the width of the terminal behind out, or 0 if it is not a terminal.
func TerminalWidth(out io.Writer) int {
	file, ok := out.(*os.File)
	if !ok || !IsTerminal(file) {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// SanitizeFor removes control sequences if out is a terminal. For a file or a pipe it returns the
// text unchanged.
func SanitizeFor(out io.Writer, text string) string {
	if IsTerminal(out) {
		return markdown.Sanitize(text)
	}
	return text
}

// CountNoun returns a number with its noun: 1 skill, 2 skills, 3 entries.
func CountNoun(n int, what string) string {
	many := what + "s"
	if stem, ok := strings.CutSuffix(what, "ry"); ok {
		many = stem + "ries"
	}
	return humanize.Count(n, what, many)
}

// Wrap breaks words into lines only at spaces, so that names with hyphens can be copied.
func Wrap(text string, width int, lineEnd string) string {
	var b strings.Builder
	at := 0
	for _, word := range strings.Fields(text) {
		remaining := ansi.StringWidth(word)
		switch {
		case at == 0:
		case at+1+remaining > width:
			b.WriteString(lineEnd)
			at = 0
		default:
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += remaining
	}
	return b.String()
}

// ExpandHome replaces ~/ with the user's home folder, as shells do.
func ExpandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return path
}

// FirstSentence returns the first sentence of a text, or its first line.
func FirstSentence(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if i := strings.Index(s, ". "); i >= 0 {
		return s[:i+1]
	}
	return s
}
