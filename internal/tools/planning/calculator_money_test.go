package planning_test

import (
	"math"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// wantTraced checks that each figure has a formula or inputs, and that the user sees it.
func wantTraced(t *testing.T, res tool.Result) {
	t.Helper()
	toolstest.WantFigures(t, res, func(f tool.Figure) bool { return toolstest.HasFormula(f) || toolstest.HasInputs(f) })
	for _, f := range res.Figures {
		if !strings.Contains(res.UserText(), "| "+f.Label+" |") {
			t.Errorf("figure %s (%s) is not shown", f.ID, f.Label)
		}
	}
	if len(res.Figures) == 0 || res.Title == "" || res.Summary == "" {
		t.Errorf("result without figures, title or summary: %+v", res)
	}
}

func TestXIRR_GivesTheReturnOfTheSpreadsheet(t *testing.T) {
	res, got := toolstest.CallOK(t, planning.CalculatorTools(), "xirr", args{"currency": "usd", "cash_flows": []args{
		{"date": "2008-10-30", "amount": 4250}, {"date": "2008-01-01", "amount": -10000}, {"date": "2008-03-01", "amount": 2750},
		{"date": "2009-02-15", "amount": 3250}, {"date": "2009-04-01", "amount": 2750},
	}})
	toolstest.WantFields(t, got, map[string]any{
		"rate": 0.373362535, "paid_in": "10000", "received": "13000", "gain": "3000", "currency": "USD", "from": "2008-01-01", "to": "2009-04-01", "sign_changes": 1.0,
	})
	wantTraced(t, res)
}

func TestXIRR_SeveralRatesAreNoReturn(t *testing.T) {
	res, got := toolstest.CallOK(t, planning.CalculatorTools(), "xirr", args{"cash_flows": []args{
		{"date": "2021-01-01", "amount": -100}, {"date": "2022-01-01", "amount": 230}, {"date": "2023-01-01", "amount": -132},
	}})
	if got["rate"] != nil || len(got["rates"].([]any)) != 2 || len(got["warnings"].([]any)) != 1 {
		t.Errorf("answer = %v, want two rates, none of them the return, and a warning", got)
	}
	wantTraced(t, res)
}

func TestXIRR_SaysWhatToMend(t *testing.T) {
	toolstest.WantInvalid(t, planning.CalculatorTools(), "xirr", args{"cash_flows": []args{{"date": "2021-01-01", "amount": 100}, {"date": "2022-01-01", "amount": 110}}}, "payments must be negative")
	toolstest.WantInvalid(t, planning.CalculatorTools(), "xirr", args{"cash_flows": []args{{"date": "soon", "amount": 100}}}, "YYYY-MM-DD")
	toolstest.WantInvalid(t, planning.CalculatorTools(), "xirr", args{"cash_flows": []args{}, "currency": "dollars"}, "ISO 4217")
}

// PMT(8%/12, 10, 10000) of a spreadsheet's documentation.
func TestTimeValue_SolvesWhatIsAskedFor(t *testing.T) {
	res, got := toolstest.CallOK(t, planning.CalculatorTools(), "time_value", args{"solve": "payment", "present_value": 10000, "periods": 10, "rate": 0.08 / 12, "periods_per_year": 12})
	toolstest.WantFields(t, got, map[string]any{"value": -1037.032, "effective_annual_rate": 0.08299951, "timing": "end"})
	wantPaymentFigure(t, res)
	_, got = toolstest.CallOK(t, planning.CalculatorTools(), "time_value", args{"solve": "rate", "present_value": 8000, "payment": -200, "periods": 48})
	toolstest.WantFields(t, got, map[string]any{"value": 0.007701472})
}

// wantPaymentFigure works like wantTraced, for a tool whose inputs are figures as well.
func wantPaymentFigure(t *testing.T, res tool.Result) {
	t.Helper()
	if f := toolstest.Figure(t, res, "payment"); f.Formula == "" || len(f.Inputs) != 5 || f.Value.Round(2).String() != "-1037.03" {
		t.Errorf("figure = %+v, want the formula and what went in", f)
	}
}

func TestTimeValue_SaysWhatIsMissing(t *testing.T) {
	toolstest.WantInvalid(t, planning.CalculatorTools(), "time_value", args{"solve": "payment", "present_value": 1, "rate": 0.01}, "periods is missing")
	toolstest.WantInvalid(t, planning.CalculatorTools(), "time_value", args{"solve": "rate", "rate": 0.01, "periods": 2}, "omit it")
	toolstest.WantInvalid(t, planning.CalculatorTools(), "time_value", args{"solve": "happiness", "rate": 0.01, "periods": 2}, "present_value, future_value")
	toolstest.WantInvalid(t, planning.CalculatorTools(), "time_value", args{"solve": "periods", "present_value": 10000, "payment": -100, "rate": 0.02}, "never reach the target")
}

func TestLoanPayment_IsExactToTheCent(t *testing.T) {
	res, got := toolstest.CallOK(t, planning.CalculatorTools(), "loan_payment", args{"principal": 200000, "annual_rate": 0.06, "years": 30, "currency": "USD"})
	toolstest.WantFields(t, got, map[string]any{"payment": "1199.1", "payments": 360.0, "total_interest": "231677.04", "last_payment": "1200.14"})
	years := got["schedule"].([]any)
	if len(years) != 30 || years[29].(map[string]any)["balance"] != "0" {
		t.Errorf("schedule = %d rows, the last %v; want 30 years down to nothing", len(years), years[len(years)-1])
	}
	if f := toolstest.Figure(t, res, "payment"); f.Unit != "USD" || f.Formula == "" || len(f.Inputs) == 0 {
		t.Errorf("figure = %+v", f)
	}
}

func TestLoanPayment_SaysWhatAnExtraPaymentSaves(t *testing.T) {
	_, got := toolstest.CallOK(t, planning.CalculatorTools(), "loan_payment", args{"principal": 100000, "annual_rate": 0.05, "payments": 240, "extra_payment": 100, "schedule": "none"})
	if got["payments_saved"] != 48.0 || got["interest_saved"] != "13144.61" || got["schedule"] != nil {
		t.Errorf("answer = %v, want payments and interest saved, and no schedule", got)
	}
}

func TestLoanPayment_SaysWhatToMend(t *testing.T) {
	toolstest.WantInvalid(t, planning.CalculatorTools(), "loan_payment", args{"principal": 1000, "annual_rate": 500, "payments": 12}, "write 5% as 0.05")
	toolstest.WantInvalid(t, planning.CalculatorTools(), "loan_payment", args{"principal": 1000, "annual_rate": 0.05, "years": 1, "payments": 12}, "use either years or payments")
	toolstest.WantInvalid(t, planning.CalculatorTools(), "loan_payment", args{"principal": 1000, "annual_rate": 0.05, "years": 0.333}, "must be whole")
	toolstest.WantInvalid(t, planning.CalculatorTools(), "loan_payment", args{"principal": 1000, "annual_rate": 0.05, "years": 1, "schedule": "weekly"}, "years, payments or none")
}

func TestBondPrice_IsThatOfTheSpreadsheet(t *testing.T) {
	res, got := toolstest.CallOK(t, planning.CalculatorTools(), "bond_price", args{"settlement": "2008-02-15", "maturity": "2017-11-15", "coupon": 0.0575, "yield": 0.065})
	toolstest.WantFields(t, got, map[string]any{"clean_price": 94.634362, "coupons_to_come": 20.0, "next_coupon": "2008-05-15", "day_count": "30/360", "frequency": 2.0})
	wantTraced(t, res)
	res, got = toolstest.CallOK(t, planning.CalculatorTools(), "bond_price", args{"settlement": "2008-02-15", "maturity": "2016-11-15", "coupon": 0.0575, "price": 95.04287})
	if y := got["yield_to_maturity"].(float64); y < 0.0649999 || y > 0.0650001 {
		t.Errorf("yield = %v, want 0.065", y)
	}
	wantTraced(t, res)
}

func TestBondPrice_SaysWhatToMend(t *testing.T) {
	sound := args{"settlement": "2024-01-01", "maturity": "2030-01-01", "coupon": 0.05}
	toolstest.WantInvalid(t, planning.CalculatorTools(), "bond_price", sound, "use either yield or price")
	sound["yield"] = 0.05
	sound["day_count"] = "29/361"
	toolstest.WantInvalid(t, planning.CalculatorTools(), "bond_price", sound, "30/360")
	toolstest.WantInvalid(t, planning.CalculatorTools(), "bond_price", args{"settlement": "2031-01-01", "maturity": "2030-01-01", "coupon": 0.05, "yield": 0.05}, "maturity")
}

func TestOptionPrice_IsThatOfTheTextbook(t *testing.T) {
	res, got := toolstest.CallOK(t, planning.CalculatorTools(), "option_price", args{"type": "call", "spot": 42, "strike": 40, "rate": 0.1, "volatility": 0.2, "years": 0.5, "style": "european"})
	toolstest.WantFields(t, got, map[string]any{"price": 4.759422, "intrinsic_value": 2.0, "break_even": 44.75942, "method": "Black-Scholes-Merton"})
	wantTraced(t, res)
	// Hull's greeks are for a year and for a volatility of 1; brokers show them for a day and for one
	// percentage point.
	_, greeks := toolstest.CallOK(t, planning.CalculatorTools(), "option_price", args{"type": "call", "spot": 49, "strike": 50, "rate": 0.05, "volatility": 0.2, "years": 0.3846})
	for id, want := range map[string]float64{"theta_per_day": -4.31 / 365, "vega_per_point": 0.121, "rho_per_point": 0.0891, "delta": 0.522, "gamma": 0.066} {
		if v := greeks[id].(float64); math.Abs(v-want) > 1e-2*math.Abs(want) {
			t.Errorf("%s = %v, want %v", id, v, want)
		}
	}
	_, back := toolstest.CallOK(t, planning.CalculatorTools(), "option_price", args{"type": "call", "spot": 42, "strike": 40, "rate": 0.1, "price": 4.759422392871536, "years": 0.5})
	if v := back["volatility"].(float64); v < 0.199999 || v > 0.200001 || back["volatility_is_implied"] != true {
		t.Errorf("implied volatility = %v, want 0.2", v)
	}
	_, american := toolstest.CallOK(t, planning.CalculatorTools(), "option_price", args{"type": "put", "spot": 50, "strike": 50, "rate": 0.1, "volatility": 0.4, "years": 0.4167, "style": "american"})
	if p := american["price"].(float64); p < 4.281 || p > 4.285 {
		t.Errorf("american put = %v, want 4.283", p)
	}
}

func TestOptionPrice_SaysWhatToMend(t *testing.T) {
	sound := args{"type": "call", "spot": 42, "strike": 40, "years": 0.5}
	toolstest.WantInvalid(t, planning.CalculatorTools(), "option_price", sound, "use either volatility or price")
	toolstest.WantInvalid(t, planning.CalculatorTools(), "option_price", args{"type": "straddle", "spot": 42, "strike": 40, "years": 0.5, "volatility": 0.2}, "call or put")
	toolstest.WantInvalid(t, planning.CalculatorTools(), "option_price", args{"type": "call", "spot": 42, "strike": 40, "years": 0.5, "price": 50}, "arbitrage-free range")
	toolstest.WantInvalid(t, planning.CalculatorTools(), "option_price", args{"type": "call", "spot": 42, "strike": 40, "years": 0.5, "volatility": 20}, "write 20% as 0.2")
}

func TestPositionSize_LosesNoMoreThanItMay(t *testing.T) {
	res, got := toolstest.CallOK(t, planning.CalculatorTools(), "position_size", args{"method": "risk", "capital": 50000, "price": 100, "risk": 0.01, "stop": 97, "currency": "EUR"})
	toolstest.WantFields(t, got, map[string]any{"units": "166", "value": "16600", "fraction": "0.332", "at_risk": "498", "short": false})
	wantTraced(t, res)
	_, got = toolstest.CallOK(t, planning.CalculatorTools(), "position_size", args{"method": "kelly", "capital": 10000, "price": 10, "win_probability": 0.6, "payoff": 1, "max_fraction": 0.05})
	toolstest.WantFields(t, got, map[string]any{"units": "50", "full_kelly": "0.2", "bound": "the maximum position size"})
	_, got = toolstest.CallOK(t, planning.CalculatorTools(), "position_size", args{"method": "volatility", "capital": 30000, "price": 33, "target_volatility": 0.1, "volatility": 0.25, "lot": 0.001})
	toolstest.WantFields(t, got, map[string]any{"units": "363.636"})
}

func TestPositionSize_SaysWhatToMend(t *testing.T) {
	toolstest.WantInvalid(t, planning.CalculatorTools(), "position_size", args{"method": "luck", "capital": 1, "price": 1}, "risk, volatility or kelly")
	toolstest.WantInvalid(t, planning.CalculatorTools(), "position_size", args{"method": "risk", "capital": 100, "price": 10, "risk": 2, "stop": 9}, "write 1% as 0.01")
}
