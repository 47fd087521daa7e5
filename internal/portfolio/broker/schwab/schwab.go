// Package schwab reads the transaction history that Charles Schwab exports as CSV
// (Accounts, History, Export).
//
// Amounts are US dollars. A date written "07/15/2024 as of 07/12/2024" is the day
// on which the line was posted and the day to which it belongs; the transaction is
// of the latter. A dividend and the shares bought with it become one transaction
// where both are of one day and one sum. Where the shares came days later they stay
// a dividend and a purchase: the next export may hold only one of the two lines, and
// what is counted must not depend on where a file was cut.
//
// Schwab does not say by which ratio shares were split, whom a spin-off came from,
// nor under which symbol the shares were held that became others: such lines are
// not guessed.
package schwab

import (
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

const (
	name     = "schwab"
	currency = "USD"
)

// Columns of the export.
const (
	columnDate        = "Date"
	columnAction      = "Action"
	columnSymbol      = "Symbol"
	columnDescription = "Description"
	columnQuantity    = "Quantity"
	columnPrice       = "Price"
	columnFee         = "Fees & Comm"
	columnAmount      = "Amount"
)

func columns() []string {
	return []string{columnDate, columnAction, columnSymbol, columnDescription, columnQuantity, columnPrice, columnFee, columnAmount}
}

// Format is Schwab's transaction history.
func Format() broker.Format {
	return broker.Format{
		Name:       name,
		Title:      "Charles Schwab, transaction history (CSV)",
		Recognizes: func(f sheet.File) bool { return broker.Heads(f, columns()...) },
		Read:       read,
	}
}

func read(f sheet.File, o broker.Options) (broker.Statement, error) {
	table, err := broker.Table(f, columns()...)
	if err != nil {
		return broker.Statement{}, err
	}
	if err := broker.InOrder(f, table.Rows, func(row sheet.Row) string { return table.Cell(row, columnDate) }, layout); err != nil {
		return broker.Statement{}, err
	}
	if err := broker.InSign(f, table, sheet.Point, columnQuantity, columnPrice, columnFee, columnAmount); err != nil {
		return broker.Statement{}, err
	}
	r := &reader{out: broker.NewCollector(name, o)}
	lines := r.lines(table)
	lines = r.reinvested(lines)
	lines = r.exchanged(lines)
	for _, l := range lines {
		r.single(l)
	}
	return r.out.Statement(table.Rows), nil
}

// reader turns lines into transactions, each line once.
type reader struct {
	out     *broker.Collector
	counter sheet.Counter
}

// add records a transaction under the name of its first line.
func (r *reader) add(t portfolio.Transaction, lines ...line) {
	rows := make([]sheet.Row, len(lines))
	for i, l := range lines {
		rows[i] = l.row
	}
	r.out.Add(t, r.counter.ID(lines[0].mark()), rows...)
}
