package economy_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/economy"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// rates returns four days of two pairs until 2026-11-18, a Wednesday.
func rates(t *testing.T) economy.Deps {
	t.Helper()
	first := toolstest.MustDay("2026-11-15")
	dollars, yen := market.Pair{Base: "EUR", Quote: "USD"}, market.Pair{Base: "USD", Quote: "JPY"}
	d := deps(t)
	d.Rates = &markettest.FakeFeeds{FX: map[market.Pair]market.RateSeries{
		dollars: markettest.DailyRates(dollars, first, "1.10", "1.16", "1.08", "1.1557"),
		yen:     markettest.DailyRates(yen, first, "150", "151", "152", "153.455"),
	}}
	return d
}

func TestFXRate_GivesTheDateOfTheRateItself(t *testing.T) {
	res, got := group.CallOK(t, rates(t), "fx_rate", args{"pair": "eur/usd"})
	toolstest.WantFields(t, got, map[string]any{
		"base": "EUR", "quote": "USD", "rate": "1.1557", "date": "2026-11-18", "as_of": "2026-11-18", "source": "markettest", "count": 1.0,
	})
	if f := toolstest.Figure(t, res, "rate"); f.Unit != "USD per EUR" || !f.AsOf.Equal(toolstest.MustDay("2026-11-18")) {
		t.Errorf("figure = %+v, want USD per EUR on the day of the rate", f)
	}
}

// 1500.50 * 1.1557 = 1734.12785; 99.99 * 153.455 = 15343.96545.
func TestFXRate_ConvertsExactly(t *testing.T) {
	for _, tc := range []struct{ pair, amount, want string }{
		{"EURUSD=X", "1500.50", "1734.12785"}, {"EUR to USD", "-1", "-1.1557"}, {"USD-JPY", "99.99", "15343.96545"}, {"EUR/USD", "0", "0"},
		{"EUR/USD", "1e3", "1155.7"},
		// 90071992547409.93 * 1.1557; with a float64 amount it would be 104096201787041.67
		{"EUR/USD", "90071992547409.93", "104096201787041.656101"},
	} {
		res, got := group.CallOK(t, rates(t), "fx_rate", args{"pair": tc.pair, "amount": json.Number(tc.amount)})
		if got["converted"] != tc.want {
			t.Errorf("%s %s = %v, want %s", tc.amount, tc.pair, got["converted"], tc.want)
		}
		f := toolstest.Figure(t, res, "converted")
		if f.Unit != got["quote"] || len(f.Inputs) != 2 || f.Formula == "" {
			t.Errorf("figure of %s %s = %+v, want its currency, formula and inputs", tc.amount, tc.pair, f)
		}
	}
}

func TestFXRate_OfARangeShowsItsEndsAndExtremes(t *testing.T) {
	_, got := group.CallOK(t, rates(t), "fx_rate", args{"pair": "EUR/USD", "from": "2026-11-15", "to": "2026-11-17"})
	want := map[string]any{
		"first": map[string]any{"date": "2026-11-15", "rate": "1.1"}, "high": map[string]any{"date": "2026-11-16", "rate": "1.16"},
		"low": map[string]any{"date": "2026-11-17", "rate": "1.08"}, "rate": "1.08", "change_pct": "-1.8181818181818182", "count": 3.0,
	}
	toolstest.WantFields(t, got, want)
}

func TestFXRate_AModelSeesSixtyOfManyRatesAndIsTold(t *testing.T) {
	pair := market.Pair{Base: "EUR", Quote: "USD"}
	d := deps(t)
	d.Rates = &markettest.FakeFeeds{FX: map[market.Pair]market.RateSeries{pair: markettest.DailyRates(pair, toolstest.MustDay("2026-01-01"), slices.Repeat([]string{"1.1"}, 300)...)}}
	res, whole := group.CallOK(t, d, "fx_rate", args{"pair": "EUR/USD", "from": "2026"})
	model := toolstest.Object(t, res.ForModel)
	if n := len(model["rates"].([]any)); n != 60 || len(whole["rates"].([]any)) != 300 || model["rates_note"] == nil {
		t.Errorf("a model sees %d rates of %d, told %v; want 60 of 300 and told", n, len(whole["rates"].([]any)), model["rates_note"])
	}
}

// A rate from another time is not the rate of the day.
func TestFXRate_ARateTooOldIsNoRate(t *testing.T) {
	d := rates(t)
	d.Now = toolstest.Clock(t, "2026-11-26T12:00:00Z")
	toolstest.WantError(t, group.Call(t, d, "fx_rate", args{"pair": "EUR/USD"}), tool.CodeNoData, "the latest earlier rate is from 2026-11-18")
	d.Now = toolstest.Clock(t, "2026-11-22T12:00:00Z")
	_, got := group.CallOK(t, d, "fx_rate", args{"pair": "EUR/USD"})
	if diff := cmp.Diff("2026-11-18", got["date"]); diff != "" {
		t.Errorf("date of a Sunday's rate (-want +got):\n%s", diff)
	}
}

func TestFXRate_SaysWhatIsWrongWithAQuestion(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		in         args
	}{
		{"no pair", "is not a currency pair", args{"pair": "dollars"}},
		{"no currency", "unknown currency XQZ", args{"pair": "EUR/XQZ"}},
		{"one currency", "both currencies are EUR", args{"pair": "EUR/EUR"}},
		{"an amount in words", "want", args{"pair": "EUR/USD", "amount": "1,500"}},
		{"an amount beyond money", "invalid amount", args{"pair": "EUR/USD", "amount": json.Number("1e300")}},
		{"an amount below money", "invalid amount", args{"pair": "EUR/USD", "amount": json.Number("1e-300")}},
		{"an amount of too many digits", "invalid amount", args{"pair": "EUR/USD", "amount": json.Number("1." + strings.Repeat("1", 30))}},
		{"date and range", "not both", args{"pair": "EUR/USD", "date": "2026-11-17", "from": "2026"}},
		{"an open begin", "requires from", args{"pair": "EUR/USD", "to": "2026"}},
		{"all in the future", "after today", args{"pair": "EUR/USD", "from": "2027"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			toolstest.WantError(t, group.Call(t, rates(t), "fx_rate", tc.in), tool.CodeValidation, tc.want)
		})
	}
	toolstest.WantError(t, group.Call(t, rates(t), "fx_rate", args{"pair": "CHF/SEK"}), market.CodeUnknownSymbol, "CHF/SEK")
}

// For any pair and amount, the result is a rate or an error that says what is wrong.
func FuzzFXRate(f *testing.F) {
	for _, seed := range [][2]string{
		{"EUR/USD", "1"}, {"", "0"}, {"eurusd=x", "-0.00"}, {"EUR TO USD", "1e5"}, {"É€", "1E+400"}, {"EUR/USD", "99999999999999999999999999"}, {"EUR/USD", `"1"`}, {"EUR/USD", "null"},
	} {
		f.Add(seed[0], seed[1])
	}
	d := deps(f)
	pair := market.Pair{Base: "EUR", Quote: "USD"}
	d.Rates = &markettest.FakeFeeds{FX: map[market.Pair]market.RateSeries{pair: markettest.DailyRates(pair, toolstest.MustDay("2026-11-18"), "1.1")}}
	router := group.Open(f, d)
	f.Fuzz(func(t *testing.T, pair, amount string) {
		if !json.Valid([]byte(amount)) {
			t.Skip("a call is JSON")
		}
		res := toolstest.CallRouter(t, router, "fx_rate", args{"pair": pair, "amount": json.RawMessage(amount)})
		if res.IsError && res.Code != tool.CodeValidation && res.Code != tool.CodeNoData {
			t.Errorf("fx_rate %q %s = code %q: %s", pair, amount, res.Code, res.ErrorText())
		}
	})
}
