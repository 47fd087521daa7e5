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

// IsTerminal reports whether somebody reads or types at a stream.
func IsTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && file != nil && term.IsTerminal(int(file.Fd()))
}

// TerminalWidth is how wide the terminal behind out is, or 0 where there is none.
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

// SanitizeFor takes out what could act on a terminal where one reads, and gives a
// file or a pipe the text byte for byte.
func SanitizeFor(out io.Writer, text string) string {
	if IsTerminal(out) {
		return markdown.Sanitize(text)
	}
	return text
}

// ShortPath shows a path as people write it: ~ for their home.
func ShortPath(path string) string {
	if user, err := os.UserHomeDir(); err == nil && user != "/" {
		if rest, ok := strings.CutPrefix(path, user); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
			path = "~" + rest
		}
	}
	return markdown.SanitizeLine(path)
}

// CountNoun is a number with the word for what it counts: 1 skill, 2 skills, 3 entries.
func CountNoun(n int, what string) string {
	many := what + "s"
	if stem, ok := strings.CutSuffix(what, "ry"); ok {
		many = stem + "ries"
	}
	return humanize.Count(n, what, many)
}

// Wrap breaks words into lines at blanks alone, so that a name with hyphens
// stays one to copy.
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

// ExpandHome takes ~/x for a path in the user's home, as shells do.
func ExpandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return path
}

// FirstSentence is how a text begins: its first sentence, or its first line.
func FirstSentence(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if i := strings.Index(s, ". "); i >= 0 {
		return s[:i+1]
	}
	return s
}
