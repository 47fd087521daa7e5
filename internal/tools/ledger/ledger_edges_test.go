package ledger_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/ledger"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// Numbers too large or too small for an amount are refused at once, in any notation.
func TestAddTransaction_AbsurdNumbersAreRefused(t *testing.T) {
	w := newFixture(t)
	for _, number := range []string{"1e300", "1e-300", "1." + strings.Repeat("0", 400) + "1", strings.Repeat("9", 41), "0.00000000000000000001"} {
		raw := `{"kind":"deposit","date":"2024-01-02","currency":"USD","amount":` + number + `}`
		out, err := w.Router().Call(t.Context(), llm.ToolCall{ID: "1", Name: "add_transaction", Arguments: raw})
		if err != nil || !out.Result.IsError {
			t.Errorf("amount %.40s = %v, %s; want an error", number, err, out.Result.ModelText())
		}
	}
	if n := len(w.Ledger().Transactions); n != 0 {
		t.Errorf("%d entries of absurd numbers", n)
	}
}

// brokenStore fails as a full disk does.
type brokenStore struct{ portfolio.Store }

var errDisk = errors.New("disk full")

func (brokenStore) Update(context.Context, func(portfolio.Ledger) (portfolio.Change, error)) error {
	return errDisk
}

func TestWriting_ADiskThatFailsIsAnErrorAndNoSuccess(t *testing.T) {
	w := newImportedFixture(t)
	w.Store = brokenStore{w.Store}
	for name, in := range map[string]args{
		"add_transaction": buyVTI(args{"account": "schwab", "quantity": 1}), "remove_transaction": {"id": "t1"}, "portfolio_settings": {"no_targets": true},
	} {
		raw, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		out, err := w.Router().Call(t.Context(), llm.ToolCall{ID: "1", Name: name, Arguments: string(raw)})
		if err == nil && !out.Result.IsError {
			t.Errorf("%s on a full disk = %s", name, out.Result.ModelText())
		}
	}
}

// While the user decided about a removal, another window changed the entry.
func TestRemoveTransaction_WhatChangedSinceItWasShownStays(t *testing.T) {
	w := newImportedFixture(t)
	w.BeforeAnswer = func([]tool.Approval) {
		w.BeforeAnswer = nil
		err := w.Store.Update(t.Context(), func(l portfolio.Ledger) (portfolio.Change, error) {
			sale := l.Transactions[0]
			sale.Note = "another"
			return portfolio.Change{Remove: []string{"t1"}, Add: []portfolio.Transaction{sale}}, nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if res := w.Call("remove_transaction", args{"id": "t1"}); !res.IsError || !strings.Contains(res.ErrorText(), "changed since") {
		t.Errorf("removal = %s, want that the entry is another now", toolstest.ResultText(res))
	}
	if n := len(w.Ledger().Transactions); n != 4 {
		t.Errorf("%d entries, want all four", n)
	}
}

func TestPortfolioSettings_WhatChangedSinceItWasShownIsAskedAnew(t *testing.T) {
	w := newImportedFixture(t)
	w.BeforeAnswer = func([]tool.Approval) {
		w.BeforeAnswer = nil
		w.MustCall("portfolio_settings", args{"account": args{"name": "schwab", "owner": "Ann"}})
	}
	if res := w.Call("portfolio_settings", args{"account": args{"name": "schwab", "untaxed": true}}); !res.IsError || !strings.Contains(res.ErrorText(), "since the preview") {
		t.Errorf("change = %s, want that the settings are others now", toolstest.ResultText(res))
	}
}

// An approved workflow did not show these transactions, so they need their own approval.
func TestWriting_IsAskedForAlsoWithinWhatWasApproved(t *testing.T) {
	w := newFixture(t)
	toolstest.CallRouter(t, w.Router().PreApproved(), "add_transaction", buyVTI(nil))
	if len(w.Approvals) != 1 {
		t.Errorf("asked %d times, want once", len(w.Approvals))
	}
	var effects []string
	for _, tl := range ledger.Tools(w.deps()) {
		effects = append(effects, tl.Name+" "+tl.Effect.String())
	}
	want := "import_transactions writes, add_transaction writes, portfolio_transactions reads, remove_transaction writes, portfolio_settings reads"
	if got := strings.Join(effects, ", "); got != want {
		t.Errorf("tools = %s, want %s", got, want)
	}
}
