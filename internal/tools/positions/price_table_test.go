package positions_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// singleSeries is a source with another series for one symbol.
type singleSeries struct {
	market.BarSource
	series market.Series
}

func (o singleSeries) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	if sym != o.series.Symbol {
		return o.BarSource.Bars(ctx, sym, r)
	}
	s := o.series.Within(r)
	if len(s.Bars) == 0 {
		return s, market.ErrNoData
	}
	return s, nil
}

// quoteStub returns the same quote for every symbol, and counts the requests.
type quoteStub struct {
	quote market.Quote
	err   error
	calls int
}

func (q *quoteStub) Quote(_ context.Context, sym market.Symbol) (market.Quote, error) {
	q.calls++
	q.quote.Symbol = sym
	return q.quote, q.err
}

// quoted returns a quote at a time on June 28, 2024, or on another day.
func quoted(price, currency, at string) market.Quote {
	asOf, err := time.Parse(time.RFC3339, at)
	if err != nil {
		panic(err)
	}
	return market.Quote{Price: toolstest.MustDecimal(price), Provenance: market.Provenance{Source: "exchange", Currency: currency, AsOf: asOf, FetchedAt: asOf}}
}

func priceOf(t *testing.T, d positions.Deps, sym market.Symbol) (positions.Price, error) {
	t.Helper()
	priced, err := d.FetchPrices(t.Context(), []market.Symbol{sym}, portfoliotest.Day("2024-06-24"))
	if err != nil {
		t.Fatal(err)
	}
	p, ok := priced.Prices[sym]
	if failed := priced.Missing[sym]; ok == (failed != nil) {
		t.Fatalf("PricesOf(%s) = a price %v and the reason %v; want one of both", sym, ok, failed)
	}
	return p, priced.Missing[sym]
}

// VTI closed at 120 on June 28 and at 115 the day before.
func TestFetchPrices_TheNewestThatWasKnownCounts(t *testing.T) {
	for _, tc := range []struct {
		name   string
		quote  market.Quote
		err    error
		price  string
		before string
		source string
	}{
		{"a newer quote", quoted("121", "USD", "2024-06-28T19:00:00Z"), nil, "121", "115", "exchange"},
		{"one of the same time", quoted("121", "USD", "2024-06-28T00:00:00Z"), nil, "121", "115", "exchange"},
		{"an older quote", quoted("90", "USD", "2024-06-27T19:00:00Z"), nil, "120", "115", "markettest"},
		{"one in another currency", quoted("9000", "GBp", "2024-06-28T19:00:00Z"), nil, "120", "115", "markettest"},
		{"one of after the clock", quoted("130", "USD", "2024-06-29T19:00:00Z"), nil, "120", "115", "markettest"},
		{"a source that is down", market.Quote{}, errors.New("no network"), "120", "115", "markettest"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newTestDeps(t)
			d.Quotes = &quoteStub{quote: tc.quote, err: tc.err}
			p, err := priceOf(t, d, "VTI")
			if err != nil || p.Value.String() != tc.price || p.Provenance.Source != tc.source || p.Previous.Decimal.String() != tc.before || !p.Previous.Valid {
				t.Errorf("price = %s of %s after %s, %v; want %s of %s after %s", p.Value, p.Provenance.Source, p.Previous.Decimal, err, tc.price, tc.source, tc.before)
			}
			if len(p.Series.Bars) != 5 {
				t.Errorf("%d closes; want all five, whichever price counts", len(p.Series.Bars))
			}
		})
	}
}

func TestFetchPrices_AQuoteThatTellsThePriceBeforeIsTakenAtItsWord(t *testing.T) {
	d := newTestDeps(t)
	q := quoted("121", "USD", "2024-06-28T19:00:00Z")
	q.Previous, q.PreviousAsOf = decimal.NewNullDecimal(toolstest.MustDecimal("118")), portfoliotest.Day("2024-06-27")
	d.Quotes = &quoteStub{quote: q}
	if p, err := priceOf(t, d, "VTI"); err != nil || p.Previous.Decimal.String() != "118" || !p.PreviousAsOf.Equal(portfoliotest.Day("2024-06-27")) {
		t.Errorf("price before = %s of %v, %v; want 118 of the quote", p.Previous.Decimal, p.PreviousAsOf, err)
	}
}

// With the clock set back no quote is requested, because it would be of another time.
func TestFetchPrices_AReplayAsksForNoQuote(t *testing.T) {
	d, err := newTestDeps(t).AsOf("2024-06-27")
	if err != nil {
		t.Fatal(err)
	}
	q := &quoteStub{quote: quoted("1", "USD", "2024-06-27T12:00:00Z")}
	d.Quotes = q
	if p, err := priceOf(t, d, "VTI"); err != nil || p.Value.String() != "460" || q.calls > 0 {
		t.Errorf("price of 2024-06-27 = %s, %v, quotes asked %d times; want 4 x 115 and none", p.Value, err, q.calls)
	}
	if _, err := priceOf(t, d, "NEW"); !errors.Is(err, market.ErrUnknownSymbol) || q.calls > 0 {
		t.Errorf("price of what has no bars = %v, quotes asked %d times; want why, and none", err, q.calls)
	}
}

func TestFetchPrices_WhatHasAQuoteAlone(t *testing.T) {
	d := newTestDeps(t)
	d.Quotes = &quoteStub{quote: quoted("7", "USD", "2024-06-28T19:00:00Z")}
	if p, err := priceOf(t, d, "NEW"); err != nil || p.Value.String() != "7" || p.Previous.Valid || len(p.Series.Bars) > 0 {
		t.Errorf("price = %s after %v, %v; want 7 after nothing that is known", p.Value, p.Previous, err)
	}
	d.Quotes = &quoteStub{quote: quoted("7", "USD", "2024-06-29T19:00:00Z")}
	if _, err := priceOf(t, d, "NEW"); !errors.Is(err, market.ErrNoData) {
		t.Errorf("price of a quote of tomorrow = %v; want ErrNoData", err)
	}
	d.Quotes = nil
	if _, err := priceOf(t, d, "NEW"); !errors.Is(err, market.ErrUnknownSymbol) {
		t.Errorf("price without a source of quotes = %v; want why there are no closes", err)
	}
}

func TestFetchPrices_OneThatFailsSpoilsNoOther(t *testing.T) {
	symbols := []market.Symbol{"NO1", "VTI", "NO2", "SAP", "NO3", "NO4", "NO5", "NO6"}
	priced, err := newTestDeps(t).FetchPrices(t.Context(), symbols, portfoliotest.Day("2024-06-24"))
	if err != nil || len(priced.Prices) != 2 || len(priced.Missing) != 6 {
		t.Fatalf("PricesOf = %d prices, %d missing, %v; want 2 and 6", len(priced.Prices), len(priced.Missing), err)
	}
	for sym, want := range map[market.Symbol]string{"VTI": "120 USD", "SAP": "150 EUR"} {
		if p := priced.Prices[sym]; p.Value.String()+" "+p.Provenance.Currency != want {
			t.Errorf("%s = %s %s; want %s", sym, p.Value, p.Provenance.Currency, want)
		}
	}
	none, err := newTestDeps(t).FetchPrices(t.Context(), nil, portfoliotest.Day("2024-06-24"))
	if err != nil || none.Prices == nil || none.Missing == nil {
		t.Errorf("PricesOf nothing = %+v, %v; want two empty maps", none, err)
	}
}

// Twenty years of closes up to the day of the call are requested, and no others.
func TestFetchPrices_ClosesAreSinceTheDayOfTheCall(t *testing.T) {
	priced, err := newTestDeps(t).FetchPrices(t.Context(), []market.Symbol{"SAP"}, portfoliotest.Day("2024-06-26"))
	if err != nil {
		t.Fatal(err)
	}
	bars := priced.Prices["SAP"].Series.Bars
	if len(bars) != 3 || !bars[0].Date.Equal(portfoliotest.Day("2024-06-26")) {
		t.Errorf("closes = %v; want three, the first of 2024-06-26", bars)
	}
}

// A position without recent closes is priced by its last quote, and the portfolio reports the date
// of its oldest price.
func TestValue_AsOfIsTheDayOfTheOldestPrice(t *testing.T) {
	first := portfoliotest.Day("2024-06-24")
	d := newTestDeps(t, toolstest.Buy("3", "us", "OLD", "1", "10", "USD", "2024-06-24"))
	d.Bars, d.Quotes = singleSeries{d.Bars, markettest.Daily("OLD", first, "10")}, nil
	if v := valued(t, d, ""); !v.AsOf.Equal(first) || !v.Day.Equal(portfoliotest.Day("2024-06-28")) {
		t.Errorf("as of %v on %v; want the day of the one close of OLD", v.AsOf, v.Day)
	}
	if v := valued(t, d, "", "de"); !v.AsOf.Equal(portfoliotest.Day("2024-06-28")) {
		t.Errorf("as of %v without OLD; want today", v.AsOf)
	}
}

// Both prices are for the shares of the day: 110 and 115 were 440 and 460 before four for one, the same
// rise of 4.5%.
func TestFetchPrices_ThePriceBeforeIsOnTheScaleOfTheDay(t *testing.T) {
	d, err := newTestDeps(t).AsOf("2024-06-27")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := priceOf(t, d, "VTI"); err != nil || p.Previous.Decimal.String() != "440" {
		t.Errorf("price before that of 2024-06-27 = %s, %v; want 440", p.Previous.Decimal, err)
	}
	if p, err := priceOf(t, newTestDeps(t), "VTI"); err != nil || p.Previous.Decimal.String() != "115" {
		t.Errorf("price before that of the day of the split = %s, %v; want 115, as the source has it", p.Previous.Decimal, err)
	}
}

// Prices as traded: 480 on the evening before four for one, and 121 on the day.
func TestFetchPrices_ThePriceBeforeASplitIsOfTheSharesOfTheQuote(t *testing.T) {
	raw := markettest.Daily("VTI", portfoliotest.Day("2024-06-27"), "480", "120")
	raw.Provenance.Adjustment = market.AdjustmentRaw
	raw.Actions = []market.Action{{Kind: market.ActionSplit, Date: portfoliotest.Day("2024-06-28"), New: toolstest.MustDecimal("4"), Old: toolstest.MustDecimal("1")}}
	d := newTestDeps(t)
	d.Bars, d.Quotes = singleSeries{d.Bars, raw}, &quoteStub{quote: quoted("121", "USD", "2024-06-28T19:00:00Z")}
	if p, err := priceOf(t, d, "VTI"); err != nil || p.Value.String() != "121" || p.Previous.Decimal.String() != "120" {
		t.Errorf("price %s after %s, %v; want 121 after 120", p.Value, p.Previous.Decimal, err)
	}
}

// If there is no price at all, the error of the quote source is reported.
func TestFetchPrices_WithoutClosesTheQuotesErrorIsTheReason(t *testing.T) {
	d, down := newTestDeps(t), errors.New("no network")
	d.Quotes = &quoteStub{err: down}
	if _, err := priceOf(t, d, "NEW"); !errors.Is(err, down) || errors.Is(err, market.ErrNoData) {
		t.Errorf("price of NEW = %v; want %v", err, down)
	}
}
