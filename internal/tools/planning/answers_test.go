package planning_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// answers returns one result of each tool.
func answers(t *testing.T) map[string]tool.Result {
	t.Helper()
	out := map[string]tool.Result{}
	tools := append(planning.CalculatorTools(), planning.Tools(sampleDeps(t))...)
	for name, in := range map[string]args{
		"calculate":             {"expression": "2 * 3 / 7"},
		"xirr":                  {"currency": "USD", "cash_flows": []args{{"date": "2020-01-01", "amount": -1000}, {"date": "2022-01-01", "amount": 1100}}},
		"time_value":            {"solve": "payment", "present_value": 10000, "periods": 10, "rate": 0.01, "periods_per_year": 12},
		"loan_payment":          {"principal": 200000, "annual_rate": 0.0425, "years": 30, "currency": "USD", "extra_payment": 10, "schedule": "payments"},
		"bond_price":            {"settlement": "2008-02-15", "maturity": "2017-11-15", "coupon": 0.0575, "yield": 0.065},
		"option_price":          {"type": "call", "spot": 42, "strike": 40, "rate": 0.1, "volatility": 0.2, "years": 0.5},
		"position_size":         {"method": "risk", "capital": 50000, "price": 100, "risk": 0.01, "stop": 97, "currency": "EUR"},
		"goal_plan":             {"goal": 20000, "years": 10, "current_balance": 5000, "annual_contribution": 900, "mean_return": 0.05, "volatility": 0.1},
		"retirement_simulation": {"current_balance": 1000, "years": 40, "annual_withdrawal": 50, "symbol": "^GSPC", "paths": 500},
		"backtest":              {"symbols": []string{"AAPL", "IBM"}, "strategy": "fixed_weights", "range": "5y"},
	} {
		res := toolstest.Call(t, tools, name, in)
		if res.IsError {
			t.Fatalf("%s = %s", name, res.ErrorText())
		}
		out[name] = res
	}
	if len(out) != len(tools) {
		t.Fatalf("%d answers of %d tools", len(out), len(tools))
	}
	return out
}

// The user's text has one style of numbers, and a headline in both languages.
func TestAnswers_ReadAlike(t *testing.T) {
	for name, res := range answers(t) {
		if res.Headline == "" || !strings.ContainsFunc(res.HeadlineZH, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			t.Errorf("%s: headlines %q, %q", name, res.Headline, res.HeadlineZH)
		}
		if len(res.Keys) == 0 || len(res.Keys) > 4 || res.Summary == "" || res.Title == "" {
			t.Errorf("%s: title %q, summary %q, keys %v", name, res.Title, res.Summary, res.Keys)
		}
		for _, text := range []string{res.UserText(), res.Headline, res.Summary, res.Title} {
			if strings.Contains(text, "\u2212") || strings.Contains(text, " %") || strings.Contains(text, "annualis") {
				t.Errorf("%s: %q has another style of numbers", name, text)
			}
		}
	}
}

// The model reads the same fields as scripts do, with fewer digits and rows.
func TestAnswers_TheModelReadsTheSameFields(t *testing.T) {
	for name, res := range answers(t) {
		model, full := toolstest.Object(t, res.ForModel), toolstest.DecodeResult(t, res)
		wantSubset(t, name, model, full)
		if len(res.ForModel) > len(toolstest.JSON(t, res.Value)) {
			t.Errorf("%s: the model reads %d bytes, scripts %d", name, len(res.ForModel), len(toolstest.JSON(t, res.Value)))
		}
	}
}

// wantSubset checks that each field that the model reads has the same type in JSON.
func wantSubset(t *testing.T, path string, model, full map[string]any) {
	t.Helper()
	for field, v := range model {
		other, ok := full[field]
		if list := strings.TrimSuffix(field, "_omitted"); !ok && list != field && full[list] != nil {
			continue
		}
		switch v := v.(type) {
		case map[string]any:
			wantSubset(t, path+"."+field, v, other.(map[string]any))
		default:
			if kindOf(t, v) != kindOf(t, other) {
				t.Errorf("%s.%s = %v for the model, %v for scripts", path, field, v, other)
			}
		}
	}
}

func kindOf(t *testing.T, v any) byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	switch c := raw[0]; {
	case c == '-' || unicode.IsDigit(rune(c)):
		return '0'
	default:
		return c
	}
}
