package ledger_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// Every kind is recorded with the tool, after 10 VTI were bought for 2000 in an account that has 5000; plan
// is the preview for the user.
func TestAddTransaction_EveryKindIsSaidInWordsAndRecorded(t *testing.T) {
	day := "2024-02-01"
	cases := map[portfolio.Kind]struct {
		in   args
		plan []string
	}{
		portfolio.KindBuy:             {args{"symbol": "VTI", "quantity": 1, "price": 210}, []string{"buy 1 VTI: 210.00 USD (at 210.00 USD)", "then holds 11 VTI", "then has 2,790.00 USD"}},
		portfolio.KindSell:            {args{"symbol": "VTI", "quantity": 1, "price": 210}, []string{"sell 1 VTI", "gain +10", "then has 3,210.00 USD"}},
		portfolio.KindDividend:        {args{"symbol": "VTI", "amount": 12, "tax": 2}, []string{"dividend VTI: 12.00 USD, tax 2.00 USD", "then has 3,010.00 USD"}},
		portfolio.KindReinvest:        {args{"symbol": "VTI", "quantity": 0.5, "amount": 100}, []string{"reinvested dividend 0.5 VTI", "then holds 10.5 VTI"}},
		portfolio.KindInterest:        {args{"amount": 3, "currency": "USD"}, []string{"interest: 3.00 USD", "then has 3,003.00 USD"}},
		portfolio.KindFee:             {args{"amount": 3, "currency": "USD"}, []string{"fee: 3.00 USD", "then has 2,997.00 USD"}},
		portfolio.KindTax:             {args{"amount": 3, "currency": "USD"}, []string{"tax: 3.00 USD", "then has 2,997.00 USD"}},
		portfolio.KindInterestDue:     {args{"amount": 3, "currency": "USD"}, []string{"interest paid: 3.00 USD"}},
		portfolio.KindFeeRefund:       {args{"amount": 3, "currency": "USD"}, []string{"fee refund: 3.00 USD"}},
		portfolio.KindTaxRefund:       {args{"amount": 3, "currency": "USD"}, []string{"tax refund: 3.00 USD"}},
		portfolio.KindDeposit:         {args{"amount": 3, "currency": "usd"}, []string{"deposit: 3.00 USD", "then has 3,003.00 USD"}},
		portfolio.KindWithdrawal:      {args{"amount": 3, "currency": "USD"}, []string{"withdrawal: 3.00 USD", "then has 2,997.00 USD"}},
		portfolio.KindTransferIn:      {args{"symbol": "SAP", "quantity": 2, "cost_unknown": true, "acquired": "2020-01-02"}, []string{"transfer in 2 SAP, cost unknown, acquired 2020-01-02", "then holds 2 SAP"}},
		portfolio.KindTransferOut:     {args{"symbol": "VTI", "quantity": 2, "to_account": "other"}, []string{`in "main" to "other"`, `"main" then holds 8 VTI`, `"other" then holds 2 VTI`}},
		portfolio.KindSplit:           {args{"symbol": "VTI", "new": 4, "old": 1}, []string{"split VTI, 4 new for 1 old", "then holds 40 VTI"}},
		portfolio.KindReverseSplit:    {args{"symbol": "VTI", "new": 1, "old": 2}, []string{"reverse split VTI, 1 new for 2 old", "then holds 5 VTI"}},
		portfolio.KindSpinOff:         {args{"symbol": "VTI", "to_symbol": "SAP", "quantity": 3, "cost_part": 0.25}, []string{"spin off VTI: 3 SAP", "with 0.25 of the cost", "then holds 3 SAP"}},
		portfolio.KindMerger:          {args{"symbol": "VTI", "to_symbol": "SAP", "new": 1, "old": 2}, []string{"merger VTI, 1 new for 2 old into SAP", "then holds 5 SAP", "then holds 0 VTI"}},
		portfolio.KindReturnOfCapital: {args{"symbol": "VTI", "amount": 20}, []string{"return of capital VTI: 20.00 USD"}},
		portfolio.KindExchange:        {args{"amount": 110, "currency": "USD", "to_amount": 100, "to_currency": "EUR"}, []string{"currency exchange: 110.00 USD into 100.00 EUR", "then has 100.00 EUR", "then has 2,890.00 USD"}},
	}
	for _, kind := range portfolio.Kinds() {
		tc, ok := cases[kind]
		if !ok {
			t.Errorf("%s has no case here", kind)
			continue
		}
		t.Run(string(kind), func(t *testing.T) {
			w := newFixture(t)
			w.MustCall("add_transaction", args{"kind": "deposit", "date": "2024-01-01", "account": "main", "amount": 5000, "currency": "USD"})
			w.MustCall("add_transaction", buyVTI(args{"account": "main"}))
			w.MustCall("portfolio_settings", args{"account": args{"name": "other", "new": true}})
			tc.in["kind"], tc.in["date"], tc.in["account"] = strings.ReplaceAll(string(kind), "_", " "), day, "main"
			res := w.MustCall("add_transaction", tc.in)
			for _, want := range tc.plan {
				if !strings.Contains(w.Plan(), want) {
					t.Errorf("the user was shown\n%s\nwant %q", w.Plan(), want)
				}
			}
			if booked, _ := toolstest.DecodeResult(t, res)["booking"].(string); !strings.Contains(w.Plan(), "records "+booked) || booked == "" {
				t.Errorf("the user was shown\n%s\nand %q was recorded", w.Plan(), booked)
			}
			l := w.Ledger()
			x := l.Transactions[len(l.Transactions)-1]
			if x.Kind != kind || x.ID == "" {
				t.Errorf("recorded %+v, want a %s", x, kind)
			}
			if diff := cmp.Diff(toolstest.Object(t, toolstest.JSON(t, x)), toolstest.DecodeResult(t, res)["recorded"]); diff != "" {
				t.Errorf("the answer has another transaction than the ledger (-ledger +answer):\n%s", diff)
			}
			if err := lots.Check(l); err != nil {
				t.Errorf("the ledger is invalid: %v", err)
			}
			w.MustCall("remove_transaction", args{"id": toolstest.DecodeResult(t, res)["recorded"].(map[string]any)["id"]})
		})
	}
}

func TestAddTransaction_TheCurrencyIsFoundOrAskedFor(t *testing.T) {
	w := newFixture(t)
	w.MustCall("add_transaction", args{"kind": "buy", "date": "2024-01-02", "symbol": "SAP", "quantity": 1, "price": 100})
	if got := w.Ledger().Transactions[0].Currency; got != "EUR" || !strings.Contains(w.Plan(), "the quote currency of SAP") {
		t.Errorf("currency %s, shown\n%s\nwant EUR, as SAP is priced", got, w.Plan())
	}
	// The currency of the account's earlier transactions has priority over that of the price.
	w.MustCall("add_transaction", args{"kind": "buy", "date": "2024-01-03", "symbol": "VTI", "quantity": 1, "price": 100, "currency": "CHF"})
	w.MustCall("add_transaction", args{"kind": "buy", "date": "2024-01-04", "symbol": "VTI", "quantity": 1, "price": 101})
	if l := w.Ledger(); l.Transactions[2].Currency != "CHF" || !strings.Contains(w.Plan(), "earlier transactions") {
		t.Errorf("currency %s, shown\n%s\nwant CHF, as before", l.Transactions[2].Currency, w.Plan())
	}
	w.MustCall("add_transaction", args{"kind": "buy", "date": "2024-01-05", "symbol": "VTI", "quantity": 1, "price": 101, "currency": "USD"})
	w.Quotes = nil
	w.WantRefused("add_transaction", args{"kind": "buy", "date": "2024-01-06", "symbol": "VTI", "quantity": 1, "price": 101}, "set currency")
	// Without a price, a listing decides, except in London, which quotes in several currencies.
	w.MustCall("add_transaction", args{"kind": "buy", "date": "2024-01-07", "symbol": "ASML.AS", "quantity": 1, "price": 600, "unlisted": true})
	if l := w.Ledger(); l.Transactions[4].Currency != "EUR" || !strings.Contains(w.Plan(), "in which ASML.AS is listed") {
		t.Errorf("currency %s, shown\n%s\nwant EUR, as it is listed", l.Transactions[4].Currency, w.Plan())
	}
	w.WantRefused("add_transaction", args{"kind": "buy", "date": "2024-01-08", "symbol": "VOD.L", "quantity": 1, "price": 70, "unlisted": true}, "set currency")
}

func TestAddTransaction_OfSeveralAccountsOneIsNamed(t *testing.T) {
	w := newFixture(t)
	for _, name := range []string{"b", "a"} {
		w.MustCall("portfolio_settings", args{"account": args{"name": name, "new": true}})
	}
	w.WantRefused("add_transaction", buyVTI(nil), `"a", "b"`, "account")
	w.WantRefused("add_transaction", buyVTI(args{"account": "c\x1b", "new_account": true}), "invisible characters")
}

// An account that begins with a deposit has tracked cash.
func TestAddTransaction_WhoBeginsWithADepositKeepsCash(t *testing.T) {
	w := newFixture(t)
	w.MustCall("add_transaction", args{"kind": "deposit", "date": "2024-01-02", "amount": 5, "currency": "EUR"})
	if a := w.Ledger().Accounts[0]; a.Cash != portfolio.CashTracked {
		t.Errorf("account = %+v, want its cash tracked", a)
	}
	w.WantRefused("add_transaction", args{"kind": "withdrawal", "date": "2024-01-03", "amount": 6, "currency": "EUR"}, "-1 EUR")
}
