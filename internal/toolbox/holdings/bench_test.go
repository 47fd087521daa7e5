package holdings_test

import (
	"fmt"
	"testing"

	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

// BenchmarkTools is each tool over twenty years of 100 securities in two currencies,
// with 20,000 trades of them.
func BenchmarkTools(b *testing.B) {
	w := large(100, 20_000)
	d := w.deps(b)
	for _, c := range everyCall() {
		b.Run(fmt.Sprintf("%s %v", c.tool, c.in), func(b *testing.B) {
			for b.Loop() {
				if res := toolboxtest.Call(b, toolsOf(d), c.tool, c.in); res.IsError {
					b.Fatal(res.ErrorText())
				}
			}
		})
	}
}

func large(symbols, trades int) *world {
	w := twoCurrencies()
	w.rules, w.clock = "us", "2024-01-08T20:00:00Z"
	first := day("2004-01-01")
	days := int(day("2024-01-08").Sub(first).Hours()/24) + 1
	var closes, rates []string
	for i := range days {
		rates = append(rates, fmt.Sprintf("1.%02d", i%20))
		if d := first.AddDate(0, 0, i).Weekday(); d != 0 && d != 6 {
			closes = append(closes, fmt.Sprint(100+i%50))
		}
	}
	w.series = nil
	for i := range symbols {
		currency := "USD"
		if i%2 == 0 {
			currency = "EUR"
		}
		w.series = append(w.series, daily(fmt.Sprintf("S%d", i), currency, first, closes...))
	}
	w.series = append(w.series, daily("VTI", "USD", first, closes...))
	for pair := range w.rates {
		w.rates[pair] = markettest.DailyRates(pair, first, rates...)
	}
	w.added = nil
	for i := range trades {
		symbol, on := i%symbols, first.AddDate(0, 0, i*(days-1)/trades).Format("2006-01-02")
		currency := "USD"
		if symbol%2 == 0 {
			currency = "EUR"
		}
		one := buy(fmt.Sprint(i), "de", fmt.Sprintf("S%d", symbol), "3", "330", currency, on)
		if i/symbols%2 == 1 {
			one = sell(fmt.Sprint(i), "de", fmt.Sprintf("S%d", symbol), "2", "230", currency, on)
		}
		w.added = append(w.added, one)
	}
	return w
}
