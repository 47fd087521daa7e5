package bookkeeping_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book/booktest"
)

// canary is in every sum and quantity of these tests.
const canary = "77777"

// wantHidden holds that a model is told of no amount, and says so, in an answer or
// an error; the user sees them where there is an answer.
func wantHidden(t *testing.T, what string, res tool.Result) {
	t.Helper()
	if told := booktest.Said(res); strings.Contains(told, canary) {
		t.Errorf("%s tells the model\n%s", what, told)
	}
	if !strings.Contains(res.ModelText(), "share_amounts") {
		t.Errorf("%s tells the model\n%s\nwant why it sees no amounts", what, res.ModelText())
	}
	if !res.IsError && !strings.Contains(res.ForUser, canary) {
		t.Errorf("%s shows the user\n%s\nwant the amounts", what, res.ForUser)
	}
}

func TestHideAmounts_NoSumAndNoQuantityReachesAModel(t *testing.T) {
	w := newWorld(t)
	w.HideAmounts = true
	buy := args{"kind": "buy", "date": "2024-01-02", "symbol": "VTI", "quantity": 77777.5, "amount": 777771, "currency": "USD", "note": "77777 of them"}
	wantHidden(t, "a purchase", w.Done("add_transaction", buy))
	sale := w.Done("add_transaction", args{"kind": "sell", "date": "2024-02-02", "symbol": "VTI", "quantity": 77777, "amount": 777772, "currency": "USD", "fee": 77777})
	wantHidden(t, "a sale", sale)
	if !strings.Contains(sale.ModelText(), `"gain_pct"`) || !strings.Contains(w.Plan(), canary) {
		t.Errorf("a sale tells the model\n%s\nand showed the user\n%s\nwant per cents for one and amounts for the other", sale.ModelText(), w.Plan())
	}
	wantHidden(t, "the list", w.Done("portfolio_transactions", nil))
	wantHidden(t, "a sale of too much", w.Call("add_transaction", args{"kind": "sell", "date": "2024-03-02", "symbol": "VTI", "quantity": 777770, "amount": 1, "currency": "USD"}))
	wantHidden(t, "a removal that is refused", w.Call("remove_transaction", args{"id": "t1"}))
	removed := w.Done("remove_transaction", args{"id": "t2"})
	wantHidden(t, "a removal", removed)
	if strings.Contains(removed.Title+removed.Summary, "7777") {
		t.Errorf("title %q, summary %q", removed.Title, removed.Summary)
	}
}
