package planning_test

import (
	"math"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// calculatorWarnings returns the warnings of an answer, and checks that the user sees them too.
func calculatorWarnings(t *testing.T, name string, in args) string {
	t.Helper()
	res, got := toolstest.CallOK(t, planning.CalculatorTools(), name, in)
	list := toolstest.Strings(t, got["warnings"])
	for _, w := range list {
		if !strings.Contains(res.UserText(), w) {
			t.Errorf("%s: warning %q is not shown", name, w)
		}
	}
	return strings.Join(list, "\n")
}

// Percent given as a fraction would be a hundred times too much.
func TestCalculators_DoNotTakePerCentsForFractionsInSilence(t *testing.T) {
	bond := args{"settlement": "2024-01-01", "maturity": "2030-01-01", "coupon": 0.05}
	with := func(base args, key string, v any) args {
		out := args{key: v}
		for k, old := range base {
			if _, own := out[k]; !own {
				out[k] = old
			}
		}
		return out
	}
	toolstest.WantInvalid(t, planning.CalculatorTools(), "bond_price", with(with(bond, "yield", 0.05), "coupon", 5), "write 5% as 0.05")
	toolstest.WantInvalid(t, planning.CalculatorTools(), "bond_price", with(bond, "yield", 5), "write 0.05 for 5%")
	toolstest.WantInvalid(t, planning.CalculatorTools(), "bond_price", with(with(bond, "yield", 0.05), "redemption", 1000), "per 100 of face value")
	if w := calculatorWarnings(t, "bond_price", with(bond, "price", 985)); !strings.Contains(w, "per 100 of face value") {
		t.Errorf("a price of 1000 of face value: %q", w)
	}
	if w := calculatorWarnings(t, "bond_price", with(with(bond, "yield", 0.04), "coupon", 0.5)); !strings.Contains(w, "coupon of 50.0% a year is unusual; for 0.5% pass 0.005") {
		t.Errorf("half a per cent as a coupon of a half: %q", w)
	}
	if w := calculatorWarnings(t, "bond_price", with(bond, "yield", 0.9)); !strings.Contains(w, "yield of 90.0%") {
		t.Errorf("nine tenths of a per cent as a yield of 90 %%: %q", w)
	}
	if w := calculatorWarnings(t, "bond_price", with(bond, "yield", 0.12)); w != "" {
		t.Errorf("an ordinary bond is doubted: %q", w)
	}
	option := args{"type": "call", "spot": 100, "strike": 100, "years": 0.5, "volatility": 0.2}
	for _, name := range []string{"rate", "dividend_yield"} {
		if w := calculatorWarnings(t, "option_price", with(option, name, 0.25)); !strings.Contains(w, "of 25.0% a year is unusual; for 0.25% pass 0.0025") {
			t.Errorf("a quarter of a per cent as a %s of a quarter: %q", name, w)
		}
	}
	if w := calculatorWarnings(t, "option_price", with(option, "years", 30)); !strings.Contains(w, "for 30 days, set years") {
		t.Errorf("days as years: %q", w)
	}
	if w := calculatorWarnings(t, "option_price", with(option, "volatility", 5)); !strings.Contains(w, "500.0%") {
		t.Errorf("volatility in per cent: %q", w)
	}
	if w := calculatorWarnings(t, "option_price", option); w != "" {
		t.Errorf("an ordinary option is doubted: %q", w)
	}
	loan := args{"principal": 1000, "annual_rate": 0.05, "payments": 12}
	toolstest.WantInvalid(t, planning.CalculatorTools(), "loan_payment", with(loan, "annual_rate", 12), "write 5% as 0.05")
	if w := calculatorWarnings(t, "loan_payment", with(loan, "annual_rate", 4.25)); !strings.Contains(w, "set annual_rate to 0.0425") {
		t.Errorf("a loan at 425 %%: %q", w)
	}
	worth := args{"solve": "future_value", "present_value": -100, "periods": 2, "rate": 0.05}
	toolstest.WantInvalid(t, planning.CalculatorTools(), "time_value", with(worth, "rate", 12), "write 0.05 for 5%")
	if w := calculatorWarnings(t, "time_value", with(worth, "rate", 5)); !strings.Contains(w, "write 0.05 for 5%") {
		t.Errorf("a rate of 500 %%: %q", w)
	}
	size := args{"method": "risk", "capital": 50000, "price": 100, "risk": 0.01, "stop": 97}
	toolstest.WantInvalid(t, planning.CalculatorTools(), "position_size", with(size, "risk", 1), "write 1% as 0.01")
	if w := calculatorWarnings(t, "position_size", with(with(size, "risk", 0.5), "max_fraction", 5)); !strings.Contains(w, "0.005") || !strings.Contains(w, "borrowing") {
		t.Errorf("half the capital at risk: %q", w)
	}
}

// Defaults are listed in the answer.
func TestCalculators_SayWhatTheyTookForGranted(t *testing.T) {
	_, got := toolstest.CallOK(t, planning.CalculatorTools(), "option_price", args{"type": "call", "spot": 42, "strike": 40, "years": 0.5, "volatility": 0.2})
	toolstest.WantFields(t, got, map[string]any{"rate": 0.0, "dividend_yield": 0.0, "style": "european", "spot": 42.0, "strike": 40.0, "years": 0.5})
	_, got = toolstest.CallOK(t, planning.CalculatorTools(), "bond_price", args{"settlement": "2024-01-01", "maturity": "2030-01-01", "coupon": 0.05, "yield": 0.05, "day_count": "ACT/act"})
	toolstest.WantFields(t, got, map[string]any{"redemption": 100.0, "coupon": 0.05, "frequency": 2.0, "day_count": "act/act"})
	res, got := toolstest.CallOK(t, planning.CalculatorTools(), "position_size", args{"method": "kelly", "capital": 3000, "price": 10, "win_probability": 0.5, "payoff": 3})
	toolstest.WantFields(t, got, map[string]any{"units": "50", "kelly_fraction": "0.5", "max_fraction": "1", "lot": "1"})
	if in := strings.Join(toolstest.Figure(t, res, "units").Inputs, "; "); !strings.Contains(in, "part 0.5") || !strings.Contains(in, "lot 1") {
		t.Errorf("inputs %q lack the part of Kelly and the lot that were taken", in)
	}
	res, got = toolstest.CallOK(t, planning.CalculatorTools(), "loan_payment", args{"principal": 1000, "annual_rate": 0.05, "payments": 12, "extra_payment": 10})
	toolstest.WantFields(t, got, map[string]any{"extra_payment": "10", "payments_per_year": 12.0})
	if in := strings.Join(toolstest.Figure(t, res, "total_interest").Inputs, "; "); !strings.Contains(in, "extra 10.00") {
		t.Errorf("inputs %q lack the extra payment", in)
	}
}

func TestPositionSize_RefusesWhatItWouldPassOver(t *testing.T) {
	toolstest.WantInvalid(t, planning.CalculatorTools(), "position_size", args{"method": "kelly", "capital": 100, "price": 10, "win_probability": 0.6, "payoff": 1, "risk": 0.01}, "applies only to method risk")
	_, got := toolstest.CallOK(t, planning.CalculatorTools(), "position_size", args{"method": "risk", "capital": 1000, "price": 500, "risk": 0.01, "stop": 400})
	toolstest.WantFields(t, got, map[string]any{"units": "0", "bound": "one lot exceeds the limit"})
}

func TestTimeValue_SeveralRatesAreNoRate(t *testing.T) {
	res, got := toolstest.CallOK(t, planning.CalculatorTools(), "time_value", args{"solve": "rate", "present_value": -100, "payment": 150, "future_value": -205, "periods": 2})
	if got["rate"] != nil || got["value"] != nil || len(got["values"].([]any)) != 2 {
		t.Errorf("answer = %v, want two rates, and none of them the rate", got)
	}
	for _, id := range []string{"values.0", "values.1"} {
		if f := toolstest.Figure(t, res, id); !strings.Contains(f.Formula, "fv = 0") {
			t.Errorf("figure = %+v, want the equation that it solves", f)
		}
	}
	wantTraced(t, res)
	toolstest.WantInvalid(t, planning.CalculatorTools(), "time_value", args{"solve": "rate", "payment": -100, "future_value": 100, "periods": 1}, "cancel out")
}

// Large amounts keep their cents, and small ones do not become zero.
func TestTimeValue_KeepsCentsAndSlivers(t *testing.T) {
	res, got := toolstest.CallOK(t, planning.CalculatorTools(), "time_value", args{"solve": "future_value", "present_value": -123456.78, "periods": 1, "rate": 0})
	toolstest.WantFields(t, got, map[string]any{"value": 123456.78, "future_value": 123456.78})
	if f := toolstest.Figure(t, res, "future_value"); f.Value.String() != "123456.78" {
		t.Errorf("figure = %s, want its cents", f.Value)
	}
	wantTraced(t, res)
	res, _ = toolstest.CallOK(t, planning.CalculatorTools(), "time_value", args{"solve": "payment", "present_value": 1, "periods": 1000, "rate": 0})
	if f := toolstest.Figure(t, res, "payment"); f.Value.String() != "-0.001" {
		t.Errorf("figure = %s, want -0.001", f.Value)
	}
}

func TestTimeValue_AnEffectiveRateThatNoNumberHoldsIsAbsent(t *testing.T) {
	_, got := toolstest.CallOK(t, planning.CalculatorTools(), "time_value", args{"solve": "rate", "present_value": -1, "future_value": 900000, "periods": 1, "periods_per_year": 366})
	if _, has := got["effective_annual_rate"]; has || len(got["warnings"].([]any)) != 1 {
		t.Errorf("answer = %v, want no effective rate, and that said", got)
	}
	toolstest.WantInvalid(t, planning.CalculatorTools(), "time_value", args{"solve": "future_value", "present_value": -1, "periods": 1, "rate": 0.01, "periods_per_year": 1000}, "at most 366")
}

func TestOptionPrice_DoubtsAVolatilityThatThePriceHardlyTells(t *testing.T) {
	if w := calculatorWarnings(t, "option_price", args{"type": "call", "spot": 100, "strike": 40, "years": 0.05, "price": 60.01}); !strings.Contains(w, "is imprecise") {
		t.Errorf("warnings %q, want the implied volatility doubted", w)
	}
	res, _ := toolstest.CallOK(t, planning.CalculatorTools(), "option_price", args{"type": "call", "spot": 60000, "strike": 60000, "years": 0.5, "volatility": 0.9})
	if f := toolstest.Figure(t, res, "gamma"); f.Value.String() != "0.00000993" && f.Value.Exponent() > -8 {
		t.Errorf("gamma = %s, want four digits of it", f.Value)
	}
	wantTraced(t, res)
}

// For the largest and smallest numbers of JSON, every call has an answer or an error, and answers have only
// numbers.
func FuzzCalculators_AnswerOrRefuse(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, 0.5)
	f.Add(1e308, -1e308, 1e-308, 1e308)
	f.Add(0.0, 0.0, 0.0, 0.0)
	f.Add(-1.0, 100.0, 1e15, 1e-12)
	f.Add(100.0, 100.0, 0.9999999, -0.9999999)
	tools := planning.CalculatorTools()
	f.Fuzz(func(t *testing.T, a, b, c, d float64) {
		for _, v := range []float64{a, b, c, d} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Skip("JSON has no such number")
			}
		}
		for name, in := range map[string][]args{
			"xirr":          {{"cash_flows": []args{{"date": "2020-01-01", "amount": a}, {"date": "2021-01-01", "amount": b}, {"date": "2021-01-02", "amount": c}}}},
			"time_value":    {{"solve": "rate", "present_value": a, "payment": b, "future_value": c, "periods": d}, {"solve": "periods", "present_value": a, "payment": b, "rate": c}, {"solve": "future_value", "present_value": a, "payment": b, "rate": c, "periods": d, "periods_per_year": 12}},
			"loan_payment":  {{"principal": a, "annual_rate": b, "years": c, "extra_payment": d, "schedule": "none"}},
			"bond_price":    {{"settlement": "2024-01-31", "maturity": "2031-08-31", "coupon": a, "yield": b}, {"settlement": "2024-01-31", "maturity": "2024-02-29", "coupon": a, "price": b, "redemption": c, "day_count": "act/360"}},
			"option_price":  {{"type": "put", "spot": a, "strike": b, "years": c, "volatility": d}, {"type": "call", "spot": a, "strike": b, "years": c, "price": d}},
			"position_size": {{"method": "risk", "capital": a, "price": b, "stop": c, "risk": d}, {"method": "kelly", "capital": a, "price": b, "win_probability": c, "payoff": d}, {"method": "volatility", "capital": a, "price": b, "target_volatility": c, "volatility": d, "lot": a}},
		} {
			for _, call := range in {
				res := toolstest.Call(t, tools, name, call)
				if res.IsError && res.Code != tool.CodeValidation {
					t.Fatalf("%s %v: %s", name, call, res.ErrorText())
				}
				if !res.IsError {
					toolstest.DecodeResult(t, res) // fails on NaN and infinities
					toolstest.Object(t, res.ForModel)
				}
			}
		}
	})
}
