// Package degiro reads the account statement that DEGIRO exports as CSV (Inbox,
// Account statement), in the languages that it is written in, and the list of trades
// that it exports beside it (Inbox, Transactions).
//
// The statement has one line for each movement of cash: a purchase in dollars is a
// line for the shares, one for the fee and two for the exchange of currency. Those of
// one order and day become one transaction, in the currency in which it was paid,
// where the sums leave no doubt which belong together; else each is recorded for
// itself, so that the cash is right. A payment that was reserved first and booked
// later is recorded once. Transfers between DEGIRO and its own bank are left out.
//
// Every line names the balance after it. Where the balance jumps by more than the
// line says, lines are missing from the file, and that is reported.
//
// Days are those of booking, which the balance follows; times are those of the
// file, which names no zone. Securities are known by their ISIN alone. Nothing in
// the statement says in which language it is: lines are known by their words.
//
// The list of trades has nothing but trades, each with what it cost in the account's
// currency. Its trades have the same names as those of the statement, so that both
// files can be read for one account.
package degiro

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

const (
	name   = "degiro"
	layout = "02-01-2006" // of days
)

// Format is DEGIRO's account statement.
func Format() broker.Format {
	return broker.Format{Name: name, Title: "DEGIRO, account statement or transactions (CSV)", Recognizes: recognizes, Read: read}
}

func recognizes(f sheet.File) bool {
	rows, err := f.Rows(0)
	if err != nil {
		return false
	}
	_, statement := findStatement(rows)
	_, trades := findTrades(rows)
	return statement || trades
}

func read(f sheet.File, o broker.Options) (broker.Statement, error) {
	rows, err := f.Rows(0)
	if err != nil {
		return broker.Statement{}, err
	}
	r := &reader{out: broker.NewCollector(name, o), used: map[int]bool{}, takenBack: map[string]bool{}}
	if t, ok := findTrades(rows); ok {
		if err := broker.InOrder(f, t.rows, func(row sheet.Row) string { return row.At(t.date) }, layout); err != nil {
			return broker.Statement{}, err
		}
		r.listed(t, o)
		return r.out.Statement(t.rows), nil
	}
	t, ok := findStatement(rows)
	if !ok {
		return broker.Statement{}, fmt.Errorf("%s: %w: there is no line with the columns of DEGIRO's account statement, as Date, Time, Product, ISIN, Description, Change, Balance, nor of its transactions",
			f.Name, broker.ErrFormat)
	}
	if err := broker.InOrder(f, t.rows, func(row sheet.Row) string { return row.At(t.date) }, layout); err != nil {
		return broker.Statement{}, err
	}
	r.account(t, o)
	return r.out.Statement(t.rows), nil
}

// account reads a statement.
func (r *reader) account(t table, o broker.Options) {
	r.lines = t.lines(r.out, o)
	r.checkBalances()
	r.corporate()
	r.returned()
	r.exchanges()
	r.trades()
	r.dividends()
	for i := range r.lines {
		if !r.used[i] {
			r.single(i)
		}
	}
}

// reader turns lines into transactions, each line once.
type reader struct {
	out       *broker.Collector
	counter   sheet.Counter
	lines     []line
	used      map[int]bool    // lines of which something was said
	pairs     []pair          // exchanges of currency
	takenBack map[string]bool // dividends that are not in the file, by payer
}

// add records a transaction of the lines, under the name of the first.
func (r *reader) add(t portfolio.Transaction, lines ...int) {
	var rows []sheet.Row
	for _, i := range lines {
		r.used[i] = true
		rows = append(rows, r.lines[i].rows...)
	}
	r.out.Add(t, r.counter.ID(r.lines[lines[0]].mark(string(t.Kind))), rows...)
}

func (r *reader) ignore(i int, reason string) {
	r.used[i] = true
	for _, row := range r.lines[i].rows {
		r.out.Ignore(row, reason)
	}
}

func (r *reader) problem(i int, format string, args ...any) {
	r.used[i] = true
	reason := fmt.Sprintf(format, args...)
	for _, row := range r.lines[i].rows {
		r.out.Problem(row, "%s", reason)
	}
}
