package importer

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// MappedFormat is the mapping as a format of files. It recognizes none: that a table has
// the columns does not tell whose they are.
func MappedFormat(m Mapping) Format {
	return Format{
		Name:       m.Name,
		Title:      m.Name + ", by a mapping of columns",
		Recognizes: func(File) bool { return false },
		Read:       func(f File, o Options) (Statement, error) { return ReadMapped(f, m, o) },
	}
}

// ReadMapped reads a file by a mapping. A mapping that is wrong or has open doubts is
// refused with all of them; a file without one of its columns is ErrFormat.
func ReadMapped(f File, m Mapping, o Options) (Statement, error) {
	r, table, err := openMapped(f, m, o)
	if err != nil {
		return Statement{}, err
	}
	c := NewCollector(m.Name, o)
	numbered := map[[2]string]int{} // by account and number, the line that had it first
	for _, row := range table.Rows {
		if row.Empty() {
			continue
		}
		e, err := r.parseEntry(table, row)
		number := [2]string{r.accountName(table, row), e.id}
		first := numbered[number]
		if e.id != "" && first == 0 {
			numbered[number] = row.Line
		}
		switch {
		case err != nil:
			c.Problem(row, "%s", err)
		// Fills of one order may be equal to the cent, and so is a line that stands twice.
		case e.id != "" && first > 0:
			c.Problem(row, "has the number %s of line %d: where the column %q has numbers of orders, which several fills share, take columns.id out of the mapping; else the line stands twice, and is left out",
				Shorten(e.id), first, Shorten(m.Columns.ID))
		case e.ignored:
			c.Ignore(row, "the mapping says to ignore "+Shorten(mappedCell(table, row, m.Columns.Kind)))
		default:
			c.AddAll(e.transactions, e.id, row)
		}
	}
	return c.Statement(table.Rows), nil
}

// PreviewLine is one line as it was understood, beside the line itself.
type PreviewLine struct {
	Row     Row     `json:"row"`
	Entries []Entry `json:"entries,omitempty"`
	Problem string  `json:"problem,omitempty"`
	Ignored string  `json:"ignored,omitempty"`
}

// PreviewMapped reads the first n lines, for the user to compare.
func PreviewMapped(f File, m Mapping, o Options, n int) ([]PreviewLine, error) {
	_, table, err := openMapped(f, m, o)
	if err != nil {
		return nil, err
	}
	s, err := ReadMapped(f, m, o)
	if err != nil {
		return nil, err
	}
	at := map[int]int{}
	var out []PreviewLine
	for _, row := range table.Rows {
		if len(out) == n {
			break
		}
		if !row.Empty() {
			at[row.Line] = len(out)
			out = append(out, PreviewLine{Row: row})
		}
	}
	for _, e := range s.Entries {
		if i, shown := at[e.Lines[0]]; shown {
			out[i].Entries = append(out[i].Entries, e)
		}
	}
	for _, p := range s.Problems {
		if i, shown := at[p.Line]; shown {
			out[i].Problem = p.Reason
		}
	}
	for _, p := range s.Ignored {
		if i, shown := at[p.Line]; shown {
			out[i].Ignored = p.Reason
		}
	}
	return out, nil
}

// mappedReader is a mapping made ready to read with.
type mappedReader struct {
	Mapping
	options          Options
	sign             DecimalSeparator
	date             string // layout
	time             string // layout
	zone             *time.Location
	zoned            bool // the text or the mapping says of which zone times are
	kinds            map[string]string
	duplicateColumns []string // columns of the mapping whose name several of the file have
}

func openMapped(f File, m Mapping, o Options) (*mappedReader, Table, error) {
	if err := m.Validate(); err != nil {
		return nil, Table{}, err
	}
	r := &mappedReader{Mapping: m, options: o, sign: DecimalSeparator(m.Decimal[0]), kinds: make(map[string]string, len(m.Kinds))}
	// Validate has read all three.
	r.date, _ = parseDateLayout(m.Date)
	r.time, _ = parseDateLayout(m.Time)
	r.zone, _ = time.LoadLocation(m.Zone)
	r.zoned = m.Zone != "" || strings.Contains(r.date+r.time, "Z07:00")
	for word, meaning := range m.Kinds {
		r.kinds[foldMappedWord(word)] = meaning
	}
	rows, err := f.Rows(m.comma())
	if err != nil {
		return nil, Table{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	for len(rows) > 0 && rows[0].Line <= m.Skip {
		rows = rows[1:]
	}
	if len(rows) == 0 {
		return nil, Table{}, fmt.Errorf("%s: %w: nothing stands below line %d", f.Name, ErrFormat, m.Skip)
	}
	table := NewTable(rows[0], rows[1:])
	for _, column := range m.Columns.nonEmpty() {
		if slices.IndexFunc(rows[0].Cells[table.Index(column)+1:], func(cell string) bool { return foldMappedWord(cell) == foldMappedWord(column) }) >= 0 {
			r.duplicateColumns = append(r.duplicateColumns, column)
		}
		if !table.Has(column) {
			return nil, Table{}, fmt.Errorf("%s: %w: line %d has no column %q", f.Name, ErrFormat, rows[0].Line, Shorten(column))
		}
	}
	c := m.Columns
	err = CheckDayOrder(f, table.Rows, func(row Row) string { return mappedCell(table, row, c.Date) }, r.date)
	if err == nil {
		err = CheckDecimalSeparator(f, table, r.sign, slices.DeleteFunc([]string{c.Quantity, c.Price, c.Amount, c.Fee, c.Tax}, func(column string) bool { return column == "" })...)
	}
	return r, table, err
}

func foldMappedWord(word string) string {
	return strings.ToLower(strings.Join(strings.Fields(word), " "))
}

// mappedCell is empty for a column that the mapping does not name; a header may have
// columns without a name.
func mappedCell(t Table, row Row, column string) string {
	if column == "" {
		return ""
	}
	return t.Cell(row, column)
}
