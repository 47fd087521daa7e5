package portfolio_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func day(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

// ledger reads transactions as one would say them, of the account a unless they
// name another:
//
//	2024-01-02 buy 10 VTI 2000 USD fee=1 id=first
//
// A number before USD, EUR or CHF is the amount, before another word the quantity.
// IDs are t1, t2 and so on. The accounts a, b and c take the oldest lots first and
// may owe.
func ledger(t testing.TB, lines ...string) portfolio.Ledger {
	t.Helper()
	var l portfolio.Ledger
	for _, name := range []string{"a", "b", "c"} {
		account := portfolio.NewAccount(name)
		account.Cash = portfolio.CashMargin
		l.Accounts = append(l.Accounts, account)
	}
	for i, line := range lines {
		l.Transactions = append(l.Transactions, said(t, fmt.Sprintf("t%d", i+1), line))
	}
	return l
}

func said(t testing.TB, id, line string) portfolio.Transaction {
	t.Helper()
	words := strings.Fields(line)
	tr := portfolio.Transaction{ID: id, Date: day(words[0]), Kind: portfolio.Kind(words[1]), Account: "a"}
	var number decimal.Decimal
	for _, w := range words[2:] {
		key, value, named := strings.Cut(w, "=")
		n, err := decimal.NewFromString(w)
		switch {
		case named:
			set(t, &tr, key, value)
		case err == nil:
			number = n
		case strings.Contains("USD EUR CHF", w):
			tr.Amount, tr.Currency = number, w
		default:
			tr.Quantity, tr.Symbol = number, market.Symbol(w)
			number = decimal.Zero
		}
	}
	return tr
}

func set(t testing.TB, tr *portfolio.Transaction, key, value string) {
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
		tr.Fee = dec(value)
	case "tax":
		tr.Tax = dec(value)
	case "price":
		tr.Price = decimal.NewNullDecimal(dec(value))
	case "acquired":
		tr.Acquired = day(value)
	case "to":
		tr.ToAccount = value
	case "tosymbol":
		tr.ToSymbol = market.Symbol(value)
	case "toamount":
		tr.ToAmount, tr.ToCurrency = dec(value[:len(value)-3]), value[len(value)-3:]
	case "ratio":
		was, is, _ := strings.Cut(value, ":")
		tr.New, tr.Old = dec(was), dec(is)
	case "part":
		tr.CostPart = decimal.NewNullDecimal(dec(value))
	case "currency":
		tr.Currency = value
	case "short":
		tr.Short = true
	case "unknown":
		tr.CostUnknown = true
	case "lot":
		id, q, _ := strings.Cut(value, ":")
		tr.Lots = append(tr.Lots, portfolio.LotPick{Lot: id, Quantity: dec(q)})
	case "source":
		tr.Source, tr.SourceID, _ = strings.Cut(value, ":")
	case "name":
		tr.Name = value
	default:
		t.Fatalf("%s=%s is no part of a transaction", key, value)
	}
}

// by sets the method of all accounts.
func by(l portfolio.Ledger, method portfolio.Method) portfolio.Ledger {
	for i := range l.Accounts {
		l.Accounts[i].Method = method
	}
	return l
}

// replayed is the book after all transactions.
func replayed(t testing.TB, l portfolio.Ledger) *portfolio.Book {
	t.Helper()
	book := opened(t, l)
	if err := book.Advance(market.Date{}); err != nil {
		t.Fatalf("Advance = %v", err)
	}
	return book
}

func opened(t testing.TB, l portfolio.Ledger) *portfolio.Book {
	t.Helper()
	book, err := portfolio.Open(l)
	if err != nil {
		t.Fatalf("Open = %v", err)
	}
	return book
}

// refused is the error of a ledger that cannot be replayed.
func refused(t testing.TB, l portfolio.Ledger) error {
	t.Helper()
	err := l.Check()
	if err == nil {
		t.Fatalf("Check = nil, want an error")
	}
	return err
}

// lotsOf writes each lot as "account symbol id: quantity for cost currency, date".
func lotsOf(b *portfolio.Book) []string {
	var lines []string
	for _, p := range b.Positions() {
		for _, l := range p.Lots {
			lines = append(lines, fmt.Sprintf("%s %s %s: %s for %s %s, %s", l.Account, l.Symbol, l.ID, l.Quantity, cost(l.Cost), l.Currency, dated(l.Acquired)))
		}
	}
	return lines
}

// disposalsOf writes each as "id lot: quantity for proceeds currency, cost".
func disposalsOf(b *portfolio.Book) []string {
	var lines []string
	for _, d := range b.Disposals() {
		lines = append(lines, fmt.Sprintf("%s %s: %s for %s %s, cost %s%s", d.Transaction, d.Lot, d.Quantity, d.Proceeds, d.Currency, cost(d.Cost), after(d.CostCurrency)))
	}
	return lines
}

// cashOf writes each balance as "account amount currency".
func cashOf(b *portfolio.Book) []string {
	var lines []string
	for _, c := range b.Balances() {
		lines = append(lines, fmt.Sprintf("%s %s %s", c.Account, c.Amount, c.Currency))
	}
	return lines
}

func cost(c decimal.NullDecimal) string {
	if !c.Valid {
		return "?"
	}
	return c.Decimal.String()
}

func dated(d market.Date) string {
	if d.IsZero() {
		return "?"
	}
	return d.Format(time.DateOnly)
}

func after(currency string) string {
	if currency == "" {
		return ""
	}
	return " " + currency
}
