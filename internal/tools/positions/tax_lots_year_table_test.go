package positions_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// Totals in the base currency are by year, term and tax status, newest year first: 20 for each lot
// that cost 10.
func TestTaxLots_SumsInTheBaseAreByYearTermAndTax(t *testing.T) {
	w := american(
		toolstest.Buy("y1", "de", "DROP", "9", "90", "USD", "2021-06-01"), toolstest.Buy("y2", "ira", "DROP", "9", "90", "USD", "2021-06-01"),
		toolstest.Sell("y3", "de", "DROP", "1", "20", "USD", "2022-01-03"), toolstest.Sell("y4", "de", "DROP", "1", "20", "USD", "2023-01-03"),
		toolstest.Sell("y5", "de", "DROP", "2", "40", "USD", "2023-02-01"), toolstest.Sell("y6", "ira", "DROP", "3", "60", "USD", "2023-02-01"),
	)
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "closed"})
	all := lines(got, "years_base", "year", "term", "untaxed", "gain_base", "sales")
	if len(all) != 3 || !strings.HasPrefix(all[2], "2022") {
		t.Fatalf("years = %q; want three, 2022 last", all)
	}
	slices.Sort(all)
	if diff := cmp.Diff([]string{"2022 short <nil> 10 1", "2023 long <nil> 30 2", "2023 long true 30 1"}, all); diff != "" {
		t.Errorf("years (-want +got):\n%s", diff)
	}
}

// Without a base currency, sales are shown in their own currencies, and a note explains why there
// is no total.
func TestTaxLots_WithoutABaseSalesStandInTheirOwnCurrencies(t *testing.T) {
	w := american(
		toolstest.Sell("3", "de", "SAP", "2", "300", "EUR", "2024-01-08"), toolstest.Buy("d", "de", "DROP", "1", "10", "USD", "2023-06-01"), toolstest.Sell("4", "de", "DROP", "1", "20", "USD", "2024-01-08"),
	)
	w.Base = ""
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "closed"})
	sales := lines(got, "sales", "transaction", "gain", "currency", "gain_base")
	slices.Sort(sales)
	if diff := cmp.Diff([]string{"3 50 EUR <nil>", "4 10 USD <nil>"}, sales); diff != "" {
		t.Errorf("sales (-want +got):\n%s", diff)
	}
	if got["years_base"] != nil || got["currency"] != nil || !strings.Contains(strings.Join(toolstest.Strings(t, got["notes"]), " "), "EUR, USD") {
		t.Errorf("sums %v in %v, notes %v; want none, and why", got["years_base"], got["currency"], got["notes"])
	}
	_, one := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "closed", "symbol": "SAP"})
	toolstest.WantFields(t, one, map[string]any{"currency": "EUR"})
}

// A call that finds nothing says so; a call that finds something does not.
func TestTaxLots_NothingFoundIsSaid(t *testing.T) {
	sold := american(toolstest.Buy("b", "de", "DROP", "1", "10", "USD", "2023-06-01"), toolstest.Sell("s", "de", "DROP", "1", "20", "USD", "2024-01-03"))
	for _, tc := range []struct {
		name string
		w    *toolstest.PortfolioFixture
		kind string
		says string
		said bool
	}{
		{"no sale", american(), "closed", "No sales match", true},
		{"a sale", sold, "closed", "No sales match", false},
		{"no wash sale", sold, "wash", "No matching wash sales", true},
		{"no loss", american(), "harvest", "at a loss", true},
		{"a loss", american(toolstest.Buy("b", "de", "DROP", "1", "100", "USD", "2023-06-01")), "harvest", "No lot in a taxable account", false},
	} {
		_, got := toolstest.CallOK(t, taxLotToolsOf(t, tc.w), "tax_lots", toolstest.Args{"kind": tc.kind})
		if contains := strings.Contains(strings.Join(toolstest.Strings(t, got["notes"]), "\n"), tc.says); contains != tc.said {
			t.Errorf("%s: notes = %v; says %q %v, want %v", tc.name, got["notes"], tc.says, contains, tc.said)
		}
	}
}

// Losses of closed short positions are subject to a separate rule, which a note mentions.
func TestTaxLots_LossesOfShortPositionsAreNamed(t *testing.T) {
	short := toolstest.Sell("s", "de", "DROP", "10", "500", "USD", "2023-12-20")
	short.Short = true
	w := american(short, toolstest.Buy("b", "de", "DROP", "10", "700", "USD", "2024-01-03"))
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "wash"})
	if notes := strings.Join(toolstest.Strings(t, got["notes"]), "\n"); !strings.Contains(notes, "1 loss of a closed short position is counted in full: it is subject") || !strings.Contains(notes, "still disallow the loss of DROP closed on 2024-01-03 until 2024-02-02") || strings.Contains(notes, "This affects") {
		t.Errorf("notes = %q; want the loss of 200 on what was sold short, and until when selling again reaches it", notes)
	}
	// Sold short for 500 and bought back for 700: the purchase is after the sale.
	_, got = toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "closed"})
	toolstest.WantFields(t, got["sales"].([]any)[0].(map[string]any), map[string]any{"gain": "-200", "gain_base": "-200"})
	if notes := strings.Join(toolstest.Strings(t, got["notes"]), "\n"); !strings.Contains(notes, "counted in full") {
		t.Errorf("notes = %q; want that the loss is not judged", notes)
	}
	again := toolstest.Sell("again", "de", "DROP", "1", "70", "USD", "2024-01-04")
	again.Short = true
	_, got = toolstest.CallOK(t, taxLotToolsOf(t, american(append(w.Transactions[len(w.Transactions)-2:], again)...)), "tax_lots", toolstest.Args{"kind": "closed"})
	if notes := strings.Join(toolstest.Strings(t, got["notes"]), "\n"); !strings.Contains(notes, "This affects DROP closed on 2024-01-03.") || strings.Contains(notes, "still disallow") {
		t.Errorf("notes = %q; want the loss that selling again reaches", notes)
	}
	_, got = toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "wash", "year": 2023})
	if notes := strings.Join(toolstest.Strings(t, got["notes"]), "\n"); strings.Contains(notes, "short positions") {
		t.Errorf("notes of another year = %q; want no word of short positions", notes)
	}
	_, got = toolstest.CallOK(t, taxLotToolsOf(t, american()), "tax_lots", toolstest.Args{"kind": "wash"})
	if notes := strings.Join(toolstest.Strings(t, got["notes"]), "\n"); strings.Contains(notes, "short positions") {
		t.Errorf("notes = %q; want no word of short positions", notes)
	}
}

// Sold short and bought back twice at a loss, the first time on December 8 and 9, 2023: January 8 is the
// thirtieth day of the second; that of the first was the day before.
func TestTaxLots_ALossOfAShortPositionIsOpenForThirtyDays(t *testing.T) {
	for closed, open := range map[string]bool{"2023-12-09": true, "2023-12-08": false} {
		first, second := toolstest.Sell("s", "de", "DROP", "10", "500", "USD", "2023-06-20"), toolstest.Sell("s2", "de", "FALL", "10", "500", "EUR", "2023-06-20")
		first.Short, second.Short = true, true
		w := american(first, second, toolstest.Buy("b", "de", "DROP", "10", "700", "USD", closed), toolstest.Buy("b2", "de", "FALL", "10", "700", "EUR", "2023-07-20"))
		_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "wash"})
		notes := strings.Join(toolstest.Strings(t, got["notes"]), "\n")
		if !strings.Contains(notes, "2 losses of closed short positions are counted in full: they are subject") || strings.Contains(notes, "still disallow") != open {
			t.Errorf("closed on %s: notes = %q; want two losses, one that can still be reached: %v", closed, notes, open)
		}
	}
}
