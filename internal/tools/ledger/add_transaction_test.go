package ledger_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func buyVTI(more args) args {
	in := args{"kind": "buy", "date": "2024-01-02", "symbol": "VTI", "quantity": 10, "price": 200}
	for k, v := range more {
		in[k] = v
	}
	return in
}

// 10 x 200 = 2000; the quote of VTI is in dollars.
func TestAddTransaction_TheFirstPurchaseMakesAnAccountAndSaysSo(t *testing.T) {
	w := newFixture(t)
	res := w.MustCall("add_transaction", buyVTI(args{"fee": 1.5}))
	l := w.Ledger()
	if len(l.Transactions) != 1 || len(l.Accounts) != 1 {
		t.Fatalf("ledger = %+v, want one transaction in one account", l)
	}
	x := l.Transactions[0]
	if x.Amount.String() != "2000" || x.Fee.String() != "1.5" || x.Currency != "USD" || x.Account != "default" || x.Source != "" {
		t.Errorf("recorded %+v, want 2000 USD and a fee of 1.5 in the account default", x)
	}
	if l.Accounts[0].Cash != portfolio.CashUntracked {
		t.Errorf("account = %+v, want one that does not keep cash", l.Accounts[0])
	}
	for _, want := range []string{`creates the account "default"`, "buy 10 VTI: 2,000.00 USD (at 200.00 USD), fee 1.50 USD", "currency USD", `"default" then holds 10 VTI`} {
		if !strings.Contains(w.Plan(), want) {
			t.Errorf("the user was shown\n%s\nwant %q", w.Plan(), want)
		}
	}
	if got := toolstest.Figure(t, res, "recorded.amount"); got.Value.String() != "2000" || got.Source != "portfolio ledger" {
		t.Errorf("figure amount = %+v", got)
	}
}

// The lots are 10 at 200 and 5 at 220; 12 sold at 250 use 10 and 2: proceeds 2500 and 500, cost 2000 and
// 440, gain 500 and 60.
func TestAddTransaction_ASaleShowsItsLotsAndGainBeforeItIsWritten(t *testing.T) {
	w := newFixture(t)
	w.MustCall("add_transaction", buyVTI(nil))
	w.MustCall("add_transaction", buyVTI(args{"date": "2024-02-01", "quantity": 5, "price": 220}))
	res := w.MustCall("add_transaction", args{"kind": "sell", "date": "2024-03-01", "symbol": "vti", "quantity": 12, "amount": 3000})
	for _, want := range []string{"uses 10 of lot t1 of 2024-01-02: proceeds 2,500.00 USD, cost basis 2,000.00 USD, gain +500.00 USD", "uses 2 of lot t2 of 2024-02-01: proceeds 500.00 USD, cost basis 440.00 USD, gain +60.00 USD", "total gain: +560.00 USD", "then holds 3 VTI"} {
		if !strings.Contains(w.Plan(), want) {
			t.Errorf("plan\n%s\nwant %q", w.Plan(), want)
		}
	}
	want := `**sell VTI · 2024-03-01**

| measure | value | basis |
| --- | ---: | --- |
| quantity | 12 units |  |
| amount | 3,000.00 USD |  |
| gain | +560.00 USD | sum of proceeds - cost basis of the lots |
| gain on cost basis | +23.0% | gain / cost basis |
| id | t3 |  |
| date | 2024-03-01 |  |
| kind | sell |  |
| account | default |  |
| symbol | VTI |  |

**Lots**

| lot | acquired | quantity (units) | proceeds (USD) | cost basis (USD) | gain (USD) |
| --- | --- | ---: | ---: | ---: | ---: |
| t1 | 2024-01-02 | 10 | 2,500.00 | 2,000.00 | +500.00 |
| t2 | 2024-02-01 | 2 | 500.00 | 440.00 | +60.00 |

**Positions after all transactions**

| symbol | account | quantity (units) |
| --- | --- | ---: |
| VTI | default | 3 |

- currency USD, as in earlier transactions of VTI
- to undo this: nfa portfolio remove t3

portfolio ledger · 2024-06-28
`
	if diff := cmp.Diff(want, res.UserText()); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	if want := "Recorded: sell 12 VTI, 3,000.00 USD, 2024-03-01, default."; res.Headline != want {
		t.Errorf("headline %q, want %q", res.Headline, want)
	}
	if got := toolstest.Figure(t, res, "gain"); got.Value.String() != "560" || got.Unit != "USD" || got.Formula == "" {
		t.Errorf("figure gain = %+v, want 560 USD with its formula", got)
	}
	// 560 / 2440
	if got := toolstest.Figure(t, res, "gain_pct"); got.Value.StringFixed(12) != "22.950819672131" {
		t.Errorf("figure gain_pct = %s, want 22.950819672131", got.Value)
	}
}

func TestAddTransaction_NumbersAreKeptDigitByDigit(t *testing.T) {
	w := newFixture(t)
	raw := `{"kind":"buy","date":"2024-01-02","symbol":"VTI","quantity":0.123456789012345678,"amount":12345678901234567.89,"currency":"USD"}`
	out, err := w.Router().Call(t.Context(), llm.ToolCall{ID: "1", Name: "add_transaction", Arguments: raw})
	if err != nil || out.Result.IsError {
		t.Fatalf("add = %v %s", err, out.Result.ErrorText())
	}
	x := w.Ledger().Transactions[0]
	if x.Quantity.String() != "0.123456789012345678" || x.Amount.String() != "12345678901234567.89" {
		t.Errorf("recorded %s for %s; want every digit", x.Quantity, x.Amount)
	}
}

func TestAddTransaction_WhatIsWrongIsRefusedAndSaysWhatToDo(t *testing.T) {
	for _, tc := range []struct {
		name  string
		in    args
		parts []string
	}{
		{"a kind that there is not", buyVTI(args{"kind": "bought"}), []string{"bought", "buy"}},
		{"a day that is none", buyVTI(args{"date": "2024-02-30"}), []string{"YYYY-MM-DD"}},
		{"a day of the future", buyVTI(args{"date": "2024-06-29"}), []string{"after today"}},
		{"amount and price that contradict", buyVTI(args{"amount": 2100}), []string{"2000", "2100", "omit"}},
		{"neither amount nor price", args{"kind": "buy", "date": "2024-01-02", "symbol": "VTI", "quantity": 1, "currency": "USD"}, []string{"needs amount"}},
		{"a number below zero", buyVTI(args{"quantity": -10}), []string{"below zero"}},
		{"a symbol nobody knows", buyVTI(args{"symbol": "VTII"}), []string{"VTI", "unlisted true"}},
		{"no currency for cash", args{"kind": "deposit", "date": "2024-01-02", "amount": 5}, []string{"set currency"}},
		{"a currency that is none", buyVTI(args{"currency": "EURO"}), []string{"EURO"}},
		{"an account that there is not", buyVTI(args{"account": "ibkr"}), []string{"unknown account", "main", "new_account"}},
		{"more sold than held", args{"kind": "sell", "date": "2024-01-03", "symbol": "VTI", "quantity": 2, "price": 9}, []string{"not held", "has 1 VTI"}},
		{"cash below zero", buyVTI(args{"account": "cash"}), []string{"not enough cash", "2024-01-02", "margin"}},
		{"a field of another kind", args{"kind": "split", "date": "2024-01-02", "symbol": "VTI", "new": 4, "old": 1, "amount": 3, "currency": "USD"}, []string{"does not use", "amount"}},
		{"the same again", args{"kind": "buy", "date": "2024-01-01", "account": "main", "symbol": "VTI", "quantity": 1, "price": 100}, []string{"recorded as t", "again true"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newFixture(t)
			w.MustCall("add_transaction", args{"kind": "buy", "date": "2024-01-01", "account": "main", "symbol": "VTI", "quantity": 1, "price": 100})
			w.MustCall("portfolio_settings", args{"account": args{"name": "cash", "new": true}})
			if tc.in["account"] == nil {
				tc.in["account"] = "main"
			}
			w.WantRefused("add_transaction", tc.in, tc.parts...)
		})
	}
}

// 3 x 333.33 = 999.99, which rounds to 1000.00 within half a cent of the price.
func TestAddTransaction_WhatRoundingExplainsIsNoContradiction(t *testing.T) {
	w := newFixture(t)
	w.MustCall("add_transaction", buyVTI(args{"quantity": 3, "price": 333.33, "amount": 1000}))
	if got := w.Ledger().Transactions[0]; got.Amount.String() != "1000" || got.Price.Decimal.String() != "333.33" {
		t.Errorf("recorded %+v, want both as they were given", got)
	}
}

func TestAddTransaction_WhatTheUserInsistsOnIsRecorded(t *testing.T) {
	w := newFixture(t)
	w.MustCall("add_transaction", buyVTI(args{"symbol": "PRIVATE", "unlisted": true, "currency": "USD"}))
	if !strings.Contains(w.Plan(), "unlisted") {
		t.Errorf("the user was shown\n%s\nwant that it is unlisted", w.Plan())
	}
	w.MustCall("add_transaction", buyVTI(args{"symbol": "PRIVATE", "again": true}))
	w.MustCall("add_transaction", buyVTI(args{"account": "second", "new_account": true}))
	if l := w.Ledger(); len(l.Transactions) != 3 || len(l.Accounts) != 2 {
		t.Errorf("ledger = %+v, want three entries in two accounts", l)
	}
}

func TestAddTransaction_AnISINIsItsOneListing(t *testing.T) {
	w := newFixture(t)
	w.Searches = &markettest.FakeFeeds{Listed: []market.Instrument{
		{Symbol: "IWDA.AS", Name: "iShares Core MSCI World IE00B4L5Y983", Listing: market.Listing{ISIN: "IE00B4L5Y983"}},
		{Symbol: "EUNL.DE", Name: "iShares Core MSCI World IE00B4L5Y983", Listing: market.Listing{ISIN: "IE00B4L5Y983"}},
	}}
	w.MustCall("add_transaction", buyVTI(args{"symbol": "US9229087690"}))
	if x := w.Ledger().Transactions[0]; x.Symbol != "VTI" || x.ISIN != "US9229087690" {
		t.Errorf("recorded %+v, want VTI with its number", x)
	}
	w.WantRefused("add_transaction", buyVTI(args{"symbol": "IE00B4L5Y983", "currency": "EUR"}), "IWDA.AS", "EUNL.DE", "ask")
}

// downQuotes is a source that always fails.
type downQuotes struct{ err error }

func (d downQuotes) Quote(context.Context, market.Symbol) (market.Quote, error) {
	return market.Quote{}, d.err
}

func TestAddTransaction_ASourceThatIsDownKeepsNobodyFromWriting(t *testing.T) {
	w := newFixture(t)
	w.Quotes = downQuotes{errors.New("no network")}
	w.MustCall("add_transaction", buyVTI(args{"symbol": "NEWCO", "currency": "USD"}))
	if !strings.Contains(w.Plan(), "could not check") {
		t.Errorf("the user was shown\n%s\nwant that the symbol was not checked", w.Plan())
	}
}

func TestAddTransaction_EachEntryIsAskedForAndARefusalWritesNothing(t *testing.T) {
	w := newFixture(t)
	w.Allow = false
	w.WantRefused("add_transaction", buyVTI(nil), "refused")
	w.Allow = true
	r := w.Router()
	for _, quantity := range []int{1, 2, 3} {
		toolstest.CallRouter(t, r, "add_transaction", buyVTI(args{"quantity": quantity}))
	}
	if len(w.Approvals) != 4 || len(w.Ledger().Transactions) != 3 {
		t.Errorf("asked %d times for %d entries; want once for each", len(w.Approvals), len(w.Ledger().Transactions))
	}
}

func TestAddTransaction_AClockSetBackChangesNothing(t *testing.T) {
	w := newFixture(t)
	w.Replay = true
	w.WantRefused("add_transaction", buyVTI(nil), "read-only")
	w.WantRefused("remove_transaction", args{"id": "t1"}, "read-only")
	w.WantRefused("portfolio_settings", args{"no_targets": true}, "read-only")
}

// C38: a correction replaces the transaction in one step, though both are of the same day.
func TestAddTransaction_ACorrectionReplacesTheRecordedOne(t *testing.T) {
	w := newFixture(t)
	in := args{"kind": "buy", "date": "2024-01-02", "symbol": "VTI", "quantity": 3, "price": 200, "account": "main", "new_account": true}
	w.MustCall("add_transaction", in)
	id := w.Ledger().Transactions[0].ID
	in["quantity"], in["replaces"] = 4, id
	w.MustCall("add_transaction", in)
	if l := w.Ledger(); len(l.Transactions) != 1 || w.HeldQuantity("main", "VTI") != "4" || !strings.Contains(w.Plan(), "replaces buy 3 VTI") {
		t.Errorf("ledger %+v, plan\n%s\nwant 4 in place of 3", l.Transactions, w.Plan())
	}
	w.WantRefused("add_transaction", in, "unknown transaction")
}

// C38: "remove the last one" is the newest transaction entered by hand, not a line of a file.
func TestRemoveTransaction_TheLastOneIsTheNewestEnteredByHand(t *testing.T) {
	w := newFixture(t)
	w.WantRefused("remove_transaction", args{"id": "last"}, "unknown transaction")
	for _, quantity := range []int{3, 5} {
		w.MustCall("add_transaction", args{"kind": "buy", "date": "2024-01-02", "symbol": "VTI", "quantity": quantity, "price": 200, "account": "main", "new_account": true})
	}
	w.Files["s.csv"] = []byte(schwab)
	w.MustCall("import_transactions", args{"path": "s.csv"})
	w.MustCall("remove_transaction", args{"id": "last"})
	if !strings.Contains(w.Plan(), "removes buy 5 VTI") || w.HeldQuantity("main", "VTI") != "3" {
		t.Errorf("plan\n%s\nmain holds %s VTI; want the purchase of 5 removed", w.Plan(), w.HeldQuantity("main", "VTI"))
	}
}
