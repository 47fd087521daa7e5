package positions_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// weights returns the parts of a dimension as "name weight", in their order.
func weights(t *testing.T, answer map[string]any, by string) []string {
	t.Helper()
	var out []string
	for _, p := range toolstest.ObjectAt(t, answer, "dimensions", by)["parts"].([]any) {
		one := p.(map[string]any)
		out = append(out, one["name"].(string)+" "+decimalOf(t, one["weight_pct"]).StringFixed(2))
	}
	return out
}

// Of 2850: VTI 1200, SAP 660, cash 990. VTI is a fund without recorded facts; SAP is a share.
func TestAllocation_IsWhatIsKnownAndTheRestIsNotKnown(t *testing.T) {
	_, got := toolstest.CallOK(t, overviewToolsOf(t, toolstest.TwoCurrencyFixture()), "portfolio_allocation", toolstest.Args{})
	for by, want := range map[string][]string{
		"class":    {"cash 34.74", "equity 23.16", "not known 42.11"},
		"currency": {"USD 76.84", "EUR 23.16"},
		"region":   {"cash 34.74", "not known 65.26"},
		"account":  {"us 76.84", "de 23.16"},
		"symbol":   {"VTI 42.11", "cash 34.74", "SAP 23.16"},
	} {
		if diff := cmp.Diff(want, weights(t, got, by)); diff != "" {
			t.Errorf("by %s (-want +got):\n%s", by, diff)
		}
	}
	notes := strings.Join(toolstest.Strings(t, got["notes"]), "\n")
	if !strings.Contains(notes, `The class of VTI is not known`) || !strings.Contains(notes, `{"securities":[{"symbol":"VTI","class":"..."}]}`) {
		t.Errorf("notes = %q; want what to record of VTI", notes)
	}
}

func TestAllocation_TakesTheUsersWordForClassRegionAndSector(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Securities = []portfolio.Security{
		{Symbol: "VTI", Class: portfolio.ClassMixed, Region: "US", Sector: "all"},
		{Symbol: "SAP", Class: portfolio.ClassBond, Region: "Europe"},
	}
	_, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_allocation", toolstest.Args{})
	for by, want := range map[string][]string{
		"class":  {"mixed 42.11", "cash 34.74", "bond 23.16"},
		"region": {"US 42.11", "cash 34.74", "Europe 23.16"},
		"sector": {"all 42.11", "cash 34.74", "not known 23.16"},
	} {
		if diff := cmp.Diff(want, weights(t, got, by)); diff != "" {
			t.Errorf("by %s (-want +got):\n%s", by, diff)
		}
	}
}

func TestAllocation_EveryDimensionAddsUpToAll(t *testing.T) {
	_, got := toolstest.CallOK(t, overviewToolsOf(t, toolstest.EventfulFixture()), "portfolio_allocation", toolstest.Args{})
	for _, d := range got["dimensions"].([]any) {
		value := decimal.Zero
		for _, p := range d.(map[string]any)["parts"].([]any) {
			value = value.Add(toolstest.MustDecimal(p.(map[string]any)["value"].(string)))
		}
		if off := value.Sub(toolstest.MustDecimal(got["total"].(string))).Abs(); off.GreaterThan(toolstest.MustDecimal("0.05")) {
			t.Errorf("by %v: the parts are %s together; want %v but for rounding", d.(map[string]any)["by"], value, got["total"])
		}
	}
}

// Targets of 60% VTI leave 40% for cash: VTI is 42.11 - 60, cash 34.74 - 40. SAP
// has no target.
func TestAllocation_SetsWeightsBesideTargets(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Targets = []portfolio.Target{{Symbol: "VTI", Weight: toolstest.MustDecimal("0.6")}}
	_, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_allocation", toolstest.Args{})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "drift", "VTI"), map[string]any{"target_pct": "60", "drift_pp": "-17.89473684210526315789"})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "drift", "cash"), map[string]any{"target_pct": "40", "drift_pp": "-5.26315789473684210526"})
	if _, ok := toolstest.ObjectAt(t, got, "drift", "SAP")["target_pct"]; ok {
		t.Error("SAP has a target that nobody set")
	}
	_, part := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_allocation", toolstest.Args{"account": "us"})
	if len(part["drift"].([]any)) > 0 || !strings.Contains(strings.Join(toolstest.Strings(t, part["notes"]), " "), "Targets apply to the whole portfolio") {
		t.Errorf("drift of one account = %v; want none, and why", part["drift"])
	}
}

func TestAllocation_WhatHasNoValueIsSaid(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Transactions = append(w.Transactions, toolstest.Buy("3", "de", "NONE", "1", "50", "EUR", "2024-01-04"))
	_, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_allocation", toolstest.Args{})
	toolstest.WantFields(t, got, map[string]any{"whole": false})
	toolstest.ObjectAt(t, got, "unvalued", "NONE")
	if warnings := strings.Join(toolstest.Strings(t, got["warnings"]), " "); !strings.Contains(warnings, "excluded from the total and the weights: NONE") {
		t.Errorf("warnings = %q; want that NONE is not in the weights", warnings)
	}
}

func TestAllocation_IsATableForEachDimension(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Targets = []portfolio.Target{{Symbol: "VTI", Weight: toolstest.MustDecimal("0.6")}}
	w.Securities = []portfolio.Security{{Symbol: "VTI", Class: portfolio.ClassEquity, Region: "US", Sector: "all"}, {Symbol: "SAP", Region: "Europe"}}
	res, _ := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_allocation", toolstest.Args{})
	want := `**allocation · 2024-01-08**

| measure | value | basis |
| --- | ---: | --- |
| market value | 2,850.00 USD | sum of all values |
| largest part | VTI 42.1% |  |
| accounts | us, de |  |

**Targets**

| symbol | weight | target | drift |
| --- | ---: | ---: | ---: |
| VTI | 42.1% | 60.0% | -17.9 points |
| cash | 34.7% | 40.0% | -5.3 points |
| SAP | 23.2% | n/a | n/a |

| by class | weight |  | USD |
| --- | ---: | --- | ---: |
| equity | 65.3% | ██████████ | 1,860.00 |
| cash | 34.7% | █████▍ | 990.00 |

| by currency | weight |  | USD |
| --- | ---: | --- | ---: |
| USD | 76.8% | ██████████ | 2,190.00 |
| EUR | 23.2% | ███ | 660.00 |

| by region | weight |  | USD |
| --- | ---: | --- | ---: |
| US | 42.1% | ██████████ | 1,200.00 |
| cash | 34.7% | ████████▎ | 990.00 |
| Europe | 23.2% | █████▌ | 660.00 |

| by sector | weight |  | USD |
| --- | ---: | --- | ---: |
| all | 42.1% | ██████████ | 1,200.00 |
| cash | 34.7% | ████████▎ | 990.00 |
| not known | 23.2% | █████▌ | 660.00 |

| by account | weight |  | USD |
| --- | ---: | --- | ---: |
| us | 76.8% | ██████████ | 2,190.00 |
| de | 23.2% | ███ | 660.00 |

| by symbol | weight |  | USD |
| --- | ---: | --- | ---: |
| VTI | 42.1% | ██████████ | 1,200.00 |
| cash | 34.7% | ████████▎ | 990.00 |
| SAP | 23.2% | █████▌ | 660.00 |

| exchange rate | rate | as of |
| --- | ---: | --- |
| EUR/USD | 1.1 | 2024-01-08 |

markettest · 2024-01-08

- Cash in de is not tracked, so it is not in the total.
- The sector of SAP is not known; to set it: nfa portfolio classify SAP --sector SECTOR
`
	if diff := cmp.Diff(want, res.UserText()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if want := "As of 2024-01-08, your portfolio of 2,850.00 USD consists of VTI 42.1%, cash 34.7%, SAP 23.2%."; res.Headline != want || res.HeadlineZH != "截至 2024-01-08，您的投资组合（2,850.00 USD）包括：VTI 42.1%、cash 34.7%、SAP 23.2%。" {
		t.Errorf("headlines = %q, %q", res.Headline, res.HeadlineZH)
	}
	if f := toolstest.Figure(t, res, "dimensions.1.parts.1.weight_pct"); f.Label != "weight of currency EUR" || f.Value.String() != "23.15789473684210526316" || f.Formula != "value / total" {
		t.Errorf("figure = %+v; want the weight of euros", f)
	}
}

func TestAllocation_NothingWithAValueHasNoWeights(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Transactions = []portfolio.Transaction{toolstest.Buy("3", "de", "NONE", "1", "50", "EUR", "2024-01-04")}
	res, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_allocation", toolstest.Args{})
	toolstest.ObjectAt(t, got, "unvalued", "NONE")
	if got["total"] != nil || res.Chart != nil || res.Headline != "As of 2024-01-08, no position has a market value." {
		t.Errorf("total = %v, headline %q; want none", got["total"], res.Headline)
	}
}

func TestAllocation_OfAPastDayAndInAnotherCurrency(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	eur := w.Rates
	w.Rates = map[market.Pair]market.RateSeries{}
	for p, s := range eur {
		w.Rates[p] = s
		turned := s
		turned.Pair = p.Inverse()
		turned.Rates = nil
		for _, r := range s.Rates {
			r.Value = toolstest.MustDecimal("1").DivRound(r.Value, 12)
			turned.Rates = append(turned.Rates, r)
		}
		w.Rates[p.Inverse()] = turned
	}
	// January 5: (1150 + 990) / 1.05 + 560 = 2598.10 EUR
	_, got := toolstest.CallOK(t, overviewToolsOf(t, w), "portfolio_allocation", toolstest.Args{"at": "2024-01-05", "currency": "eur"})
	toolstest.WantFields(t, got, map[string]any{"day": "2024-01-05", "currency": "EUR", "total": "2598.09523809534"})
}

// Of 2850: VTI 1200, SAP 660, cash 990.
func TestAllocation_DrawsItsParts(t *testing.T) {
	res, _ := toolstest.CallOK(t, overviewToolsOf(t, toolstest.TwoCurrencyFixture()), "portfolio_allocation", toolstest.Args{})
	want := []chart.Part{{Label: "VTI", Value: 1200}, {Label: "cash", Value: 990}, {Label: "SAP", Value: 660}}
	if res.Chart == nil || res.Chart.Kind != chart.KindBars || res.Chart.Unit != "USD" {
		t.Fatalf("chart = %+v, want bars in USD", res.Chart)
	}
	if diff := cmp.Diff(want, res.Chart.Parts); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	if strings.Contains(res.ModelText(), "Allocation by symbol") {
		t.Error("the model reads the chart")
	}
}
