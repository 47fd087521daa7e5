package importer

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

const coinbaseName = "coinbase"

// Coinbase is Coinbase's transaction history. Purchases that a card or bank account
// paid for have no deposit in the file: an account whose cash is not tracked suits
// it best.
func Coinbase() Format {
	return Format{
		Name:  coinbaseName,
		Title: "Coinbase, transaction history (CSV)",
		Recognizes: func(f File) bool {
			_, _, ok := findCoinbaseHeader(f.Text)
			return ok
		},
		Read: readCoinbase,
	}
}

// maxCoinbasePreamble is how many lines may stand above the header.
const maxCoinbasePreamble = 100

// findCoinbaseHeader finds the line of the header, counted from 0, and where it begins in the
// text. What stands above is prose of some years, with quotation marks of its own.
func findCoinbaseHeader(text string) (line, at int, found bool) {
	for line = range maxCoinbasePreamble {
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

func readCoinbase(f File, o Options) (Statement, error) {
	above, at, ok := findCoinbaseHeader(f.Text)
	if !ok {
		return Statement{}, fmt.Errorf("%s: %w: it has no header of Coinbase's", f.Name, ErrFormat)
	}
	rows, err := File{Name: f.Name, Text: f.Text[at:]}.RowsWith(TableOptions{Comma: ',', Lazy: true})
	if err != nil {
		return Statement{}, fmt.Errorf("%w: below line %d: %w", ErrFormat, above, err)
	}
	for i := range rows {
		rows[i].Line += above
	}
	t := NewTable(rows[0], rows[1:])
	for _, column := range []string{"Timestamp", "Transaction Type", "Asset", "Quantity Transacted"} {
		if !t.Has(column) {
			return Statement{}, fmt.Errorf("%s: %w: it has no column %q", f.Name, ErrFormat, column)
		}
	}
	r := coinbaseReader{collector: NewCollector(coinbaseName, o), columns: coinbaseColumnsOf(t), table: t, zone: o.Zone}
	r.read()
	return r.collector.Statement(t.Rows), nil
}

// read goes through the lines in their order.
func (r *coinbaseReader) read() {
	r.conversions, r.renamed = r.findPairs()
	for _, row := range r.table.Rows {
		if row.Empty() {
			continue
		}
		txs, err := r.transactions(row)
		if err != nil {
			r.collector.Skip(err, row)
			continue
		}
		r.collector.AddAll(txs, r.table.Cell(row, "ID"), row)
	}
}

// transactions are what a line stands for. Their SourceID is what tells them apart,
// where there is more than one.
func (r *coinbaseReader) transactions(row Row) ([]portfolio.Transaction, error) {
	l, err := r.parseRow(row)
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
		return r.transferOut(l)
	case "receive", "exchange withdrawal", "pro withdrawal", "deposit", "fiat deposit":
		return r.transferIn(l)
	case "vault withdrawal", "vault deposit", "cash to savings", "savings to cash", "retail staking transfer", "retail unstaking transfer",
		"retail eth2 deprecation":
		return nil, IgnoreReason("a move between parts of the same account")
	default:
		return nil, fmt.Errorf("%q is no type of transaction that is known; enter it by hand", Shorten(l.kind))
	}
}
