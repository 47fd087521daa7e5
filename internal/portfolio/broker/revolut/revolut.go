// Package revolut reads the account statement of Revolut's share trading (CSV).
//
// Revolut takes its fees, and those of the exchange, within the total of a trade, and
// taxes on dividends before it writes them: the total is what was booked, and what
// is not in the file stays unknown. Numbers are written with a decimal point in some
// lines and a comma in others; a number that can be read both ways is decided by
// what quantity and price come to, and otherwise by the file's other sums.
package revolut

import (
	"errors"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

const name = "revolut"

// Format is Revolut's account statement of trading. It has no numbers of
// transactions: a line is known by all of its cells.
func Format() broker.Format {
	return broker.Format{
		Name:       name,
		Title:      "Revolut, trading account statement (CSV)",
		Recognizes: func(f sheet.File) bool { return broker.Heads(f, columns()...) },
		Read:       read,
	}
}

func columns() []string {
	return []string{"Date", "Ticker", "Type", "Quantity", "Price per share", "Total Amount", "Currency", "FX Rate"}
}

func read(f sheet.File, o broker.Options) (broker.Statement, error) {
	t, err := broker.Table(f, columns()...)
	if err != nil {
		return broker.Statement{}, err
	}
	r := reader{collector: broker.NewCollector(name, o), table: t, zone: o.Zone}
	r.sign, r.sure = sheet.GuessSign(r.sums())
	r.read()
	return r.collector.Statement(t.Rows), nil
}

// reader is what is known of a file.
type reader struct {
	collector *broker.Collector
	table     sheet.Table
	zone      *time.Location
	sign      sheet.Sign // of the file's sums
	sure      bool       // that it is
	held      holdings
	partners  map[int]line // by line number: the other of two lines that belong together
}

// sums are the cells that tell how the file writes numbers.
func (r *reader) sums() []string {
	var cells []string
	for _, row := range r.table.Rows {
		cells = append(cells, r.table.Cell(row, "Price per share"), r.table.Cell(row, "Total Amount"))
	}
	return cells
}

func (r *reader) read() {
	lines := make([]line, 0, len(r.table.Rows))
	for _, row := range r.table.Rows {
		if row.Empty() {
			continue
		}
		l, err := r.line(row)
		if err != nil {
			r.collector.Problem(row, "%s", err.Error())
			continue
		}
		lines = append(lines, l)
	}
	r.partners = partners(lines)
	r.held = holdingsOf(lines)
	for _, l := range lines {
		if r.collector.Named(l.row) {
			continue // said with its partner
		}
		r.book(l)
	}
}

// book records a line, with its partner where it has one.
func (r *reader) book(l line) {
	rows := []sheet.Row{l.row}
	if other, ok := r.partners[l.row.Line]; ok {
		rows = append(rows, other.row)
	}
	t, err := r.transaction(l)
	if err != nil {
		r.collector.Leave(err, l.row) // its partner may have something to say of its own
		return
	}
	r.collector.Add(t, "", rows...)
}

// transaction is what a line stands for.
func (r *reader) transaction(l line) (portfolio.Transaction, error) {
	switch {
	case l.trade != "":
		return r.bought(l)
	case l.transfer:
		return r.moved(l)
	}
	switch l.kind {
	case "DIVIDEND":
		return r.paid(l, portfolio.KindDividend, 1)
	case "RETURN OF CAPITAL":
		return r.paid(l, portfolio.KindReturnOfCapital, 1)
	case "CASH TOP-UP":
		return r.paid(l, portfolio.KindDeposit, 1)
	case "CASH WITHDRAWAL":
		return r.paid(l, portfolio.KindWithdrawal, -1)
	case "CUSTODY FEE", "ROBO MANAGEMENT FEE", "CUSTODY FEE REVERSAL":
		return r.givenBack(l, portfolio.KindFee, portfolio.KindFeeRefund)
	case "DIVIDEND TAX (CORRECTION)":
		return r.givenBack(l, portfolio.KindTax, portfolio.KindTaxRefund)
	case "STOCK SPLIT":
		return r.split(l)
	case "MERGER - STOCK":
		return r.merged(l)
	case "MERGER - CASH", "POSITION CLOSURE":
		return r.closed(l)
	case "SPINOFF", "SPIN-OFF":
		return portfolio.Transaction{}, errors.New("the line does not say of which shares these came; enter the spin-off by hand")
	default:
		return portfolio.Transaction{}, fmt.Errorf("%q is no type that is known; enter it by hand", sheet.Shorten(l.kind))
	}
}
