package companies_test

import (
	"math"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/companies"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type valuationArgs = toolstest.Args

func mustValue(t *testing.T, name string, in valuationArgs) (tool.Result, map[string]any) {
	t.Helper()
	return toolstest.CallOK(t, companies.ValuationTools(), name, in)
}

func wantValuationError(t *testing.T, name string, in valuationArgs, part string) {
	t.Helper()
	toolstest.WantError(t, toolstest.Call(t, companies.ValuationTools(), name, in), tool.CodeValidation, part)
}

func wantValuationComplete(t *testing.T, res tool.Result) {
	t.Helper()
	seen := map[string]bool{}
	for _, f := range res.Figures {
		if f.ID == "" || f.Label == "" || f.Unit == "" || f.Source == "" || f.Formula == "" || seen[f.ID] {
			t.Errorf("figure %+v is incomplete or not unique", f)
		}
		seen[f.ID] = true
	}
}

func wantNearValue(t *testing.T, name string, got any, want float64) {
	t.Helper()
	if v, ok := got.(float64); !ok || math.Abs(v-want) > 1e-6*math.Max(1, math.Abs(want)) {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}

// 100, 110, 121 at 10 %, 2 % for ever, net debt 200, 100 shares.
func TestDCF_ByHand(t *testing.T) {
	res, got := mustValue(t, "dcf_valuation", valuationArgs{
		"cash_flows": []any{100, 110, 121}, "discount_rate": 0.10, "terminal_growth": 0.02, "net_debt": 200, "shares": 100, "price": 10, "base_cash_flow": 90.909, "currency": "usd",
	})
	firm := 3*100/1.1 + 1542.75/1.331
	wantNearValue(t, "enterprise_value", got["enterprise_value"], firm)
	wantNearValue(t, "value_per_share", got["value_per_share"], (firm-200)/100)
	wantNearValue(t, "upside", got["upside"], math.Round((firm-200)/1000*1e6)/1e6-1)
	if g := got["growth_implied_by_price"].(float64); g < 0 || g > 0.1 {
		t.Errorf("growth implied by a price below the value = %v, want it below the forecast's 10 %%", g)
	}
	grid := got["sensitivity"].(map[string]any)["values_per_share"].([]any)
	wantNearValue(t, "middle of the grid", grid[2].([]any)[2], (firm-200)/100)
	if low, high := grid[4].([]any)[0].(float64), grid[0].([]any)[4].(float64); low >= high {
		t.Errorf("grid runs from %v to %v", low, high)
	}
	wantValuationComplete(t, res)
	if f := toolstest.Figure(t, res, "value_per_share"); f.Unit != "USD" || len(f.Inputs) < 4 {
		t.Errorf("figure = %+v, want its currency and assumptions", f)
	}
}

func TestDCF_GrowthFadesAndCapitalCosts(t *testing.T) {
	_, got := mustValue(t, "dcf_valuation", valuationArgs{
		"base_cash_flow": 100, "growth": []any{0.10, 0.02}, "years": 5, "terminal_growth": 0.02, "net_debt": -50, "shares": 10,
		"wacc": valuationArgs{"risk_free_rate": 0.04, "beta": 1.2, "equity_risk_premium": 0.05, "cost_of_debt": 0.05, "tax_rate": 0.25, "equity_value": 600, "debt_value": 400},
	})
	wantNearValue(t, "discount_rate", got["discount_rate"], 0.075)
	wantNearValue(t, "cost_of_equity", got["cost_of_equity"], 0.10)
	years := got["forecast"].([]any)
	wantNearValue(t, "growth of the third year", years[2].(map[string]any)["growth"], 0.06)
	wantNearValue(t, "cash flow of the first year", years[0].(map[string]any)["cash_flow"], 110)
}

func TestDCF_AnExitMultipleSaysWhatGrowthItImplies(t *testing.T) {
	res, got := mustValue(t, "dcf_valuation", valuationArgs{"cash_flows": []any{100}, "discount_rate": 0.10, "exit_multiple": 8, "exit_metric": 200, "net_debt": 0, "shares": 10})
	wantNearValue(t, "enterprise_value", got["enterprise_value"], 1700/1.1)
	wantNearValue(t, "implied growth", got["terminal_growth_implied_by_multiple"], 60.0/1700)
	wantValuationComplete(t, res)
}

func TestDCF_WarnsOfWhatMovesTheValue(t *testing.T) {
	_, got := mustValue(t, "dcf_valuation", valuationArgs{"cash_flows": []any{10}, "discount_rate": 0.06, "terminal_growth": 0.045, "net_debt": 1e6, "shares": 1})
	warned := strings.Join(toolstest.Strings(t, got["warnings"]), "\n")
	for _, part := range []string{"lies after the forecast", "faster than economies", "small changes", "worth nothing"} {
		if !strings.Contains(warned, part) {
			t.Errorf("warnings %q lack %q", warned, part)
		}
	}
}

func TestDCF_OfSharesWorthNothingThereIsNoUpside(t *testing.T) {
	_, got := mustValue(t, "dcf_valuation", valuationArgs{"cash_flows": []any{10}, "discount_rate": 0.1, "terminal_growth": 0.02, "net_debt": 1e6, "shares": 1, "price": 5})
	if got["upside"] != nil || got["value_per_share"].(float64) >= 0 {
		t.Errorf("value %v, upside %v; want no upside below -100 %%", got["value_per_share"], got["upside"])
	}
	_, got = mustValue(t, "dcf_valuation", valuationArgs{"cash_flows": []any{-500, 10}, "discount_rate": 0.1, "terminal_growth": 0.02, "net_debt": 0, "shares": 1})
	if got["terminal_share"] != nil {
		t.Errorf("terminal share of a firm worth nothing = %v, want none", got["terminal_share"])
	}
}

// Sums in dollars beside shares in millions: a million times too much.
func TestDCF_WarnsOfUnitsThatDoNotFit(t *testing.T) {
	_, got := mustValue(t, "dcf_valuation", valuationArgs{"cash_flows": []any{1e9}, "discount_rate": 0.1, "terminal_growth": 0.02, "net_debt": 0, "shares": 100, "price": 120, "base_cash_flow": 9e8})
	if warned := strings.Join(toolstest.Strings(t, got["warnings"]), "\n"); !strings.Contains(warned, "in one unit") {
		t.Errorf("warnings %q, want the units doubted", warned)
	}
}

// The words of a figure are those of what was computed: 50 from mid-year on.
func TestDCF_FormulasSayWhenCashIsDiscountedFrom(t *testing.T) {
	res, got := mustValue(t, "dcf_valuation", valuationArgs{"cash_flows": []any{50}, "discount_rate": 0.1, "terminal_growth": 0.02, "net_debt": 0, "shares": 1, "mid_year": true})
	wantNearValue(t, "forecast", got["present_value_of_forecast"], 50/math.Sqrt(1.1))
	wantNearValue(t, "implied multiple", got["exit_multiple_of_cash_flow_implied_by_growth"], 1.02/0.08*math.Sqrt(1.1))
	for id, part := range map[string]string{"present_value_of_forecast": "t - 1/2", "present_value_of_terminal": "n - 1/2", "present_value_1": "t - 1/2", "implied_exit_multiple": "(1/2)"} {
		if f := toolstest.Figure(t, res, id); !strings.Contains(f.Formula, part) {
			t.Errorf("formula of %s = %q, want %q in it", id, f.Formula, part)
		}
	}
	res, _ = mustValue(t, "dcf_valuation", valuationArgs{"cash_flows": []any{50}, "discount_rate": 0.1, "exit_multiple": 8, "exit_metric": 70, "net_debt": 0, "shares": 1, "mid_year": true})
	if f := toolstest.Figure(t, res, "present_value_of_terminal"); strings.Contains(f.Formula, "1/2") {
		t.Errorf("formula of a sale = %q, want whole years: it is paid at the end", f.Formula)
	}
}

func TestDCF_SaysWhatToMend(t *testing.T) {
	sound := func() valuationArgs {
		return valuationArgs{"cash_flows": []any{100}, "discount_rate": 0.1, "terminal_growth": 0.02, "net_debt": 0, "shares": 1}
	}
	for _, tc := range []struct {
		name, part string
		change     func(valuationArgs)
	}{
		{"growth above the rate", "infinite", func(a valuationArgs) { a["terminal_growth"] = 0.1 }},
		{"two ways to end", "either terminal_growth or exit_multiple", func(a valuationArgs) { a["exit_multiple"] = 8 }},
		{"two rates", "either discount_rate or wacc", func(a valuationArgs) { a["wacc"] = valuationArgs{"equity_value": 1} }},
		{"two forecasts", "either cash_flows or growth", func(a valuationArgs) { a["growth"] = []any{0.1} }},
		{"no forecast", "give cash_flows", func(a valuationArgs) { delete(a, "cash_flows") }},
		{"a rate in per cent", "give 9 % as 0.09", func(a valuationArgs) { a["discount_rate"] = 9 }},
		{"parts of a cost of equity", "all of risk_free_rate, beta", func(a valuationArgs) {
			delete(a, "discount_rate")
			a["wacc"] = valuationArgs{"equity_value": 1, "risk_free_rate": 0.04, "equity_risk_premium": 0.05}
		}},
		{"a cost of equity twice", "either cost_of_equity", func(a valuationArgs) {
			delete(a, "discount_rate")
			a["wacc"] = valuationArgs{"equity_value": 1, "cost_of_equity": 0.1, "beta": 1.1}
		}},
		{"debt that costs nothing", "cost_of_debt and tax_rate", func(a valuationArgs) {
			delete(a, "discount_rate")
			a["wacc"] = valuationArgs{"equity_value": 1, "cost_of_equity": 0.1, "debt_value": 1}
		}},
		{"years without effect", "1 cash_flows for 5 years", func(a valuationArgs) { a["years"] = 5 }},
		{"a price below zero", "negative", func(a valuationArgs) { a["price"] = -3 }},
		{"growth in per cent", "give 8 % as 0.08", func(a valuationArgs) { delete(a, "cash_flows"); a["base_cash_flow"], a["growth"] = 1, []any{8} }},
		{"terminal growth in per cent", "give 2 % as 0.02", func(a valuationArgs) { a["terminal_growth"] = 2 }},
		{"a currency by name", "ISO 4217", func(a valuationArgs) { a["currency"] = "dollars" }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := sound()
			tc.change(in)
			wantValuationError(t, "dcf_valuation", in, tc.part)
		})
	}
}
