package ledger_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// isins returns n valid ISINs.
func isins(t testing.TB, n int) []market.Symbol {
	t.Helper()
	var all []market.Symbol
	for i := 0; len(all) < n; i++ {
		for last := range 10 {
			if text := fmt.Sprintf("US%09d%d", i, last); importer.ValidISIN(text) {
				all = append(all, market.Symbol(text))
			}
		}
	}
	return all[:n]
}

// twoListings finds each ISIN under two symbols and records the requests.
type twoListings struct{ asked chan string }

func (s twoListings) Search(_ context.Context, text string, _ int) ([]market.Instrument, error) {
	s.asked <- text
	return []market.Instrument{{Symbol: market.Symbol("A" + text[7:])}, {Symbol: market.Symbol("B" + text[7:])}}, nil
}

// Both securities of a merger are identified by ISIN. The user maps one, the ledger knows another;
// neither is looked up.
func TestNaming_OnlyWhatNobodyKnowsIsLookedUp(t *testing.T) {
	numbers := isins(t, 4)
	said, known, into, from := numbers[0], numbers[1], numbers[2], numbers[3]
	merged := entry("9", "2024-02-01", portfolio.KindMerger, "us", from, "0", "0")
	merged.ToSymbol, merged.New, merged.Old = into, toolstest.MustDecimal("1"), toolstest.MustDecimal("2")
	w := newFixture(t)
	w.Record(portfolio.Change{Aliases: map[market.Symbol]market.Symbol{known: "SAP"}})
	w.Files["own.csv"] = ownFile(t,
		entry("1", "2024-01-03", portfolio.KindBuy, "us", said, "1", "10"), entry("2", "2024-01-03", portfolio.KindBuy, "us", known, "1", "11"),
		entry("3", "2024-01-03", portfolio.KindBuy, "us", from, "2", "12"), entry("4", "2024-01-03", portfolio.KindBuy, "us", "VTI", "2", "12"), merged,
	)
	search := twoListings{make(chan string, 10)}
	w.Searches = search
	res := w.MustCall("import_transactions", args{"path": "own.csv", "symbols": args{string(said): "vti", "VTI": "VTI"}})
	close(search.asked)
	requests := slices.Sorted(func(yield func(string) bool) {
		for text := range search.asked {
			if !yield(text) {
				return
			}
		}
	})
	if want := []string{string(into), string(from)}; !slices.Equal(requests, want) {
		t.Errorf("asked for %v, want %v", requests, want)
	}
	if got := w.HeldQuantity("us", "VTI"); got != "3" || len(w.Ledger().Aliases) != 2 {
		t.Errorf("us holds %s VTI by the aliases %v, want 3 by what was said and known", got, w.Ledger().Aliases)
	}
	questions := toolstest.Strings(t, toolstest.DecodeResult(t, res)["questions"])
	if len(questions) != 2 || !strings.HasPrefix(questions[0], string(into)) || !strings.HasPrefix(questions[1], string(from)) {
		t.Errorf("questions = %q, want one for each side of the merger, by number", questions)
	}
}

func TestNaming_AThousandNumbersAreNotAllLookedUp(t *testing.T) {
	var all []portfolio.Transaction
	for i, isin := range isins(t, 130) {
		all = append(all, entry(fmt.Sprint(i), "2024-01-03", portfolio.KindBuy, "us", isin, "1", "10"))
	}
	w := newFixture(t)
	w.Files["own.csv"] = ownFile(t, all...)
	search := twoListings{make(chan string, len(all))}
	w.Searches = search
	res := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "own.csv"}))
	if len(search.asked) != 100 || res["added"] != 130.0 {
		t.Errorf("asked %d times and added %v, want 100 and all", len(search.asked), res["added"])
	}
	questions := toolstest.Strings(t, res["questions"])
	if len(questions) != 26 || questions[25] != "and 76 more" {
		t.Errorf("%d questions, the last %q; want 25 and how many more", len(questions), questions[len(questions)-1])
	}
}

// Half an hour before midnight in London is the next day in Berlin.
func TestReading_ADayIsThatOfTheAccountsZone(t *testing.T) {
	for zone, want := range map[string]string{"": "2024-01-15", "Europe/Berlin": "2024-01-16"} {
		w := newFixture(t)
		w.Files["c.csv"] = []byte("ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes\n" +
			"1,2024-01-15 23:30:00 UTC,Buy,BTC,0.1,EUR,40000,4000,4010,10,\n")
		if got := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "c.csv", "zone": zone}))["first"]; got != want {
			t.Errorf("in zone %q bought on %v, want %s", zone, got, want)
		}
	}
}

// A mapping may have an account column. Then the user is not asked for an account, even if there
// are several.
func TestChoice_AMappingThatKnowsAccountsIsNotAskedForOne(t *testing.T) {
	const lines = "Datum;Typ;Konto;Betrag;Währung;Nr\n13.01.2024;Einzahlung;a;1,00;EUR;1\n14.01.2024;Einzahlung;b;2,00;EUR;2\n"
	m := args{
		"name": "mybank", "decimal": ",", "date": "DD.MM.YYYY", "amounts": "unsigned", "kinds": args{"Einzahlung": "deposit"},
		"columns": args{"date": "Datum", "kind": "Typ", "amount": "Betrag", "currency": "Währung", "id": "Nr", "account": "Konto"},
	}
	w := newFixture(t)
	w.Files["own.csv"] = []byte(lines)
	w.MustCall("import_transactions", args{"path": "own.csv", "new_mapping": m})
	w.Files["own.csv"] = []byte(lines + "15.01.2024;Einzahlung;b;3,00;EUR;3\n")
	if res := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "own.csv", "mapping": "mybank"})); res["added"] != 1.0 || len(w.Ledger().Accounts) != 2 {
		t.Errorf("the longer file = %v in %v, want one entry more in two accounts", res, w.Ledger().Accounts)
	}
	m["name"], m["fixed"] = "fixed", args{"account": "depot"}
	delete(m["columns"].(args), "account")
	w.MustCall("import_transactions", args{"path": "own.csv", "new_mapping": m})
	if _, exists := w.Ledger().Account("depot"); !exists {
		t.Errorf("accounts = %v, want the one that the mapping names", w.Ledger().Accounts)
	}
}

func TestProposal_AHostileHeaderDoesNotFillTheAnswer(t *testing.T) {
	header := []string{"Date"}
	for i := range 150 {
		header = append(header, fmt.Sprintf("Amount %d %s", i, strings.Repeat("x", 200)))
	}
	w := newFixture(t)
	w.Files["own.csv"] = []byte(strings.Join(header, ",") + "\n2024-01-02" + strings.Repeat(",1", 150) + "\n")
	res := w.Call("import_transactions", args{"path": "own.csv"})
	if n := len(res.ErrorText()); !res.IsError || n > 16<<10 {
		t.Errorf("the refusal has %d bytes, want at most 16 KiB", n)
	}
}

// patientMappings saves a mapping only if the call was not canceled.
type patientMappings struct{ toolstest.MappingStore }

func (p *patientMappings) SaveMapping(ctx context.Context, name string, doc json.RawMessage) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return p.MappingStore.SaveMapping(ctx, name, doc)
}

// stoppedStore cancels the call as soon as everything is written.
type stoppedStore struct {
	portfolio.Store
	stop func()
}

func (s stoppedStore) Update(ctx context.Context, change func(portfolio.Ledger) (portfolio.Change, error)) error {
	defer s.stop()
	return s.Store.Update(ctx, change)
}

func TestImport_AMappingIsKeptAlsoWhereTheCallEndsOnceAllIsWritten(t *testing.T) {
	w := newFixture(t)
	w.Files["own.csv"] = []byte(table)
	m := proposed(t, w, "own.csv")
	ctx, stop := context.WithCancel(t.Context())
	w.Store, w.Mappings = stoppedStore{w.Store, stop}, &patientMappings{}
	raw, err := json.Marshal(args{"path": "own.csv", "new_mapping": m, "account": "bank"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Router().Call(ctx, llm.ToolCall{ID: "1", Name: "import_transactions", Arguments: string(raw)}); err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	if _, saved, _ := w.Mappings.Mapping(t.Context(), "mybank"); !saved || len(w.Ledger().Transactions) != 3 {
		t.Errorf("saved %v and %d entries written, want both", saved, len(w.Ledger().Transactions))
	}
}
