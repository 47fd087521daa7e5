package bookkeeping_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/bookkeeping"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

func TestTools_WithoutFilesNothingCanBeImported(t *testing.T) {
	d := newWorld(t).Deps
	d.Read = nil
	for _, tl := range bookkeeping.Tools(d) {
		if tl.Name == "import_transactions" {
			t.Error("import_transactions is there without a way to read files")
		}
	}
}

// Numbers that no sum is, however they are written, are refused at once.
func TestAddTransaction_AbsurdNumbersAreRefused(t *testing.T) {
	w := newWorld(t)
	for _, number := range []string{"1e300", "1e-300", "1." + strings.Repeat("0", 400) + "1", strings.Repeat("9", 41), "0.00000000000000000001"} {
		raw := `{"kind":"deposit","date":"2024-01-02","currency":"USD","amount":` + number + `}`
		out, err := w.router().Call(t.Context(), llm.ToolCall{ID: "1", Name: "add_transaction", Arguments: raw})
		if err != nil || !out.Result.IsError {
			t.Errorf("amount %.40s = %v, %s; want an error", number, err, out.Result.ModelText())
		}
	}
	if n := len(w.ledger().Transactions); n != 0 {
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
	w := imported(t)
	w.Store = brokenStore{w.Store}
	for name, in := range map[string]args{
		"add_transaction": buyVTI(args{"account": "schwab", "quantity": 1}), "remove_transaction": {"id": "t1"}, "portfolio_settings": {"no_targets": true},
	} {
		raw, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		out, err := w.router().Call(t.Context(), llm.ToolCall{ID: "1", Name: name, Arguments: string(raw)})
		if err == nil && !out.Result.IsError {
			t.Errorf("%s on a full disk = %s", name, out.Result.ModelText())
		}
	}
}

// While the user thought about a removal, another window wrote over the entry.
func TestRemoveTransaction_WhatChangedSinceItWasShownStays(t *testing.T) {
	w := imported(t)
	w.meanwhile = func() {
		w.meanwhile = nil
		err := w.Store.Update(t.Context(), func(l portfolio.Ledger) (portfolio.Change, error) {
			sale := l.Transactions[0]
			sale.Note = "another"
			return portfolio.Change{Remove: []string{"t1"}, Add: []portfolio.Transaction{sale}}, nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if res := w.call("remove_transaction", args{"id": "t1"}); !res.IsError || !strings.Contains(res.ErrorText(), "changed since") {
		t.Errorf("removal = %s, want that the entry is another now", cmpText(res))
	}
	if n := len(w.ledger().Transactions); n != 4 {
		t.Errorf("%d entries, want all four", n)
	}
}

func TestPortfolioSettings_WhatChangedSinceItWasShownIsAskedAnew(t *testing.T) {
	w := imported(t)
	w.meanwhile = func() {
		w.meanwhile = nil
		w.done("portfolio_settings", args{"account": args{"name": "schwab", "owner": "Ann"}})
	}
	if res := w.call("portfolio_settings", args{"account": args{"name": "schwab", "untaxed": true}}); !res.IsError || !strings.Contains(res.ErrorText(), "since they were shown") {
		t.Errorf("change = %s, want that the settings are others now", cmpText(res))
	}
}

// A workflow that was approved as a whole did not show these entries: they are asked
// for all the same.
func TestWriting_IsAskedForAlsoWithinWhatWasApproved(t *testing.T) {
	w := newWorld(t)
	toolboxtest.Ask(t, w.router().Granted(), "add_transaction", buyVTI(nil))
	if len(*w.asked) != 1 {
		t.Errorf("asked %d times, want once", len(*w.asked))
	}
	var effects []string
	for _, tl := range bookkeeping.Tools(w.Deps) {
		effects = append(effects, tl.Name+" "+tl.Effect.String())
	}
	want := "add_transaction writes, portfolio_transactions reads, remove_transaction writes, portfolio_settings reads, import_transactions writes"
	if got := strings.Join(effects, ", "); got != want {
		t.Errorf("tools = %s, want %s", got, want)
	}
}

// Whatever an error of the book says, no digit of it is left where amounts are hidden.
func FuzzHideAmounts_NoNumberOfAFileReachesAModel(f *testing.F) {
	for _, seed := range []string{"1,234.56", "٣٤", "½", "12 345", "5'000", "1e9"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, number string) {
		w := newWorld(t)
		w.HideAmounts = true
		w.files["f.csv"] = []byte(strings.SplitAfter(schwab, "\n")[0] + `"x","Frobnicate","VTI","","` + strings.NewReplacer(`"`, "", "\n", "", "\r", "").Replace(number) + `","","",""` + "\n")
		res := w.call("import_transactions", args{"path": "f.csv"})
		_, told, found := strings.Cut(res.ErrorText(), "- line 2: ")
		if found && strings.ContainsFunc(told, unicode.IsNumber) {
			t.Errorf("a model is told %q", told)
		}
		if res.Code == tool.CodeCrashed {
			t.Errorf("%q crashed", number)
		}
	})
}
