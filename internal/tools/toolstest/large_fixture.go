package toolstest

import (
	"fmt"
	"testing"

	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// Bench is each call of the room over twenty years of 100 securities in two currencies,
// with 20,000 trades of them.
func (r PortfolioSuite) Bench(b *testing.B) {
	w := LargeFixture(100, 20_000)
	d := w.Deps(b)
	for _, c := range r.Calls {
		b.Run(fmt.Sprintf("%s %v", c.Tool, c.Args), func(b *testing.B) {
			for b.Loop() {
				if res := Call(b, r.Tools(d, w.Rules), c.Tool, c.Args); res.IsError {
					b.Fatal(res.ErrorText())
				}
			}
		})
	}
}

// LargeFixture is twenty years of so many securities in two currencies, with trades of them.
func LargeFixture(symbols, trades int) *PortfolioFixture {
	w := TwoCurrencyFixture()
	w.Rules, w.Clock = "us", "2024-01-08T20:00:00Z"
	first := MustDay("2004-01-01")
	days := int(MustDay("2024-01-08").Sub(first).Hours()/24) + 1
	var closes, rates []string
	for i := range days {
		rates = append(rates, fmt.Sprintf("1.%02d", i%20))
		if d := first.AddDate(0, 0, i).Weekday(); d != 0 && d != 6 {
			closes = append(closes, fmt.Sprint(100+i%50))
		}
	}
	w.Series = nil
	for i := range symbols {
		currency := "USD"
		if i%2 == 0 {
			currency = "EUR"
		}
		w.Series = append(w.Series, Daily(fmt.Sprintf("S%d", i), currency, first, closes...))
	}
	w.Series = append(w.Series, Daily("VTI", "USD", first, closes...))
	for pair := range w.Rates {
		w.Rates[pair] = markettest.DailyRates(pair, first, rates...)
	}
	w.Transactions = nil
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
		w.Transactions = append(w.Transactions, trade)
	}
	return w
}
