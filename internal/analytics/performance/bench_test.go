package performance_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// longMarket has closes on the working days of twenty years.
func longMarket(symbols, years int, currency string) performance.Market {
	r := rand.New(rand.NewPCG(1, 2))
	m := performance.Market{Series: map[market.Symbol]market.Series{}}
	days := func(symbol market.Symbol, start int64) market.Series {
		s := priced(currency, prices(symbol, "2004-01-01"))
		for i := range years * 365 {
			d := date("2004-01-01").AddDate(0, 0, i)
			if w := d.Weekday(); w == 0 || w == 6 {
				continue
			}
			start += r.Int64N(201) - 100
			s.Bars = append(s.Bars, market.Bar{Date: d, Close: decimal.New(max(start, 1000), -4)})
		}
		return s
	}
	for i := range symbols {
		symbol := market.Symbol(fmt.Sprintf("S%d", i))
		m.Series[symbol] = days(symbol, 1000000)
	}
	return withRates(m, rates("EUR", "USD", days("", 11000)))
}

// traded returns a ledger of n transactions over the years: a deposit, and trades.
func traded(n, symbols, years int, currency string) portfolio.Ledger {
	ts := []portfolio.Transaction{inCurrency(currency, deposit("2004-01-01", "1000000000"))}
	for i := range n - 1 {
		day := date("2004-01-02").AddDate(0, 0, i*(years*365-10)/n).Format("2006-01-02")
		symbol := market.Symbol(fmt.Sprintf("S%d", i%symbols))
		t := buy(day, symbol, "10.5", "1050.25")
		if i/symbols%3 == 2 {
			t = sell(day, symbol, "5.25", "530.10")
		}
		t.Fee = dec("1.5")
		ts = append(ts, inCurrency(currency, t))
	}
	return ledger(ts...)
}

// BenchmarkNew_Transactions opens a ledger, values every day and measures the whole history.
func BenchmarkNew_Transactions(b *testing.B) {
	data := longMarket(50, 20, "USD")
	for _, n := range []int{25_000, 50_000, 100_000} {
		l := traded(n, 50, 20, "USD")
		for _, cash := range []portfolio.CashPolicy{portfolio.CashTracked, portfolio.CashUntracked} {
			l.Accounts[0].Cash = cash
			b.Run(fmt.Sprintf("%d %s", n, cash), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					mustMeasure(b, history(b, l, data, "2023-12-20"))
				}
			})
		}
	}
}

// Twenty years of days for positions held all the time.
func BenchmarkNew_Positions(b *testing.B) {
	for _, currency := range []string{"USD", "EUR"} {
		data := longMarket(200, 20, currency)
		for _, n := range []int{50, 100, 200} {
			l := traded(n+1, n, 20, currency)
			for i := range l.Transactions {
				l.Transactions[i].Date = date("2004-01-05")
			}
			b.Run(fmt.Sprintf("%d in %s", n, currency), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					mustMeasure(b, history(b, l, data, "2023-12-20"))
				}
			})
		}
	}
}

func BenchmarkWindows(b *testing.B) {
	h := history(b, traded(100_000, 50, 20, "USD"), longMarket(50, 20, "USD"), "2023-12-20")
	for b.Loop() {
		h.Windows()
	}
}
