package importer

import (
	"errors"
	"fmt"
	"slices"
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
// not searched to its end. A column "a|b" may have either name. Names are compared without their
// case and the blanks around them.
func FindTable(rows []Row, columns ...string) (Table, bool) {
	for i, row := range rows[:min(len(rows), maxPreamble)] {
		if len(row.Cells) < len(columns) {
			continue
		}
		t := NewTable(row, rows[i+1:])
		if !slices.ContainsFunc(columns, func(column string) bool { return !t.hasAny(column) }) {
			t.Preamble = rows[:i]
			return t, true
		}
	}
	return Table{}, false
}

// NewTable is a table of which header and rows are known already.
func NewTable(header Row, rows []Row) Table {
	t := Table{Header: header, Rows: rows, columns: make(map[string][]int, len(header.Cells))}
	for i, cell := range header.Cells {
		name := foldColumn(cell)
		t.columns[name] = append(t.columns[name], i)
	}
	return t
}

func (t Table) hasAny(names string) bool {
	for name := range strings.SplitSeq(names, "|") {
		if t.Has(name) {
			return true
		}
	}
	return false
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

func (t Table) indexes(column string) []int { return t.columns[foldColumn(column)] }

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

// ReadTable finds the table of a file by columns that it has to have. The error of a file
// without it wraps ErrFormat and names them.
func ReadTable(f File, columns ...string) (Table, error) {
	rows, err := f.Rows(0)
	if err != nil {
		return Table{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	t, ok := FindTable(rows, columns...)
	if !ok {
		return Table{}, fmt.Errorf("%s: %w: no line has the columns %q", f.Name, ErrFormat, columns)
	}
	return t, nil
}

// maxHeader is more than what stands above any header, in bytes.
const maxHeader = 64 << 10

// HasTable reports whether Table would find the columns, and of a large file reads no
// more than its beginning.
func HasTable(f File, columns ...string) bool {
	head := f.head()
	_, err := ReadTable(head, columns...)
	if errors.Is(err, ErrQuote) && len(head.Text) < len(f.Text) {
		_, err = ReadTable(f, columns...) // the cut was within a quoted cell
	}
	return err == nil
}

// head is the beginning of a large file, in whole lines.
func (f File) head() File {
	if len(f.Text) > maxHeader {
		f.Text = f.Text[:strings.LastIndexAny(f.Text[:maxHeader], "\r\n")+1]
	}
	return f
}

// CheckDayOrder refuses rows whose days are written in the other order of day and month than
// the layouts say, as where a spreadsheet of another country saved a file anew. One day
// above the twelfth shows it for all. The error wraps ErrFormat.
func CheckDayOrder(f File, rows []Row, day func(Row) string, layouts ...string) error {
	for _, row := range rows {
		cell := day(row)
		if slices.ContainsFunc(layouts, func(layout string) bool { return HasSwappedDayOrder(cell, layout) }) {
			return fmt.Errorf("%s, line %d: %w: the date %q has day and month the other way round than they are read, so that no date of the file is sure: export it again, and do not save it with a spreadsheet",
				f.Name, row.Line, ErrFormat, Shorten(cell))
		}
	}
	return nil
}

// CheckDecimalSeparator refuses rows in which a number of the columns, counted from 0, can be read
// with the other decimal sign alone: then 1,234 is not a thousand anywhere in it. The error wraps
// ErrFormat.
func CheckDecimalSeparator(f File, rows []Row, sign DecimalSeparator, columns ...int) error {
	for _, row := range rows {
		for _, column := range columns {
			text := row.At(column)
			// Most numbers have one sign, or none, and prove nothing.
			if !strings.ContainsRune(text, rune(sign.Other())) && strings.Count(text, string(sign)) < 2 {
				continue
			}
			_, _, err := ParseMoney(text, sign)
			_, _, errOther := ParseMoney(text, sign.Other())
			if err != nil && errOther == nil {
				return fmt.Errorf("%s, line %d: %w: the number %q has a decimal %q, and numbers are read with the other sign, so that none of the file is sure: export it again, and do not save it with a spreadsheet",
					f.Name, row.Line, ErrFormat, Shorten(text), rune(sign.Other()))
			}
		}
	}
	return nil
}
