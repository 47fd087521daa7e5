package positions_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// Ten DROP bought on December 1 for 1,000 were sold for 700 on the 20th, and ten bought for 650 on the
// 28th: the loss of 300 is disallowed and added to their cost, and the 19 days to their holding period,
// which then begins on the 9th. Sold for 900 they lose 900 - 650 - 300 = -50; in the base currency, before
// wash sales, they gain 250.
func TestTaxLots_TheSaleOfAReplacementHasTheLossAndTheDaysOfWhatItReplaced(t *testing.T) {
	w := american(
		toolstest.Buy("old", "de", "DROP", "10", "1000", "USD", "2023-12-01"), toolstest.Sell("first", "de", "DROP", "10", "700", "USD", "2023-12-20"),
		toolstest.Buy("again", "de", "DROP", "10", "650", "USD", "2023-12-28"), toolstest.Sell("second", "de", "DROP", "10", "900", "USD", "2024-01-05"),
	)
	res, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "closed"})
	sales := map[string]map[string]any{}
	for _, one := range got["sales"].([]any) {
		s := one.(map[string]any)
		sales[s["transaction"].(string)] = s
	}
	toolstest.WantFields(t, sales["second"], map[string]any{
		"acquired": "2023-12-28", "held_from": "2023-12-09", "cost": "650", "added_to_cost": "300", "gain": "-50", "gain_base": "250", "term": "short",
	})
	toolstest.WantFields(t, sales["first"], map[string]any{"cost": "1000", "disallowed": "300", "gain": "0", "gain_base": "-300"})
	for _, absent := range []struct{ sale, field string }{{"first", "held_from"}, {"first", "added_to_cost"}, {"second", "disallowed"}, {"first", "cost_currency"}} {
		if v, ok := sales[absent.sale][absent.field]; ok {
			t.Errorf("%s of the sale %s = %v; want none", absent.field, absent.sale, v)
		}
	}
	if f := toolstest.Figure(t, res, "years.1.gain"); f.Value.String() != "-50" || f.Label != "2024 short gain" {
		t.Errorf("%s = %s; want -50", f.Label, f.Value)
	}
	if f := toolstest.Figure(t, res, "years.0.gain"); f.Value.String() != "0" || f.Label != "2023 short gain" {
		t.Errorf("%s = %s; want nothing of a loss that is disallowed", f.Label, f.Value)
	}
}

// 4 SAP for 500 EUR, sold for 700 USD: there is a gain only in the base currency, 700 - 500 x 1.05 = 175.
func TestTaxLots_ASaleInAnotherCurrencyHasAGainInTheBaseAlone(t *testing.T) {
	w := american(toolstest.Sell("s", "de", "SAP", "4", "700", "USD", "2024-01-08"))
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "closed"})
	sale := got["sales"].([]any)[0].(map[string]any)
	toolstest.WantFields(t, sale, map[string]any{"proceeds": "700", "currency": "USD", "cost": "500", "cost_currency": "EUR", "proceeds_base": "700", "cost_base": "525", "gain_base": "175"})
	if v, ok := sale["gain"]; ok {
		t.Errorf("gain = %v of two currencies; want none", v)
	}
}

// Rates of a sale are requested from the purchase on: the euro was at 1.30 at the purchase, and at 1.10 at
// the sale. 300 x 1.10 - 250 x 1.30 = 5.
func TestTaxLots_EachDayOfASaleHasItsOwnRate(t *testing.T) {
	w := american(toolstest.Buy("b", "de", "FALL", "2", "250", "EUR", "2023-12-20"), toolstest.Sell("s", "de", "FALL", "2", "300", "EUR", "2024-01-08"))
	for pair, s := range w.Rates {
		s.Rates = append(s.Rates[:0:0], s.Rates...)
		s.Rates[0].Value = toolstest.MustDecimal("1.30")
		w.Rates[pair] = s
	}
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "closed"})
	toolstest.WantFields(t, got["sales"].([]any)[0].(map[string]any), map[string]any{"gain": "50", "proceeds_base": "330", "cost_base": "325", "gain_base": "5"})
}

// A lot that replaced a whole lot counts as held since the purchase of that lot; a short position never
// becomes long-term.
func TestTaxLots_TheTermCountsWhatALotReplaced(t *testing.T) {
	short := toolstest.Sell("short", "de", "XYZ", "1", "100", "USD", "2024-01-03")
	short.Short = true
	w := american(
		toolstest.Buy("old", "de", "DROP", "10", "1000", "USD", "2023-01-10"), toolstest.Sell("sold", "de", "DROP", "10", "700", "USD", "2024-01-03"),
		toolstest.Buy("again", "de", "DROP", "10", "650", "USD", "2024-01-04"), short,
	)
	w.Series = append(w.Series, toolstest.Daily("XYZ", "USD", toolstest.MustDay("2024-01-01"), "100", "100", "100", "100", "100", "100"))
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{})
	// 358 days of the old one before January 4 are from 2023-01-11: long from 2024-01-12.
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "lots", "again"), map[string]any{"acquired": "2024-01-04", "term": "short", "long_from": "2024-01-12"})
	if v, ok := toolstest.ObjectAt(t, got, "lots", "XYZ")["long_from"]; ok {
		t.Errorf("a short lot is long from %v; want no such day", v)
	}
}
