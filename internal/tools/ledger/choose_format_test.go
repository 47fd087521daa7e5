package ledger_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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

// A table whose dates and signs are ambiguous is not guessed.
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

// C37: a table of an unknown broker is read by a guessed mapping, which the confirmation shows with
// examples. It is saved with its costs and used for the next file.
func TestImport_AGuessedTableIsShownCorrectedAndKept(t *testing.T) {
	const file = `Datum;Konto;Typ av transaktion;Värdepapper/beskrivning;Antal;Kurs;Belopp;Transaktionsvaluta;Courtage (SEK);Valutakurs;Instrumentvaluta;ISIN;Resultat
2024-01-14;Savings;Uttag;Uttag till X;;;-500;SEK;;;;;
2024-01-13;Savings;Sälj;Index S;-2;150,50;291;SEK;10;;SEK;SE0004841500;14,65
2024-01-10;Savings;Köp;S&P Global;2;330,16;-7104,41;SEK;21,45;10,72655;USD;US78409V1044;
2024-01-09;Savings;Utländsk källskatt;Utdelning;11;;-16,49;SEK;;1;;US78409V1044;
2024-01-04;Savings;Köp;Index S;4;190,10;-760,40;SEK;0;;SEK;SE0004841500;
2024-01-01;Savings;Insättning;Insättning;;;12150;SEK;0;;;;
2024-01-01;Savings;Övrigt;Återbetalning;;;1,24;SEK;0;;;;
`
	w := newFixture(t)
	w.Files["avanza-2024.csv"] = []byte(file)
	w.WantRefused("import_transactions", args{"path": "avanza-2024.csv", "columns": args{"costs of": "x"}}, "unknown field", "fee_currency")
	res := w.MustCall("import_transactions", args{"path": "avanza-2024.csv"})
	for _, want := range []string{"reads the columns as: date=Datum, kind=Typ av transaktion", "fee=Courtage (SEK)", "ignores: Instrumentvaluta, Resultat", `line 8: "Övrigt" has no meaning`, "line 3: 2024-01-13, Savings, Sälj", "is sell 2 SE0004841500: 301.00 SEK (at 150.50 SEK), fee 10.00 SEK", "is withdrawal"} {
		if !strings.Contains(w.Plan(), want) {
			t.Errorf("plan\n%s\nwant %q", w.Plan(), want)
		}
	}
	if got := toolstest.DecodeResult(t, res); got["added"] != 6.0 || got["problems"] != 1.0 {
		t.Fatalf("added %v with %v problems, want 6 and 1", got["added"], got["problems"])
	}
	answered := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "avanza-2024.csv", "meanings": args{"Övrigt": "cash"}}))
	if answered["added"] != 1.0 || answered["already_there"] != 6.0 || answered["problems"] != 0.0 {
		t.Fatalf("with the meaning of the word, %v were added and %v left out; want 1 and none", answered["added"], answered["problems"])
	}
	txs := w.Ledger().Transactions
	bought := txs[slices.IndexFunc(txs, func(x portfolio.Transaction) bool { return x.ISIN == "US78409V1044" && x.Kind == portfolio.KindBuy })]
	if bought.Amount.String() != "7082.96" || bought.Fee.String() != "21.45" || bought.Price.Valid {
		t.Errorf("bought %+v, want 7082.96 and a fee of 21.45 SEK, no price in SEK", bought)
	}
	w.Files["later.csv"] = []byte(file + "2024-02-01;Savings;Övrigt;Återbetalning;;;2,24;SEK;0;;;;\n2024-02-02;Savings;Utdelning;Index S;2;1,5;3;SEK;;;;SE0004841500;\n")
	later := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "later.csv"}))
	if later["format"] != "avanza" || later["added"] != 2.0 || later["already_there"] != 7.0 {
		t.Errorf("the next file: %v, %v added, %v already there; want avanza, 2 and 7", later["format"], later["added"], later["already_there"])
	}
	w.Files["s.csv"] = []byte(schwab)
	w.WantRefused("import_transactions", args{"path": "s.csv", "columns": args{"fee": "x"}}, "has the format schwab")
}
