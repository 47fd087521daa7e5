package ledger_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
)

func TestHideAmounts_NoSumAndNoQuantityReachesAModel(t *testing.T) {
	w := newFixture(t)
	w.HideFromModel = true
	buy := args{"kind": "buy", "date": "2024-01-02", "symbol": "VTI", "quantity": 77777.5, "amount": 777771, "currency": "USD", "note": "77777 of them"}
	wantHidden(t, "a purchase", w.MustCall("add_transaction", buy))
	sale := w.MustCall("add_transaction", args{"kind": "sell", "date": "2024-02-02", "symbol": "VTI", "quantity": 77777, "amount": 777772, "currency": "USD", "fee": 77777})
	wantHidden(t, "a sale", sale)
	if !strings.Contains(sale.ModelText(), `"gain_pct"`) || !strings.Contains(w.Plan(), "77,777.00 USD") {
		t.Errorf("a sale tells the model\n%s\nand showed the user\n%s\nwant percentages for one and amounts for the other", sale.ModelText(), w.Plan())
	}
	wantHidden(t, "the list", w.MustCall("portfolio_transactions", nil))
	wantHidden(t, "a sale of too much", w.Call("add_transaction", args{"kind": "sell", "date": "2024-03-02", "symbol": "VTI", "quantity": 777770, "amount": 1, "currency": "USD"}))
	wantHidden(t, "a removal that is refused", w.Call("remove_transaction", args{"id": "t1"}))
	removed := w.MustCall("remove_transaction", args{"id": "t2"})
	wantHidden(t, "a removal", removed)
	if strings.Contains(removed.Title+removed.Summary, "7777") {
		t.Errorf("title %q, summary %q", removed.Title, removed.Summary)
	}
	// A caller who guesses a number of a note cannot find out whether it is there.
	found := w.MustCall("portfolio_transactions", args{"text": "77777"})
	if ids := idsOf(t, found); ids != "t1" {
		t.Errorf("people find %s by a number of the note, want t1", ids)
	}
	if strings.Contains(found.ModelText(), `"t1"`) || !strings.Contains(found.ModelText(), `"matched":0`) {
		t.Errorf("a model reads %s by a number of the note, want no match", found.ModelText())
	}
	if ids := idsOf(t, w.MustCall("portfolio_transactions", args{"text": "of them"})); ids != "t1" {
		t.Errorf("by the words of the note: %q, want t1", ids)
	}
	wantHidden(t, "an overdraft", overdrawn(t, w))
}

// overdrawn records a withdrawal of more than the account has.
func overdrawn(t *testing.T, w *fixture) tool.Result {
	t.Helper()
	w.MustCall("add_transaction", args{"kind": "deposit", "date": "2024-01-02", "account": "bank", "new_account": true, "amount": 5, "currency": "USD"})
	return w.Call("add_transaction", args{"kind": "withdrawal", "date": "2024-01-03", "account": "bank", "amount": 77777, "currency": "USD"})
}
