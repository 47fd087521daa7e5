package importer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Table is a header and its rows. Cells are read by column name.
type Table struct {
	Preamble []Row // rows above the header
	Header   Row
	Rows     []Row

	columns map[string][]int
}

// maxPreamble is the number of rows searched for a header, more than any broker writes above one.
const maxPreamble = 100

// FindTable returns the table whose header is the first row with all of the columns, among the
// first 100 rows. A column "a|b" may have either name. Names are compared ignoring case and
// surrounding spaces.
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

// NewTable returns a table with a known header and rows.
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

// Has reports whether the column exists.
func (t Table) Has(column string) bool { return len(t.indexes(column)) > 0 }

// Cell returns the trimmed cell of the column, the first one if several have the name. It is empty
// if the column is missing, the row is shorter, or the name is empty.
func (t Table) Cell(r Row, column string) string {
	if column == "" {
		return ""
	}
	return t.CellAt(r, column, 0)
}

// CellAt works like Cell for the nth column of that name, counted from 0.
func (t Table) CellAt(r Row, column string, nth int) string {
	places := t.indexes(column)
	if nth < 0 || nth >= len(places) {
		return ""
	}
	return r.At(places[nth])
}

// Index returns the index of the column, or -1.
func (t Table) Index(column string) int {
	if places := t.indexes(column); len(places) > 0 {
		return places[0]
	}
	return -1
}

func (t Table) indexes(column string) []int { return t.columns[foldColumn(column)] }

// foldColumn normalizes a column name for comparison.
func foldColumn(name string) string { return strings.ToLower(trimCell(name)) }

// trimCell removes all kinds of spaces, and byte order marks left in combined files.
func trimCell(s string) string {
	if s == "" || isPlainASCII(s[0]) && isPlainASCII(s[len(s)-1]) {
		return s
	}
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' || r == '\u200B' })
}

func isPlainASCII(c byte) bool { return c > ' ' && c < 0x7F }

// ReadTable finds the table of a file by its required columns. If there is none, the error wraps
// ErrFormat and names them.
func ReadTable(f File, columns ...string) (Table, error) {
	rows, err := f.Rows(0)
	if err != nil {
		return Table{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	t, ok := FindTable(rows, columns...)
	if !ok {
		return Table{}, fmt.Errorf("%s: %w: no header with the columns %q", f.Name, ErrFormat, columns)
	}
	return t, nil
}

// maxHeader is more than the text above any header, in bytes.
const maxHeader = 64 << 10

// HasTable reports whether ReadTable would succeed. It reads only the beginning of a large file.
func HasTable(f File, columns ...string) bool {
	head := f.head()
	_, err := ReadTable(head, columns...)
	if errors.Is(err, ErrQuote) && len(head.Text) < len(f.Text) {
		_, err = ReadTable(f, columns...) // the text was cut within a quoted cell
	}
	return err == nil
}

// head returns the beginning of a large file, in whole lines.
func (f File) head() File {
	if len(f.Text) > maxHeader {
		f.Text = f.Text[:strings.LastIndexAny(f.Text[:maxHeader], "\r\n")+1]
	}
	return f
}

// CheckDayOrder returns an error if a date has day and month in the other order than the layouts,
// for example because a spreadsheet saved the file: 04/13/2024 in a file with the day first. One
// day above 12 proves it for the whole file. Dates with other separators than the layout prove
// nothing. The error wraps ErrFormat.
func CheckDayOrder(f File, rows []Row, day func(Row) string, layouts ...string) error {
	var written, swapped []string
	for _, layout := range layouts {
		if layout = dayPart(layout); layout != "" && !strings.HasPrefix(layout, "2006") {
			loose := strings.NewReplacer("2006", "2006", "01", "1", "02", "2").Replace(layout)
			written = append(written, loose)
			swapped = append(swapped, strings.NewReplacer("2006", "2006", "1", "2", "2", "1").Replace(loose))
		}
	}
	for _, row := range rows {
		cell := dayPart(day(row))
		for i := range swapped {
			if _, err := time.Parse(written[i], cell); err == nil {
				break
			}
			if _, err := time.Parse(swapped[i], cell); err == nil {
				return fmt.Errorf("%s, line %d: %w: date %q has day and month swapped, so no date in the file is certain: export the file again, and do not save it in a spreadsheet",
					f.Name, row.Line, ErrFormat, Shorten(day(row)))
			}
		}
	}
	return nil
}

// CheckDecimalSeparator returns an error if a number in the columns, counted from 0, is only valid
// with the other decimal separator, because then no 1,234 in the file is certain. The error wraps
// ErrFormat.
func CheckDecimalSeparator(f File, rows []Row, sign DecimalSeparator, columns ...int) error {
	for _, row := range rows {
		for _, column := range columns {
			text := row.At(column)
			// Most numbers have at most one separator and prove nothing.
			if !strings.ContainsRune(text, rune(sign.Other())) && strings.Count(text, string(sign)) < 2 {
				continue
			}
			_, _, err := ParseMoney(text, sign)
			_, _, errOther := ParseMoney(text, sign.Other())
			if err != nil && errOther == nil {
				return fmt.Errorf("%s, line %d: %w: mixed decimal separators: %q uses %q; export the file again, and do not save it in a spreadsheet",
					f.Name, row.Line, ErrFormat, Shorten(text), rune(sign.Other()))
			}
		}
	}
	return nil
}
