package positions_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// splitting returns a split of VTI in account us.
func splitting(id, day, fresh, old string) portfolio.Transaction {
	kind := portfolio.KindSplit
	if toolstest.MustDecimal(fresh).LessThan(toolstest.MustDecimal(old)) {
		kind = portfolio.KindReverseSplit
	}
	return portfolio.Transaction{ID: id, Date: portfoliotest.Day(day), Kind: kind, Account: "us", Symbol: "VTI", New: toolstest.MustDecimal(fresh), Old: toolstest.MustDecimal(old)}
}

func loaded(t *testing.T, d positions.Deps) positions.Portfolio {
	t.Helper()
	o, err := d.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// arguments returns the arguments of a tool call in a text.
func arguments(t *testing.T, text, name string) map[string]any {
	t.Helper()
	_, raw, ok := strings.Cut(text, name+" ")
	if !ok {
		t.Fatalf("no call of %s in %q", name, text)
	}
	var out map[string]any
	if err := json.NewDecoder(strings.NewReader(raw)).Decode(&out); err != nil {
		t.Fatalf("the arguments of %s in %q: %v", name, text, err)
	}
	return out
}

// The suggested call must fix the portfolio.
func TestFixInstructions_IsTheCallThatPutsItRight(t *testing.T) {
	o := loaded(t, newTestDeps(t, splitting("mine", "2024-06-26", "2", "1"), splitting("back", "2024-06-27", "1", "10")))
	day := portfoliotest.Day("2024-06-28")
	add := func(kind, fresh, old string) map[string]any {
		return map[string]any{"kind": kind, "symbol": "VTI", "account": "us", "date": "2024-06-28", "new": json.Number(fresh), "old": json.Number(old)}
	}
	for _, tc := range []struct {
		name   string
		dis    performance.Disagreement
		add    map[string]any // nil if there is nothing to add
		remove string         // "" if there is nothing to remove
	}{
		{"the book lacks it", performance.Disagreement{SeriesRatio: "4:1"}, add("split", "4", "1"), ""},
		{"the book lacks a reverse one", performance.Disagreement{SeriesRatio: "1:20"}, add("reverse_split", "1", "20"), ""},
		{"the book lacks one of fractions", performance.Disagreement{SeriesRatio: "1.5:1"}, add("split", "1.5", "1"), ""},
		{"the prices lack it", performance.Disagreement{LedgerRatio: "2:1"}, nil, "mine"},
		{"the prices lack a reverse one", performance.Disagreement{LedgerRatio: "1:10"}, nil, "back"},
		{"they have another", performance.Disagreement{SeriesRatio: "3:1", LedgerRatio: "2:1"}, add("split", "3", "1"), "mine"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.dis.Symbol, tc.dis.Account, tc.dis.Date, tc.dis.Message = "VTI", "us", day, "They do not agree."
			got := splitFix(o, tc.dis)
			if !strings.HasPrefix(got, "They do not agree. ") {
				t.Errorf("Mend = %q; want what is wrong first", got)
			}
			if contains := strings.Contains(got, "add_transaction"); contains != (tc.add != nil) {
				t.Fatalf("Mend = %q; adds %v, want %v", got, contains, tc.add != nil)
			}
			if contains := strings.Contains(got, "remove_transaction"); contains != (tc.remove != "") {
				t.Fatalf("Mend = %q; removes %v, want %v", got, contains, tc.remove != "")
			}
			if tc.add != nil {
				call := arguments(t, got, "add_transaction")
				for _, n := range []string{"new", "old"} {
					raw, _ := json.Marshal(call[n])
					call[n] = json.Number(raw)
				}
				if diff := cmp.Diff(tc.add, call); diff != "" {
					t.Errorf("Mend adds (-want +got):\n%s", diff)
				}
			}
			if tc.remove != "" {
				if diff := cmp.Diff(map[string]any{"id": tc.remove}, arguments(t, got, "remove_transaction")); diff != "" {
					t.Errorf("Mend removes (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// The split is identified by its ratio, its account and a near date, because a broker may record it
// late. If there is none, no ID is made up.
func TestFixInstructions_NamesTheSplitOfTheBookOrNone(t *testing.T) {
	o := loaded(t, newTestDeps(t, splitting("mine", "2024-06-26", "2", "1")))
	for _, tc := range []struct {
		name, day, account, symbol, ratio string
		named                             bool
	}{
		{"its day", "2024-06-26", "us", "VTI", "2:1", true},
		{"ten days later", "2024-07-06", "us", "VTI", "2:1", true},
		{"ten days before", "2024-06-16", "us", "VTI", "2:1", true},
		{"eleven days later", "2024-07-07", "us", "VTI", "2:1", false},
		{"eleven days before", "2024-06-15", "us", "VTI", "2:1", false},
		{"another account", "2024-06-26", "de", "VTI", "2:1", false},
		{"another security", "2024-06-26", "us", "SAP", "2:1", false},
		{"another ratio", "2024-06-26", "us", "VTI", "3:1", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := splitFix(o, performance.Disagreement{Symbol: market.Symbol(tc.symbol), Account: tc.account, Date: portfoliotest.Day(tc.day), LedgerRatio: tc.ratio})
			if named := strings.Contains(got, `{"id":"mine"}`); named != tc.named {
				t.Errorf("Mend = %q; names the split %v, want %v", got, named, tc.named)
			}
			if !tc.named && (strings.Contains(got, `"id"`) || !strings.Contains(got, "portfolio_transactions")) {
				t.Errorf("Mend = %q; want where the ID is shown, and none made up", got)
			}
		})
	}
}

// A spin-off is not a split: the user has to name the shares received.
func TestFixInstructions_OfASpinOffAsksForWhatWasHandedOut(t *testing.T) {
	o := loaded(t, newTestDeps(t))
	got := arguments(t, splitFix(o, performance.Disagreement{Symbol: "VTI", Account: "us", Date: portfoliotest.Day("2024-06-27"), SeriesRatio: "1.2:1", StillValued: true}), "add_transaction")
	if got["kind"] != "spin_off" || got["symbol"] != "VTI" || got["account"] != "us" || got["date"] != "2024-06-27" || got["new"] != nil || got["to_symbol"] == nil || got["quantity"] == nil {
		t.Errorf("Mend = %v; want a spin-off with places for what is not known", got)
	}
}

// disputed returns the splits on which the portfolio and the prices of VTI disagree.
func disputed(t *testing.T, actions []market.Action, adjusted market.Adjustment, more ...portfolio.Transaction) (warnings []string, unchecked []market.Symbol) {
	t.Helper()
	d := newTestDeps(t, more...)
	vti, err := d.Bars.Bars(t.Context(), "VTI", market.Range{})
	if err != nil {
		t.Fatal(err)
	}
	vti.Actions, vti.Provenance.Adjustment = actions, adjusted
	d.Bars, d.Quotes = singleSeries{d.Bars, vti}, nil
	o := loaded(t, d)
	v, err := d.Value(t.Context(), o, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	texts := warningsOf(func(n *toolkit.Notes) { unchecked = o.WarnOfSplits(v, n) })
	return texts, unchecked
}

// SAP is also adjusted for dividends, so it is never checked.
func TestSplitWarnings_AreOfWhatIsStillHeldAndCouldBeChecked(t *testing.T) {
	four := func(day string) []market.Action {
		return []market.Action{{Kind: market.ActionSplit, Date: portfoliotest.Day(day), New: toolstest.MustDecimal("4"), Old: toolstest.MustDecimal("1")}}
	}
	for _, tc := range []struct {
		name     string
		actions  []market.Action
		adjusted market.Adjustment
		more     []portfolio.Transaction
		warned   bool
		checked  bool
	}{
		{"none on either side", []market.Action{}, market.AdjustmentSplit, nil, false, true},
		{"the book lacks one", four("2024-06-27"), market.AdjustmentSplit, nil, true, true},
		{"on both sides", four("2024-06-27"), market.AdjustmentSplit, []portfolio.Transaction{splitting("s", "2024-06-27", "4", "1")}, false, true},
		{"booked a day later", four("2024-06-26"), market.AdjustmentSplit, []portfolio.Transaction{splitting("s", "2024-06-27", "4", "1")}, false, true},
		{"the prices lack one", []market.Action{}, market.AdjustmentSplit, []portfolio.Transaction{splitting("s", "2024-06-27", "4", "1")}, true, true},
		{"before it was bought", four("2024-06-21"), market.AdjustmentSplit, nil, false, true},
		{
			"of a lot that was sold", four("2024-06-26"), market.AdjustmentSplit,
			[]portfolio.Transaction{sale("s", "us", "10", "400", "2024-06-26"), toolstest.Buy("b", "us", "VTI", "1", "115", "USD", "2024-06-27")}, false, true,
		},
		{"nobody tells of splits", nil, market.AdjustmentSplit, nil, false, false},
		{"adjusted for dividends", []market.Action{}, market.AdjustmentSplitDiv, nil, false, false},
		{"nobody tells of the scale", []market.Action{}, market.AdjustmentUnknown, nil, false, false},
		{"as it was paid", []market.Action{}, market.AdjustmentRaw, nil, false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			warnings, unchecked := disputed(t, tc.actions, tc.adjusted, tc.more...)
			if (len(warnings) > 0) != tc.warned || slices.Contains(unchecked, "VTI") == tc.checked {
				t.Errorf("Disputes = %q, unchecked %v; want warned %v, checked %v", warnings, unchecked, tc.warned, tc.checked)
			}
			if !slices.Contains(unchecked, "SAP") {
				t.Errorf("unchecked = %v; want SAP among them", unchecked)
			}
		})
	}
}

// warningsOf returns the sentences that warn adds.
func warningsOf(warn func(*toolkit.Notes)) (texts []string) {
	var n toolkit.Notes
	warn(&n)
	for _, note := range n {
		texts = append(texts, note.Text)
	}
	return texts
}

// splitFix returns the warning of a disagreement.
func splitFix(o positions.Portfolio, dis performance.Disagreement) string {
	return warningsOf(func(n *toolkit.Notes) { o.WarnOfSplit(dis, n) })[0]
}
