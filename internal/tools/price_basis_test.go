package tools_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/companies"
	"github.com/nfa-cli/nfa/internal/tools/prices"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// splitHistory returns closes as they were traded, and the series that a source makes of them later:
// adjusted for the splits between.
func splitHistory(random *rand.Rand, days int) (traded map[market.Date]decimal.Decimal, s market.Series) {
	closes := make([]string, days)
	for i := range closes {
		closes[i] = fmt.Sprintf("%d.%02d", 100+random.IntN(400), random.IntN(100))
	}
	s = markettest.Daily("XYZ", toolstest.MustDay("2019-01-02"), closes...)
	s.Kind, s.Provenance.Adjustment, s.Actions = "equity", market.AdjustmentSplit, []market.Action{}
	traded = map[market.Date]decimal.Decimal{}
	for i := range s.Bars {
		traded[s.Bars[i].Date] = s.Bars[i].Close
		switch random.IntN(90) {
		case 0:
			ratios := [][2]int64{{2, 1}, {3, 2}, {20, 1}, {1, 8}, {7, 1}}
			r := ratios[random.IntN(len(ratios))]
			s.Actions = append(s.Actions, market.Action{Kind: market.ActionSplit, Date: s.Bars[i].Date, New: decimal.NewFromInt(r[0]), Old: decimal.NewFromInt(r[1])})
		case 1:
			s.Actions = append(s.Actions, market.Action{Kind: market.ActionDividend, Date: s.Bars[i].Date, Amount: decimal.New(50, -2)})
		}
	}
	for i, b := range s.Bars {
		for _, a := range s.Actions {
			if a.Kind == market.ActionSplit && a.Date.After(b.Date) {
				s.Bars[i].Close = s.Bars[i].Close.Mul(a.Old).DivRound(a.New, 12)
			}
		}
	}
	return traded, s
}

// C12: quote, the last bar of price_history and chart, and the price in key_ratios are the price that
// was traded on the day.
func TestPrices_OfOneDayAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 12))
	for range 40 {
		traded, s := splitHistory(random, 400)
		day := s.Bars[280+random.IntN(len(s.Bars)-280)].Date
		source := markettest.NewSource(s)
		filed := market.Statement{
			Instrument: s.Instrument, Span: market.SpanAnnual, FiscalYear: 2019, FiscalPeriod: "FY", PeriodEnd: toolstest.MustDay("2019-12-31"),
			Form: "10-K", Filed: toolstest.MustDay("2020-01-15"), Items: map[string]market.Item{
				market.ItemRevenue:   {Value: decimal.NewFromInt(2000), Unit: "USD"},
				market.ItemNetIncome: {Value: decimal.NewFromInt(1000), Unit: "USD"},
			},
		}
		filed.Provenance.Currency = "USD"
		source.AddStatements(filed)
		clock := day.Add(23 * time.Hour).Format(time.RFC3339)
		known := toolstest.Prices(t, source, clock)
		known.Replay = true
		all := append(prices.Tools(prices.Deps{Prices: known, Quotes: source}),
			companies.FundamentalTools(companies.FundamentalDeps{Prices: known, Quotes: source, Statements: source})...)
		want := traded[day].String()
		_, quote := toolstest.CallOK(t, all, "quote", args{"symbol": "XYZ"})
		_, history := toolstest.CallOK(t, all, "price_history", args{"symbol": "XYZ", "range": "6m"})
		_, dividends := toolstest.CallOK(t, all, "dividends_splits", args{"symbol": "XYZ"})
		_, ratios := toolstest.CallOK(t, all, "key_ratios", args{"symbol": "XYZ"})
		for name, got := range map[string]any{
			"quote":            quote["quotes"].([]any)[0].(map[string]any)["price"],
			"price_history":    history["last"].(map[string]any)["close"],
			"dividends_splits": dividends["last_close"],
			"key_ratios":       ratios["price"].(map[string]any)["value"],
		} {
			if !decimal.RequireFromString(fmt.Sprint(got)).Round(6).Equal(decimal.RequireFromString(want)) {
				t.Errorf("%s: %s = %v, want %s as it was traded", toolkit.FormatDate(day), name, got, want)
			}
		}
	}
}
