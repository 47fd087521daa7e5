package market_test

import (
	"errors"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
)

func TestRestrictCoverage_WhatIsNotDealtInIsNotAskedFor(t *testing.T) {
	var calls []string
	coins := market.RestrictCoverage("coins", fakeSource{name: "coins", calls: &calls}, func(sym market.Symbol) bool {
		_, ok := sym.CoinPair()
		return ok
	})
	_, quoteErr := coins.Quote(t.Context(), "AAPL")
	_, barsErr := coins.Bars(t.Context(), "AAPL", market.Range{})
	if !errors.Is(quoteErr, market.ErrNotCovered) || !errors.Is(barsErr, market.ErrNotCovered) || len(calls) != 0 {
		t.Errorf("AAPL of coins = %v, %v after %v; want ErrNotCovered and nothing asked", quoteErr, barsErr, calls)
	}
	if q, err := coins.Quote(t.Context(), "BTC-USD"); err != nil || q.Provenance.Source != "coins" {
		t.Errorf("BTC-USD = %v, %v", q.Provenance.Source, err)
	}
}
