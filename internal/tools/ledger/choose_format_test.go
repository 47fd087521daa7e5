package ledger_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestImport_WhatTheCallSaysIsChecked(t *testing.T) {
	for _, tc := range []struct {
		name  string
		in    args
		parts []string
	}{
		{"a zone that there is not", args{"zone": "Mars/Base"}, []string{"Mars/Base", "Europe/Berlin"}},
		{"a cash policy that there is not", args{"cash": "some"}, []string{"some", "untracked"}},
		{"a currency that is none", args{"currency": "dollars"}, []string{"DOLLARS", "ISO 4217"}},
		{"a format that there is not", args{"format": "nobroker"}, []string{"nobroker", "schwab", "swissquote"}},
		{"another format", args{"format": "degiro"}, []string{"degiro"}},
		{"two ways to read it", args{"format": "schwab", "mapping": "x"}, []string{"one of"}},
		{"a mapping that there is not", args{"mapping": "x"}, []string{"no mapping", "none are saved"}},
		{"a symbol that is none", args{"symbols": args{"VTI": "a:b"}}, []string{"symbols", "VTI"}},
		{"a name that is none", args{"symbols": args{"a:b": "VTI"}}, []string{"symbols"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newFixture(t)
			w.Files["s.csv"] = []byte(schwab)
			tc.in["path"] = "s.csv"
			w.WantRefused("import_transactions", tc.in, tc.parts...)
		})
	}
}

func TestImport_AFormatAndAnAccountCanBeNamed(t *testing.T) {
	w := newFixture(t)
	w.Files["s.csv"] = []byte(schwab)
	w.MustCall("import_transactions", args{"path": "s.csv", "format": "Schwab", "account": "roth", "cash": "margin"})
	if a := w.Ledger().Accounts[0]; a.Name != "roth" || a.Cash != portfolio.CashMargin {
		t.Errorf("account = %+v, want roth on margin", a)
	}
	// With a second account of the broker, the user has to choose one.
	w.MustCall("import_transactions", args{"path": "s.csv", "account": "main"})
	w.WantRefused("import_transactions", args{"path": "s.csv"}, "main", "roth", "account")
	if n := len(w.Ledger().Transactions); n != 8 {
		t.Errorf("%d entries, want the four of each account", n)
	}
}

// failingMappings saves nothing.
type failingMappings struct{ toolstest.MappingStore }

func (*failingMappings) SaveMapping(context.Context, string, json.RawMessage) error {
	return errors.New("disk full")
}

func TestImport_AMappingThatIsNotSavedIsSaidAndTheEntriesStand(t *testing.T) {
	w := newFixture(t)
	w.Files["own.csv"] = []byte(table)
	m := proposed(t, w, "own.csv")
	w.Mappings = &failingMappings{}
	res := w.MustCall("import_transactions", args{"path": "own.csv", "new_mapping": m, "account": "bank"})
	if !strings.Contains(res.UserText(), "not saved: disk full") || len(w.Ledger().Transactions) != 3 {
		t.Errorf("the user sees\n%s\nwant the entries and that the mapping was not saved", res.UserText())
	}
	w.Mappings = nil
	w.WantRefused("import_transactions", args{"path": "own.csv", "mapping": "mybank"}, "new_mapping")
}

func TestImport_AMappingThatCannotBeReadIsSaid(t *testing.T) {
	w := newFixture(t)
	w.Files["own.csv"] = []byte(table)
	if err := w.Mappings.SaveMapping(t.Context(), "old", json.RawMessage(`{"decimal": 5}`)); err != nil {
		t.Fatal(err)
	}
	w.WantRefused("import_transactions", args{"path": "own.csv", "mapping": "old"}, "cannot read", "new_mapping")
}

// A table whose days and signs prove nothing is not guessed at.
func TestImport_WhatATableDoesNotProveIsAsked(t *testing.T) {
	w := newFixture(t)
	w.Files["own.csv"] = []byte("Date,Type,Symbol,Quantity,Price,Amount\n01/02/2024,Frobnicate,VTI,10,5,50\n")
	w.WantRefused("import_transactions", args{"path": "own.csv"}, "to clarify: date", `"Frobnicate"`, "line 2")
	w.Files["prose.txt"] = []byte("Dear customer,\nthank you.\n")
	w.WantRefused("import_transactions", args{"path": "prose.txt"}, "none of", "Dear customer")
}

// downSearch always fails.
type downSearch struct{}

func (downSearch) Search(context.Context, string, int) ([]market.Instrument, error) {
	return nil, errors.New("no network")
}

func TestImport_ASearchThatIsDownLeavesTheNumberForTheSymbol(t *testing.T) {
	w := newFixture(t)
	w.Files["own.csv"] = []byte(table + "21.02.2024;Kauf;IE00B4L5Y983;MSCI WORLD;1;100,00;-100,00;EUR;;A3\n")
	m := proposed(t, w, "own.csv")
	w.Searches = downSearch{}
	res := w.MustCall("import_transactions", args{"path": "own.csv", "new_mapping": m, "account": "bank"})
	if got := w.HeldQuantity("bank", "IE00B4L5Y983"); got != "1" || !strings.Contains(res.UserText(), "no network") {
		t.Errorf("bank holds %s of the number, and the user sees\n%s\nwant 1 and why", got, res.UserText())
	}
}

func TestImport_ManyReasonsAndProblemsAreBoundedAndCounted(t *testing.T) {
	w := newFixture(t)
	var b strings.Builder
	b.WriteString(schwab)
	for i := range 400 {
		fmt.Fprintf(&b, "\"03/01/2024\",\"Frobnicate %d\",\"VTI\",\"%s\",\"1\",\"$1.00\",\"\",\"-$1.00\"\n", i, strings.Repeat("long ", 100))
	}
	w.Files["s.csv"] = []byte(b.String())
	w.WantRefused("import_transactions", args{"path": "s.csv", "skip_problems": false}, "400 lines", "and 375 more")
	res := w.MustCall("import_transactions", args{"path": "s.csv"})
	if n := len(res.ModelText()); n > 30<<10 {
		t.Errorf("the model is told %d bytes", n)
	}
	if got := toolstest.Figure(t, res, "problems"); got.Value.String() != "400" {
		t.Errorf("figure problems = %s, want 400", got.Value)
	}
}
