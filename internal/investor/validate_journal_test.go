package investor_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
)

func watchedSymbol() investor.WatchedSymbol {
	return investor.WatchedSymbol{Symbol: "BRK.B", Added: date(2024, 1, 2), Note: "wait for a fall", Targets: []investor.PriceTarget{
		{Side: investor.Below, Price: journalDec("300"), Currency: "USD"}, {Side: investor.Above, Price: journalDec("500.5"), Currency: "USD"},
	}}
}

func TestEntries_ThatAreCompleteAreValid(t *testing.T) {
	bare := investor.Decision{ID: "x", Date: date(2024, 1, 2), Action: investor.ActionOther, Assets: []investor.PricedAsset{{Symbol: "AAPL"}}, Thesis: "a", Invalidation: "b"}
	for name, err := range map[string]error{
		"watch": watchedSymbol().Validate(), "decision": buyDecision().Validate(), "bare watch": investor.WatchedSymbol{Symbol: "X", Added: date(2024, 1, 1)}.Validate(), "bare decision": bare.Validate(),
	} {
		if err != nil {
			t.Errorf("Validate of a %s = %v", name, err)
		}
	}
}

func TestWatchedSymbol_WhatCannotBeIsRefused(t *testing.T) {
	for _, row := range []struct {
		name, want string
		spoil      func(*investor.WatchedSymbol)
	}{
		{"missing symbol", "empty", func(w *investor.WatchedSymbol) { w.Symbol = "" }},
		{"another spelling", "must be written BRK.B", func(w *investor.WatchedSymbol) { w.Symbol = "brk-b" }},
		{"no day", "the date is missing", func(w *investor.WatchedSymbol) { w.Added = time.Time{} }},
		{"an hour", "must be midnight UTC", func(w *investor.WatchedSymbol) { w.Added = w.Added.Add(time.Hour) }},
		{"year 1", "in the year 1", func(w *investor.WatchedSymbol) { w.Added = date(1, 2, 3) }},
		{"escape sequence", "control characters", func(w *investor.WatchedSymbol) { w.Note = "\x1b[2J" }},
		{"turned writing", "control characters", func(w *investor.WatchedSymbol) { w.Note = "\u202eabc" }},
		{"not text", "not UTF-8", func(w *investor.WatchedSymbol) { w.Note = "\xff" }},
		{"a long note", "longer than", func(w *investor.WatchedSymbol) { w.Note = strings.Repeat("a", 8001) }},
		{"no side", "must be above or below", func(w *investor.WatchedSymbol) { w.Targets[0].Side = "" }},
		{"price of nothing", "above zero", func(w *investor.WatchedSymbol) { w.Targets[0].Price = decimal.Zero }},
		{"endless price", "too many digits", func(w *investor.WatchedSymbol) { w.Targets[0].Price = decimal.New(1, 999999999) }},
		{"pence", "not a currency", func(w *investor.WatchedSymbol) { w.Targets[0].Currency = "GBp" }},
		{"twice", "twice", func(w *investor.WatchedSymbol) { w.Targets[1] = w.Targets[0] }},
		{"too many", "more than 20", func(w *investor.WatchedSymbol) { w.Targets = make([]investor.PriceTarget, 21) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := watchedSymbol()
			row.spoil(&w)
			if err := w.Validate(); !errors.Is(err, investor.ErrInvalidEntry) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("Validate = %v, want ErrInvalid with %q", err, row.want)
			}
		})
	}
}

func TestDecision_WhatCannotBeIsRefused(t *testing.T) {
	for _, row := range []struct {
		name, want string
		spoil      func(*investor.Decision)
	}{
		{"no ID", "an ID has", func(d *investor.Decision) { d.ID = "" }},
		{"ID with a slash", "an ID has", func(d *investor.Decision) { d.ID = "../a" }},
		{"no action", "action must be one of", func(d *investor.Decision) { d.Action = "" }},
		{"missing thesis", "missing thesis", func(d *investor.Decision) { d.Thesis = " \n" }},
		{"no disproof", "missing disproof", func(d *investor.Decision) { d.Invalidation = "" }},
		{"missing symbol", "missing symbol", func(d *investor.Decision) { d.Assets = nil }},
		{"too many", "more than 50", func(d *investor.Decision) { d.Assets = make([]investor.PricedAsset, 51) }},
		{"twice", "twice", func(d *investor.Decision) { d.Assets = append(d.Assets, d.Assets[0]) }},
		{"with itself", "with itself", func(d *investor.Decision) { d.Benchmark = &d.Assets[0] }},
		{"confidence in per cent", "0.7 for 70%", func(d *investor.Decision) { d.Confidence = knownPrice("70") }},
		{"endless confidence", "0.7 for 70%", func(d *investor.Decision) { d.Confidence = decimal.NewNullDecimal(decimal.New(1, -999999999)) }},
		{"outcome of an open one", "no closing date", func(d *investor.Decision) { d.Outcome = "went well" }},
		{"review before", "the review date is before", func(d *investor.Decision) { d.ReviewOn = date(2023, 1, 1) }},
		{"closed before", "the closing date is before", func(d *investor.Decision) { d.Closed = date(2023, 1, 1) }},
		{"review at noon", "must be midnight UTC", func(d *investor.Decision) { d.ReviewOn = d.ReviewOn.Add(12 * time.Hour) }},
		{"price without source", "no source", func(d *investor.Decision) { d.Assets[0].Source = "" }},
		{"price without date", "date of the price is missing", func(d *investor.Decision) { d.Assets[0].AsOf = time.Time{} }},
		{"price of the future", "after the decision", func(d *investor.Decision) { d.Assets[0].AsOf = date(2023, 3, 2) }},
		{"currency without price", "no price", func(d *investor.Decision) { d.Assets[0].Price = decimal.NullDecimal{} }},
		{"benchmark priced below zero", "above zero", func(d *investor.Decision) { d.Benchmark.Price = knownPrice("-1") }},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := buyDecision()
			row.spoil(&d)
			if err := d.Validate(); !errors.Is(err, investor.ErrInvalidEntry) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("Validate = %v, want ErrInvalid with %q", err, row.want)
			}
		})
	}
}

func TestEntries_SurviveJSON(t *testing.T) {
	for _, d := range []investor.Decision{buyDecision(), {ID: "x", Date: date(2024, 1, 2), Assets: []investor.PricedAsset{{Symbol: "AAPL"}}}} {
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var back investor.Decision
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
	for _, seed := range []any{buyDecision(), watchedSymbol(), map[string]any{"id": "a", "confidence": "1e999999999", "marks": []any{map[string]string{"symbol": "A", "price": "1e-999999999"}}}} {
		text, err := json.Marshal(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var d investor.Decision
		if json.Unmarshal(text, &d) == nil && d.Validate() == nil {
			if _, err := investor.ScoreDecision(d, date(2026, 1, 1), nil, nil); err != nil {
				t.Fatalf("ScoreOf of a valid decision = %v", err)
			}
		}
		var w investor.WatchedSymbol
		if json.Unmarshal(text, &w) == nil && w.Validate() == nil {
			quote := market.Quote{Instrument: market.Instrument{Symbol: w.Symbol}, Price: journalDec("10"), Provenance: market.Provenance{Currency: "USD"}}
			if checks, err := investor.CheckTargets(w, quote); err != nil || len(checks) != len(w.Targets) {
				t.Fatalf("Triggered of a valid watch = %v, %v", checks, err)
			}
		}
	})
}
