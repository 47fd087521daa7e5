package positions_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// Splits since the oldest lot affect the portfolio, so closes are fetched from then on, and for at
// least three months. A lot without a date is ignored.
func TestValue_ClosesAreAskedForSinceTheOldestLot(t *testing.T) {
	in := func(acquired string) portfolio.Transaction {
		x := portfolio.Transaction{ID: "in", Date: portfoliotest.Day("2024-06-24"), Kind: portfolio.KindTransferIn, Account: "us", Symbol: "VTI", Quantity: toolstest.MustDecimal("1"), Amount: toolstest.MustDecimal("50"), Currency: "USD"}
		if acquired != "" {
			x.Acquired = portfoliotest.Day(acquired)
		}
		return x
	}
	for _, tc := range []struct{ name, acquired, want string }{
		{"a lot of years ago", "2021-05-04", "2021-05-04"},
		{"lots of this week", "2024-06-24", "2024-03-28"},
		{"a day that is not known", "", "2024-03-28"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newTestDeps(t, in(tc.acquired))
			source := &toolstest.RecordingBars{BarSource: d.Bars}
			d.Bars = source
			valued(t, d, "")
			for _, sym := range []market.Symbol{"VTI", "SAP"} {
				since, first := source.Starts()[sym], portfoliotest.Day(tc.want)
				reaches := func(day string) bool {
					from := portfoliotest.Day(day)
					return !from.After(first) && from.After(first.AddDate(0, -3, 0))
				}
				if len(since) == 0 || !slices.ContainsFunc(since, reaches) {
					t.Errorf("closes of %s are asked for since %v; want %s and no more than a lead before it", sym, since, tc.want)
				}
			}
		})
	}
}

// The name of a security is that of the portfolio, from any account, or else that of its price.
func TestValue_ALineHasTheNameAndNumberThatAreKnown(t *testing.T) {
	named := toolstest.Buy("3", "de", "VTI", "1", "120", "USD", "2024-06-26")
	named.Name, named.ISIN = "VANGUARD TOTAL", "US9229087690"
	again := toolstest.Buy("4", "us", "SAP", "1", "120", "EUR", "2024-06-26")
	v := valued(t, newTestDeps(t, named, again), "")
	got := map[market.Symbol]string{}
	for _, l := range v.Lines {
		got[l.Symbol] = l.Name + " " + l.ISIN
	}
	if diff := cmp.Diff(map[market.Symbol]string{"VTI": "VANGUARD TOTAL US9229087690", "SAP": "SAP of the test "}, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// The lines are sorted by value; those without one are last, by symbol.
func TestValue_LinesStandByWorthAndTheUnpricedLast(t *testing.T) {
	v := valued(t, newTestDeps(t, toolstest.Buy("3", "us", "NO2", "1", "5", "USD", "2024-06-26"), toolstest.Buy("4", "us", "NO1", "1", "9", "USD", "2024-06-26")), "")
	var got []market.Symbol
	for _, l := range v.Lines {
		got = append(got, l.Symbol)
	}
	if diff := cmp.Diff([]market.Symbol{"VTI", "SAP", "NO1", "NO2"}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// An empty account has no cash line, and cash of accounts outside the request has none.
func TestValue_CashIsOfTheAccountsLookedAt(t *testing.T) {
	d := newTestDeps(t)
	if err := d.Store.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		day := portfoliotest.Day("2024-06-26")
		pay := func(id, account, amount, currency string, kind portfolio.Kind) portfolio.Transaction {
			return portfolio.Transaction{ID: id, Date: day, Kind: kind, Account: account, Amount: toolstest.MustDecimal(amount), Currency: currency}
		}
		return portfolio.Change{
			Accounts: []portfolio.Account{portfolio.NewAccount("bank"), portfolio.NewAccount("spent")},
			Add: []portfolio.Transaction{
				pay("6", "bank", "70", "USD", portfolio.KindDeposit), pay("7", "bank", "100", "EUR", portfolio.KindDeposit),
				pay("8", "spent", "70", "USD", portfolio.KindDeposit), pay("9", "spent", "70", "USD", portfolio.KindWithdrawal),
			},
		}, nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		accounts []string
		want     []string
		total    string
	}{
		// 70 USD and 100 EUR at 1.10 are 180, next to the 1860 of the securities.
		{nil, []string{"bank EUR 110", "bank USD 70"}, "2040"},
		{[]string{"us", "spent"}, nil, "1200"},
		{[]string{"bank"}, []string{"bank EUR 110", "bank USD 70"}, "180"},
	} {
		v := valued(t, d, "", tc.accounts...)
		var got []string
		for _, c := range v.Cash {
			got = append(got, c.Account+" "+c.Currency+" "+c.Base.Decimal.String())
		}
		slices.Sort(got)
		if diff := cmp.Diff(tc.want, got); diff != "" || v.Total.String() != tc.total {
			t.Errorf("%v: total %s, want %s; cash (-want +got):\n%s", tc.accounts, v.Total, tc.total, diff)
		}
	}
}

// If all values are known, the weights add up to one, within a millionth each.
func TestValue_WeightsAddUpToOne(t *testing.T) {
	v := valued(t, newTestDeps(t, toolstest.Buy("3", "us", "SAP", "7.77", "5", "EUR", "2024-06-26")), "")
	sum := toolstest.MustDecimal("0")
	for _, l := range v.Lines {
		sum = sum.Add(l.Weight.Decimal)
	}
	if off := sum.Sub(toolstest.MustDecimal("1")).Abs(); !v.Complete || off.GreaterThan(toolstest.MustDecimal("0.000002")) {
		t.Errorf("weights add up to %s; want 1", sum)
	}
}

// A call that is canceled while rates are requested is an error, too.
func TestValue_ACancelledConversionIsAnError(t *testing.T) {
	d := newTestDeps(t)
	o := loaded(t, d)
	ctx, cancel := context.WithCancel(t.Context())
	d.Rates = cancellingRates{d.Rates, cancel}
	if _, err := d.Value(ctx, o, nil, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("Value = %v; want that it was cancelled", err)
	}
}

// cancellingRates cancels the call that requests a rate.
type cancellingRates struct {
	market.RateSource
	cancel context.CancelFunc
}

func (c cancellingRates) Rates(ctx context.Context, pair market.Pair, r market.Range) (market.RateSeries, error) {
	c.cancel()
	return c.RateSource.Rates(ctx, pair, r)
}
