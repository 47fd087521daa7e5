// Package coinbase reads Coinbase's transaction history (CSV) in the layouts that it
// has had since 2019: with and without numbers of transactions, with "Spot Price
// Currency" or "Price Currency", and with the currency in the names of columns.
//
// A coin is booked as its pair with the dollar, BTC-USD, whatever currency it was
// paid in, so that it is one position with one price everywhere; what was paid
// stays in the currency of the file. ETH2, as Coinbase called staked ether, is ETH.
package coinbase

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

const name = "coinbase"

// Format is Coinbase's transaction history. Purchases that a card or bank account
// paid for have no deposit in the file: an account whose cash is not tracked suits
// it best.
func Format() broker.Format {
	return broker.Format{
		Name:  name,
		Title: "Coinbase, transaction history (CSV)",
		Recognizes: func(f sheet.File) bool {
			_, _, ok := header(f.Text)
			return ok
		},
		Read: read,
	}
}

// mostProse is how many lines may stand above the header.
const mostProse = 100

// header finds the line of the header, counted from 0, and where it begins in the
// text. What stands above is prose of some years, with quotation marks of its own.
func header(text string) (line, at int, found bool) {
	for line = range mostProse {
		first, _, more := strings.Cut(text[at:], "\n")
		if strings.Contains(first, "Timestamp") && strings.Contains(first, "Transaction Type") && strings.Contains(first, "Quantity Transacted") {
			return line, at, true
		}
		if !more {
			break
		}
		at += len(first) + 1
	}
	return 0, 0, false
}

func read(f sheet.File, o broker.Options) (broker.Statement, error) {
	above, at, ok := header(f.Text)
	if !ok {
		return broker.Statement{}, fmt.Errorf("%s: %w: it has no header of Coinbase's", f.Name, broker.ErrFormat)
	}
	rows, err := sheet.File{Name: f.Name, Text: f.Text[at:]}.RowsWith(sheet.Options{Comma: ',', Lazy: true})
	if err != nil {
		return broker.Statement{}, fmt.Errorf("%w: below line %d: %w", broker.ErrFormat, above, err)
	}
	for i := range rows {
		rows[i].Line += above
	}
	t := sheet.NewTable(rows[0], rows[1:])
	for _, column := range []string{"Timestamp", "Transaction Type", "Asset", "Quantity Transacted"} {
		if !t.Has(column) {
			return broker.Statement{}, fmt.Errorf("%s: %w: it has no column %q", f.Name, broker.ErrFormat, column)
		}
	}
	r := reader{collector: broker.NewCollector(name, o), columns: columnsOf(t), table: t, zone: o.Zone}
	r.read()
	return r.collector.Statement(t.Rows), nil
}

// read goes through the lines in their order.
func (r *reader) read() {
	r.given, r.renamed = r.pairs()
	for _, row := range r.table.Rows {
		if row.Empty() {
			continue
		}
		made, err := r.transactions(row)
		if err != nil {
			r.collector.Leave(err, row)
			continue
		}
		r.collector.AddAll(made, r.table.Cell(row, "ID"), row)
	}
}

// transactions are what a line stands for. Their SourceID is what tells them apart,
// where there is more than one.
func (r *reader) transactions(row sheet.Row) ([]portfolio.Transaction, error) {
	l, err := r.line(row)
	if err != nil {
		return nil, err
	}
	switch kind := strings.ToLower(l.kind); kind {
	case "buy", "advanced trade buy", "advance trade buy":
		return l.trade(portfolio.KindBuy)
	case "sell", "advanced trade sell", "advance trade sell":
		return l.trade(portfolio.KindSell)
	case "convert":
		return r.convert(l)
	case "staking income", "rewards income", "reward income", "inflation reward", "coinbase earn", "learning reward", "interest payout",
		"incentives rewards payout", "airdrop", "subscription rebate", "subscription rebates", "subscription rebates (24 hours)":
		return l.reward()
	case "send", "exchange deposit", "pro deposit", "withdrawal", "fiat withdrawal":
		return r.out(l)
	case "receive", "exchange withdrawal", "pro withdrawal", "deposit", "fiat deposit":
		return r.in(l)
	case "vault withdrawal", "vault deposit", "cash to savings", "savings to cash", "retail staking transfer", "retail unstaking transfer",
		"retail eth2 deprecation":
		return nil, broker.LeftOut("a move between parts of the same account")
	default:
		return nil, fmt.Errorf("%q is no type of transaction that is known; enter it by hand", sheet.Shorten(l.kind))
	}
}
