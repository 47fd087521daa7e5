package feed_test

import (
	"context"
	"errors"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
)

// countingSource knows no symbol and counts the calls.
type countingSource struct{ asked int }

func (c *countingSource) Quote(context.Context, market.Symbol) (market.Quote, error) {
	c.asked++
	return market.Quote{}, &market.SourceError{Source: "test", Err: market.ErrUnknownSymbol}
}

func (c *countingSource) Bars(context.Context, market.Symbol, market.Range) (market.Series, error) {
	c.asked++
	return market.Series{}, &market.SourceError{Source: "test", Err: market.ErrUnknownSymbol}
}

func (c *countingSource) Quotes(_ context.Context, symbols []market.Symbol) (map[market.Symbol]market.Quote, error) {
	c.asked += len(symbols)
	return nil, nil
}

// C18: an unknown symbol is requested only once.
func TestRememberUnknown_NoSymbolIsAskedForTwice(t *testing.T) {
	source := &countingSource{}
	known := feed.RememberUnknown("test", source)
	for range 3 {
		if _, err := known.Quote(t.Context(), "NOSUCH1"); !errors.Is(err, market.ErrUnknownSymbol) {
			t.Errorf("Quote = %v, want ErrUnknownSymbol", err)
		}
		if _, err := known.Bars(t.Context(), "NOSUCH1", market.Range{}); !errors.Is(err, market.ErrUnknownSymbol) {
			t.Errorf("Bars = %v, want ErrUnknownSymbol", err)
		}
	}
	if source.asked != 1 {
		t.Errorf("asked %d times, want once", source.asked)
	}
	batch, ok := known.(market.BatchQuoteSource)
	if !ok {
		t.Fatal("a source of many quotes is none any more")
	}
	if _, err := batch.Quotes(t.Context(), []market.Symbol{"NOSUCH1", "OTHER"}); err != nil || source.asked != 2 {
		t.Errorf("Quotes = %v after %d symbols, want only the other asked", err, source.asked)
	}
}
