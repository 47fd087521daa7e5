package companies_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/companies"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

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
	res, got := toolstest.CallOK(t, companies.ValuationTools(), "comps_valuation", args{
		"target": args{"name": "T", "net_income": 50, "ebitda": 80, "net_debt": 100, "shares": 10}, "peers": peers(), "price": 40, "currency": "USD",
	})
	lines := map[string]map[string]any{}
	for _, l := range got["multiples"].([]any) {
		lines[l.(map[string]any)["name"].(string)] = l.(map[string]any)
	}
	if len(lines) != 2 {
		t.Fatalf("multiples = %v, want only pe and ev_ebitda", lines)
	}
	pe, ev := lines["pe"], lines["ev_ebitda"]
	toolstest.WantNear(t, "median P/E", pe["spread"].(map[string]any)["median"], 10)
	toolstest.WantNear(t, "first quartile P/E", pe["spread"].(map[string]any)["first_quartile"], 9)
	toolstest.WantNear(t, "value by P/E", pe["value_per_share"].(map[string]any)["median"], 50)
	toolstest.WantNear(t, "P/E of the target", pe["target_multiple"], 8)
	toolstest.WantNear(t, "value by EV/EBITDA", ev["value_per_share"].(map[string]any)["median"], (8*80-100)/10.0)
	toolstest.WantNear(t, "value a share", got["value_per_share"].(map[string]any)["median"], (50+54)/2.0)
	toolstest.WantNear(t, "upside", got["upside"], 0.3)
	if excluded := pe["excluded"].([]any); len(excluded) != 1 || excluded[0].(map[string]any)["peer"] != "C" || !strings.Contains(res.UserText(), "P/E without C: the figure is not positive") {
		t.Errorf("excluded = %v, shown %q; want C for its loss", excluded, res.UserText())
	}
	toolstest.WantFigures(t, res)
}

func TestComps_WarnsOfOutliersAndExcludesThemOnRequest(t *testing.T) {
	in := args{"target": args{"name": "T", "net_income": 50, "shares": 10}, "multiples": []string{"pe"}, "peers": []args{
		{"name": "A", "multiples": args{"pe": 10}}, {"name": "B", "multiples": args{"pe": 11}}, {"name": "C", "multiples": args{"pe": 12}},
		{"name": "D", "multiples": args{"pe": 11}}, {"name": "E", "multiples": args{"pe": 400}},
	}}
	_, got := toolstest.CallOK(t, companies.ValuationTools(), "comps_valuation", in)
	line := got["multiples"].([]any)[0].(map[string]any)
	warned := toolstest.Warnings(t, got)
	if line["peers"] != 5.0 || len(line["excluded"].([]any)) != 0 || !strings.Contains(warned, "P/E of E, 400, is an outlier") {
		t.Errorf("line = %v, warnings %q; want five peers, one of them warned of", line, warned)
	}
	in["exclude_outliers"] = true
	_, got = toolstest.CallOK(t, companies.ValuationTools(), "comps_valuation", in)
	line = got["multiples"].([]any)[0].(map[string]any)
	if excluded := line["excluded"].([]any); line["peers"] != 4.0 || len(excluded) != 1 || excluded[0].(map[string]any)["peer"] != "E" {
		t.Errorf("line = %v, want four peers without E", line)
	}
}

// Missing net debt is not zero: EV would be too small.
func TestComps_MissingDebtIsNotZero(t *testing.T) {
	target := args{"name": "T", "ebitda": 80, "shares": 10}
	_, got := toolstest.CallOK(t, companies.ValuationTools(), "comps_valuation", args{"target": target, "multiples": []string{"ev_ebitda"}, "peers": []args{
		{"name": "A", "market_cap": 1000, "ebitda": 100}, {"name": "B", "market_cap": 800, "ebitda": 100, "net_debt": 0}, {"name": "C", "multiples": args{"ev_ebitda": 9}},
	}})
	line := got["multiples"].([]any)[0].(map[string]any)
	if line["peers"] != 2.0 || line["excluded"].([]any)[0].(map[string]any)["reason"] != "net_debt is missing" {
		t.Errorf("line = %v, want only B and C", line)
	}
	if line["value_per_share"] != nil || line["no_value_because"] != "the target's net_debt is missing" {
		t.Errorf("line = %v, want no value without the target's debt", line)
	}
}

// Amounts in dollars with shares in millions.
func TestComps_WarnsOfUnitsThatDoNotFit(t *testing.T) {
	_, got := toolstest.CallOK(t, companies.ValuationTools(), "comps_valuation", args{"target": args{"name": "T", "net_income": 50e6, "shares": 10}, "peers": peers(), "multiples": []string{"pe"}, "price": 40})
	if warned := toolstest.Warnings(t, got); !strings.Contains(warned, "have the same unit") {
		t.Errorf("warnings %q, want the units doubted", warned)
	}
}

func TestComps_AMultipleThatNobodyHasHasNoSpread(t *testing.T) {
	res, got := toolstest.CallOK(t, companies.ValuationTools(), "comps_valuation", args{"target": args{"name": "T", "net_income": 50, "shares": 10}, "peers": peers(), "multiples": []string{"pe", "pb"}})
	if line := got["multiples"].([]any)[1].(map[string]any); line["spread"] != nil || line["peers"] != 0.0 {
		t.Errorf("line = %v, want no spread, rather than one of zeros", line)
	}
	if f := toolstest.Figure(t, res, "value_per_share.median"); f.Inputs[0] != "medians of 1 multiples" {
		t.Errorf("figure = %+v, want one multiple as its input", f)
	}
}

func TestComps_SaysWhatToMend(t *testing.T) {
	twice := append(peers(), args{"name": "a ", "multiples": args{"pe": 9}})
	toolstest.WantInvalid(t, companies.ValuationTools(), "comps_valuation", args{"target": args{"name": "T", "net_income": 50, "shares": 10}, "peers": twice}, "each peer needs a unique name")
	toolstest.WantInvalid(t, companies.ValuationTools(), "comps_valuation", args{"target": args{"name": "A", "net_income": 50, "shares": 10}, "peers": peers()}, "cannot be its own peer")
	toolstest.WantInvalid(t, companies.ValuationTools(), "comps_valuation", args{"target": args{"name": "T", "net_income": 1e300, "shares": 10}, "peers": peers()}, "too large")
	toolstest.WantInvalid(t, companies.ValuationTools(), "comps_valuation", args{"target": args{"name": "T", "net_income": 50, "shares": 10}, "peers": []args{{"name": "A", "multiples": args{"p/e": 8}}, {"name": "B"}}}, "use pe")
	toolstest.WantInvalid(t, companies.ValuationTools(), "comps_valuation", args{"target": args{"name": "T", "net_income": 50, "shares": 10}, "peers": peers(), "price": -1}, "positive")
	target := args{"name": "T", "net_income": 50, "shares": 10}
	toolstest.WantInvalid(t, companies.ValuationTools(), "comps_valuation", args{"target": target, "peers": peers()[:1]}, "need 2 to 40 peers")
	toolstest.WantInvalid(t, companies.ValuationTools(), "comps_valuation", args{"target": args{"name": "T", "net_income": 50}, "peers": peers()}, "target.shares is required")
	toolstest.WantInvalid(t, companies.ValuationTools(), "comps_valuation", args{"target": target, "peers": peers(), "multiples": []string{"peg"}}, "use pe")
	toolstest.WantInvalid(t, companies.ValuationTools(), "comps_valuation", args{"target": target, "peers": []args{{"name": "A"}, {"name": "B"}}}, "no multiple can be computed")
	_, got := toolstest.CallOK(t, companies.ValuationTools(), "comps_valuation", args{"target": args{"name": "T", "net_income": -5, "shares": 10}, "peers": peers(), "multiples": []string{"pe"}})
	if got["value_per_share"] != nil || len(got["warnings"].([]any)) != 2 {
		t.Errorf("answer = %v, want no value for a loss, and that said", got)
	}
}
