package sqlite_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestBars_WhatAnEarlierProgramReadWronglyIsFetchedAnew(t *testing.T) {
	path := barsPath(t)
	store := openBars(t, path)
	save(t, store, markettest.StoredBars(on(2020, 6, 1), 5), market.Date{})
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	execute(t, path, "PRAGMA user_version = 1")
	store = openBars(t, path)
	if rec, ok, err := store.Load(t.Context(), vti, market.Range{}); ok || err != nil {
		t.Errorf("Load of what version 1 kept = %v, %v, %v, want nothing", rec, ok, err)
	}
	save(t, store, markettest.StoredBars(on(2020, 6, 1), 5), market.Date{})
	load(t, store, market.Range{})
}

// An older version recorded no splits if a dividend was in another currency, and left a note.
func TestBars_WithoutSplitsBecauseOfAForeignDividendAreFetchedAnew(t *testing.T) {
	path := barsPath(t)
	store := openBars(t, path)
	foreign, other := markettest.StoredBars(on(2020, 6, 1), 5), markettest.StoredBars(on(2020, 6, 1), 5)
	foreign.Series.Actions, other.Series.Actions = nil, nil
	foreign.Series.Provenance.Note = "Some dividends are told in USD and not in the currency of the prices: none are given, and no total return can be made of this."
	other.Series.Provenance.Note = "Price index: dividends of its members are not included."
	keys := []market.BarKey{{Source: "yahoo", Symbol: "HSBA.L"}, {Source: "yahoo", Symbol: "^GSPC"}}
	for i, rec := range []market.StoredBars{foreign, other} {
		if err := store.Save(t.Context(), keys[i], rec, market.Date{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	execute(t, path, "PRAGMA user_version = 2")
	store = openBars(t, path)
	for i, want := range []bool{false, true} {
		if _, ok, err := store.Load(t.Context(), keys[i], market.Range{}); ok != want || err != nil {
			t.Errorf("Load of %s as version 2 kept it = %v, %v, want %v", keys[i].Symbol, ok, err, want)
		}
	}
}
