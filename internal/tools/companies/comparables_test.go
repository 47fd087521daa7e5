package companies_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func peers() []valuationArgs {
	return []valuationArgs{
		{"name": "A", "market_cap": 1000, "net_debt": 200, "net_income": 100, "ebitda": 150},
		{"name": "B", "market_cap": 800, "net_debt": 0, "net_income": 100, "ebitda": 100},
		{"name": "C", "market_cap": 600, "net_debt": -100, "net_income": -20, "ebitda": 100},
		{"name": "D", "multiples": valuationArgs{"pe": 12}},
	}
}

// P/E 10, 8 and 12, without C's loss; EV/EBITDA 8, 8 and 5, without D's.
func TestComps_ByHand(t *testing.T) {
	res, got := mustValue(t, "comps_valuation", valuationArgs{
		"target": valuationArgs{"name": "T", "net_income": 50, "ebitda": 80, "net_debt": 100, "shares": 10}, "peers": peers(), "price": 40, "currency": "USD",
	})
	lines := map[string]map[string]any{}
	for _, l := range got["multiples"].([]any) {
		lines[l.(map[string]any)["name"].(string)] = l.(map[string]any)
	}
	if len(lines) != 2 {
		t.Fatalf("multiples = %v, want pe and ev_ebitda alone", lines)
	}
	pe, ev := lines["pe"], lines["ev_ebitda"]
	wantNearValue(t, "median P/E", pe["spread"].(map[string]any)["median"], 10)
	wantNearValue(t, "first quartile P/E", pe["spread"].(map[string]any)["first_quartile"], 9)
	wantNearValue(t, "value by P/E", pe["value_per_share"].(map[string]any)["median"], 50)
	wantNearValue(t, "P/E of the target", pe["target_multiple"], 8)
	wantNearValue(t, "value by EV/EBITDA", ev["value_per_share"].(map[string]any)["median"], (8*80-100)/10.0)
	wantNearValue(t, "value a share", got["value_per_share"].(map[string]any)["median"], (50+54)/2.0)
	wantNearValue(t, "upside", got["upside"], 0.3)
	if excluded := pe["excluded"].([]any); len(excluded) != 1 || excluded[0].(map[string]any)["peer"] != "C" || !strings.Contains(res.ForUser, "P/E without C: its figure is not positive") {
		t.Errorf("left out = %v, shown %q; want C for its loss", excluded, res.ForUser)
	}
	wantValuationComplete(t, res)
}

func TestComps_AFarOutlierIsSaidAndLeftOutWhenAsked(t *testing.T) {
	in := valuationArgs{"target": valuationArgs{"name": "T", "net_income": 50, "shares": 10}, "multiples": []string{"pe"}, "peers": []valuationArgs{
		{"name": "A", "multiples": valuationArgs{"pe": 10}}, {"name": "B", "multiples": valuationArgs{"pe": 11}}, {"name": "C", "multiples": valuationArgs{"pe": 12}},
		{"name": "D", "multiples": valuationArgs{"pe": 11}}, {"name": "E", "multiples": valuationArgs{"pe": 400}},
	}}
	_, got := mustValue(t, "comps_valuation", in)
	line := got["multiples"].([]any)[0].(map[string]any)
	warned := strings.Join(toolstest.Strings(t, got["warnings"]), "\n")
	if line["peers"] != 5.0 || len(line["excluded"].([]any)) != 0 || !strings.Contains(warned, "P/E of E, 400, lies far outside") {
		t.Errorf("line = %v, warnings %q; want five peers, one of them warned of", line, warned)
	}
	in["exclude_outliers"] = true
	_, got = mustValue(t, "comps_valuation", in)
	line = got["multiples"].([]any)[0].(map[string]any)
	if excluded := line["excluded"].([]any); line["peers"] != 4.0 || len(excluded) != 1 || excluded[0].(map[string]any)["peer"] != "E" {
		t.Errorf("line = %v, want four peers without E", line)
	}
}

// A firm's debt that was not given is not none: its EV would be too small.
func TestComps_DebtThatWasNotGivenIsNotZero(t *testing.T) {
	target := valuationArgs{"name": "T", "ebitda": 80, "shares": 10}
	_, got := mustValue(t, "comps_valuation", valuationArgs{"target": target, "multiples": []string{"ev_ebitda"}, "peers": []valuationArgs{
		{"name": "A", "market_cap": 1000, "ebitda": 100}, {"name": "B", "market_cap": 800, "ebitda": 100, "net_debt": 0}, {"name": "C", "multiples": valuationArgs{"ev_ebitda": 9}},
	}})
	line := got["multiples"].([]any)[0].(map[string]any)
	if line["peers"] != 2.0 || line["excluded"].([]any)[0].(map[string]any)["reason"] != "its net_debt was not given" {
		t.Errorf("line = %v, want B and C alone", line)
	}
	if line["value_per_share"] != nil || line["no_value_because"] != "the target's net_debt was not given" {
		t.Errorf("line = %v, want no value without the target's debt", line)
	}
}

// Sums in dollars beside millions of shares.
func TestComps_WarnsOfUnitsThatDoNotFit(t *testing.T) {
	_, got := mustValue(t, "comps_valuation", valuationArgs{"target": valuationArgs{"name": "T", "net_income": 50e6, "shares": 10}, "peers": peers(), "multiples": []string{"pe"}, "price": 40})
	if warned := strings.Join(toolstest.Strings(t, got["warnings"]), "\n"); !strings.Contains(warned, "in one unit") {
		t.Errorf("warnings %q, want the units doubted", warned)
	}
}

func TestComps_AMultipleThatNobodyHasHasNoSpread(t *testing.T) {
	res, got := mustValue(t, "comps_valuation", valuationArgs{"target": valuationArgs{"name": "T", "net_income": 50, "shares": 10}, "peers": peers(), "multiples": []string{"pe", "pb"}})
	if line := got["multiples"].([]any)[1].(map[string]any); line["spread"] != nil || line["peers"] != 0.0 {
		t.Errorf("line = %v, want no spread, rather than one of zeros", line)
	}
	if f := toolstest.Figure(t, res, "value_per_share"); f.Inputs[0] != "medians of 1 multiples" {
		t.Errorf("figure = %+v, want one multiple behind it", f)
	}
}

func TestComps_SaysWhatToMend(t *testing.T) {
	twice := append(peers(), valuationArgs{"name": "a ", "multiples": valuationArgs{"pe": 9}})
	wantValuationError(t, "comps_valuation", valuationArgs{"target": valuationArgs{"name": "T", "net_income": 50, "shares": 10}, "peers": twice}, "a name of its own")
	wantValuationError(t, "comps_valuation", valuationArgs{"target": valuationArgs{"name": "A", "net_income": 50, "shares": 10}, "peers": peers()}, "valued by itself")
	wantValuationError(t, "comps_valuation", valuationArgs{"target": valuationArgs{"name": "T", "net_income": 1e300, "shares": 10}, "peers": peers()}, "larger than any sum")
	wantValuationError(t, "comps_valuation", valuationArgs{"target": valuationArgs{"name": "T", "net_income": 50, "shares": 10}, "peers": []valuationArgs{{"name": "A", "multiples": valuationArgs{"p/e": 8}}, {"name": "B"}}}, "there are pe")
	wantValuationError(t, "comps_valuation", valuationArgs{"target": valuationArgs{"name": "T", "net_income": 50, "shares": 10}, "peers": peers(), "price": -1}, "positive")
	target := valuationArgs{"name": "T", "net_income": 50, "shares": 10}
	wantValuationError(t, "comps_valuation", valuationArgs{"target": target, "peers": peers()[:1]}, "give 2 to 40")
	wantValuationError(t, "comps_valuation", valuationArgs{"target": valuationArgs{"name": "T", "net_income": 50}, "peers": peers()}, "number of shares")
	wantValuationError(t, "comps_valuation", valuationArgs{"target": target, "peers": peers(), "multiples": []string{"peg"}}, "there are pe")
	wantValuationError(t, "comps_valuation", valuationArgs{"target": target, "peers": []valuationArgs{{"name": "A"}, {"name": "B"}}}, "no multiple can be made")
	_, got := mustValue(t, "comps_valuation", valuationArgs{"target": valuationArgs{"name": "T", "net_income": -5, "shares": 10}, "peers": peers(), "multiples": []string{"pe"}})
	if got["value_per_share"] != nil || len(got["warnings"].([]any)) != 2 {
		t.Errorf("answer = %v, want no value for a loss, and that said", got)
	}
}
