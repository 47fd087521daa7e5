package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
)

// storePrices stores the prices of the sample data in a data folder, as if Yahoo Finance had delivered them
// earlier. Sample data itself never prices a portfolio.
func storePrices(folder string) error {
	raw, err := storedPrices()
	if err != nil {
		return err
	}
	cache := filepath.Join(folder, "cache")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(cache, "bars.db"), raw, 0o600)
}

// storedPrices returns the file of stored prices.
var storedPrices = sync.OnceValues(func() (raw []byte, err error) {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	ctx, sample := context.Background(), feed.NewSampleSource()
	instruments, err := sample.Instruments(ctx)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "bars.db")
	store := app.NewBarStore(path, time.Now, func(string) {})
	for _, i := range instruments {
		series, err := sample.Bars(ctx, i.Symbol, market.Range{})
		if errors.Is(err, market.ErrNoData) || errors.Is(err, market.ErrUnknownSymbol) {
			continue // only its statements are in the sample
		}
		if err != nil {
			return nil, errors.Join(err, store.Close())
		}
		series.Provenance.Source, series.Provenance.Flags = "yahoo", nil
		record := market.StoredBars{Series: series, Last: series.Bars[len(series.Bars)-1].Date}
		if err := store.Save(ctx, market.BarKey{Source: "yahoo", Symbol: i.Symbol}, record, market.Date{}); err != nil {
			return nil, errors.Join(err, store.Close())
		}
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// withStoredPrices is storePrices for tests.
func withStoredPrices(t *testing.T, folder string) {
	t.Helper()
	if err := storePrices(folder); err != nil {
		t.Fatal(err)
	}
}

// scriptPrices implements the script command "prices".
func scriptPrices(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: prices")
	}
	ts.Check(storePrices(filepath.Join(ts.Getenv("HOME"), ".nfa")))
}
