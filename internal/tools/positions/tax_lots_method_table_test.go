package positions_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// ladder returns american with an account of a method that bought ten UP at 10, ten at 30 and ten at 20, and
// sold fifteen at 25 in the next year. The last of the lots was held for two months, the others for more
// than a year.
func ladder(method portfolio.Method) *toolstest.PortfolioFixture {
	w := american()
	a := portfolio.NewAccount("steps")
	a.Method, a.Cash = method, portfolio.CashUntracked
	w.Accounts = append(w.Accounts, a)
	sale := toolstest.Sell("s", "steps", "UP", "15", "375", "USD", "2024-01-03")
	if method == portfolio.MethodSpecific {
		sale.Lots = []portfolio.LotPick{{Lot: "c", Quantity: toolstest.MustDecimal("10")}, {Lot: "a", Quantity: toolstest.MustDecimal("5")}}
	}
	w.Transactions = append(w.Transactions,
		toolstest.Buy("a", "steps", "UP", "10", "100", "USD", "2022-01-03"), toolstest.Buy("b", "steps", "UP", "10", "300", "USD", "2022-06-01"),
		toolstest.Buy("c", "steps", "UP", "10", "200", "USD", "2023-11-01"), sale)
	w.Series = append(w.Series, toolstest.Daily("UP", "USD", toolstest.MustDay("2024-01-01"), "25", "25", "25", "25", "25", "25"))
	return w
}

// lines returns the given fields of the lots or sales of an answer, in their order.
func lines(answer map[string]any, list string, fields ...string) []string {
	var out []string
	all, _ := answer[list].([]any)
	for _, one := range all {
		var parts []string
		for _, f := range fields {
			parts = append(parts, fmt.Sprint(one.(map[string]any)[f]))
		}
		out = append(out, strings.Join(parts, " "))
	}
	return out
}

// Fifteen were sold for 375, and the method decides which, and so their cost:
//
//	fifo      10 at 10, 5 at 30                     250: +150 long, -25 long
//	lifo      10 at 20, 5 at 30                     350: +50 short, -25 long
//	highest   10 at 30, 5 at 20                     400: -50 long, +25 short
//	average   (100 + 300 + 200) / 30 = 20 each      300: +50 long, +25 long
//	specific  10 at 20, 5 at 10                     250: +50 short, +75 long
func TestTaxLots_EachMethodSellsItsOwnLots(t *testing.T) {
	for _, tc := range []struct {
		method      portfolio.Method
		sold        []string // lot, quantity, cost, gain, term
		left        []string // lot, quantity, cost
		long, short string   // of the year, "" if there is none
	}{
		{portfolio.MethodFIFO, []string{"a 10 100 150 long", "b 5 150 -25 long"}, []string{"b 5 150", "c 10 200"}, "125", ""},
		{portfolio.MethodLIFO, []string{"b 5 150 -25 long", "c 10 200 50 short"}, []string{"a 10 100", "b 5 150"}, "-25", "50"},
		{portfolio.MethodHighestCost, []string{"b 10 300 -50 long", "c 5 100 25 short"}, []string{"a 10 100", "c 5 100"}, "-50", "25"},
		{portfolio.MethodAverage, []string{"a 10 200 50 long", "b 5 100 25 long"}, []string{"b 5 100", "c 10 200"}, "75", ""},
		{portfolio.MethodSpecific, []string{"a 5 50 75 long", "c 10 200 50 short"}, []string{"a 5 50", "b 10 300"}, "75", "50"},
	} {
		t.Run(string(tc.method), func(t *testing.T) {
			tools := taxLotToolsOf(t, ladder(tc.method))
			_, closed := toolstest.CallOK(t, tools, "tax_lots", toolstest.Args{"kind": "closed"})
			sold := lines(closed, "sales", "lot", "quantity", "cost", "gain", "term")
			slices.Sort(sold)
			if diff := cmp.Diff(tc.sold, sold); diff != "" {
				t.Errorf("sold (-want +got):\n%s", diff)
			}
			years := map[string]string{}
			for _, one := range closed["years"].([]any) {
				y := one.(map[string]any)
				years[y["term"].(string)] = y["gain"].(string)
			}
			if years["long"] != tc.long || years["short"] != tc.short {
				t.Errorf("the year has %v; want long %q and short %q", years, tc.long, tc.short)
			}
			_, open := toolstest.CallOK(t, tools, "tax_lots", toolstest.Args{"symbol": "UP"})
			left := lines(open, "lots", "lot", "quantity", "cost")
			slices.Sort(left)
			if diff := cmp.Diff(tc.left, left); diff != "" {
				t.Errorf("left (-want +got):\n%s", diff)
			}
		})
	}
}

// With every method, sold and remaining lots add up to the purchases: 600 dollars, except for
// rounding, and thirty shares.
func TestTaxLots_NoMethodLosesASharesCost(t *testing.T) {
	for _, method := range []portfolio.Method{portfolio.MethodFIFO, portfolio.MethodLIFO, portfolio.MethodHighestCost, portfolio.MethodAverage, portfolio.MethodSpecific} {
		tools := taxLotToolsOf(t, ladder(method))
		_, closed := toolstest.CallOK(t, tools, "tax_lots", toolstest.Args{"kind": "closed"})
		_, open := toolstest.CallOK(t, tools, "tax_lots", toolstest.Args{"symbol": "UP"})
		quantity, cost := toolstest.MustDecimal("0"), toolstest.MustDecimal("0")
		for _, one := range append(closed["sales"].([]any), open["lots"].([]any)...) {
			lot := one.(map[string]any)
			quantity = quantity.Add(toolstest.MustDecimal(lot["quantity"].(string)))
			cost = cost.Add(toolstest.MustDecimal(lot["cost"].(string)))
		}
		if quantity.String() != "30" || cost.String() != "600" {
			t.Errorf("%s: %s shares for %s; want 30 for 600", method, quantity, cost)
		}
	}
}

// A lot bought on January 3, 2023 is long-term when sold on January 4, 2024, and not on the day before:
// more than a year, 26 U.S.C. 1222.
func TestTaxLots_TheTermOfASaleTurnsTheDayAfterAYear(t *testing.T) {
	for day, term := range map[string]string{"2024-01-03": "short", "2024-01-04": "long"} {
		w := american(toolstest.Buy("b", "de", "DROP", "1", "50", "USD", "2023-01-03"), toolstest.Sell("s", "de", "DROP", "1", "70", "USD", day))
		_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "closed"})
		if diff := cmp.Diff([]string{"2023-01-03 " + day + " 20 " + term}, lines(got, "sales", "acquired", "sold", "gain", "term")); diff != "" {
			t.Errorf("sale (-want +got):\n%s", diff)
		}
	}
}

// C31: proceeds are after the fee of the sale, and the cost includes the fee of the purchase: 10 for 1,000
// + 8, sold for 1,100 - 5, a gain of 87. The 2 withheld are tax on the gain. The year is the sum of the
// sales.
func TestTaxLots_TaxWithheldOnASaleIsNotACost(t *testing.T) {
	bought, sold := toolstest.Buy("b", "de", "DROP", "10", "1000", "USD", "2023-06-01"), toolstest.Sell("s", "de", "DROP", "10", "1100", "USD", "2024-01-03")
	bought.Fee, sold.Fee, sold.Tax = toolstest.MustDecimal("8"), toolstest.MustDecimal("5"), toolstest.MustDecimal("2")
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, american(bought, sold)), "tax_lots", toolstest.Args{"kind": "closed"})
	if diff := cmp.Diff([]string{"1095 1008 87 2"}, lines(got, "sales", "proceeds", "cost", "gain", "tax_withheld")); diff != "" {
		t.Errorf("sale (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"2024 1095 1008 87 2"}, lines(got, "years", "year", "proceeds", "cost", "gain", "tax_withheld")); diff != "" {
		t.Errorf("year (-want +got):\n%s", diff)
	}
}

// Sales in two years, two accounts and two symbols: each filter keeps its own, the newest first.
func TestTaxLots_EachFilterLeavesItsOwnSales(t *testing.T) {
	w := american(
		toolstest.Buy("1b", "de", "DROP", "4", "40", "USD", "2023-01-02"), toolstest.Sell("1s", "de", "DROP", "1", "20", "USD", "2023-02-01"), toolstest.Sell("2s", "de", "DROP", "1", "20", "USD", "2024-01-03"),
		toolstest.Buy("3b", "ira", "DROP", "4", "40", "USD", "2023-01-02"), toolstest.Sell("3s", "ira", "DROP", "1", "20", "USD", "2023-03-01"),
		toolstest.Buy("4b", "de", "UP", "4", "40", "USD", "2023-01-02"), toolstest.Sell("4s", "de", "UP", "1", "20", "USD", "2023-04-03"),
	)
	for _, tc := range []struct {
		name string
		in   toolstest.Args
		want []string
	}{
		{"all", toolstest.Args{}, []string{"2s", "4s", "3s", "1s"}},
		{"a year", toolstest.Args{"year": 2023}, []string{"4s", "3s", "1s"}},
		{"an account", toolstest.Args{"account": "ira"}, []string{"3s"}},
		{"a symbol", toolstest.Args{"symbol": "drop"}, []string{"2s", "3s", "1s"}},
		{"all three", toolstest.Args{"symbol": "DROP", "account": "de", "year": 2023}, []string{"1s"}},
		{"none that fits", toolstest.Args{"year": 2022}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.in["kind"] = "closed"
			_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", tc.in)
			if diff := cmp.Diff(tc.want, lines(got, "sales", "transaction")); diff != "" {
				t.Errorf("sales (-want +got):\n%s", diff)
			}
			narrowed := tc.in["account"] != nil || tc.in["symbol"] != nil
			if _, ok := got["years"]; ok == (narrowed || tc.want == nil) {
				t.Errorf("years = %v; want sums for the tax form of all sales alone", got["years"])
			}
		})
	}
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "closed", "year": 2023})
	for _, one := range got["years"].([]any) {
		if y := one.(map[string]any); y["year"] != 2023.0 || y["gain"] != map[bool]string{true: "10", false: "20"}[y["untaxed"] == true] {
			t.Errorf("year = %v; want 10 untaxed and 20 taxed of 2023", y)
		}
	}
}
