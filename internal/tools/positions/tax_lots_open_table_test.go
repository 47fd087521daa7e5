package positions_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// A lot bought today has been held for zero days, which is not unknown; it is long-term from the day after
// the same day of the next year.
func TestTaxLots_DaysAreCountedFromTheAcquisition(t *testing.T) {
	for day, want := range map[string]string{"2024-01-08": "0 short 2025-01-09", "2024-01-07": "1 short 2025-01-08", "2023-01-08": "365 short 2024-01-09", "2023-01-07": "366 long 2024-01-08"} {
		w := american(toolstest.Buy("x", "de", "DROP", "1", "70", "USD", day))
		_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"symbol": "DROP"})
		if diff := cmp.Diff([]string{want}, lines(got, "lots", "days_held", "term", "long_from")); diff != "" {
			t.Errorf("lot of %s (-want +got):\n%s", day, diff)
		}
	}
}

// Warnings about a lot's numbers come first: a split missing from the portfolio, a price that is
// not a market price, and a security without a price, whose lots are still listed with their cost.
func TestTaxLots_WarnsOfSplitsOldPricesAndNone(t *testing.T) {
	w := american(toolstest.Buy("x", "de", "NONE", "3", "70", "USD", "2023-06-01"))
	for i := range w.Series {
		switch w.Series[i].Symbol {
		case "VTI":
			w.Series[i].Actions = []market.Action{toolstest.Split("2024-01-05", "4", "1")}
		case "SAP":
			w.Series[i].Provenance = w.Series[i].Provenance.With(market.FlagSample)
		}
	}
	res, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{})
	warnings := toolstest.Warnings(t, got)
	for _, part := range []string{"VTI", "4:1", "SAMPLE: SAP", "NONE"} {
		if !strings.Contains(warnings, part) || !strings.Contains(res.UserText(), part) {
			t.Errorf("nobody is warned of %q:\n%s", part, warnings)
		}
	}
	none := toolstest.ObjectAt(t, got, "lots", "NONE")
	toolstest.WantFields(t, none, map[string]any{"cost": "70", "cost_base": "70", "quantity": "3"})
	for _, field := range []string{"value", "value_base", "gain", "gain_base", "price"} {
		if v, ok := none[field]; ok {
			t.Errorf("%s of what has no price = %v; want none", field, v)
		}
	}
	if why, _ := none["gain_absent"].(string); why == "" {
		t.Errorf("lot = %v; want why it has no gain", none)
	}
	_, quiet := toolstest.CallOK(t, taxLotToolsOf(t, american()), "tax_lots", toolstest.Args{})
	if warnings := toolstest.Strings(t, quiet["warnings"]); len(warnings) > 0 {
		t.Errorf("warnings = %q of a portfolio that is in order; want none", warnings)
	}
}

// A lot bought in a currency other than that of its price has a gain only in the base currency: 10
// DROP for 500 EUR at 1.05 cost 525 USD, with a market value of 800.
func TestTaxLots_ALotInAnotherCurrencyHasAGainInTheBaseAlone(t *testing.T) {
	w := american(toolstest.Buy("x", "de", "DROP", "10", "500", "EUR", "2024-01-03"))
	// C30: the user has not confirmed that the share bought in euros is the one that is quoted in dollars.
	if _, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"symbol": "DROP"}); toolstest.ObjectAt(t, got, "lots", "DROP")["value"] != nil {
		t.Errorf("an unconfirmed quote was used: %v", got["lots"])
	}
	w.Securities = append(w.Securities, portfolio.Security{Symbol: "DROP", Currency: "USD"})
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"symbol": "DROP"})
	lot := toolstest.ObjectAt(t, got, "lots", "DROP")
	toolstest.WantFields(t, rounded(lot), map[string]any{"cost": "500", "cost_currency": "EUR", "value": "800", "price_currency": "USD", "cost_base": "525", "value_base": "800", "gain_base": "275", "gain_base_pct": "52.38"})
	if v, ok := lot["gain"]; ok {
		t.Errorf("gain = %v of two currencies; want none", v)
	}
	_, got = toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"symbol": "DROP", "currency": "CHF"})
	lot = toolstest.ObjectAt(t, got, "lots", "DROP")
	if lot["gain_base"] != nil || lot["gain_absent"] == nil {
		t.Errorf("lot in francs = %v; want no gain without a rate, and why", lot)
	}
}

// Prices, rates and their dates are listed only for the lots shown.
func TestTaxLots_OriginsAreOfTheLotsThatAreShown(t *testing.T) {
	w := american()
	_, all := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{})
	if len(all["prices"].([]any)) != 2 || len(all["rates"].([]any)) != 1 {
		t.Errorf("prices %v, rates %v; want those of VTI and SAP, and the euro's", all["prices"], all["rates"])
	}
	_, one := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"symbol": "VTI"})
	if len(one["prices"].([]any)) != 1 || len(one["rates"].([]any)) != 0 || len(one["lots"].([]any)) != 1 {
		t.Errorf("prices %v, rates %v of %v; want those of VTI alone", one["prices"], one["rates"], one["lots"])
	}
}

// Two lots of one sale: the totals of the year in dollars are those of the sales, and sales with an
// unknown gain are counted and excluded.
func TestTaxLots_YearsInTheBaseAreTheSumsOfTheirSales(t *testing.T) {
	w := american(
		toolstest.Buy("a", "de", "FALL", "2", "100", "EUR", "2022-06-01"), toolstest.Buy("b", "de", "FALL", "2", "200", "EUR", "2024-01-02"),
		toolstest.Sell("s", "de", "FALL", "4", "320", "EUR", "2024-01-08"), toolstest.Buy("c", "de", "DROP", "2", "100", "USD", "2023-06-01"), toolstest.Sell("t", "de", "DROP", "2", "160", "USD", "2024-01-08"),
	)
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "closed"})
	// a has no rate of 2022; b: 160 EUR x 1.10 - 200 EUR x 1.05 = -34; c: 60.
	if diff := cmp.Diff([]string{"2024 long <nil> 1 1", "2024 short 26 2 <nil>"}, baseYears(got)); diff != "" {
		t.Errorf("years (-want +got):\n%s", diff)
	}
}

func baseYears(answer map[string]any) []string {
	var out []string
	for i, line := range lines(answer, "years_base", "year", "term", "gain_base", "sales", "unknown") {
		if one := answer["years_base"].([]any)[i].(map[string]any); one["gain_base"] == "0" {
			line = strings.Replace(line, " 0 ", " <nil> ", 1)
		}
		out = append(out, line)
	}
	return out
}
