package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// ListRow is a row of a list: a name, a kind and a description.
type ListRow struct {
	Group, Name, Kind, About string
	// Notes are printed below the row, without truncation.
	Notes []string
	// Problem marks a file that could not be used. Its name is a path.
	Problem string
}

// Table aligns tab-separated cells in columns. It buffers the output, because a tabwriter writes
// each cell separately, which is slow on a terminal.
type Table struct {
	*tabwriter.Writer
	out *bufio.Writer
}

// NewTable returns a table that writes to out. Flush prints it.
func NewTable(out io.Writer) Table {
	b := bufio.NewWriter(out)
	return Table{tabwriter.NewWriter(b, 0, 0, 2, ' ', 0), b}
}

// Flush prints the lines.
func (t Table) Flush() error { return errors.Join(t.Writer.Flush(), t.out.Flush()) }

// WriteList prints rows. If width is 0 (a pipe) it prints columns; on a terminal it prints one line
// per row, cut to the width, below group names if there are any.
func WriteList(out io.Writer, width int, rows []ListRow) error {
	for i, r := range rows {
		rows[i].Name, rows[i].About, rows[i].Problem = markdown.SanitizeLine(r.Name), markdown.SanitizeLine(r.About), markdown.SanitizeLine(r.Problem)
	}
	if width > 0 {
		return writeFittedList(out, width, rows)
	}
	w := NewTable(out)
	for _, r := range rows {
		about := r.About
		if r.Problem != "" {
			about = "skipped: " + r.Problem
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", r.Name, r.Kind, about)
		for _, note := range r.Notes {
			fmt.Fprintf(w, "\t\t%s\n", markdown.SanitizeLine(note))
		}
	}
	return w.Flush()
}

func writeFittedList(out io.Writer, width int, rows []ListRow) error {
	names, kinds := 0, 0
	for _, r := range rows {
		if r.Problem == "" {
			names, kinds = max(names, ansi.StringWidth(r.Name)), max(kinds, ansi.StringWidth(r.Kind))
		}
	}
	names = min(names, width/2)
	var b strings.Builder
	group := ""
	for _, r := range rows {
		if r.Problem != "" {
			fmt.Fprintf(&b, "! %s  skipped: %s\n", r.Name, r.Problem)
			continue
		}
		if r.Group != group {
			group = r.Group
			fmt.Fprintf(&b, "%s\n", markdown.SanitizeLine(group))
		}
		line := widget.PadRight(widget.FitLine(r.Name, names), names) + "  " + widget.PadRight(r.Kind, kinds) + "  " + r.About
		fmt.Fprintln(&b, strings.TrimRight(widget.FitLine(line, width), " "))
		for _, note := range r.Notes {
			fmt.Fprintf(&b, "    %s\n", markdown.SanitizeLine(note))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
