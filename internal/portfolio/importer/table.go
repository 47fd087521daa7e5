package importer

import (
	"strings"
	"unicode"
)

// Table is rows below a header, whose cells are asked for by the name of their
// column and never by its place.
type Table struct {
	Preamble []Row // what stands above the header
	Header   Row
	Rows     []Row

	columns map[string][]int
}

// maxPreamble is how many rows are looked at for a header: more than what any broker
// writes above one.
const maxPreamble = 100

// FindTable takes the first row that has all of the columns for a header, among the first
// 100 of rows: what stands further below is no header, and a file of another kind is
// not searched to its end. A column "a|b" may have either name. Names are compared without their case and the blanks
// around them.
func FindTable(rows []Row, columns ...string) (Table, bool) {
	folded := make([]string, len(columns))
	for i, column := range columns {
		folded[i] = foldColumn(column)
	}
	for i, row := range rows[:min(len(rows), maxPreamble)] {
		if len(row.Cells) >= len(folded) && hasAllColumns(row, folded) {
			t := NewTable(row, rows[i+1:])
			t.Preamble = rows[:i]
			return t, true
		}
	}
	return Table{}, false
}

// NewTable is a table of which header and rows are known already.
func NewTable(header Row, rows []Row) Table {
	t := Table{Header: header, Rows: rows, columns: make(map[string][]int, 2*len(header.Cells))}
	for i, cell := range header.Cells {
		name := foldColumn(cell)
		t.columns[name] = append(t.columns[name], i)
	}
	// The header's own spelling is found without folding it for every cell.
	for _, cell := range header.Cells {
		t.columns[cell] = t.columns[foldColumn(cell)]
	}
	return t
}

func hasAllColumns(row Row, folded []string) bool {
	for _, column := range folded {
		found := false
		for _, cell := range row.Cells {
			name := foldColumn(cell)
			if name == column || name != "" && strings.Contains("|"+column+"|", "|"+name+"|") {
				found = true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// Has reports whether there is a column of the name.
func (t Table) Has(column string) bool { return len(t.indexes(column)) > 0 }

// Cell is what stands in the column, trimmed; of several columns of the name, in
// the first. It is empty where the table has no such column or the row ends before, and for
// an empty name, which columns may have.
func (t Table) Cell(r Row, column string) string {
	if column == "" {
		return ""
	}
	return t.CellAt(r, column, 0)
}

// CellAt is Cell for the nth of several columns of one name, counted from 0.
func (t Table) CellAt(r Row, column string, nth int) string {
	places := t.indexes(column)
	if nth < 0 || nth >= len(places) {
		return ""
	}
	return r.At(places[nth])
}

// Index is where the column stands, counted from 0, and -1 where there is none.
func (t Table) Index(column string) int {
	if places := t.indexes(column); len(places) > 0 {
		return places[0]
	}
	return -1
}

func (t Table) indexes(column string) []int {
	if places, ok := t.columns[column]; ok {
		return places
	}
	return t.columns[foldColumn(column)]
}

// foldColumn is a name of a column as it is compared.
func foldColumn(name string) string { return strings.ToLower(trimCell(name)) }

// trimCell drops blanks of all kinds, and the mark at the beginning of a file that was
// put together of several.
func trimCell(s string) string {
	if s == "" || isPlainASCII(s[0]) && isPlainASCII(s[len(s)-1]) {
		return s
	}
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' || r == '\u200B' })
}

func isPlainASCII(c byte) bool { return c > ' ' && c < 0x7F }
