package journal_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
)

func watched() journal.Watch {
	return journal.Watch{Symbol: "BRK.B", Added: on(2024, 1, 2), Note: "wait for a fall", Targets: []journal.Target{
		{Side: journal.Below, Price: dec("300"), Currency: "USD"}, {Side: journal.Above, Price: dec("500.5"), Currency: "USD"},
	}}
}

func TestEntries_ThatAreCompleteAreValid(t *testing.T) {
	bare := journal.Decision{ID: "x", Date: on(2024, 1, 2), Action: journal.Other, Marks: []journal.Mark{{Symbol: "AAPL"}}, Thesis: "a", Disproof: "b"}
	for name, err := range map[string]error{
		"watch": watched().Validate(), "decision": bought().Validate(), "bare watch": journal.Watch{Symbol: "X", Added: on(2024, 1, 1)}.Validate(), "bare decision": bare.Validate(),
	} {
		if err != nil {
			t.Errorf("Validate of a %s = %v", name, err)
		}
	}
}

func TestWatch_WhatCannotBeIsRefused(t *testing.T) {
	for _, row := range []struct {
		name, want string
		spoil      func(*journal.Watch)
	}{
		{"no symbol", "empty", func(w *journal.Watch) { w.Symbol = "" }},
		{"another spelling", "is spelled BRK.B", func(w *journal.Watch) { w.Symbol = "brk-b" }},
		{"no day", "the day is missing", func(w *journal.Watch) { w.Added = time.Time{} }},
		{"an hour", "not a calendar day", func(w *journal.Watch) { w.Added = w.Added.Add(time.Hour) }},
		{"year 1", "in the year 1", func(w *journal.Watch) { w.Added = on(1, 2, 3) }},
		{"escape sequence", "control characters", func(w *journal.Watch) { w.Note = "\x1b[2J" }},
		{"turned writing", "control characters", func(w *journal.Watch) { w.Note = "\u202eabc" }},
		{"not text", "not UTF-8", func(w *journal.Watch) { w.Note = "\xff" }},
		{"a book", "longer than", func(w *journal.Watch) { w.Note = strings.Repeat("a", 8001) }},
		{"no side", "a target is above or below", func(w *journal.Watch) { w.Targets[0].Side = "" }},
		{"price of nothing", "above zero", func(w *journal.Watch) { w.Targets[0].Price = decimal.Zero }},
		{"endless price", "too many digits", func(w *journal.Watch) { w.Targets[0].Price = decimal.New(1, 999999999) }},
		{"pence", "not a currency", func(w *journal.Watch) { w.Targets[0].Currency = "GBp" }},
		{"twice", "twice", func(w *journal.Watch) { w.Targets[1] = w.Targets[0] }},
		{"too many", "more than 20", func(w *journal.Watch) { w.Targets = make([]journal.Target, 21) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := watched()
			row.spoil(&w)
			if err := w.Validate(); !errors.Is(err, journal.ErrInvalid) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("Validate = %v, want ErrInvalid with %q", err, row.want)
			}
		})
	}
}

func TestDecision_WhatCannotBeIsRefused(t *testing.T) {
	for _, row := range []struct {
		name, want string
		spoil      func(*journal.Decision)
	}{
		{"no ID", "an ID is", func(d *journal.Decision) { d.ID = "" }},
		{"ID with a slash", "an ID is", func(d *journal.Decision) { d.ID = "../a" }},
		{"no action", "an action is one of", func(d *journal.Decision) { d.Action = "" }},
		{"no thesis", "no thesis", func(d *journal.Decision) { d.Thesis = " \n" }},
		{"no disproof", "would disprove", func(d *journal.Decision) { d.Disproof = "" }},
		{"no symbol", "no symbol", func(d *journal.Decision) { d.Marks = nil }},
		{"too many", "more than 50", func(d *journal.Decision) { d.Marks = make([]journal.Mark, 51) }},
		{"twice", "twice", func(d *journal.Decision) { d.Marks = append(d.Marks, d.Marks[0]) }},
		{"against itself", "against itself", func(d *journal.Decision) { d.Benchmark = &d.Marks[0] }},
		{"confidence in per cent", "70 % as 0.7", func(d *journal.Decision) { d.Confidence = price("70") }},
		{"endless confidence", "70 % as 0.7", func(d *journal.Decision) { d.Confidence = decimal.NewNullDecimal(decimal.New(1, -999999999)) }},
		{"outcome of an open one", "no day on which it was closed", func(d *journal.Decision) { d.Outcome = "went well" }},
		{"review before", "the review is before", func(d *journal.Decision) { d.ReviewOn = on(2023, 1, 1) }},
		{"closed before", "the close is before", func(d *journal.Decision) { d.Closed = on(2023, 1, 1) }},
		{"review at noon", "not a calendar day", func(d *journal.Decision) { d.ReviewOn = d.ReviewOn.Add(12 * time.Hour) }},
		{"price without source", "no source", func(d *journal.Decision) { d.Marks[0].Source = "" }},
		{"price without date", "date of the price is missing", func(d *journal.Decision) { d.Marks[0].AsOf = time.Time{} }},
		{"price of the future", "after the decision", func(d *journal.Decision) { d.Marks[0].AsOf = on(2023, 3, 2) }},
		{"currency without price", "no price", func(d *journal.Decision) { d.Marks[0].Price = decimal.NullDecimal{} }},
		{"benchmark priced below zero", "above zero", func(d *journal.Decision) { d.Benchmark.Price = price("-1") }},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := bought()
			row.spoil(&d)
			if err := d.Validate(); !errors.Is(err, journal.ErrInvalid) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("Validate = %v, want ErrInvalid with %q", err, row.want)
			}
		})
	}
}

func TestEntries_SurviveJSON(t *testing.T) {
	for _, d := range []journal.Decision{bought(), {ID: "x", Date: on(2024, 1, 2), Marks: []journal.Mark{{Symbol: "AAPL"}}}} {
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var back journal.Decision
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d, back); diff != "" {
			t.Errorf("%s read back (-want +got):\n%s", text, diff)
		}
	}
}

// FuzzValidate reads hostile documents: nothing panics or takes forever, and what
// is valid can be scored and checked.
func FuzzValidate(f *testing.F) {
	for _, seed := range []any{bought(), watched(), map[string]any{"id": "a", "confidence": "1e999999999", "marks": []any{map[string]string{"symbol": "A", "price": "1e-999999999"}}}} {
		text, err := json.Marshal(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var d journal.Decision
		if json.Unmarshal(text, &d) == nil && d.Validate() == nil {
			if _, err := journal.ScoreOf(d, on(2026, 1, 1), nil, nil); err != nil {
				t.Fatalf("ScoreOf of a valid decision = %v", err)
			}
		}
		var w journal.Watch
		if json.Unmarshal(text, &w) == nil && w.Validate() == nil {
			quote := market.Quote{Instrument: market.Instrument{Symbol: w.Symbol}, Price: dec("10"), Provenance: market.Provenance{Currency: "USD"}}
			if checks, err := journal.Triggered(w, quote); err != nil || len(checks) != len(w.Targets) {
				t.Fatalf("Triggered of a valid watch = %v, %v", checks, err)
			}
		}
	})
}
