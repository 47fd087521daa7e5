package positions_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// manyPositions returns TwoCurrencies with securities of uneven values, classes and accounts, so that parts are
// rounded.
func manyPositions() *toolstest.PortfolioFixture {
	w := toolstest.TwoCurrencyFixture()
	classes := portfolio.Classes()
	for i := range 37 {
		sym := fmt.Sprintf("M%02d", i)
		w.Transactions = append(w.Transactions, toolstest.Buy("m"+sym, "de", sym, fmt.Sprintf("%d.%03d", i+1, i*27%1000), "100", "EUR", "2024-01-04"))
		w.Series = append(w.Series, toolstest.Daily(sym, "EUR", toolstest.MustDay("2024-01-01"), "3", "3", "3", "3", "3", fmt.Sprintf("%d.%02d", 3+i%5, i*13%100)))
		if i%3 > 0 {
			w.Securities = append(w.Securities, portfolio.Security{Symbol: market.Symbol(sym), Class: classes[i%len(classes)], Region: []string{"US", "Europe", "Asia"}[i%3], Sector: []string{"a", "b"}[i%2]})
		}
	}
	return w
}

func decimalOf(t *testing.T, v any) decimal.Decimal {
	t.Helper()
	text, ok := v.(string)
	if !ok {
		t.Fatalf("%v is no number", v)
	}
	return toolstest.MustDecimal(text)
}

// The weights of each dimension add up to 100%, and its values to the total, except for rounding of
// each part.
func TestAllocation_EveryDimensionAddsUpToAHundred(t *testing.T) {
	for name, w := range map[string]*toolstest.PortfolioFixture{"two currencies": toolstest.TwoCurrencyFixture(), "eventful": toolstest.EventfulFixture(), "many": manyPositions()} {
		_, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_allocation", toolstest.Args{})
		var dimensions []string
		for _, one := range got["dimensions"].([]any) {
			d := one.(map[string]any)
			dimensions = append(dimensions, d["by"].(string))
			parts := d["parts"].([]any)
			weights, values, names := decimal.Zero, decimal.Zero, map[string]bool{}
			for i, p := range parts {
				part := p.(map[string]any)
				weights, values = weights.Add(decimalOf(t, part["weight_pct"])), values.Add(decimalOf(t, part["value"]))
				if names[part["name"].(string)] {
					t.Errorf("%s by %v: %v stands there twice", name, d["by"], part["name"])
				}
				names[part["name"].(string)] = true
				if part["name"] == "not known" && i < len(parts)-1 {
					t.Errorf("%s by %v: what is not known is not last", name, d["by"])
				}
			}
			slack := decimal.New(int64(len(parts)), -2).Div(decimal.NewFromInt(2))
			if weights.Sub(decimal.NewFromInt(100)).Abs().GreaterThan(slack) || values.Sub(decimalOf(t, got["total"])).Abs().GreaterThan(slack) {
				t.Errorf("%s by %v: weights add up to %s %%, values to %s of %v", name, d["by"], weights, values, got["total"])
			}
		}
		if diff := cmp.Diff([]string{"class", "currency", "region", "sector", "account", "symbol"}, dimensions); diff != "" {
			t.Errorf("%s: dimensions (-want +got):\n%s", name, diff)
		}
	}
}

// Parts are sorted by size, and the unknown part is last.
func TestAllocation_TheLargestComesFirst(t *testing.T) {
	_, got := toolstest.CallOK(t, overviewToolsOf(t, manyPositions()), "portfolio_allocation", toolstest.Args{})
	for _, one := range got["dimensions"].([]any) {
		d := one.(map[string]any)
		var values []decimal.Decimal
		for _, p := range d["parts"].([]any) {
			if part := p.(map[string]any); part["name"] != "not known" {
				values = append(values, decimalOf(t, part["value"]))
			}
		}
		if !slices.IsSortedFunc(values, func(a, b decimal.Decimal) int { return b.Cmp(a) }) {
			t.Errorf("by %v the parts are %v; want the largest first", d["by"], values)
		}
	}
}

// Targets and drift are for the whole portfolio: weights of symbols and cash add up to 100%,
// targets including cash too, and each drift is the difference.
func TestAllocation_DriftIsTheWeightLessTheTarget(t *testing.T) {
	w := manyPositions()
	w.Targets = []portfolio.Target{{Symbol: "VTI", Weight: toolstest.MustDecimal("0.25")}, {Symbol: "SAP", Weight: toolstest.MustDecimal("0.125")}, {Symbol: "NEW", Weight: toolstest.MustDecimal("0.5")}}
	_, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_allocation", toolstest.Args{})
	weights, targets := decimal.Zero, decimal.Zero
	lines := got["drift"].([]any)
	for _, one := range lines {
		line := one.(map[string]any)
		weight := decimalOf(t, line["weight_pct"])
		weights = weights.Add(weight)
		if line["target_pct"] == nil {
			continue
		}
		target := decimalOf(t, line["target_pct"])
		targets = targets.Add(target)
		if off := weight.Sub(target).Sub(decimalOf(t, line["drift_pp"])).Abs(); off.GreaterThan(toolstest.MustDecimal("0.01")) {
			t.Errorf("drift of %v = %v; want %s - %s", line["symbol"], line["drift_pp"], weight, target)
		}
	}
	if targets.String() != "100" || weights.Sub(decimal.NewFromInt(100)).Abs().GreaterThan(decimal.New(int64(len(lines)), -2)) {
		t.Errorf("targets add up to %s, weights to %s; want 100 both", targets, weights)
	}
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "drift", "NEW"), map[string]any{"weight_pct": "0", "target_pct": "50", "drift_pp": "-50"})
}

// Both tools read the same portfolio: total, market values and warnings are the same.
func TestPositionsAndAllocation_TellTheSameBook(t *testing.T) {
	for name, w := range map[string]*toolstest.PortfolioFixture{"eventful": toolstest.EventfulFixture(), "many": manyPositions()} {
		_, positions := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{})
		_, allocation := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_allocation", toolstest.Args{})
		for _, field := range []string{"total", "currency", "day", "whole", "accounts", "rates"} {
			if diff := cmp.Diff(positions[field], allocation[field]); diff != "" {
				t.Errorf("%s: %s of both differ:\n%s", name, field, diff)
			}
		}
		worths := map[string]any{}
		cash := decimal.Zero
		for _, one := range positions["positions"].([]any) {
			if p := one.(map[string]any); p["value_base"] != nil {
				worths[p["symbol"].(string)] = p["value_base"]
			}
		}
		for _, one := range positions["cash"].([]any) {
			cash = cash.Add(decimalOf(t, one.(map[string]any)["value_base"]))
		}
		worths["cash"] = cash.String()
		divided := map[string]any{}
		for _, one := range toolstest.ObjectAt(t, allocation, "dimensions", "symbol")["parts"].([]any) {
			part := one.(map[string]any)
			divided[part["name"].(string)] = part["value"]
		}
		if diff := cmp.Diff(worths, divided); diff != "" {
			t.Errorf("%s: worths of positions and of allocation differ:\n%s", name, diff)
		}
	}
}

// Total, cost and gain are the sums of the lines, and the gain is the market value minus the cost.
func TestPositions_TheSumsAreThoseOfTheLines(t *testing.T) {
	_, got := toolstest.CallOK(t, overviewToolsOf(t, manyPositions()), "portfolio_positions", toolstest.Args{})
	sums := map[string]decimal.Decimal{}
	lines := got["positions"].([]any)
	for _, one := range lines {
		p := one.(map[string]any)
		for _, field := range []string{"value_base", "cost_base", "gain_base", "day_change_base"} {
			sums[field] = sums[field].Add(decimalOf(t, p[field]))
		}
		if gain := decimalOf(t, p["value_base"]).Sub(decimalOf(t, p["cost_base"])).Sub(decimalOf(t, p["gain_base"])).Abs(); gain.GreaterThan(toolstest.MustDecimal("0.01")) {
			t.Errorf("gain of %v = %v; want %v - %v", p["symbol"], p["gain_base"], p["value_base"], p["cost_base"])
		}
	}
	slack := decimal.New(int64(len(lines)), -2)
	cash := decimalOf(t, toolstest.ObjectAt(t, got, "cash", "us")["value_base"])
	for field, sum := range map[string]decimal.Decimal{"total": sums["value_base"].Add(cash), "cost_base": sums["cost_base"], "gain_base": sums["gain_base"], "day_change_base": sums["day_change_base"]} {
		if off := decimalOf(t, got[field]).Sub(sum).Abs(); off.GreaterThan(slack) {
			t.Errorf("%s = %v; want %s, the sum of the lines", field, got[field], sum)
		}
	}
}

// An unknown cost leaves cost and gain absent, of the line and of the total, with a reason; value
// and weight stay.
func TestPositions_AnUnknownCostIsAbsentAndNotZero(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Transactions = append(w.Transactions, portfolio.Transaction{ID: "in", Date: toolstest.MustDay("2024-01-03"), Kind: portfolio.KindTransferIn, Account: "de", Symbol: "VTI", Quantity: toolstest.MustDecimal("1"), CostUnknown: true, Currency: "USD"})
	_, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{})
	vti := toolstest.ObjectAt(t, got, "positions", "VTI")
	toolstest.WantFields(t, vti, map[string]any{"quantity": "11", "value": "1320"})
	for _, field := range []string{"cost", "cost_base", "gain", "gain_base", "gain_pct", "gain_base_pct"} {
		if v, ok := vti[field]; ok {
			t.Errorf("%s of VTI = %v; want none", field, v)
		}
	}
	if why, _ := vti["gain_absent"].(string); !strings.Contains(why, "cost") {
		t.Errorf("gain_absent = %q; want why", why)
	}
	for _, field := range []string{"cost_base", "gain_base", "gain_base_pct"} {
		if v, ok := got[field]; ok {
			t.Errorf("%s of all = %v; want none", field, v)
		}
	}
	toolstest.WantFields(t, got, map[string]any{"total": "2970", "whole": true})
}

// The day change is relative to the previous session; a close older than a week does not count.
func TestPositions_ADayIsNoLongerThanAWeek(t *testing.T) {
	for _, tc := range []struct{ before, want string }{{"2024-01-05", "20"}, {"2024-01-01", "20"}, {"2023-12-29", ""}} {
		w := toolstest.TwoCurrencyFixture()
		w.Series[0].Bars = []market.Bar{{Date: toolstest.MustDay(tc.before), Close: toolstest.MustDecimal("100")}, {Date: toolstest.MustDay("2024-01-08"), Close: toolstest.MustDecimal("120")}}
		_, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_positions", toolstest.Args{"account": "us"})
		pct, _ := toolstest.ObjectAt(t, got, "positions", "VTI")["day_change_pct"].(string)
		if pct != tc.want {
			t.Errorf("after a close of %s the change of the day is %q; want %q", tc.before, pct, tc.want)
		}
		if _, ok := got["day_change_base"]; ok != (tc.want != "") {
			t.Errorf("after a close of %s the change of all is %v", tc.before, got["day_change_base"])
		}
	}
}
