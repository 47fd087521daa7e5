package tools_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// Scripts read the computed number with all digits; a model reads a rounded one. Each row has a tool
// and a field whose value has many digits.
func TestAll_NumbersOfJSONAreNotRounded(t *testing.T) {
	d := systemDeps(t)
	for _, row := range computingCalls() {
		t.Run(row.tool, func(t *testing.T) {
			res := toolstest.Call(t, allTools(d), row.tool, row.in)
			if res.IsError {
				t.Fatalf("%v: %s", row.in, res.ErrorText())
			}
			whole, ok := at(toolstest.Object(t, toolstest.JSON(t, res.Value)), row.field)
			if !ok {
				t.Fatalf("no %s in %s", row.field, toolstest.JSON(t, res.Value))
			}
			if significantDigits(whole) < 10 {
				t.Errorf("%s = %s in JSON, which is rounded", row.field, whole)
			}
			if short, ok := at(toolstest.Object(t, res.ForModel), row.field); ok && len(short) >= len(whole) && row.tool != "calculate" {
				t.Errorf("%s = %s for a model, want it rounded", row.field, short)
			}
		})
	}
}

// computingCall is a call with a field whose value has many digits.
type computingCall struct {
	tool  string
	in    args
	field string
}

func computingCalls() []computingCall {
	walk := func(n int) []any {
		out, v := make([]any, n), 100.0
		for i := range out {
			v *= 1 + math.Sin(float64(i))/50
			out[i] = v
		}
		return out
	}
	dates := []any{}
	for i := range 40 {
		dates = append(dates, toolstest.MustDay("2024-01-01").AddDate(0, 0, i).Format("2006-01-02"))
	}
	table := args{"dates": dates, "series": args{"A": walk(40), "B": append(walk(45)[5:], []any{}...)}}
	return []computingCall{
		{"quote", args{"symbols": []string{"^GSPC"}}, "quotes.0.change_pct"},
		{"price_history", args{"symbol": "^GSPC", "range": "1y"}, "price_change_pct"},
		{"returns_stats", args{"symbol": "^GSPC", "from": "2008"}, "annual_return"},
		{"risk_metrics", args{"symbol": "^GSPC", "from": "2008"}, "sharpe_ratio"},
		{"compare_assets", args{"symbols": []string{"AAPL", "MSFT"}}, "assets.0.annual_return"},
		{"correlation", args{"symbols": []string{"AAPL", "MSFT"}}, "matrix.0.1"},
		{"technical_indicators", args{"symbol": "^GSPC", "indicators": []string{"rsi:14"}}, "indicators.0.latest.value"},
		{"backtest", args{"symbols": []string{"AAPL"}, "strategy": "buy_and_hold"}, "result.annual_return"},
		{"optimize_portfolio", args{"objective": "min_volatility", "prices": table}, "volatility"},
		{"efficient_frontier", args{"prices": table}, "min_volatility.volatility"},
		{"time_value", args{"solve": "rate", "present_value": -1000, "future_value": 1500, "periods": 7}, "rate"},
		{"xirr", args{"cash_flows": []args{{"date": "2020-01-01", "amount": -1000}, {"date": "2023-05-01", "amount": 1250}}}, "rate"},
		{"bond_price", args{"settlement": "2024-01-15", "maturity": "2031-06-15", "coupon": 0.0425, "yield": 0.0512}, "macaulay_duration"},
		{"option_price", args{"type": "call", "spot": 100, "strike": 105, "years": 0.5, "rate": 0.03, "volatility": 0.22}, "delta"},
		{"calculate", args{"expression": "1/3"}, "result"},
		{"macro_series", args{"series_id": "CPIAUCSL", "units": "pct_change_1y"}, "latest.value"},
		{"dcf_valuation", args{"base_cash_flow": 100, "growth": []any{0.10, 0.02}, "years": 5, "terminal_growth": 0.02, "discount_rate": 0.083, "net_debt": -50, "shares": 7}, "value_per_share"},
	}
}

// at returns the value at a path in JSON.
func at(v any, path string) (string, bool) {
	for _, key := range strings.Split(path, ".") {
		switch node := v.(type) {
		case map[string]any:
			v = node[key]
		case []any:
			i := 0
			if _, err := fmt.Sscan(key, &i); err != nil || i >= len(node) {
				return "", false
			}
			v = node[i]
		}
	}
	switch v := v.(type) {
	case string:
		return v, true
	case float64:
		text, err := json.Marshal(v)
		return string(text), err == nil
	}
	return "", false
}

// exactInJSON lists fields of JSON with few digits and why nothing was lost. Prices, published figures
// and arguments pass through as their source has them.
var exactInJSON = map[string]string{
	"price_history.": "prices of the sample", "dividends_splits.": "dividends of the test", "yield_curve.": "published yields", "macro_series.low.": "published",
	"option_price.years": "argument", "option_price.rate": "argument", "option_price.volatility": "argument", "bond_price.coupon": "argument", "bond_price.yield_to_maturity": "argument",
	"risk_metrics.confidence": "argument", "goal_plan.success_wanted": "argument", "retirement_simulation.success_wanted": "argument",
	"goal_plan.success_rate": "a share of 200 paths", "portfolio_checkup.rules.threshold": "a rule", "rebalance_plan.drift.band": "a setting",
	"dcf_valuation.discount_rate": "argument", "dcf_valuation.sensitivity.terminal_growths": "argument",
	"rebalance_plan.drift.weight_after": "4 of 10 shares are sold", "rebalance_plan.cost.sold_part": "4 of 10 shares", "rebalance_plan.trades.part": "4 of 10 shares",
	// The smallest amounts that are enough, so rounded up to the cent.
	"goal_plan.needed_": "cents", "goal_plan.without_chance.needed_": "cents",
}

// No tool loses digits in JSON. Every computed number that is not whole has a field in which at
// least one of the calls has ten digits; a field with fewer in all of them was rounded.
func TestAll_NoFieldOfJSONIsRounded(t *testing.T) {
	most, example := map[string]int{}, map[string]string{}
	note := func(field, text string) {
		digits := significantDigits(text)
		if strings.Contains(text, ".") && digits >= most[field] {
			most[field], example[field] = digits, text
		}
	}
	system, replay := systemDeps(t), replayDeps(t, false)
	for name, c := range replayCases() {
		if res := toolstest.Call(t, allTools(replay), name, c.in); !res.IsError {
			numbersIn(toolstest.Object(t, toolstest.JSON(t, res.Value)), name, note)
		}
	}
	for _, c := range computingCalls() {
		res := toolstest.Call(t, allTools(system), c.tool, c.in)
		if res.IsError {
			t.Errorf("%s %v: %s", c.tool, c.in, res.ErrorText())
			continue
		}
		numbersIn(toolstest.Object(t, toolstest.JSON(t, res.Value)), c.tool, note)
	}
	for field, digits := range most {
		exact := slices.ContainsFunc(slices.Collect(maps.Keys(exactInJSON)), func(prefix string) bool { return strings.HasPrefix(field, prefix) })
		if digits < 10 && !exact {
			t.Errorf("%s has at most %d digits, such as %s: is it rounded?", field, digits, example[field])
		}
	}
}

// numbersIn calls note with every number in JSON. Lists have no indexes.
func numbersIn(v any, path string, note func(field, text string)) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			numbersIn(value, path+"."+key, note)
		}
	case []any:
		for _, value := range v {
			numbersIn(value, path, note)
		}
	case float64:
		text, _ := json.Marshal(v)
		note(path, string(text))
	case string:
		if _, err := decimal.NewFromString(v); err == nil {
			note(path, v)
		}
	}
}

func significantDigits(text string) int {
	return len(strings.TrimLeft(strings.NewReplacer("-", "", ".", "").Replace(text), "0"))
}
