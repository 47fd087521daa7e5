package broker

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// Collector gathers what a format reads of a file and keeps account of its lines,
// so that none is lost: whatever was neither read nor ignored for a reason becomes
// a problem at the end.
type Collector struct {
	format  string
	options Options
	counter sheet.Counter
	byID    map[numbered]int // to its place in entries
	out     Statement
	named   map[int]bool
	// accounts are those that the file names.
	accounts map[string]bool
}

// numbered is what a broker's number tells apart: those of two accounts may be equal.
type numbered struct{ account, number string }

func numberOf(t *portfolio.Transaction) numbered { return numbered{t.Account, t.SourceID} }

// NewCollector begins a statement of the format.
func NewCollector(format string, o Options) *Collector {
	return &Collector{
		format: format, options: o, byID: map[numbered]int{}, named: map[int]bool{}, accounts: map[string]bool{},
		out: Statement{Format: format},
	}
}

// Account is what a line is of where the file says it is of named: that of the options,
// unless they have none or keep accounts apart.
func (c *Collector) Account(named string) string {
	if named != "" {
		c.accounts[named] = true
	}
	if named != "" && (c.options.Apart || c.options.Account == "") {
		return named
	}
	return c.options.Account
}

// Add is AddAll for rows that stand for one transaction.
func (c *Collector) Add(t portfolio.Transaction, id string, rows ...sheet.Row) {
	t.SourceID = ""
	c.record([]portfolio.Transaction{t}, id, rows)
}

// AddAll records all transactions that rows stand for, or none: half of a line would
// be worse than nothing of it. The Source of each is the format, its Account that of
// the options where it has none, and its SourceID is id with the SourceID that it
// comes with behind it, which tells it from the others of its rows ("", "/tax").
// An empty id stands for a broker that gives no number: the first row's cells then
// make one.
//
// Where the book would not take one of them, or it is in pence, all rows are a
// problem. The same id a second time in an account is ignored where it says the same,
// and a problem where it does not. Of no transactions nothing is said.
func (c *Collector) AddAll(made []portfolio.Transaction, id string, rows ...sheet.Row) {
	if len(made) > 0 {
		c.record(slices.Clone(made), id, rows)
	}
}

// record takes made for its own.
func (c *Collector) record(made []portfolio.Transaction, id string, rows []sheet.Row) {
	if id == "" && len(rows) > 0 {
		id = c.counter.ID(rows[0].Cells)
	}
	for i := range made {
		t := &made[i]
		t.ID, t.Source, t.SourceID = "", c.format, id+t.SourceID
		// Texts of a file may be of any length and steer a terminal.
		t.Name, t.Note = sheet.Shorten(t.Name), sheet.Shorten(t.Note)
		if t.Account == "" {
			t.Account = c.options.Account
		}
	}
	if err := check(made); err != nil {
		c.Refuse(rows, "%s", err)
		return
	}
	if first, twice := c.known(made); twice {
		c.repeated(first, made, rows)
		return
	}
	lines := c.name(rows)
	if need := len(c.out.Entries) + len(made); need > cap(c.out.Entries) {
		// Entries are large and files long: twice the room each time copies them once.
		c.out.Entries = slices.Grow(c.out.Entries, need)
	}
	for i := range made {
		if i > 0 {
			lines = slices.Clone(lines)
		}
		c.byID[numberOf(&made[i])] = len(c.out.Entries)
		c.out.Entries = append(c.out.Entries, Entry{Lines: lines, Transaction: made[i]})
	}
}

// check has the book's own rules say what is wrong before anything is recorded. The
// ID is given later and stands here for any.
func check(made []portfolio.Transaction) error {
	for i := range made {
		t := &made[i]
		t.ID = "new"
		err := t.Validate()
		t.ID = ""
		if err := cmp.Or(err, inWhole(t.Currency), inWhole(t.ToCurrency)); err != nil {
			return err
		}
		if slices.ContainsFunc(made[:i], func(other portfolio.Transaction) bool { return other.SourceID == t.SourceID }) {
			return fmt.Errorf("two transactions of the one number %s", sheet.Shorten(t.SourceID))
		}
	}
	return nil
}

// known finds what was recorded under a number of one of them.
func (c *Collector) known(made []portfolio.Transaction) (Entry, bool) {
	for i := range made {
		if at, ok := c.byID[numberOf(&made[i])]; ok {
			return c.out.Entries[at], true
		}
	}
	return Entry{}, false
}

// repeated tells a line that stands twice from one that only has the number of
// another: all of its transactions are there, and say the same.
func (c *Collector) repeated(first Entry, made []portfolio.Transaction, rows []sheet.Row) {
	twice := true
	for i := range made {
		at, ok := c.byID[numberOf(&made[i])]
		twice = twice && ok && same(c.out.Entries[at].Transaction, made[i])
	}
	number := sheet.Shorten(first.Transaction.SourceID)
	for _, row := range rows {
		if twice {
			c.Ignore(row, fmt.Sprintf("the same as line %d, by the broker's number %s", first.Lines[0], number))
			continue
		}
		c.Problem(row, "has the number %s of line %d and says something else: compare both with the broker's statement", number, first.Lines[0])
	}
}

// same compares what counts of two transactions, the moment among it: fills of one
// order are of the same shares and sums, at other times.
func same(a, b portfolio.Transaction) bool {
	return a.Kind == b.Kind && a.Symbol == b.Symbol && a.ISIN == b.ISIN && a.Date.Equal(b.Date) && a.Time.Equal(b.Time) && a.Currency == b.Currency &&
		a.Quantity.Equal(b.Quantity) && sameNull(a.Price, b.Price) && a.Amount.Equal(b.Amount) && a.Fee.Equal(b.Fee) && a.Tax.Equal(b.Tax) &&
		a.CostUnknown == b.CostUnknown && a.Acquired.Equal(b.Acquired) && a.Short == b.Short && sameNull(a.CostPart, b.CostPart) &&
		a.ToAccount == b.ToAccount && a.ToSymbol == b.ToSymbol && a.ToCurrency == b.ToCurrency && a.ToAmount.Equal(b.ToAmount) &&
		a.New.Equal(b.New) && a.Old.Equal(b.Old)
}

func sameNull(a, b decimal.NullDecimal) bool { return a.Valid == b.Valid && a.Decimal.Equal(b.Decimal) }

// Problem reports a row that was not understood, with a reason that says what to do.
func (c *Collector) Problem(row sheet.Row, format string, args ...any) {
	c.out.Problems = append(c.out.Problems, c.remark(row, fmt.Sprintf(format, args...)))
}

// Ignore leaves a row out that was understood and is nothing to record.
func (c *Collector) Ignore(row sheet.Row, reason string) {
	c.out.Ignored = append(c.out.Ignored, c.remark(row, reason))
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
	c.out.Accounts = slices.Sorted(maps.Keys(c.accounts))
	slices.SortStableFunc(c.out.Entries, func(a, b Entry) int { return a.Lines[0] - b.Lines[0] })
	return c.out
}

// Refuse reports rows that belong together and were not understood together.
func (c *Collector) Refuse(rows []sheet.Row, format string, args ...any) {
	for _, row := range rows {
		c.Problem(row, format, args...)
	}
}

// LeftOut is why rows are nothing to record, for formats that find it where an error
// is returned.
type LeftOut string

// Error is the reason.
func (l LeftOut) Error() string { return string(l) }

// Leave says why rows became no transaction: they are ignored for a LeftOut, and a
// problem for any other error.
func (c *Collector) Leave(err error, rows ...sheet.Row) {
	reason, ignored := errors.AsType[LeftOut](err)
	for _, row := range rows {
		if ignored {
			c.Ignore(row, string(reason))
			continue
		}
		c.Problem(row, "%s", err)
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
