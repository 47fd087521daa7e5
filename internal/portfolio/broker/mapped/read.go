package mapped

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// Format is the mapping as a format of files. It recognizes none: that a table has
// the columns does not tell whose they are.
func Format(m Mapping) broker.Format {
	return broker.Format{
		Name:       m.Name,
		Title:      m.Name + ", by a mapping of columns",
		Recognizes: func(sheet.File) bool { return false },
		Read:       func(f sheet.File, o broker.Options) (broker.Statement, error) { return Read(f, m, o) },
	}
}

// Read reads a file by a mapping. A mapping that is wrong or has open doubts is
// refused with all of them; a file without one of its columns is ErrFormat.
func Read(f sheet.File, m Mapping, o broker.Options) (broker.Statement, error) {
	r, table, err := open(f, m, o)
	if err != nil {
		return broker.Statement{}, err
	}
	c := broker.NewCollector(m.Name, o)
	numbered := map[[2]string]int{} // by account and number, the line that had it first
	for _, row := range table.Rows {
		if row.Empty() {
			continue
		}
		e, err := r.entry(table, row)
		number := [2]string{r.account(table, row), e.id}
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
				sheet.Shorten(e.id), first, sheet.Shorten(m.Columns.ID))
		case e.ignored:
			c.Ignore(row, "the mapping says to ignore "+sheet.Shorten(cell(table, row, m.Columns.Kind)))
		default:
			c.AddAll(e.made, e.id, row)
		}
	}
	return c.Statement(table.Rows), nil
}

// Reading is one line as it was understood, beside the line itself.
type Reading struct {
	Row     sheet.Row      `json:"row"`
	Entries []broker.Entry `json:"entries,omitempty"`
	Problem string         `json:"problem,omitempty"`
	Ignored string         `json:"ignored,omitempty"`
}

// Preview reads the first n lines, for the user to compare.
func Preview(f sheet.File, m Mapping, o broker.Options, n int) ([]Reading, error) {
	_, table, err := open(f, m, o)
	if err != nil {
		return nil, err
	}
	s, err := Read(f, m, o)
	if err != nil {
		return nil, err
	}
	at := map[int]int{}
	var out []Reading
	for _, row := range table.Rows {
		if len(out) == n {
			break
		}
		if !row.Empty() {
			at[row.Line] = len(out)
			out = append(out, Reading{Row: row})
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

// reader is a mapping made ready to read with.
type reader struct {
	Mapping
	options broker.Options
	sign    sheet.Sign
	date    string // layout
	time    string // layout
	zone    *time.Location
	zoned   bool // the text or the mapping says of which zone times are
	kinds   map[string]string
	twice   []string // columns of the mapping whose name several of the file have
}

func open(f sheet.File, m Mapping, o broker.Options) (*reader, sheet.Table, error) {
	if err := m.Validate(); err != nil {
		return nil, sheet.Table{}, err
	}
	r := &reader{Mapping: m, options: o, sign: sheet.Sign(m.Decimal[0]), kinds: make(map[string]string, len(m.Kinds))}
	// Validate has read all three.
	r.date, _ = layoutOf(m.Date)
	r.time, _ = layoutOf(m.Time)
	r.zone, _ = time.LoadLocation(m.Zone)
	r.zoned = m.Zone != "" || strings.Contains(r.date+r.time, "Z07:00")
	for word, meaning := range m.Kinds {
		r.kinds[folded(word)] = meaning
	}
	rows, err := f.Rows(m.comma())
	if err != nil {
		return nil, sheet.Table{}, fmt.Errorf("%w: %w", broker.ErrFormat, err)
	}
	for len(rows) > 0 && rows[0].Line <= m.Skip {
		rows = rows[1:]
	}
	if len(rows) == 0 {
		return nil, sheet.Table{}, fmt.Errorf("%s: %w: nothing stands below line %d", f.Name, broker.ErrFormat, m.Skip)
	}
	table := sheet.NewTable(rows[0], rows[1:])
	for _, column := range m.Columns.named() {
		if slices.IndexFunc(rows[0].Cells[table.Place(column)+1:], func(cell string) bool { return folded(cell) == folded(column) }) >= 0 {
			r.twice = append(r.twice, column)
		}
		if !table.Has(column) {
			return nil, sheet.Table{}, fmt.Errorf("%s: %w: line %d has no column %q", f.Name, broker.ErrFormat, rows[0].Line, sheet.Shorten(column))
		}
	}
	c := m.Columns
	err = broker.InOrder(f, table.Rows, func(row sheet.Row) string { return cell(table, row, c.Date) }, r.date)
	if err == nil {
		err = broker.InSign(f, table, r.sign, slices.DeleteFunc([]string{c.Quantity, c.Price, c.Amount, c.Fee, c.Tax}, func(column string) bool { return column == "" })...)
	}
	return r, table, err
}

func folded(word string) string { return strings.ToLower(strings.Join(strings.Fields(word), " ")) }

// cell is empty for a column that the mapping does not name; a header may have
// columns without a name.
func cell(t sheet.Table, row sheet.Row, column string) string {
	if column == "" {
		return ""
	}
	return t.Cell(row, column)
}
