package toolstest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// Bench measures each call over twenty years of 100 securities in two currencies, with
// 20,000 trades.
func (s PortfolioSuite) Bench(b *testing.B) {
	f := LargeFixture(100, 20_000)
	d := f.Deps(b)
	for _, c := range s.Calls {
		b.Run(fmt.Sprintf("%s %v", c.Tool, c.Args), func(b *testing.B) {
			for b.Loop() {
				if res := Call(b, s.Tools(d, f.Rules), c.Tool, c.Args); res.IsError {
					b.Fatal(res.ErrorText())
				}
			}
		})
	}
}

// LargeFixture returns a portfolio of twenty years with this many securities and trades, in two currencies.
func LargeFixture(symbols, trades int) *PortfolioFixture {
	f := TwoCurrencyFixture()
	f.Rules, f.Clock = "us", "2024-01-08T20:00:00Z"
	first := MustDay("2004-01-01")
	days := int(MustDay("2024-01-08").Sub(first).Hours()/24) + 1
	var closes, rates []string
	for i := range days {
		rates = append(rates, fmt.Sprintf("1.%02d", i%20))
		if d := first.AddDate(0, 0, i).Weekday(); d != 0 && d != 6 {
			closes = append(closes, fmt.Sprint(100+i%50))
		}
	}
	// All share the same closes, because a hundred times as many decimals would take seconds.
	prices := Daily("VTI", "USD", first, closes...)
	f.Series = nil
	for i := range symbols {
		currency := "USD"
		if i%2 == 0 {
			currency = "EUR"
		}
		s := Daily(fmt.Sprintf("S%d", i), currency, first)
		s.Bars, s.Provenance.AsOf, s.Provenance.FetchedAt = slices.Clone(prices.Bars), prices.Provenance.AsOf, prices.Provenance.FetchedAt
		f.Series = append(f.Series, s)
	}
	f.Series = append(f.Series, prices)
	for pair := range f.Rates {
		f.Rates[pair] = markettest.DailyRates(pair, first, rates...)
	}
	f.Transactions = nil
	for i := range trades {
		symbol, on := i%symbols, first.AddDate(0, 0, i*(days-1)/trades).Format("2006-01-02")
		currency := "USD"
		if symbol%2 == 0 {
			currency = "EUR"
		}
		trade := Buy(fmt.Sprint(i), "de", fmt.Sprintf("S%d", symbol), "3", "330", currency, on)
		if i/symbols%2 == 1 {
			trade = Sell(fmt.Sprint(i), "de", fmt.Sprintf("S%d", symbol), "2", "230", currency, on)
		}
		f.Transactions = append(f.Transactions, trade)
	}
	return f
}
