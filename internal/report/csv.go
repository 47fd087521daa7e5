package report

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

// ErrNoTable means that a text to be written as CSV has no table.
var ErrNoTable = errors.New("neither CSV nor a Markdown table")

// table is a table; its first row is the header.
type table [][]string

// figuresColumn is the header of the column with the sources of a row's figures.
const figuresColumn = "figures"

// csvFile converts the tables of a text to CSV. Each table gets a column with the sources of the
// row's figures, and the notes follow at the end. Rows are padded to equal length, as CSV readers
// expect.
func (p *Provenance) csvFile(content string, trace tool.Tracer) ([]byte, error) {
	all, err := tablesOf(content)
	if err != nil {
		return nil, err
	}
	body, cells := tablesToMarkdown(all)
	numbers := p.mark(body, trace)
	var rows [][]string
	for i, s := range all {
		if i > 0 {
			rows = append(rows, nil)
		}
		for j, row := range s {
			row = append([]string{}, row...)
			if len(numbers) > 0 {
				row = append(row, rowMarks(cells[[2]int{i, j}], j == 0, numbers))
			}
			rows = append(rows, row)
		}
	}
	if len(numbers) > 0 {
		rows = append(rows, nil, []string{p.headline()[2:]})
	}
	for _, f := range p.Figures {
		rows = append(rows, []string{noteMark(f.Note), f.line(oneLine, oneLine)})
	}
	return encodeCSV(rows)
}

// encodeCSV encodes rows as CSV, with cells that a spreadsheet would run as formulas escaped.
func encodeCSV(rows [][]string) ([]byte, error) {
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	for _, row := range rows {
		out := make([]string, width)
		for i, cell := range row {
			out[i] = guardCell(cell)
		}
		if err := w.Write(out); err != nil {
			return nil, fmt.Errorf("write CSV: %w", err)
		}
		if b.Len() > MaxReport {
			return nil, fmt.Errorf("the tables exceed %d bytes: %w", MaxReport, ErrTooLarge)
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return nil, fmt.Errorf("write CSV: %w", err)
	}
	return b.Bytes(), nil
}

// plainNumber matches a number that may start with a sign but is not a formula.
var plainNumber = lazyregexp.New(`^[+-]?[0-9][0-9.,' ]*([eE][+-]?[0-9]+)?\s*%?$`)

// guardCell returns a cell that a spreadsheet treats as text instead of a formula.
func guardCell(cell string) string {
	if isFormula(cell) {
		return "'" + cell
	}
	return cell
}

func isFormula(cell string) bool {
	bare := strings.TrimLeft(cell, " ")
	if bare == "" || !strings.ContainsRune("=+-@\t\r", rune(bare[0])) {
		return false
	}
	bare = strings.TrimSpace(bare)
	return bare != "-" && !plainNumber().MatchString(bare)
}

func unguardCell(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && isFormula(rest) {
		return rest
	}
	return cell
}

// rowMarks lists the sources of a row's figures, in order: the mark and the number as written.
func rowMarks(row rowRange, head bool, numbers []trace.MatchedNumber) string {
	if head {
		return figuresColumn
	}
	var marks []string
	for _, m := range numbers[row.firstNumber(numbers):] {
		if m.Start >= row.end {
			break
		}
		mark := noteMark(m.Note)
		switch m.Status {
		case trace.Untraced:
			mark = untracedMark
		case trace.Contradicted:
			mark += " " + contradictedMark
		}
		marks = append(marks, mark+" "+m.Text)
	}
	return strings.Join(marks, "; ")
}

// tablesOf returns the tables of Markdown, or the table of a CSV text.
func tablesOf(content string) ([]table, error) {
	source := []byte(content)
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	var all []table
	walkNodes(doc, func(n ast.Node) {
		switch n.Kind() {
		case tables.KindTable:
			all = append(all, nil)
		case tables.KindTableHeader, tables.KindTableRow:
			last := len(all) - 1
			all[last] = append(all[last], cellsOf(n, source))
		}
	})
	if len(all) > 0 {
		return all, nil
	}
	rows, err := csv.NewReader(strings.NewReader(content)).ReadAll()
	if err != nil || len(rows) == 0 || len(rows) == 1 && len(rows[0]) == 1 {
		return nil, errors.Join(ErrNoTable, err)
	}
	return []table{rows}, nil
}

// cellsOf returns the cells of a row as plain text.
func cellsOf(row ast.Node, source []byte) []string {
	var out []string
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		var b strings.Builder
		walkNodes(cell, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.Text:
				b.Write(n.Value(source))
			case *ast.String:
				b.Write(n.Value)
			case *ast.AutoLink:
				b.Write(n.Label(source))
			}
		})
		out = append(out, strings.TrimSpace(b.String()))
	}
	return out
}

// csvText returns the tables of a CSV report as Markdown.
func (p *Provenance) csvText(data []byte) (string, error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1
	all, width := []table{nil}, 0
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) || err == nil && len(row) > 0 && p.isSummary(row[0]) {
			break
		}
		if err != nil {
			return "", fmt.Errorf("the report is not CSV: %w", err)
		}
		last := len(all) - 1
		switch {
		case strings.Join(row, "") == "":
			all = append(all, nil)
			continue
		case len(all[last]) == 0:
			width = originalWidth(row)
		}
		for i, cell := range row {
			row[i] = unguardCell(cell)
		}
		all[last] = append(all[last], row[:min(width, len(row))])
	}
	body, _ := tablesToMarkdown(all)
	return body, nil
}

// originalWidth returns the number of columns by the header, without the added column.
func originalWidth(head []string) int {
	width := len(head)
	for width > 0 && head[width-1] == "" {
		width--
	}
	if width > 1 && head[width-1] == figuresColumn {
		width--
	}
	return width
}

// rowRange is the range of a row in the Markdown of its tables.
type rowRange struct{ start, end int }

// firstNumber returns the index of the first number in or after the row.
func (s rowRange) firstNumber(numbers []trace.MatchedNumber) int {
	i, _ := slices.BinarySearchFunc(numbers, s.start, func(m trace.MatchedNumber, at int) int { return cmp.Compare(m.Start, at) })
	return i
}

// tablesToMarkdown writes tables as Markdown, and returns the range of each row by the indexes of
// table and row. Formatting in cells is dropped, because it does not affect the numbers.
func tablesToMarkdown(all []table) (string, map[[2]int]rowRange) {
	var b strings.Builder
	rows := map[[2]int]rowRange{}
	cell := strings.NewReplacer("|", "/", "\n", " ", "\r", " ")
	for i, s := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		for j, row := range s {
			start := b.Len()
			for _, text := range row {
				b.WriteString("| " + cell.Replace(text) + " ")
			}
			b.WriteString("|\n")
			rows[[2]int{i, j}] = rowRange{start, b.Len()}
			if j == 0 {
				b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
			}
		}
	}
	return b.String(), rows
}
