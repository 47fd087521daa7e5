// Package trading212 reads the history that Trading 212 exports as CSV.
//
// Columns are found by their names: the export has gained and moved many over the
// years, and has those of fees only where one was charged. Sums are in the currency
// of the account, whatever currency the price is in; fees and taxes in that currency
// are taken out of the sum, and those in another stay in it and are noted. Times are
// UTC. Prices in pence (GBX) are given in pounds.
//
// A dividend's total is after the tax withheld. Where that tax is in another
// currency, as it is for most foreign shares, the file has no rate to convert it:
// the dividend is recorded as it arrived, and the tax is noted.
package trading212

import (
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

const name = "trading212"

// Columns of the export that all versions have.
const (
	columnAction        = "Action"
	columnISIN          = "ISIN"
	columnTicker        = "Ticker"
	columnName          = "Name"
	columnShares        = "No. of shares"
	columnPrice         = "Price / share"
	columnPriceCurrency = "Currency (Price / share)"
)

// Format is Trading 212's history.
func Format() broker.Format {
	return broker.Format{
		Name:       name,
		Title:      "Trading 212, history (CSV)",
		Recognizes: func(f sheet.File) bool { return broker.Heads(f, columns()...) },
		Read:       read,
	}
}

// columns are those that every version of the export has.
func columns() []string {
	return []string{columnAction, columnISIN, columnTicker, columnShares, columnPrice, columnPriceCurrency}
}

func read(f sheet.File, o broker.Options) (broker.Statement, error) {
	table, err := broker.Table(f, columns()...)
	if err != nil {
		return broker.Statement{}, err
	}
	if err := broker.InSign(f, table, sheet.Point, columnShares, columnPrice, "Total"); err != nil {
		return broker.Statement{}, err
	}
	r := &reader{out: broker.NewCollector(name, o)}
	lines := r.lines(table, o)
	lines = r.splits(lines)
	for _, l := range lines {
		t, err := l.transaction()
		switch {
		case err != nil:
			r.out.Problem(l.row, "%v", err)
		case l.total.Decimal.IsZero() && t.Quantity.IsZero() && t.ToAmount.IsZero():
			r.out.Ignore(l.row, "nothing was paid")
		default:
			r.add(t, l)
		}
	}
	return r.out.Statement(table.Rows), nil
}

// reader turns lines into transactions, each line once.
type reader struct {
	out     *broker.Collector
	counter sheet.Counter
}

// add records a transaction under the broker's own number, which dividends lack.
func (r *reader) add(t portfolio.Transaction, lines ...line) {
	rows := make([]sheet.Row, len(lines))
	for i, l := range lines {
		rows[i] = l.row
	}
	id := lines[0].id
	if id == "" {
		id = r.counter.ID(lines[0].mark())
	}
	r.out.Add(t, id, rows...)
}
