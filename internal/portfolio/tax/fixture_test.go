package tax_test

import (
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

func dec(s string) decimal.Decimal { return decimal.RequireFromString(s) }

func day(t testing.TB, text string) market.Date {
	t.Helper()
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// accounts returns two taxed accounts, an untaxed one, and a spouse's.
func accounts() []portfolio.Account {
	names := []string{"main", "second", "ira", "spouse"}
	out := make([]portfolio.Account, len(names))
	for i, n := range names {
		out[i] = portfolio.NewAccount(n)
		out[i].Cash = portfolio.CashUntracked
	}
	out[2].Untaxed = true
	out[3].Owner = "spouse"
	return out
}

// newEngine parses lines of "id date kind symbol quantity amount [account]", for splits "id date
// split symbol new old", for moves "id date transfer_out symbol quantity account-or-outside
// [account]", and returns their engine. Sales may name lots after the account, as "lot=quantity",
// and transfers in a date, "acquired=day".
func newEngine(t testing.TB, lines ...string) *lots.Engine {
	t.Helper()
	l := portfolio.Ledger{Accounts: accounts()}
	for _, line := range lines {
		l.Transactions = append(l.Transactions, read(t, line))
	}
	b, err := lots.New(l)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Advance(market.Date{}); err != nil {
		t.Fatal(err)
	}
	return b
}

func read(t testing.TB, line string) portfolio.Transaction {
	t.Helper()
	f := strings.Fields(line)
	tr := portfolio.Transaction{ID: f[0], Date: day(t, f[1]), Kind: portfolio.Kind(f[2]), Account: "main", Symbol: market.Symbol(f[3])}
	switch tr.Kind {
	case portfolio.KindSplit, portfolio.KindReverseSplit:
		tr.New, tr.Old = dec(f[4]), dec(f[5])
	case portfolio.KindMerger:
		tr.New, tr.Old, tr.ToSymbol = dec(f[4]), dec(f[5]), market.Symbol(f[6])
		return tr
	case portfolio.KindTransferOut:
		if tr.Quantity = dec(f[4]); f[5] != "outside" {
			tr.ToAccount = f[5]
		}
	default:
		tr.Quantity, tr.Amount, tr.Currency = dec(f[4]), dec(f[5]), "USD"
	}
	for _, more := range f[6:] {
		lot, quantity, pick := strings.Cut(more, "=")
		switch {
		case lot == "acquired":
			tr.Acquired = day(t, quantity)
		case pick:
			tr.Lots = append(tr.Lots, portfolio.LotPick{Lot: lot, Quantity: dec(quantity)})
		case more == "short":
			tr.Short = true
		case more == "unknown":
			tr.CostUnknown, tr.Currency, tr.Amount = true, "", decimal.Zero
		case len(more) == 3 && more != "ira":
			tr.Currency = more
		default:
			tr.Account = more
		}
	}
	return tr
}

func us(t testing.TB) tax.Jurisdiction {
	t.Helper()
	j, err := tax.FindJurisdiction("us")
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// assess returns the assessment of lines on a date; empty means the date of the last line.
func assess(t testing.TB, asOf string, lines ...string) *tax.Assessment {
	t.Helper()
	o := tax.Options{}
	if asOf != "" {
		o.AsOf = day(t, asOf)
	}
	return us(t).Assess(newEngine(t, lines...), accounts(), o)
}

// washLines formats wash sales as "sale<-purchase quantity disallowed", marking permanent losses.
func washLines(a *tax.Assessment) []string {
	var out []string
	for _, w := range a.WashSales {
		s := w.Sale + "<-" + w.Replacement + " " + w.Quantity.String() + " " + w.Disallowed.String()
		if w.Transferred {
			s += " brought"
		}
		if w.Permanent {
			s += " lost"
		}
		out = append(out, s)
	}
	return out
}

// forTerm returns the sum of a term, or a zero Sum.
func forTerm(y tax.Year, t tax.Term) tax.Sum {
	for _, s := range y.Terms {
		if s.Term == t {
			return s.Sum
		}
	}
	return tax.Sum{}
}

// yearTotal returns the sum of all terms.
func yearTotal(y tax.Year) tax.Sum {
	var out tax.Sum
	for _, s := range y.Terms {
		out.Sales, out.Unknown = out.Sales+s.Sales, out.Unknown+s.Unknown
		out.Proceeds, out.Disallowed, out.Gain = out.Proceeds.Add(s.Proceeds), out.Disallowed.Add(s.Disallowed), out.Gain.Add(s.Gain)
	}
	return out
}
