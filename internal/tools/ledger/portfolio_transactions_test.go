package ledger_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func idsOf(t testing.TB, res tool.Result) string {
	t.Helper()
	var ids []string
	for _, x := range toolstest.DecodeResult(t, res)["transactions"].([]any) {
		ids = append(ids, x.(map[string]any)["id"].(string))
	}
	return strings.Join(ids, " ")
}

func TestPortfolioTransactions_NewestFirstAndFiltered(t *testing.T) {
	w := newImportedFixture(t)
	w.MustCall("add_transaction", args{"kind": "deposit", "date": "2024-01-05", "amount": 1, "currency": "USD", "account": "other", "new_account": true, "note": "from the piggy bank"})
	for _, tc := range []struct {
		name string
		in   args
		want string
	}{
		{"all", nil, "t1 t2 t5 t3 t4"},
		{"an account", args{"account": "other"}, "t5"},
		{"a symbol", args{"symbol": "vti"}, "t1 t2 t3"},
		{"a kind", args{"kind": "Buy"}, "t3"},
		{"a month", args{"from": "2024-01", "to": "2024-01"}, "t2 t5 t3 t4"},
		{"a text", args{"text": "PIGGY"}, "t5"},
		{"two", args{"limit": 2}, "t1 t2"},
		{"nothing", args{"kind": "merger"}, ""},
	} {
		if got := idsOf(t, w.MustCall("portfolio_transactions", tc.in)); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	toolstest.WantFields(t, toolstest.DecodeResult(t, w.MustCall("portfolio_transactions", args{"limit": 2})), map[string]any{"recorded": 5.0, "matched": 5.0, "shown": 2.0})
	for _, in := range []args{{"account": "none"}, {"kind": "bought"}, {"limit": 101}, {"from": "soon"}, {"symbol": "a/b:c"}} {
		w.WantRefused("portfolio_transactions", in, "")
	}
}

// 10 were bought and 4 sold.
func TestPortfolioTransactions_SaysWhatWasHeldAfterEach(t *testing.T) {
	w := newImportedFixture(t)
	res := w.MustCall("portfolio_transactions", args{"symbol": "VTI"})
	for id, want := range map[string]string{"transactions.2.held": "10", "transactions.0.held": "6", "transactions.0.amount": "960", "transactions.0.fee": "0.5", "transactions.1.amount": "7.25"} {
		if got := toolstest.Figure(t, res, id).Value.String(); got != want {
			t.Errorf("figure %s = %s, want %s", id, got, want)
		}
	}
	want := `**3 of 4 transactions**

| id | date | kind | account | symbol | quantity (units) | amount (USD) | fee (USD) | held (units) |
| --- | --- | --- | --- | --- | ---: | ---: | ---: | ---: |
| t1 | 2024-02-01 | sell | schwab | VTI | 4 | 960.00 | 0.50 | 6 |
| t2 | 2024-01-15 | dividend | schwab | VTI |  | 7.25 |  |  |
| t3 | 2024-01-03 | buy | schwab | VTI | 10 | 2,300.00 |  | 10 |

portfolio ledger · 2024-06-28
`
	if diff := cmp.Diff(want, res.UserText()); diff != "" {
		t.Errorf("the user sees (-want +got):\n%s", diff)
	}
	if want := "3 of 4 transactions match; the latest 3 are shown."; res.Headline != want {
		t.Errorf("headline %q, want %q", res.Headline, want)
	}
}

func TestPortfolioTransactions_AnAliasFindsWhatWasRecordedUnderAnotherName(t *testing.T) {
	w := newImportedFixture(t)
	w.MustCall("portfolio_settings", args{"aliases": args{"VTI": "VTSAX"}})
	for _, name := range []string{"VTI", "VTSAX"} {
		if got := idsOf(t, w.MustCall("portfolio_transactions", args{"symbol": name})); got != "t1 t2 t3" {
			t.Errorf("by %s: %q, want three", name, got)
		}
	}
}

func TestPortfolioTransactions_AClockSetBackShowsNothingOfLater(t *testing.T) {
	w := newImportedFixture(t)
	w.Now, w.Replay = toolstest.Clock(t, "2024-01-20T12:00:00Z"), true
	res := w.MustCall("portfolio_transactions", args{"to": "2030"})
	if got := idsOf(t, res); got != "t2 t3 t4" || strings.Contains(toolstest.ModelOutput(res), "2024-02") || toolstest.DecodeResult(t, res)["recorded"] != 3.0 {
		t.Errorf("on 2024-01-20: %s of %s", got, toolstest.ModelOutput(res))
	}
	w.Now = toolstest.Clock(t, "2020-01-20T12:00:00Z")
	if got := idsOf(t, w.MustCall("portfolio_transactions", nil)); got != "" {
		t.Errorf("in 2020: %q, want nothing", got)
	}
}

func TestPortfolioTransactions_AClockThatIsBehindIsToldOf(t *testing.T) {
	w := newImportedFixture(t)
	w.Now = toolstest.Clock(t, "2024-01-20T12:00:00Z")
	res := w.MustCall("portfolio_transactions", nil)
	for _, text := range []string{res.UserText(), res.ModelText()} {
		if !strings.Contains(text, "transactions are not shown: they are dated after 2024-01-20 (today, by this computer's clock)") {
			t.Errorf("the clock behind:\n%s", text)
		}
	}
	w.Replay = true
	if res := w.MustCall("portfolio_transactions", nil); strings.Contains(res.UserText(), "not shown") {
		t.Errorf("the clock set back:\n%s", res.UserText())
	}
}

func TestPortfolioTransactions_AnEmptyBookSaysHowToBegin(t *testing.T) {
	toolstest.WantError(t, newFixture(t).Call("portfolio_transactions", nil), tool.CodeNoData, "nfa portfolio import FILE")
}

// A user can edit the ledger file, so invalid transactions in it must be easy to find.
func TestPortfolioTransactions_ABookThatDoesNotHoldIsListedAndMended(t *testing.T) {
	w := newFixture(t)
	err := w.Store.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		short := portfoliotest.Purchase("bad", "main")
		short.Kind, short.Date = portfolio.KindSell, portfoliotest.Day("2024-01-02")
		return portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("main")}, Add: []portfolio.Transaction{short}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	res := w.MustCall("portfolio_transactions", nil)
	if idsOf(t, res) != "bad" || !strings.Contains(res.UserText(), "The ledger is invalid") {
		t.Errorf("the user sees\n%s\nwant the entry and that the ledger is invalid", res.UserText())
	}
	w.MustCall("remove_transaction", args{"id": "bad"})
}

func TestPortfolioTransactions_ALongListIsCutBetweenEntries(t *testing.T) {
	w := newFixture(t)
	w.MustCall("add_transaction", args{"kind": "deposit", "date": "2024-01-02", "amount": 1, "currency": "USD"})
	note := strings.Repeat("long ", 300)
	for i := range 60 {
		w.MustCall("add_transaction", args{"kind": "deposit", "date": "2024-01-03", "amount": 1 + i, "currency": "USD", "note": note})
	}
	res := w.MustCall("portfolio_transactions", args{"limit": 60})
	shown := toolstest.Object(t, res.ModelText())
	if n := len(shown["transactions"].([]any)); float64(n)+shown["transactions_omitted"].(float64) != 60 || n == 0 || n >= 60 || shown["matched"] != 61.0 {
		t.Errorf("the model sees %d without %v of %v; want fewer than 60, all whole", n, shown["transactions_omitted"], shown["matched"])
	}
}

func TestRemoveTransaction_WhatALaterOneNeedsStays(t *testing.T) {
	w := newImportedFixture(t)
	w.WantRefused("remove_transaction", args{"id": "t3"}, "t1 (sell VTI on 2024-02-01", "remove that one first")
	w.WantRefused("remove_transaction", args{"id": "t4"}, "not enough cash")
	w.WantRefused("remove_transaction", args{"id": "t9"}, "unknown transaction", "portfolio_transactions")
	res := w.MustCall("remove_transaction", args{"id": "t1"})
	if !strings.Contains(w.Plan(), "removes sell 4 VTI: 960.00 USD") || !strings.Contains(w.Plan(), "restores it") || toolstest.Figure(t, res, "removed.amount").Value.String() != "960" {
		t.Errorf("the user was shown\n%s", w.Plan())
	}
	if want := "Removed: sell 4 VTI, 960.00 USD, 2024-02-01, schwab."; res.Headline != want {
		t.Errorf("headline %q, want %q", res.Headline, want)
	}
	if got := w.HeldQuantity("schwab", "VTI"); got != "10" {
		t.Errorf("schwab holds %s VTI, want 10 again", got)
	}
}
