package tools_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/yahoo"
	"github.com/nfa-cli/nfa/internal/recordings"
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

// Quote, the last bar of price_history and chart, and the price in key_ratios are the price that
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

type dayPrices interface {
	toolstest.PriceSource
	market.QuoteSource
}

// pricesOf returns the price of a symbol that each tool gives for a day, with its unit and its own day. A tool
// that has no data for the symbol is left out.
func pricesOf(t *testing.T, source dayPrices, statements market.StatementSource, sym market.Symbol, day market.Date) map[string]string {
	t.Helper()
	known := toolstest.Prices(t, source, day.Add(23*time.Hour).Format(time.RFC3339))
	known.Replay = true
	all := append(prices.Tools(prices.Deps{Prices: known, Quotes: source}),
		companies.FundamentalTools(companies.FundamentalDeps{Prices: known, Quotes: source, Statements: statements})...)
	out := map[string]string{}
	note := func(tool string, value, unit, on any) {
		out[tool] = fmt.Sprintf("%s %v on %v", decimal.RequireFromString(fmt.Sprint(value)).Round(6), unit, on)
	}
	_, quote := toolstest.CallOK(t, all, "quote", args{"symbol": string(sym)})
	line := quote["quotes"].([]any)[0].(map[string]any)
	note("quote", line["price"], line["currency"], line["as_of"])
	_, history := toolstest.CallOK(t, all, "price_history", args{"symbol": string(sym), "range": "max"})
	last := history["last"].(map[string]any)
	note("price_history", last["close"], history["currency"], last["date"])
	if res := toolstest.Call(t, all, "key_ratios", args{"symbol": string(sym)}); !res.IsError {
		if price, ok := toolstest.DecodeResult(t, res)["price"].(map[string]any); ok {
			note("key_ratios", price["value"], price["currency"], price["as_of"])
		}
	}
	return out
}

// The same of the offline sample, on days of the past.
func TestPrices_OfOneDayAgreeInTheSample(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 34))
	sample := feed.NewSampleSource()
	for _, sym := range []market.Symbol{"AAPL", "MSFT", "IBM", "AMZN", "^GSPC"} {
		for range 5 {
			day := toolstest.MustDay("2009-01-30").AddDate(0, 0, random.IntN(3700))
			got := pricesOf(t, sample, sample, sym, day)
			for tool, price := range got {
				if price != got["quote"] {
					t.Errorf("%s on %s: %s = %s, want %s", sym, toolkit.FormatDate(day), tool, price, got["quote"])
				}
			}
		}
	}
}

// The same of recorded feeds: a split, dividends, prices in pence, in euros, of a coin and of a
// currency.
func TestPrices_OfOneDayAgreeInRecordedFeeds(t *testing.T) {
	compared := map[string]int{}
	for file, sym := range map[string]market.Symbol{
		"chart-AAPL-2020-08-31-to-2020-11-07.json":     "AAPL",
		"chart-MSFT-div-2021-02-01-to-2022-01-31.json": "MSFT",
		"chart-OCDO.L-2020-01-01-to-2020-01-03.json":   "OCDO.L",
		"chart-WSU.DE-2023-08-04-to-2023-08-09.json":   "WSU.DE",
		"chart-BTC-USD-2020-01-01-to-2020-01-03.json":  "BTC-USD",
		"chart-EURUSD=X-2020-01-01-to-2020-01-03.json": "EURUSD=X",
	} {
		recorded, err := yahoo.ParseChart(recordings.Read(t, "market", "yahoo", file), yahoo.YahooSymbol(sym))
		if err != nil {
			t.Fatal(err)
		}
		now := toolstest.MustDay("2025-02-20")
		s, err := recorded.Series(sym, market.Daily, market.Provenance{Source: "yahoo", Adjustment: market.AdjustmentSplit, FetchedAt: now}, now)
		if err != nil {
			t.Fatal(err)
		}
		source := markettest.NewSource(s)
		filed := market.Statement{
			Instrument: s.Instrument, Span: market.SpanAnnual, FiscalYear: 2019, FiscalPeriod: "FY", PeriodEnd: toolstest.MustDay("2018-12-31"),
			Form: "10-K", Filed: toolstest.MustDay("2019-01-31"), Items: map[string]market.Item{
				market.ItemRevenue:   {Value: decimal.NewFromInt(2000), Unit: "USD"},
				market.ItemNetIncome: {Value: decimal.NewFromInt(1000), Unit: "USD"},
			},
		}
		filed.Provenance.Currency = "USD"
		source.AddStatements(filed)
		for i := 0; i < len(s.Bars); i += 1 + len(s.Bars)/6 {
			got := pricesOf(t, source, source, sym, s.Bars[i].Date)
			for tool, price := range got {
				compared[tool]++
				if price != got["quote"] {
					t.Errorf("%s on %s: %s = %s, want %s", sym, toolkit.FormatDate(s.Bars[i].Date), tool, price, got["quote"])
				}
			}
		}
	}
	if compared["key_ratios"] < 20 || compared["price_history"] < 20 {
		t.Errorf("compared %v prices, want at least 20 of each tool", compared)
	}
}
