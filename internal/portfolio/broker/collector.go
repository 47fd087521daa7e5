package broker

import (
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// Collector gathers what a format reads of a file and keeps account of its lines,
// so that none is lost: whatever was neither read nor ignored for a reason becomes
// a problem at the end.
type Collector struct {
	format  string
	account string
	counter sheet.Counter
	byID    map[string]int // SourceID to its place in entries
	out     Statement
	named   map[int]bool
}

// NewCollector begins a statement of the format.
func NewCollector(format string, o Options) *Collector {
	return &Collector{
		format: format, account: o.Account, byID: map[string]int{}, named: map[int]bool{},
		out: Statement{Format: format},
	}
}

// Add records a transaction that was made of the rows. Its Source is the format,
// its SourceID id, and its Account that of the options where it has none. An empty
// id stands for a broker that gives no number: the first row's cells then make one.
// The same id a second time is ignored where it says the same, and a problem where
// it does not.
func (c *Collector) Add(t portfolio.Transaction, id string, rows ...sheet.Row) {
	if id == "" && len(rows) > 0 {
		id = c.counter.ID(rows[0].Cells)
	}
	t.ID, t.Source, t.SourceID = "", c.format, id
	// Texts of a file may be of any length and steer a terminal.
	t.Name, t.Note = sheet.Shorten(t.Name), sheet.Shorten(t.Note)
	if t.Account == "" {
		t.Account = c.account
	}
	if err := check(t); err != nil {
		c.Refuse(rows, "%s", err)
		return
	}
	if i, twice := c.byID[id]; twice {
		c.repeated(c.out.Entries[i], t, rows)
		return
	}
	c.byID[id] = len(c.out.Entries)
	c.out.Entries = append(c.out.Entries, Entry{Lines: c.name(rows), Transaction: t})
}

// check has the book's own rules say what is wrong before anything is recorded. The
// ID is given later and stands here for any.
func check(t portfolio.Transaction) error {
	t.ID = "new"
	return t.Validate()
}

func (c *Collector) repeated(first Entry, t portfolio.Transaction, rows []sheet.Row) {
	for _, row := range rows {
		if same(first.Transaction, t) {
			c.Ignore(row, fmt.Sprintf("the same as line %d, by the broker's number %s", first.Lines[0], sheet.Shorten(t.SourceID)))
			continue
		}
		c.Problem(row, "has the number %s of line %d and says something else: compare both with the broker's statement", sheet.Shorten(t.SourceID), first.Lines[0])
	}
}

// same compares what counts of two transactions.
func same(a, b portfolio.Transaction) bool {
	return a.Kind == b.Kind && a.Account == b.Account && a.Symbol == b.Symbol && a.ISIN == b.ISIN && a.Date.Equal(b.Date) && a.Currency == b.Currency &&
		a.Quantity.Equal(b.Quantity) && a.Amount.Equal(b.Amount) && a.Fee.Equal(b.Fee) && a.Tax.Equal(b.Tax) &&
		a.ToSymbol == b.ToSymbol && a.ToCurrency == b.ToCurrency && a.ToAmount.Equal(b.ToAmount) && a.New.Equal(b.New) && a.Old.Equal(b.Old)
}

// Problem reports a row that was not understood, with a reason that says what to do.
func (c *Collector) Problem(row sheet.Row, format string, args ...any) {
	c.out.Problems = append(c.out.Problems, c.remark(row, fmt.Sprintf(format, args...)))
}

// Ignore leaves a row out that was understood and is nothing to record.
func (c *Collector) Ignore(row sheet.Row, reason string) {
	c.out.Ignored = append(c.out.Ignored, c.remark(row, reason))
}

// Has reports whether a transaction of the number was recorded.
func (c *Collector) Has(id string) bool {
	_, ok := c.byID[id]
	return ok
}

// Named reports whether something was said of the row already.
func (c *Collector) Named(row sheet.Row) bool { return c.named[row.Line] }

// Statement is what was gathered. Of rows, which are all that the file has below
// its header, those of which nothing was said become problems; empty ones do not
// count. Problems and Ignored are in the order of lines.
func (c *Collector) Statement(rows []sheet.Row) Statement {
	for _, row := range rows {
		if !c.named[row.Line] && !row.Empty() {
			c.Problem(row, "not understood")
		}
	}
	byLine := func(a, b Remark) int { return a.Line - b.Line }
	slices.SortStableFunc(c.out.Problems, byLine)
	slices.SortStableFunc(c.out.Ignored, byLine)
	slices.SortStableFunc(c.out.Entries, func(a, b Entry) int { return a.Lines[0] - b.Lines[0] })
	return c.out
}

// Refuse reports rows that belong together and were not understood together.
func (c *Collector) Refuse(rows []sheet.Row, format string, args ...any) {
	for _, row := range rows {
		c.Problem(row, format, args...)
	}
}

func (c *Collector) remark(row sheet.Row, reason string) Remark {
	c.named[row.Line] = true
	return Remark{Line: row.Line, Text: row.Text(), Reason: reason}
}

func (c *Collector) name(rows []sheet.Row) []int {
	lines := make([]int, 0, len(rows))
	for _, row := range rows {
		c.named[row.Line] = true
		lines = append(lines, row.Line)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
