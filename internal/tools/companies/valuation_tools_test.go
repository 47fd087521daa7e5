package companies_test

import (
	"math"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/companies"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// 100, 110, 121 at 10%, 2% forever, net debt 200, 100 shares.
func TestDCF_ByHand(t *testing.T) {
	res, got := toolstest.CallOK(t, companies.ValuationTools(), "dcf_valuation", args{
		"cash_flows": []any{100, 110, 121}, "discount_rate": 0.10, "terminal_growth": 0.02, "net_debt": 200, "shares": 100, "price": 10, "base_cash_flow": 90.909, "currency": "usd",
	})
	firm := 3*100/1.1 + 1542.75/1.331
	toolstest.WantNear(t, "enterprise_value", got["enterprise_value"], firm)
	toolstest.WantNear(t, "value_per_share", got["value_per_share"], (firm-200)/100)
	toolstest.WantNear(t, "upside", got["upside"], (firm-200)/1000-1)
	if g := got["growth_implied_by_price"].(float64); g < 0 || g > 0.1 {
		t.Errorf("growth implied by a price below the value = %v, want it below the forecast's 10 %%", g)
	}
	grid := got["sensitivity"].(map[string]any)["values_per_share"].([]any)
	toolstest.WantNear(t, "middle of the grid", grid[2].([]any)[2], (firm-200)/100)
	if low, high := grid[4].([]any)[0].(float64), grid[0].([]any)[4].(float64); low >= high {
		t.Errorf("grid runs from %v to %v", low, high)
	}
	toolstest.WantFigures(t, res, toolstest.HasFormula)
	if f := toolstest.Figure(t, res, "value_per_share"); f.Unit != "USD" || len(f.Inputs) < 4 {
		t.Errorf("figure = %+v, want its currency and assumptions", f)
	}
}

func TestDCF_GrowthFadesAndCapitalCosts(t *testing.T) {
	_, got := toolstest.CallOK(t, companies.ValuationTools(), "dcf_valuation", args{
		"base_cash_flow": 100, "growth": []any{0.10, 0.02}, "years": 5, "terminal_growth": 0.02, "net_debt": -50, "shares": 10,
		"wacc": args{"risk_free_rate": 0.04, "beta": 1.2, "equity_risk_premium": 0.05, "cost_of_debt": 0.05, "tax_rate": 0.25, "equity_value": 600, "debt_value": 400},
	})
	toolstest.WantNear(t, "discount_rate", got["discount_rate"], 0.075)
	toolstest.WantNear(t, "cost_of_equity", got["cost_of_equity"], 0.10)
	years := got["forecast"].([]any)
	toolstest.WantNear(t, "growth of the third year", years[2].(map[string]any)["growth"], 0.06)
	toolstest.WantNear(t, "cash flow of the first year", years[0].(map[string]any)["cash_flow"], 110)
}

func TestDCF_AnExitMultipleSaysWhatGrowthItImplies(t *testing.T) {
	res, got := toolstest.CallOK(t, companies.ValuationTools(), "dcf_valuation", args{"cash_flows": []any{100}, "discount_rate": 0.10, "exit_multiple": 8, "exit_metric": 200, "net_debt": 0, "shares": 10})
	toolstest.WantNear(t, "enterprise_value", got["enterprise_value"], 1700/1.1)
	toolstest.WantNear(t, "implied growth", got["terminal_growth_implied_by_multiple"], 60.0/1700)
	toolstest.WantFigures(t, res, toolstest.HasFormula)
}

func TestDCF_WarnsOfWhatMovesTheValue(t *testing.T) {
	_, got := toolstest.CallOK(t, companies.ValuationTools(), "dcf_valuation", args{"cash_flows": []any{10}, "discount_rate": 0.06, "terminal_growth": 0.045, "net_debt": 1e6, "shares": 1})
	warned := toolstest.Warnings(t, got)
	for _, part := range []string{"comes from the years after the forecast", "higher than the long-run growth", "small changes", "shares are worthless"} {
		if !strings.Contains(warned, part) {
			t.Errorf("warnings %q lack %q", warned, part)
		}
	}
}

func TestDCF_OfSharesWorthNothingThereIsNoUpside(t *testing.T) {
	_, got := toolstest.CallOK(t, companies.ValuationTools(), "dcf_valuation", args{"cash_flows": []any{10}, "discount_rate": 0.1, "terminal_growth": 0.02, "net_debt": 1e6, "shares": 1, "price": 5})
	if got["upside"] != nil || got["value_per_share"].(float64) >= 0 {
		t.Errorf("value %v, upside %v; want no upside below -100 %%", got["value_per_share"], got["upside"])
	}
	_, got = toolstest.CallOK(t, companies.ValuationTools(), "dcf_valuation", args{"cash_flows": []any{-500, 10}, "discount_rate": 0.1, "terminal_growth": 0.02, "net_debt": 0, "shares": 1})
	if got["terminal_share"] != nil {
		t.Errorf("terminal share of a worthless company = %v, want none", got["terminal_share"])
	}
}

// Amounts in dollars with shares in millions are a million times too large.
func TestDCF_WarnsOfUnitsThatDoNotFit(t *testing.T) {
	_, got := toolstest.CallOK(t, companies.ValuationTools(), "dcf_valuation", args{"cash_flows": []any{1e9}, "discount_rate": 0.1, "terminal_growth": 0.02, "net_debt": 0, "shares": 100, "price": 120, "base_cash_flow": 9e8})
	if warned := toolstest.Warnings(t, got); !strings.Contains(warned, "have the same unit") {
		t.Errorf("warnings %q, want the units doubted", warned)
	}
}

// The formula of a figure matches the computation: 50 discounted from mid-year.
func TestDCF_FormulasSayWhenCashIsDiscountedFrom(t *testing.T) {
	res, got := toolstest.CallOK(t, companies.ValuationTools(), "dcf_valuation", args{"cash_flows": []any{50}, "discount_rate": 0.1, "terminal_growth": 0.02, "net_debt": 0, "shares": 1, "mid_year": true})
	toolstest.WantNear(t, "forecast", got["present_value_of_forecast"], 50/math.Sqrt(1.1))
	toolstest.WantNear(t, "implied multiple", got["exit_multiple_of_cash_flow_implied_by_growth"], 1.02/0.08*math.Sqrt(1.1))
	for id, part := range map[string]string{"present_value_of_forecast": "t - 1/2", "present_value_of_terminal": "n - 1/2", "forecast.0.present_value": "t - 1/2", "exit_multiple_of_cash_flow_implied_by_growth": "(1/2)"} {
		if f := toolstest.Figure(t, res, id); !strings.Contains(f.Formula, part) {
			t.Errorf("formula of %s = %q, want %q in it", id, f.Formula, part)
		}
	}
	res, _ = toolstest.CallOK(t, companies.ValuationTools(), "dcf_valuation", args{"cash_flows": []any{50}, "discount_rate": 0.1, "exit_multiple": 8, "exit_metric": 70, "net_debt": 0, "shares": 1, "mid_year": true})
	if f := toolstest.Figure(t, res, "present_value_of_terminal"); strings.Contains(f.Formula, "1/2") {
		t.Errorf("formula of a sale = %q, want whole years: it is paid at the end", f.Formula)
	}
}

func TestDCF_SaysWhatToFix(t *testing.T) {
	sound := func() args {
		return args{"cash_flows": []any{100}, "discount_rate": 0.1, "terminal_growth": 0.02, "net_debt": 0, "shares": 1}
	}
	for _, tc := range []struct {
		name, part string
		change     func(args)
	}{
		{"growth above the rate", "infinite", func(a args) { a["terminal_growth"] = 0.1 }},
		{"two ways to end", "either terminal_growth, or exit_multiple", func(a args) { a["exit_multiple"] = 8 }},
		{"two rates", "either discount_rate or wacc", func(a args) { a["wacc"] = args{"equity_value": 1} }},
		{"two forecasts", "either cash_flows or growth", func(a args) { a["growth"] = []any{0.1} }},
		{"no forecast", "cash_flows is required", func(a args) { delete(a, "cash_flows") }},
		{"a rate in percent", "write 9% as 0.09", func(a args) { a["discount_rate"] = 9 }},
		{"parts of a cost of equity", "all of risk_free_rate, beta", func(a args) {
			delete(a, "discount_rate")
			a["wacc"] = args{"equity_value": 1, "risk_free_rate": 0.04, "equity_risk_premium": 0.05}
		}},
		{"a cost of equity twice", "either cost_of_equity", func(a args) {
			delete(a, "discount_rate")
			a["wacc"] = args{"equity_value": 1, "cost_of_equity": 0.1, "beta": 1.1}
		}},
		{"debt that costs nothing", "cost_of_debt and tax_rate", func(a args) {
			delete(a, "discount_rate")
			a["wacc"] = args{"equity_value": 1, "cost_of_equity": 0.1, "debt_value": 1}
		}},
		{"years without effect", "1 cash_flows do not match years 5", func(a args) { a["years"] = 5 }},
		{"a price below zero", "negative", func(a args) { a["price"] = -3 }},
		{"growth in percent", "write 8% as 0.08", func(a args) { delete(a, "cash_flows"); a["base_cash_flow"], a["growth"] = 1, []any{8} }},
		{"terminal growth in percent", "write 2% as 0.02", func(a args) { a["terminal_growth"] = 2 }},
		{"a currency by name", "ISO 4217", func(a args) { a["currency"] = "dollars" }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := sound()
			tc.change(in)
			toolstest.WantInvalid(t, companies.ValuationTools(), "dcf_valuation", in, tc.part)
		})
	}
}
