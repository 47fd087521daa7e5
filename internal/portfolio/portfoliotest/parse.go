package portfoliotest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Ledger parses transactions written as short lines, in account a unless they name another:
//
//	2024-01-02 buy 10 VTI 2000 USD fee=1 id=first
//
// A number before USD, EUR or CHF is the amount, before another word the quantity. IDs are t1, t2
// and so on. The accounts a, b and c use FIFO and CashMargin.
func Ledger(t testing.TB, lines ...string) portfolio.Ledger {
	t.Helper()
	var l portfolio.Ledger
	for _, name := range []string{"a", "b", "c"} {
		account := portfolio.NewAccount(name)
		account.Cash = portfolio.CashMargin
		l.Accounts = append(l.Accounts, account)
	}
	for i, line := range lines {
		l.Transactions = append(l.Transactions, ParseTransaction(t, fmt.Sprintf("t%d", i+1), line))
	}
	return l
}

// ParseTransaction parses one line of Ledger.
func ParseTransaction(t testing.TB, id, line string) portfolio.Transaction {
	t.Helper()
	fields := strings.Fields(line)
	tr := portfolio.Transaction{ID: id, Date: Day(fields[0]), Kind: portfolio.Kind(fields[1]), Account: "a"}
	var last decimal.Decimal
	for _, w := range fields[2:] {
		key, value, named := strings.Cut(w, "=")
		n, err := decimal.NewFromString(w)
		switch {
		case named:
			setField(t, &tr, key, value)
		case err == nil:
			last = n
		case strings.Contains("USD EUR CHF", w):
			tr.Amount, tr.Currency = last, w
		default:
			tr.Quantity, tr.Symbol = last, market.Symbol(w)
			last = decimal.Zero
		}
	}
	return tr
}

func setField(t testing.TB, tr *portfolio.Transaction, key, value string) {
	t.Helper()
	switch key {
	case "id":
		tr.ID = value
	case "account":
		tr.Account = value
	case "at":
		clock, err := time.Parse("15:04", value)
		if err != nil {
			t.Fatal(err)
		}
		tr.Time = tr.Date.Add(time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute)
	case "fee":
		tr.Fee = number(value)
	case "tax":
		tr.Tax = number(value)
	case "price":
		tr.Price = nullNumber(value)
	case "acquired":
		tr.Acquired = Day(value)
	case "to":
		tr.ToAccount = value
	case "tosymbol":
		tr.ToSymbol = market.Symbol(value)
	case "toamount":
		tr.ToAmount, tr.ToCurrency = number(value[:len(value)-3]), value[len(value)-3:]
	case "ratio":
		previous, current, _ := strings.Cut(value, ":")
		tr.New, tr.Old = number(previous), number(current)
	case "part":
		tr.CostPart = nullNumber(value)
	case "currency":
		tr.Currency = value
	case "short":
		tr.Short = true
	case "unknown":
		tr.CostUnknown = true
	case "lot":
		id, q, _ := strings.Cut(value, ":")
		tr.Lots = append(tr.Lots, portfolio.LotPick{Lot: id, Quantity: number(q)})
	case "source":
		tr.Source, tr.SourceID, _ = strings.Cut(value, ":")
	case "name":
		tr.Name = value
	default:
		t.Fatalf("unknown field %s=%s", key, value)
	}
}
