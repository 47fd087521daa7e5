package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// printJSON writes v indented: what people read first and scripts read as well.
func printJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encoding JSON: %w", err)
	}
	if _, err := w.Write(harmless(b.Bytes())); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}

// count is a number with the word for what it counts: 1 skill, 2 skills, 3 entries.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "ry"); ok {
		return fmt.Sprintf("%d %sries", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// harmless writes the characters that a terminal would act on as \\u escapes: the
// same JSON, but safe to look at. encoding/json escapes only those below space.
func harmless(text []byte) []byte {
	var out []byte
	done := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if size > 1 && actsOnTerminals(r) || r == 0x7f {
			out = append(out, text[done:i]...)
			out = fmt.Appendf(out, "\\u%04x", r)
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}

// actsOnTerminals knows the C1 controls and what changes the direction of text.
func actsOnTerminals(r rune) bool {
	switch {
	case r >= 0x80 && r <= 0x9f, r == 0x200e, r == 0x200f, r == 0x061c,
		r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// columns is how wide the terminal behind out is, or 0 where there is none.
func columns(out io.Writer) int {
	file, ok := out.(*os.File)
	if !ok || !isTerminal(file) {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// listed is a row of a list: a name, what it is, and what is said of it.
type listed struct {
	group, name, kind, about string
	// notes stand below the row, whole.
	notes []string
	// fault makes it a file that could not be used. Its name is a path.
	fault string
}

// table writes lines whose cells, divided by tabs, stand below one another. A
// tabwriter hands on each cell by itself: a thousand lines would be seven thousand
// writes to a terminal.
type table struct {
	*tabwriter.Writer
	out *bufio.Writer
}

func newTable(out io.Writer) table {
	b := bufio.NewWriter(out)
	return table{tabwriter.NewWriter(b, 0, 0, 2, ' ', 0), b}
}

// Flush writes them out.
func (t table) Flush() error { return errors.Join(t.Writer.Flush(), t.out.Flush()) }

// list prints rows: in columns for a pipe, where width is 0, and on a terminal a
// line each that fits, below the groups where there are any.
func list(out io.Writer, width int, rows []listed) error {
	for i, r := range rows {
		rows[i].name, rows[i].about, rows[i].fault = markdown.SanitizeLine(r.name), markdown.SanitizeLine(r.about), markdown.SanitizeLine(r.fault)
	}
	if width > 0 {
		return listFitted(out, width, rows)
	}
	w := newTable(out)
	for _, r := range rows {
		about := r.about
		if r.fault != "" {
			about = "skipped: " + r.fault
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", r.name, r.kind, about)
		for _, note := range r.notes {
			fmt.Fprintf(w, "\t\t%s\n", markdown.SanitizeLine(note))
		}
	}
	return w.Flush()
}

func listFitted(out io.Writer, width int, rows []listed) error {
	names, kinds := 0, 0
	for _, r := range rows {
		if r.fault == "" {
			names, kinds = max(names, ansi.StringWidth(r.name)), max(kinds, ansi.StringWidth(r.kind))
		}
	}
	names = min(names, width/2)
	var b strings.Builder
	group := ""
	for _, r := range rows {
		if r.fault != "" {
			fmt.Fprintf(&b, "! %s  skipped: %s\n", r.name, r.fault)
			continue
		}
		if r.group != group {
			group = r.group
			fmt.Fprintf(&b, "%s\n", markdown.SanitizeLine(group))
		}
		line := padded(draw.Fit(r.name, names), names) + "  " + padded(r.kind, kinds) + "  " + r.about
		fmt.Fprintln(&b, strings.TrimRight(draw.Fit(line, width), " "))
		for _, note := range r.notes {
			fmt.Fprintf(&b, "    %s\n", markdown.SanitizeLine(note))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}

// forTerminal takes out what could act on a terminal where one reads, and gives a
// file or a pipe the text byte for byte.
func (g *globals) forTerminal(text string) string {
	if isTerminal(g.out) {
		return markdown.Sanitize(text)
	}
	return text
}

// wrapped breaks words into lines at blanks alone, so that a name with hyphens
// stays one to copy.
func wrapped(text string, width int, lineEnd string) string {
	var b strings.Builder
	at := 0
	for _, word := range strings.Fields(text) {
		room := ansi.StringWidth(word)
		switch {
		case at == 0:
		case at+1+room > width:
			b.WriteString(lineEnd)
			at = 0
		default:
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += room
	}
	return b.String()
}
