package bookkeeping_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
)

// canary is in every sum and quantity of these tests.
const canary = "77777"

// wantHidden holds that a model is told of no amount, and says so, in an answer or
// an error; the user sees them where there is an answer.
func wantHidden(t *testing.T, what string, res tool.Result) {
	t.Helper()
	if told := said(res); strings.Contains(told, canary) {
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
	wantHidden(t, "a purchase", w.done("add_transaction", buy))
	sale := w.done("add_transaction", args{"kind": "sell", "date": "2024-02-02", "symbol": "VTI", "quantity": 77777, "amount": 777772, "currency": "USD", "fee": 77777})
	wantHidden(t, "a sale", sale)
	if !strings.Contains(sale.ModelText(), `"gain_pct"`) || !strings.Contains(w.plan(), canary) {
		t.Errorf("a sale tells the model\n%s\nand showed the user\n%s\nwant per cents for one and amounts for the other", sale.ModelText(), w.plan())
	}
	wantHidden(t, "the list", w.done("portfolio_transactions", nil))
	wantHidden(t, "a sale of too much", w.call("add_transaction", args{"kind": "sell", "date": "2024-03-02", "symbol": "VTI", "quantity": 777770, "amount": 1, "currency": "USD"}))
	wantHidden(t, "a removal that is refused", w.call("remove_transaction", args{"id": "t1"}))
	removed := w.done("remove_transaction", args{"id": "t2"})
	wantHidden(t, "a removal", removed)
	if strings.Contains(removed.Title+removed.Summary, "7777") {
		t.Errorf("title %q, summary %q", removed.Title, removed.Summary)
	}
}

func TestHideAmounts_AFileTellsAModelNoAmounts(t *testing.T) {
	w := newWorld(t)
	w.HideAmounts = true
	lines := strings.SplitAfter(schwab, "\n")
	line := func(old, now string, n int) string { return strings.Replace(lines[n], old, now, 1) }
	cash, bought, sold := line("5000", "7777700", 4), lines[0]+line("2300", "77777", 3), line(`"4","$240.00","$0.50","$959.50"`, `"77777","$10.00","","$777770.00"`, 1)
	w.files["ok.csv"] = []byte(lines[0] + cash)
	w.files["problem.csv"] = []byte(lines[0] + strings.Replace(cash, "MoneyLink", "Unheard", 1))
	w.files["missing.csv"] = []byte(lines[0] + cash + sold)
	w.files["overdrawn.csv"] = []byte(bought + line("5000", "77777", 4)[:0] + strings.Replace(lines[4], "5000", "1", 1))
	w.files["unknown.csv"] = []byte("Date;Amount\n01/02/2024;77777,50\n")
	w.files["table.csv"] = []byte(strings.ReplaceAll(table, "20.000,00", "77777,00"))
	for _, path := range []string{"problem.csv", "missing.csv", "unknown.csv", "table.csv"} {
		if res := w.call("import_transactions", args{"path": path}); !res.IsError || strings.Contains(said(res), canary) {
			t.Errorf("%s tells the model\n%s", path, said(res))
		}
	}
	wantHidden(t, "a file", w.done("import_transactions", args{"path": "ok.csv"}))
	wantHidden(t, "what was held before", w.done("import_transactions", args{"path": "missing.csv", "opening": true}))
	skipped := w.done("import_transactions", args{"path": "problem.csv", "skip_problems": true})
	if strings.Contains(said(skipped), canary) || !strings.Contains(skipped.ForUser, canary) {
		t.Errorf("a line that was left out tells the model\n%s", said(skipped))
	}
}
