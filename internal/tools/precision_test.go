package tools_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// Scripts read the computed number with all digits; a model reads a rounded one. Each row has a tool
// and a field whose value has many digits.
func TestAll_NumbersOfJSONAreNotRounded(t *testing.T) {
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
	d := systemDeps(t)
	for _, row := range []struct {
		tool  string
		in    args
		field string
	}{
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
	} {
		t.Run(row.tool, func(t *testing.T) {
			res := toolstest.Call(t, allTools(d), row.tool, row.in)
			if res.IsError {
				t.Fatalf("%v: %s", row.in, res.ErrorText())
			}
			whole, ok := at(toolstest.Object(t, toolstest.JSON(t, res.Value)), row.field)
			if !ok {
				t.Fatalf("no %s in %s", row.field, toolstest.JSON(t, res.Value))
			}
			if digits := len(strings.TrimLeft(strings.NewReplacer("-", "", ".", "").Replace(whole), "0")); digits < 10 {
				t.Errorf("%s = %s in JSON, which is rounded", row.field, whole)
			}
			if short, ok := at(toolstest.Object(t, res.ForModel), row.field); ok && len(short) >= len(whole) && row.tool != "calculate" {
				t.Errorf("%s = %s for a model, want it rounded", row.field, short)
			}
		})
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
