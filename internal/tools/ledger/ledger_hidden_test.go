package ledger_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// editCanary is in every sum and quantity of these tests.
const editCanary = "77777"

// wantEditHidden holds that a model is told of no amount, and says so, in an answer or
// an error; the user sees them where there is an answer.
func wantEditHidden(t *testing.T, subject string, res tool.Result) {
	t.Helper()
	if output := toolstest.ModelText(res); strings.Contains(output, editCanary) {
		t.Errorf("%s tells the model\n%s", subject, output)
	}
	if !strings.Contains(res.ModelText(), "share_amounts") {
		t.Errorf("%s tells the model\n%s\nwant why it sees no amounts", subject, res.ModelText())
	}
	if !res.IsError && !strings.Contains(res.ForUser, editCanary) {
		t.Errorf("%s shows the user\n%s\nwant the amounts", subject, res.ForUser)
	}
}

func TestHideAmounts_NoSumAndNoQuantityReachesAModel(t *testing.T) {
	w := newFixture(t)
	w.HideAmounts = true
	buy := editArgs{"kind": "buy", "date": "2024-01-02", "symbol": "VTI", "quantity": 77777.5, "amount": 777771, "currency": "USD", "note": "77777 of them"}
	wantEditHidden(t, "a purchase", w.MustCall("add_transaction", buy))
	sale := w.MustCall("add_transaction", editArgs{"kind": "sell", "date": "2024-02-02", "symbol": "VTI", "quantity": 77777, "amount": 777772, "currency": "USD", "fee": 77777})
	wantEditHidden(t, "a sale", sale)
	if !strings.Contains(sale.ModelText(), `"gain_pct"`) || !strings.Contains(w.Plan(), editCanary) {
		t.Errorf("a sale tells the model\n%s\nand showed the user\n%s\nwant per cents for one and amounts for the other", sale.ModelText(), w.Plan())
	}
	wantEditHidden(t, "the list", w.MustCall("portfolio_transactions", nil))
	wantEditHidden(t, "a sale of too much", w.Call("add_transaction", editArgs{"kind": "sell", "date": "2024-03-02", "symbol": "VTI", "quantity": 777770, "amount": 1, "currency": "USD"}))
	wantEditHidden(t, "a removal that is refused", w.Call("remove_transaction", editArgs{"id": "t1"}))
	removed := w.MustCall("remove_transaction", editArgs{"id": "t2"})
	wantEditHidden(t, "a removal", removed)
	if strings.Contains(removed.Title+removed.Summary, "7777") {
		t.Errorf("title %q, summary %q", removed.Title, removed.Summary)
	}
}
