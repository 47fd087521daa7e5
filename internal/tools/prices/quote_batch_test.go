package prices_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/prices"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// batched returns dependencies whose quotes come in batches.
func batched(t *testing.T, err error, omits ...market.Symbol) (prices.Deps, *toolstest.BatchQuotes) {
	t.Helper()
	day := toolstest.MustDay("2026-11-19")
	d := depsOf(t, markettest.Daily("VTI", day, "100", "101"), markettest.Daily("BND", day, "80", "81"), markettest.Daily("GLD", day, "50", "51"))
	b := &toolstest.BatchQuotes{QuoteSource: d.Quotes, Err: err, Omits: omits}
	d.Quotes = b
	return d, b
}

func TestQuote_ManySymbolsAreOneRequest(t *testing.T) {
	d, b := batched(t, nil, "GLD")
	_, got := group.CallOK(t, d, "quote", args{"symbols": []string{"VTI", "bnd", "VTI of the test", "GLD", "NOPE"}})
	if diff := cmp.Diff([]string{"VTI", "BND", "GLD"}, toolstest.Rows(t, got, "quotes", "symbol")); diff != "" {
		t.Errorf("symbols (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][]market.Symbol{{"VTI", "BND", "GLD", "NOPE"}}, b.Batches()); diff != "" {
		t.Errorf("requests for many (-want +got):\n%s", diff)
	}
	// Only the symbols missing from the batch.
	if diff := cmp.Diff([]market.Symbol{"GLD", "NOPE"}, b.Singles()); diff != "" {
		t.Errorf("requested one by one (-want +got):\n%s", diff)
	}
	if errs := got["errors"].([]any); len(errs) != 1 || errs[0].(map[string]any)["symbol"] != "NOPE" {
		t.Errorf("errors = %v, want only NOPE", errs)
	}
}

func TestQuote_AFailedBatchLosesNoSymbol(t *testing.T) {
	d, b := batched(t, fmt.Errorf("status 500: %w", market.ErrUnavailable))
	_, got := group.CallOK(t, d, "quote", args{"symbols": []string{"VTI", "BND"}})
	if diff := cmp.Diff([]string{"VTI", "BND"}, toolstest.Rows(t, got, "quotes", "symbol")); diff != "" {
		t.Errorf("symbols (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]market.Symbol{"BND", "VTI"}, b.Singles()); diff != "" {
		t.Errorf("requested one by one (-want +got):\n%s", diff)
	}
}

func TestQuote_OneSymbolIsNotABatch(t *testing.T) {
	d, b := batched(t, nil)
	group.CallOK(t, d, "quote", args{"symbols": []string{"VTI"}})
	if len(b.Batches()) > 0 {
		t.Errorf("one symbol was requested as a batch: %v", b.Batches())
	}
}

// fixedQuote is a source with one quote.
type fixedQuote market.Quote

func (f fixedQuote) Quote(context.Context, market.Symbol) (market.Quote, error) {
	return market.Quote(f), nil
}

func liveQuote(t *testing.T, p market.Provenance) fixedQuote {
	t.Helper()
	return fixedQuote{Instrument: market.Instrument{Symbol: "VTI", Name: "Total Market", Kind: "fund"}, Price: decimal.RequireFromString("312.4"), Provenance: p}
}

func TestQuote_ShowsDelaySessionAndMinorUnits(t *testing.T) {
	d := depsOf(t)
	p := market.Provenance{
		Source: "a source", AsOf: toolstest.Clock(t, "2026-11-20T10:15:00Z")(), Currency: "GBP", QuotedCurrency: "GBp",
		Phase: market.PhasePre, DelayMinutes: 15, Flags: []market.Flag{market.FlagDelayed, market.FlagStale, market.FlagConverted},
	}
	d.Quotes = liveQuote(t, p)
	res, got := group.CallOK(t, d, "quote", args{"symbol": "VTI"})
	toolstest.WantFields(t, got["quotes"].([]any)[0].(map[string]any), map[string]any{
		"session": "pre", "delay_min": 15.0, "quoted_currency": "GBp", "currency": "GBP", "as_of": "2026-11-20T10:15:00Z",
	})
	for _, part := range []string{"312.40", "stale", "delayed 15 min", "pre-market"} {
		if !strings.Contains(res.UserText(), part) {
			t.Errorf("people read %q, want %q in it", res.UserText(), part)
		}
	}
}

func TestQuote_APriceOfNoCurrencySaysSo(t *testing.T) {
	d := depsOf(t)
	d.Quotes = liveQuote(t, market.Provenance{Source: "a source", AsOf: toolstest.MustDay("2026-11-20"), Unit: "price"})
	res, _ := group.CallOK(t, d, "quote", args{"symbol": "VTI"})
	if !strings.Contains(res.Summary, "312.40 of unknown currency") || toolstest.Figure(t, res, "quotes.0.price").Unit != "of unknown currency" {
		t.Errorf("a price without a currency reads %q", res.Summary)
	}
}

// A live source has only the current price.
func TestQuote_WithTheClockSetBackThePriceIsOfTheBars(t *testing.T) {
	d := depsOf(t, markettest.Daily("VTI", toolstest.MustDay("2024-06-26"), "100", "101", "102", "103"))
	d.Quotes = liveQuote(t, market.Provenance{
		Source: "a source", AsOf: toolstest.MustDay("2026-11-20"), Currency: "USD", Phase: market.PhaseRegular, DelayMinutes: 15, Flags: []market.Flag{market.FlagDelayed},
	})
	d.Now = toolstest.Clock(t, "2024-06-28T23:00:00Z")
	_, got := group.CallOK(t, d, "quote", args{"symbol": "VTI"})
	line := got["quotes"].([]any)[0].(map[string]any)
	toolstest.WantFields(t, line, map[string]any{"price": "102", "as_of": "2024-06-28", "change": "1", "flags": []any{}, "source": "markettest"})
	if line["session"] != nil || line["delay_min"] != nil || line["note"] == nil {
		t.Errorf("a price of the past = %v, want nothing of what the exchange does now, and the scale of the price", line)
	}
}

// With the clock set back, no current prices are fetched, neither in a batch nor one by one.
func TestQuote_AReplayFetchesNoCurrentPrice(t *testing.T) {
	d, b := batched(t, nil)
	d.Replay, d.Now = true, toolstest.Clock(t, "2026-11-19T23:00:00Z")
	_, got := group.CallOK(t, d, "quote", args{"symbols": []string{"VTI", "BND"}})
	toolstest.WantFields(t, got["quotes"].([]any)[1].(map[string]any), map[string]any{
		"symbol": "BND", "price": "80", "as_of": "2026-11-19", "note": "prices are adjusted for splits and dividends up to today",
	})
	if requests := b.Singles(); len(requests)+len(b.Batches()) > 0 {
		t.Errorf("asked for %v and %v, want nobody asked", requests, b.Batches())
	}
}
