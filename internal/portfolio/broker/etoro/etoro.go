// Package etoro reads the sheet "Account Activity" of eToro's account statement,
// saved as CSV.
//
// Amounts are those of the account, which eToro keeps in US dollars unless the
// options name another currency; times are UTC. One file may write numbers in two
// manners, after the language in which each part was saved, so each cell is read
// alone, and one that could be either ("1.234") only where the rest of the file
// decides.
//
// A closed position's amount is what came back in all. Dividends are after the tax
// withheld, which this sheet does not tell. A contract for difference is a bet on a
// price and no holding: opening and closing one is reported and not recorded, while
// the interest it costs is. Money that moves between the account and its copied
// portfolios stays in the account.
package etoro

import (
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

const name = "etoro"

// Columns of the sheet. The number of units has had two names.
const (
	columnDate     = "Date"
	columnType     = "Type"
	columnDetails  = "Details"
	columnAmount   = "Amount"
	columnUnits    = "Units"
	columnUnitsNow = "Units / Contracts"
	columnChange   = "Realized Equity Change"
	columnPosition = "Position ID"
	columnAsset    = "Asset type"
)

// Format is eToro's account activity.
func Format() broker.Format {
	return broker.Format{Name: name, Title: "eToro, account activity (CSV)", Recognizes: recognizes, Read: read}
}

// columns are those of the sheet, with the number of units under either name.
func columns(units string) []string {
	return []string{columnDate, columnType, columnDetails, columnAmount, units, columnChange, columnPosition, columnAsset}
}

func recognizes(f sheet.File) bool {
	return broker.Heads(f, columns(columnUnits)...) || broker.Heads(f, columns(columnUnitsNow)...)
}

func read(f sheet.File, o broker.Options) (broker.Statement, error) {
	table, err := broker.Table(f, columns(columnUnitsNow)...)
	if err != nil {
		table, err = broker.Table(f, columns(columnUnits)...)
	}
	if err != nil {
		return broker.Statement{}, err
	}
	if err := broker.InOrder(f, table.Rows, func(row sheet.Row) string { return table.Cell(row, columnDate) }, layout); err != nil {
		return broker.Statement{}, err
	}
	r := &reader{out: broker.NewCollector(name, o), currency: o.Currency, split: map[string]bool{}}
	if r.currency == "" {
		r.currency = "USD"
	}
	lines := r.lines(table, o)
	r.positions = symbols(lines)
	for _, l := range lines {
		r.single(l)
	}
	return r.out.Statement(table.Rows), nil
}

// reader turns lines into transactions, each line once.
type reader struct {
	out       *broker.Collector
	counter   sheet.Counter
	currency  string
	positions map[string]string // number of a position to what it is of
	split     map[string]bool   // splits that are recorded already
}

// add names a split without the position that its line is about: it is the same
// one for whichever of them comes first.
func (r *reader) add(t portfolio.Transaction, l line) {
	mark := l.mark()
	if t.Kind == portfolio.KindSplit || t.Kind == portfolio.KindReverseSplit {
		mark = []string{l.occasion()}
	}
	r.out.Add(t, r.counter.ID(mark), l.row)
}
