package sheet

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

// mostPreamble is how many rows are looked at for a header: more than what any broker
// writes above one.
const mostPreamble = 100

// Find takes the first row that has all of the columns for a header, among the first
// 100 of rows: what stands further below is no header, and a file of another kind is
// not searched to its end. Names are compared without their case and the blanks
// around them.
func Find(rows []Row, columns ...string) (Table, bool) {
	wanted := make([]string, len(columns))
	for i, column := range columns {
		wanted[i] = fold(column)
	}
	for i, row := range rows[:min(len(rows), mostPreamble)] {
		if len(row.Cells) >= len(wanted) && hasAll(row, wanted) {
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
		name := fold(cell)
		t.columns[name] = append(t.columns[name], i)
	}
	// The header's own spelling is found without folding it for every cell.
	for _, cell := range header.Cells {
		t.columns[cell] = t.columns[fold(cell)]
	}
	return t
}

func hasAll(row Row, folded []string) bool {
	for _, column := range folded {
		found := false
		for _, cell := range row.Cells {
			if fold(cell) == column {
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
func (t Table) Has(column string) bool { return len(t.places(column)) > 0 }

// Cell is what stands in the column, trimmed; of several columns of the name, in
// the first. It is empty where the table has no such column or the row ends before.
func (t Table) Cell(r Row, column string) string { return t.CellAt(r, column, 0) }

// CellAt is Cell for the nth of several columns of one name, counted from 0.
func (t Table) CellAt(r Row, column string, nth int) string {
	places := t.places(column)
	if nth < 0 || nth >= len(places) {
		return ""
	}
	return r.At(places[nth])
}

// Place is where the column stands, counted from 0, and -1 where there is none.
func (t Table) Place(column string) int {
	if places := t.places(column); len(places) > 0 {
		return places[0]
	}
	return -1
}

func (t Table) places(column string) []int {
	if places, ok := t.columns[column]; ok {
		return places
	}
	return t.columns[fold(column)]
}

// fold is a name of a column as it is compared.
func fold(name string) string { return strings.ToLower(trim(name)) }

// trim drops blanks of all kinds, and the mark at the beginning of a file that was
// put together of several.
func trim(s string) string {
	if s == "" || plain(s[0]) && plain(s[len(s)-1]) {
		return s
	}
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' || r == '\u200B' })
}

func plain(c byte) bool { return c > ' ' && c < 0x7F }
