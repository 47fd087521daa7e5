package valuation_test

import (
	"math"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
	"github.com/nfa-cli/nfa/internal/toolbox/valuation"
)

type args = toolboxtest.Args

func answered(t *testing.T, name string, in args) (tool.Result, map[string]any) {
	t.Helper()
	return toolboxtest.Answered(t, valuation.Tools(), name, in)
}

func refused(t *testing.T, name string, in args, part string) {
	t.Helper()
	toolboxtest.WantError(t, toolboxtest.Call(t, valuation.Tools(), name, in), tool.CodeValidation, part)
}

func complete(t *testing.T, res tool.Result) {
	t.Helper()
	seen := map[string]bool{}
	for _, f := range res.Figures {
		if f.ID == "" || f.Label == "" || f.Unit == "" || f.Source == "" || f.Formula == "" || seen[f.ID] {
			t.Errorf("figure %+v is incomplete or not unique", f)
		}
		seen[f.ID] = true
	}
}

func near(t *testing.T, name string, got any, want float64) {
	t.Helper()
	if v, ok := got.(float64); !ok || math.Abs(v-want) > 1e-6*math.Max(1, math.Abs(want)) {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}

// 100, 110, 121 at 10 %, 2 % for ever, net debt 200, 100 shares.
func TestDCF_ByHand(t *testing.T) {
	res, got := answered(t, "dcf_valuation", args{
		"cash_flows": []any{100, 110, 121}, "discount_rate": 0.10, "terminal_growth": 0.02, "net_debt": 200, "shares": 100, "price": 10, "base_cash_flow": 90.909, "currency": "usd",
	})
	firm := 3*100/1.1 + 1542.75/1.331
	near(t, "enterprise_value", got["enterprise_value"], firm)
	near(t, "value_per_share", got["value_per_share"], (firm-200)/100)
	near(t, "upside", got["upside"], math.Round((firm-200)/1000*1e6)/1e6-1)
	if g := got["growth_implied_by_price"].(float64); g < 0 || g > 0.1 {
		t.Errorf("growth implied by a price below the value = %v, want it below the forecast's 10 %%", g)
	}
	grid := got["sensitivity"].(map[string]any)["values_per_share"].([]any)
	near(t, "middle of the grid", grid[2].([]any)[2], (firm-200)/100)
	if low, high := grid[4].([]any)[0].(float64), grid[0].([]any)[4].(float64); low >= high {
		t.Errorf("grid runs from %v to %v", low, high)
	}
	complete(t, res)
	if f := toolboxtest.Figure(t, res, "value_per_share"); f.Unit != "USD" || len(f.Inputs) < 4 {
		t.Errorf("figure = %+v, want its currency and assumptions", f)
	}
}

func TestDCF_GrowthFadesAndCapitalCosts(t *testing.T) {
	_, got := answered(t, "dcf_valuation", args{
		"base_cash_flow": 100, "growth": []any{0.10, 0.02}, "years": 5, "terminal_growth": 0.02, "net_debt": -50, "shares": 10,
		"wacc": args{"risk_free_rate": 0.04, "beta": 1.2, "equity_risk_premium": 0.05, "cost_of_debt": 0.05, "tax_rate": 0.25, "equity_value": 600, "debt_value": 400},
	})
	near(t, "discount_rate", got["discount_rate"], 0.075)
	near(t, "cost_of_equity", got["cost_of_equity"], 0.10)
	years := got["forecast"].([]any)
	near(t, "growth of the third year", years[2].(map[string]any)["growth"], 0.06)
	near(t, "cash flow of the first year", years[0].(map[string]any)["cash_flow"], 110)
}

func TestDCF_AnExitMultipleSaysWhatGrowthItImplies(t *testing.T) {
	res, got := answered(t, "dcf_valuation", args{"cash_flows": []any{100}, "discount_rate": 0.10, "exit_multiple": 8, "exit_metric": 200, "net_debt": 0, "shares": 10})
	near(t, "enterprise_value", got["enterprise_value"], 1700/1.1)
	near(t, "implied growth", got["terminal_growth_implied_by_multiple"], 60.0/1700)
	complete(t, res)
}

func TestDCF_WarnsOfWhatMovesTheValue(t *testing.T) {
	_, got := answered(t, "dcf_valuation", args{"cash_flows": []any{10}, "discount_rate": 0.06, "terminal_growth": 0.045, "net_debt": 1e6, "shares": 1})
	warned := strings.Join(toolboxtest.Strings(t, got["warnings"]), "\n")
	for _, part := range []string{"lies after the forecast", "faster than economies", "small changes", "worth nothing"} {
		if !strings.Contains(warned, part) {
			t.Errorf("warnings %q lack %q", warned, part)
		}
	}
}

func TestDCF_SaysWhatToMend(t *testing.T) {
	sound := func() args {
		return args{"cash_flows": []any{100}, "discount_rate": 0.1, "terminal_growth": 0.02, "net_debt": 0, "shares": 1}
	}
	for _, tc := range []struct {
		name, part string
		change     func(args)
	}{
		{"growth above the rate", "infinite", func(a args) { a["terminal_growth"] = 0.1 }},
		{"two ways to end", "either terminal_growth or exit_multiple", func(a args) { a["exit_multiple"] = 8 }},
		{"two rates", "either discount_rate or wacc", func(a args) { a["wacc"] = args{"equity_value": 1} }},
		{"two forecasts", "either cash_flows or growth", func(a args) { a["growth"] = []any{0.1} }},
		{"no forecast", "give cash_flows", func(a args) { delete(a, "cash_flows") }},
		{"a rate in per cent", "give 9 % as 0.09", func(a args) { a["discount_rate"] = 9 }},
		{"a currency by name", "ISO 4217", func(a args) { a["currency"] = "dollars" }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := sound()
			tc.change(in)
			refused(t, "dcf_valuation", in, tc.part)
		})
	}
}

func peers() []args {
	return []args{
		{"name": "A", "market_cap": 1000, "net_debt": 200, "net_income": 100, "ebitda": 150},
		{"name": "B", "market_cap": 800, "net_debt": 0, "net_income": 100, "ebitda": 100},
		{"name": "C", "market_cap": 600, "net_debt": -100, "net_income": -20, "ebitda": 100},
		{"name": "D", "multiples": args{"pe": 12}},
	}
}

// P/E 10, 8 and 12, without C's loss; EV/EBITDA 8, 8 and 5, without D's.
func TestComps_ByHand(t *testing.T) {
	res, got := answered(t, "comps_valuation", args{
		"target": args{"name": "T", "net_income": 50, "ebitda": 80, "net_debt": 100, "shares": 10}, "peers": peers(), "price": 40, "currency": "USD",
	})
	lines := map[string]map[string]any{}
	for _, l := range got["multiples"].([]any) {
		lines[l.(map[string]any)["name"].(string)] = l.(map[string]any)
	}
	if len(lines) != 2 {
		t.Fatalf("multiples = %v, want pe and ev_ebitda alone", lines)
	}
	pe, ev := lines["pe"], lines["ev_ebitda"]
	near(t, "median P/E", pe["spread"].(map[string]any)["median"], 10)
	near(t, "first quartile P/E", pe["spread"].(map[string]any)["first_quartile"], 9)
	near(t, "value by P/E", pe["value_per_share"].(map[string]any)["median"], 50)
	near(t, "P/E of the target", pe["target_multiple"], 8)
	near(t, "value by EV/EBITDA", ev["value_per_share"].(map[string]any)["median"], (8*80-100)/10.0)
	near(t, "value a share", got["value_per_share"].(map[string]any)["median"], (50+54)/2.0)
	near(t, "upside", got["upside"], 0.3)
	if excluded := pe["excluded"].([]any); len(excluded) != 1 || excluded[0].(map[string]any)["peer"] != "C" || !strings.Contains(res.ForUser, "P/E without C: its figure is not positive") {
		t.Errorf("left out = %v, shown %q; want C for its loss", excluded, res.ForUser)
	}
	complete(t, res)
}

func TestComps_AFarOutlierIsSaidAndLeftOutWhenAsked(t *testing.T) {
	in := args{"target": args{"name": "T", "net_income": 50, "shares": 10}, "multiples": []string{"pe"}, "peers": []args{
		{"name": "A", "multiples": args{"pe": 10}}, {"name": "B", "multiples": args{"pe": 11}}, {"name": "C", "multiples": args{"pe": 12}},
		{"name": "D", "multiples": args{"pe": 11}}, {"name": "E", "multiples": args{"pe": 400}},
	}}
	_, got := answered(t, "comps_valuation", in)
	line := got["multiples"].([]any)[0].(map[string]any)
	if line["peers"] != 5.0 || !strings.Contains(line["excluded"].([]any)[0].(map[string]any)["reason"].(string), "not left out") {
		t.Errorf("line = %v, want five peers, one of them named", line)
	}
	in["exclude_outliers"] = true
	_, got = answered(t, "comps_valuation", in)
	if line := got["multiples"].([]any)[0].(map[string]any); line["peers"] != 4.0 {
		t.Errorf("line = %v, want four peers", line)
	}
}

func TestComps_SaysWhatToMend(t *testing.T) {
	target := args{"name": "T", "net_income": 50, "shares": 10}
	refused(t, "comps_valuation", args{"target": target, "peers": peers()[:1]}, "give 2 to 40")
	refused(t, "comps_valuation", args{"target": args{"name": "T", "net_income": 50}, "peers": peers()}, "number of shares")
	refused(t, "comps_valuation", args{"target": target, "peers": peers(), "multiples": []string{"peg"}}, "there are pe")
	refused(t, "comps_valuation", args{"target": target, "peers": []args{{"name": "A"}, {"name": "B"}}}, "no multiple can be made")
	_, got := answered(t, "comps_valuation", args{"target": args{"name": "T", "net_income": -5, "shares": 10}, "peers": peers(), "multiples": []string{"pe"}})
	if got["value_per_share"] != nil || len(got["warnings"].([]any)) != 2 {
		t.Errorf("answer = %v, want no value for a loss, and that said", got)
	}
}
