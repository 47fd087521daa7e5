package console

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// Row is a row of a list: a name, what it is, and what is said of it.
type Row struct {
	Group, Name, Kind, About string
	// Notes stand below the row, whole.
	Notes []string
	// Fault makes it a file that could not be used. Its name is a path.
	Fault string
}

// Table writes lines whose cells, divided by tabs, stand below one another. A
// tabwriter hands on each cell by itself: a thousand lines would be seven thousand
// writes to a terminal.
type Table struct {
	*tabwriter.Writer
	out *bufio.Writer
}

// NewTable begins a table; Flush writes it.
func NewTable(out io.Writer) Table {
	b := bufio.NewWriter(out)
	return Table{tabwriter.NewWriter(b, 0, 0, 2, ' ', 0), b}
}

// Flush writes them out.
func (t Table) Flush() error { return errors.Join(t.Writer.Flush(), t.out.Flush()) }

// List prints rows: in columns for a pipe, where width is 0, and on a terminal a
// line each that fits, below the groups where there are any.
func List(out io.Writer, width int, rows []Row) error {
	for i, r := range rows {
		rows[i].Name, rows[i].About, rows[i].Fault = markdown.SanitizeLine(r.Name), markdown.SanitizeLine(r.About), markdown.SanitizeLine(r.Fault)
	}
	if width > 0 {
		return listFitted(out, width, rows)
	}
	w := NewTable(out)
	for _, r := range rows {
		about := r.About
		if r.Fault != "" {
			about = "skipped: " + r.Fault
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", r.Name, r.Kind, about)
		for _, note := range r.Notes {
			fmt.Fprintf(w, "\t\t%s\n", markdown.SanitizeLine(note))
		}
	}
	return w.Flush()
}

func listFitted(out io.Writer, width int, rows []Row) error {
	names, kinds := 0, 0
	for _, r := range rows {
		if r.Fault == "" {
			names, kinds = max(names, ansi.StringWidth(r.Name)), max(kinds, ansi.StringWidth(r.Kind))
		}
	}
	names = min(names, width/2)
	var b strings.Builder
	group := ""
	for _, r := range rows {
		if r.Fault != "" {
			fmt.Fprintf(&b, "! %s  skipped: %s\n", r.Name, r.Fault)
			continue
		}
		if r.Group != group {
			group = r.Group
			fmt.Fprintf(&b, "%s\n", markdown.SanitizeLine(group))
		}
		line := padded(draw.Fit(r.Name, names), names) + "  " + padded(r.Kind, kinds) + "  " + r.About
		fmt.Fprintln(&b, strings.TrimRight(draw.Fit(line, width), " "))
		for _, note := range r.Notes {
			fmt.Fprintf(&b, "    %s\n", markdown.SanitizeLine(note))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}
