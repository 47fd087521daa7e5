package positions_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// Ten DROP for 1,000 were sold in de for 700 on January 3, 2024. The account and the day of the next
// purchase decide how much of the loss of 300 counts: 26 U.S.C. 1091, 30 days before or after; Rev. Rul.
// 2008-5 for an IRA.
func TestTaxLots_AWashSaleReachesAcrossAccounts(t *testing.T) {
	spouse := portfolio.NewAccount("spouse")
	spouse.Cash, spouse.Owner = portfolio.CashUntracked, "spouse"
	for _, tc := range []struct {
		name       string
		again      []portfolio.Transaction
		disallowed []string // replacement, quantity, amount
		open       string   // part of the loss that a later purchase would still disallow
	}{
		{"nobody", nil, nil, "300"},
		{"in the same account", []portfolio.Transaction{toolstest.Buy("x", "de", "DROP", "10", "700", "USD", "2024-01-05")}, []string{"x 10 300"}, ""},
		{"a part of it", []portfolio.Transaction{toolstest.Buy("x", "de", "DROP", "3", "210", "USD", "2024-01-05")}, []string{"x 3 90"}, "210"},
		{"in another account", []portfolio.Transaction{toolstest.Buy("x", "us", "DROP", "4", "280", "USD", "2024-01-05")}, []string{"x 4 120"}, "180"},
		{"in a retirement account", []portfolio.Transaction{toolstest.Buy("x", "ira", "DROP", "10", "700", "USD", "2024-01-05")}, []string{"x 10 300"}, ""},
		{"in two accounts", []portfolio.Transaction{toolstest.Buy("x", "us", "DROP", "4", "280", "USD", "2024-01-04"), toolstest.Buy("y", "ira", "DROP", "5", "350", "USD", "2024-01-05")}, []string{"x 4 120", "y 5 150"}, "30"},
		{"thirty days before", []portfolio.Transaction{toolstest.Buy("x", "us", "DROP", "10", "900", "USD", "2023-12-04")}, []string{"x 10 300"}, ""},
		{"thirty-one days before", []portfolio.Transaction{toolstest.Buy("x", "us", "DROP", "10", "900", "USD", "2023-12-03")}, nil, "300"},
		{"an owner of their own", []portfolio.Transaction{toolstest.Buy("x", "spouse", "DROP", "10", "700", "USD", "2024-01-05")}, nil, "300"},
		{"another security", []portfolio.Transaction{toolstest.Buy("x", "ira", "FALL", "10", "700", "EUR", "2024-01-05")}, nil, "300"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := american(append(tc.again, toolstest.Buy("old", "de", "DROP", "10", "1000", "USD", "2023-06-01"), toolstest.Sell("sold", "de", "DROP", "10", "700", "USD", "2024-01-03"))...)
			w.Accounts = append(w.Accounts, spouse)
			for i := range w.Transactions { // the cash of us is tracked
				if w.Transactions[i].ID == "0" {
					w.Transactions[i].Amount, w.Transactions[i].Date = toolstest.MustDecimal("9000"), toolstest.MustDay("2023-01-02")
				}
			}
			_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "wash"})
			washes := lines(got, "wash_sales", "replacement", "quantity", "disallowed")
			slices.Sort(washes)
			if diff := cmp.Diff(tc.disallowed, washes); diff != "" {
				t.Errorf("disallowed (-want +got):\n%s", diff)
			}
			var want []string
			if tc.open != "" {
				want = []string{"sold " + tc.open + " 2024-02-03"}
			}
			if diff := cmp.Diff(want, lines(got, "losses_still_open", "sale", "loss", "buy_from")); diff != "" {
				t.Errorf("still open (-want +got):\n%s", diff)
			}
		})
	}
}

// A loss in an IRA does not count, so none of it is disallowed.
func TestTaxLots_ARetirementAccountHasNoLossToDisallow(t *testing.T) {
	w := american(toolstest.Buy("old", "ira", "DROP", "10", "1000", "USD", "2023-06-01"), toolstest.Sell("sold", "ira", "DROP", "10", "700", "USD", "2024-01-03"), toolstest.Buy("x", "de", "DROP", "10", "700", "USD", "2024-01-05"))
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "wash"})
	if got["wash_sales"] != nil || got["losses_still_open"] != nil || len(toolstest.Strings(t, got["notes"])) == 0 {
		t.Errorf("wash sales = %v, open %v; want none, and a word of it", got["wash_sales"], got["losses_still_open"])
	}
}

// The account, symbol and year of a wash sale are those of the sale.
func TestTaxLots_EachFilterLeavesItsOwnWashSales(t *testing.T) {
	w := american(
		toolstest.Buy("1b", "de", "DROP", "10", "1000", "USD", "2023-01-02"), toolstest.Sell("1s", "de", "DROP", "10", "700", "USD", "2023-12-20"), toolstest.Buy("1x", "ira", "DROP", "10", "700", "USD", "2024-01-05"),
		toolstest.Buy("2b", "de", "FALL", "10", "1000", "EUR", "2023-12-20"), toolstest.Sell("2s", "de", "FALL", "10", "700", "EUR", "2024-01-03"), toolstest.Buy("2x", "de", "FALL", "10", "700", "EUR", "2024-01-05"),
	)
	for _, tc := range []struct {
		name string
		in   toolstest.Args
		want []string
	}{
		{"all", toolstest.Args{}, []string{"2s", "1s"}},
		{"the year of the sale", toolstest.Args{"year": 2023}, []string{"1s"}},
		{"the year of the purchase", toolstest.Args{"year": 2024}, []string{"2s"}},
		{"the account of the sale", toolstest.Args{"account": "de"}, []string{"2s", "1s"}},
		{"the account of the purchase", toolstest.Args{"account": "ira"}, nil},
		{"a symbol", toolstest.Args{"symbol": "FALL"}, []string{"2s"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.in["kind"] = "wash"
			_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", tc.in)
			if diff := cmp.Diff(tc.want, lines(got, "wash_sales", "sale")); diff != "" {
				t.Errorf("wash sales (-want +got):\n%s", diff)
			}
		})
	}
}

// Four lots of DROP at 80 and one of FALL at 80 euros, on January 8, 2024: the largest loss comes first, in
// dollars, and only losses that a tax form would count.
//
//	a  10 for 1,000: -200      b  10 for 820: -20      c  10 for 500: a gain
//	d  in the IRA              e  1 of FALL for 72 EUR is worth 80 EUR: a gain in both
//	f  its cost is not known
func TestTaxLots_AHarvestIsOfTaxedLossesTheLargestFirst(t *testing.T) {
	unknown := portfolio.Transaction{ID: "f", Date: toolstest.MustDay("2023-06-01"), Kind: portfolio.KindTransferIn, Account: "de", Symbol: "DROP", Quantity: toolstest.MustDecimal("1"), CostUnknown: true, Currency: "USD"}
	w := american(
		toolstest.Buy("b", "de", "DROP", "10", "820", "USD", "2023-06-01"), toolstest.Buy("a", "de", "DROP", "10", "1000", "USD", "2023-07-03"), toolstest.Buy("c", "de", "DROP", "10", "500", "USD", "2023-08-01"),
		toolstest.Buy("d", "ira", "DROP", "10", "5000", "USD", "2023-06-01"), toolstest.Buy("e", "de", "FALL", "1", "72", "EUR", "2023-12-20"), unknown,
	)
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "harvest"})
	if diff := cmp.Diff([]string{"a -200", "b -20"}, lines(got, "lots", "lot", "gain_base")); diff != "" {
		t.Errorf("lots (-want +got):\n%s", diff)
	}
	for _, lot := range got["lots"].([]any) {
		h := toolstest.ObjectAt(t, lot, "harvest")
		toolstest.WantFields(t, h, map[string]any{"sell_from": "2024-01-08", "buy_from": "2024-02-08"})
		if h["blocked_by"] != nil || !strings.HasPrefix(h["status"].(string), "clear") {
			t.Errorf("harvest = %v; want it clear, for nothing was bought in the last 30 days", h)
		}
	}
	if notes := strings.Join(toolstest.Strings(t, got["notes"]), "\n"); !strings.Contains(notes, "lots with unknown gain: 1") {
		t.Errorf("notes = %q; want how many have no gain that is known", notes)
	}
}

// Only a purchase of the last 30 days blocks, in any account, but not the purchase of the lot itself:
// 2023-12-09 is the first day that counts before January 8.
func TestTaxLots_WhatBlocksAHarvestIsOfThirtyDays(t *testing.T) {
	for _, tc := range []struct {
		name, account, on string
		blocks            bool
		sellFrom          string
	}{
		{"thirty days ago", "us", "2023-12-09", true, "2024-01-09"},
		{"thirty-one days ago", "us", "2023-12-08", false, "2024-01-08"},
		{"today", "ira", "2024-01-08", true, "2024-02-08"},
		{"in the same account", "de", "2024-01-02", true, "2024-02-02"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := american(toolstest.Buy("loss", "de", "DROP", "10", "1000", "USD", "2023-06-01"), toolstest.Buy("block", tc.account, "DROP", "2", "100", "USD", tc.on))
			for i := range w.Transactions {
				if w.Transactions[i].ID == "0" {
					w.Transactions[i].Date = toolstest.MustDay("2023-01-02")
				}
			}
			_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "harvest"})
			h := toolstest.ObjectAt(t, got, "lots", "loss", "harvest")
			if (h["status"] == "blocked") != tc.blocks || (h["blocked_by"] != nil) != tc.blocks || h["sell_from"] != tc.sellFrom {
				t.Errorf("harvest = %v; want blocked %v, to be sold from %s", h, tc.blocks, tc.sellFrom)
			}
		})
	}
}

// 4 FALL for 300 EUR are worth 320 EUR, a gain of 20. But the euro fell from 1.30 to 1.10, so 390 dollars
// became 352, a loss of 38 in the base currency.
func TestTaxLots_ALossIsOneInTheBaseCurrency(t *testing.T) {
	w := american(toolstest.Buy("x", "de", "FALL", "4", "300", "EUR", "2023-12-20"))
	for pair, s := range w.Rates {
		s.Rates = slices.Clone(s.Rates)
		s.Rates[0].Value = toolstest.MustDecimal("1.30")
		w.Rates[pair] = s
	}
	_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "harvest"})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "lots", "x"), map[string]any{"gain": "20", "cost_base": "390", "value_base": "352", "gain_base": "-38"})
	_, got = toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "harvest", "currency": "EUR", "account": "de", "symbol": "FALL"})
	if got["lots"] != nil {
		t.Errorf("lots at a loss in euros = %v; want none", got["lots"])
	}
}

// A crypto asset is also recognized by the kind of its instrument, not only by the user's record.
func TestTaxLots_TheKindOfAnInstrumentMakesACoin(t *testing.T) {
	w := american(toolstest.Buy("june", "de", "COIN", "10", "1000", "USD", "2023-06-01"), toolstest.Buy("december", "de", "COIN", "5", "450", "USD", "2023-12-20"))
	coin := toolstest.Daily("COIN", "USD", toolstest.MustDay("2024-01-01"), "80", "80", "80", "80", "80", "80")
	for kind, blocked := range map[string]bool{"crypto": false, "equity": true} {
		coin.Kind = kind
		w.Series = append(slices.DeleteFunc(w.Series, func(s market.Series) bool { return s.Symbol == "COIN" }), coin)
		_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": "harvest"})
		if h := toolstest.ObjectAt(t, got, "lots", "june", "harvest"); (h["blocked_by"] != nil) != blocked {
			t.Errorf("harvest of %s = %v; want blocked %v", kind, h, blocked)
		}
	}
}

// A sold position has no price that shows its kind, so a crypto asset is recognized by the form of its
// symbol. The user's record has priority.
func TestTaxLots_WhatIsSpelledAsACoinIsNoSecurity(t *testing.T) {
	for _, tc := range []struct {
		name, symbol, currency string
		class                  portfolio.Class
		washed                 bool
	}{
		{"a coin", "BTC-USD", "USD", "", false},
		{"of which the user says that it is none", "BTC-USD", "USD", portfolio.ClassEquity, true},
		{"a class of shares", "BRK.B", "USD", "", true},
		{"spelled in a currency that it is not traded in", "ABC-PRA", "USD", "", true},
	} {
		w := american(
			toolstest.Buy("old", "de", tc.symbol, "10", "1000", tc.currency, "2023-06-01"),
			toolstest.Sell("sold", "de", tc.symbol, "10", "700", tc.currency, "2024-01-03"), toolstest.Buy("x", "de", tc.symbol, "10", "700", tc.currency, "2024-01-05"))
		if tc.class != "" {
			w.Securities = append(w.Securities, portfolio.Security{Symbol: market.Symbol(tc.symbol), Class: tc.class})
		}
		for _, kind := range []string{"wash", "closed"} {
			_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": kind})
			washed := got["wash_sales"] != nil
			if kind == "closed" {
				washed = got["sales"].([]any)[0].(map[string]any)["disallowed"] != nil
			}
			if washed != tc.washed {
				t.Errorf("%s, %s: disallowed %v, want %v", tc.name, kind, washed, tc.washed)
			}
		}
	}
}

// A transfer in counts from its acquisition date, and shares that left the portfolio are not held.
// Notes report both, because nfa cannot recognize a gift or an unknown account.
func TestTaxLots_TransfersAreSaidWhereTheyDecide(t *testing.T) {
	in := toolstest.Trade(portfolio.KindTransferIn, "t", "us", "DROP", "10", "700", "USD", "2024-01-05")
	in.Acquired = toolstest.MustDay("2024-01-04")
	out := portfolio.Transaction{ID: "o", Kind: portfolio.KindTransferOut, Account: "de", Symbol: "DROP", Quantity: toolstest.MustDecimal("5"), Date: toolstest.MustDay("2024-01-05")}
	for _, tc := range []struct {
		name   string
		more   []portfolio.Transaction
		washed []string
		says   []string
		silent []string
	}{
		{"brought", []portfolio.Transaction{in}, []string{"t 10 300"}, []string{"Gifts and inherited"}, []string{"left the portfolio"}},
		{"gone", []portfolio.Transaction{toolstest.Buy("x", "de", "DROP", "5", "350", "USD", "2024-01-04"), out}, []string{"x 5 150"}, []string{"Shares of DROP left the portfolio"}, []string{"gift"}},
		{"neither", nil, nil, nil, []string{"gift", "left the portfolio"}},
	} {
		w := american(append(tc.more, toolstest.Buy("old", "de", "DROP", "10", "1000", "USD", "2023-06-01"), toolstest.Sell("sold", "de", "DROP", "10", "700", "USD", "2024-01-03"))...)
		for _, kind := range []string{"wash", "closed"} {
			_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", toolstest.Args{"kind": kind})
			if kind == "wash" {
				if diff := cmp.Diff(tc.washed, lines(got, "wash_sales", "replacement", "quantity", "disallowed")); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tc.name, diff)
				}
			}
			notes := strings.Join(toolstest.Strings(t, got["notes"]), "\n")
			for _, parts := range tc.says {
				if !strings.Contains(notes, parts) {
					t.Errorf("%s, %s: notes = %q, want %q", tc.name, kind, notes, parts)
				}
			}
			for _, parts := range tc.silent {
				if strings.Contains(notes, parts) {
					t.Errorf("%s, %s: notes = %q, want nothing of %q", tc.name, kind, notes, parts)
				}
			}
		}
	}
}

// Shares that left the portfolio are reported for losses around their purchase, and for a harvest
// that they would block today, January 8, 2024.
func TestTaxLots_WhatLeftIsSaidOfTheLossesAroundIt(t *testing.T) {
	gone := func(symbol, currency, bought, left string) []portfolio.Transaction {
		return []portfolio.Transaction{
			toolstest.Buy("x", "de", symbol, "5", "350", currency, bought),
			{ID: "o", Kind: portfolio.KindTransferOut, Account: "de", Symbol: market.Symbol(symbol), Quantity: toolstest.MustDecimal("5"), Date: toolstest.MustDay(left), Lots: []portfolio.LotPick{{Lot: "x", Quantity: toolstest.MustDecimal("5")}}},
		}
	}
	for _, tc := range []struct {
		name string
		more []portfolio.Transaction
		in   toolstest.Args
		said bool
	}{
		{"before the sale", gone("DROP", "USD", "2023-12-20", "2023-12-22"), toolstest.Args{"kind": "closed"}, true},
		{"in the year of the sale", gone("DROP", "USD", "2023-12-20", "2023-12-22"), toolstest.Args{"kind": "wash", "year": 2024}, true},
		{"in another year", gone("DROP", "USD", "2023-12-20", "2023-12-22"), toolstest.Args{"kind": "wash", "year": 2023}, false},
		{"in another account", gone("DROP", "USD", "2023-12-20", "2023-12-22"), toolstest.Args{"kind": "closed", "account": "ira"}, false},
		{"long before the sale", gone("DROP", "USD", "2023-07-03", "2023-07-05"), toolstest.Args{"kind": "closed"}, false},
		{"of another security", gone("FALL", "EUR", "2023-12-20", "2023-12-22"), toolstest.Args{"kind": "closed"}, false},
		{"of a security that was sold at a gain", append(gone("FALL", "EUR", "2023-12-20", "2023-12-22"), toolstest.Buy("f", "de", "FALL", "5", "300", "EUR", "2023-06-01"), toolstest.Sell("fs", "de", "FALL", "5", "350", "EUR", "2024-01-03")), toolstest.Args{"kind": "closed"}, false},
		{"within the days of today", gone("DROP", "USD", "2023-12-09", "2023-12-11"), toolstest.Args{"kind": "harvest"}, true},
		{"not any more", gone("DROP", "USD", "2023-12-08", "2023-12-11"), toolstest.Args{"kind": "harvest"}, false},
	} {
		w := american(append(tc.more, toolstest.Buy("old", "de", "DROP", "20", "2000", "USD", "2023-06-01"), toolstest.Sell("sold", "de", "DROP", "10", "700", "USD", "2024-01-03"))...)
		_, got := toolstest.CallOK(t, taxLotToolsOf(t, w), "tax_lots", tc.in)
		if notes := strings.Join(toolstest.Strings(t, got["notes"]), "\n"); strings.Contains(notes, "left the portfolio") != tc.said {
			t.Errorf("%s: notes = %q; says what left %v, want %v", tc.name, notes, !tc.said, tc.said)
		}
	}
}
