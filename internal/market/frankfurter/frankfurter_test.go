package frankfurter_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/frankfurter"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// evening is a Monday, after the day's rates are published.
var evening = time.Date(2026, 4, 13, 18, 0, 0, 0, time.UTC)

func sourceOf(script *markettest.Script) *frankfurter.Source {
	clock := func() time.Time { return evening }
	return frankfurter.New(client.New(client.Options{Transport: script, Now: clock}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Now: clock})
}

func answering(path, body string) *frankfurter.Source {
	return sourceOf(markettest.NewScript(map[string]markettest.Response{path: markettest.JSONResponse(body)}))
}

func day(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func pair(text string) market.Pair { return market.Pair{Base: text[:3], Quote: text[3:]} }

const (
	latestBody = `{"amount":1.0,"base":"EUR","date":"2026-04-13","rates":{"JPY":187.5,"USD":1.25}}`
	// rangeBody starts with the last day before the range, like the service's responses.
	rangeBody = `{"amount":1.0,"base":"EUR","start_date":"2026-04-02","end_date":"2026-04-08","rates":{
		"2026-04-02":{"JPY":180,"USD":1.2},"2026-04-08":{"USD":1.1706},"2026-04-07":{"JPY":165,"USD":1.1}}}`
)

func TestRates_OfARangeAreCutToIt(t *testing.T) {
	s := answering("/v1/2026-04-05..2026-04-08", rangeBody)
	got, err := s.Rates(t.Context(), pair("USDJPY"), market.Range{From: day("2026-04-05"), To: day("2026-04-08")})
	if err != nil {
		t.Fatalf("Rates = %v", err)
	}
	// 165 / 1.1; the eighth has no rate for the yen, and the second is before the range.
	want := market.RateSeries{
		Pair: pair("USDJPY"), Rates: []market.Rate{{Date: day("2026-04-07"), Value: dec("150")}},
		Provenance: market.Provenance{
			Source: "frankfurter", Endpoint: "v1", AsOf: day("2026-04-07"), FetchedAt: evening, Currency: "JPY", Unit: "rate",
			Adjustment: market.AdjustmentUnknown,
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(market.Provenance{}, "License", "Note")); diff != "" {
		t.Errorf("Rates (-want +got):\n%s", diff)
	}
	if !strings.Contains(got.Provenance.Note, "JPY per euro divided by USD per euro") {
		t.Errorf("note %q does not tell how the rate is made", got.Provenance.Note)
	}
}

// The service would return 0.00533 for 0.005333333333.
func TestRates_AreAskedForAgainstTheEuroAndCrossedWithAllDigits(t *testing.T) {
	for _, row := range []struct{ pair, symbols, want string }{
		{"EURUSD", "USD", "1.25"}, {"USDEUR", "USD", "0.8"}, {"USDJPY", "USD,JPY", "150"}, {"JPYUSD", "JPY,USD", "0.006666666667"}, {"JPYEUR", "JPY", "0.005333333333"},
	} {
		body := latestBody
		if !strings.Contains(row.symbols, "JPY") {
			body = strings.Replace(latestBody, `"JPY":187.5,`, "", 1)
		}
		if !strings.Contains(row.symbols, "USD") {
			body = strings.Replace(latestBody, `,"USD":1.25`, "", 1)
		}
		script := markettest.NewScript(map[string]markettest.Response{"/v1/latest": markettest.JSONResponse(body)})
		got, err := sourceOf(script).Rates(t.Context(), pair(row.pair), market.Range{})
		if err != nil || len(got.Rates) != 1 || !got.Rates[0].Value.Equal(dec(row.want)) {
			t.Errorf("Rates(%s) = %+v, %v; want %s", row.pair, got.Rates, err, row.want)
		}
		if q := script.Requests()[0].URL.Query(); q.Get("base") != "EUR" || q.Get("symbols") != row.symbols {
			t.Errorf("Rates(%s) asked for %v, want %s against the euro", row.pair, q, row.symbols)
		}
	}
}

func TestRates_AskForThePeriod(t *testing.T) {
	for _, row := range []struct{ name, from, to, path string }{
		{"newest", "", "", "/v1/latest"},
		{"today", "", "2026-04-13", "/v1/latest"},
		{"a day", "", "2024-01-06", "/v1/2024-01-06"},
		{"a range", "2024-01-01", "2024-02-01", "/v1/2024-01-01..2024-02-01"},
		{"until now", "2024-01-01", "", "/v1/2024-01-01.."},
		{"until the future", "2024-01-01", "2030-01-01", "/v1/2024-01-01.."},
		{"since before the euro", "1980-01-01", "2000-01-01", "/v1/1999-01-04..2000-01-01"},
	} {
		var r market.Range
		if row.from != "" {
			r.From = day(row.from)
		}
		if row.to != "" {
			r.To = day(row.to)
		}
		script := markettest.NewScript(nil)
		_, _ = sourceOf(script).Rates(t.Context(), pair("EURUSD"), r) // the answer does not matter
		if requests := script.Requests(); len(requests) != 1 || requests[0].URL.Path != row.path {
			t.Errorf("%s: asked for %v, want %s", row.name, requests, row.path)
		}
	}
}

func TestRates_OfADayWithoutOneAreThoseBefore(t *testing.T) {
	body := `{"amount":1.0,"base":"EUR","date":"2024-01-05","rates":{"USD":1.0921}}`
	got, err := answering("/v1/2024-01-06", body).Rates(t.Context(), pair("EURUSD"), market.Range{To: day("2024-01-06")})
	if err != nil || len(got.Rates) != 1 || !got.Rates[0].Date.Equal(day("2024-01-05")) || !got.Provenance.AsOf.Equal(day("2024-01-05")) {
		t.Errorf("Rates = %+v, %v; want that of Friday", got, err)
	}
}

func TestRates_WhatCannotBeIsNotAsked(t *testing.T) {
	for _, row := range []struct {
		name string
		pair market.Pair
		r    market.Range
		want error
	}{
		{"in itself", pair("USDUSD"), market.Range{}, market.ErrUnknownSymbol},
		{"no code", market.Pair{Base: "EUR", Quote: "../x"}, market.Range{}, market.ErrUnknownSymbol},
		{"before the euro", pair("EURUSD"), market.Range{To: day("1999-01-01")}, market.ErrNoData},
		{"ends swapped", pair("EURUSD"), market.Range{From: day("2024-01-02"), To: day("2024-01-01")}, market.ErrNoData},
	} {
		script := markettest.NewScript(nil)
		if _, err := sourceOf(script).Rates(t.Context(), row.pair, row.r); !errors.Is(err, row.want) || len(script.Requests()) > 0 {
			t.Errorf("%s: Rates = %v after %d requests, want %v unasked", row.name, err, len(script.Requests()), row.want)
		}
	}
}

func TestRates_ServicesOwnRefusals(t *testing.T) {
	for _, row := range []struct {
		name   string
		status int
		body   string
		want   error
	}{
		{"unknown currency", 404, `{"message":"not found"}`, market.ErrUnknownSymbol},
		{"bad range", 422, `{"message":"invalid date"}`, market.ErrNoData},
		{"another base", 200, strings.Replace(latestBody, `"EUR"`, `"USD"`, 1), market.ErrMalformed},
		{"another amount", 200, strings.Replace(latestBody, "1.0", "10.0", 1), market.ErrMalformed},
		{"a currency unasked", 200, strings.Replace(latestBody, "JPY", "GBP", 1), market.ErrMalformed},
		{"zero", 200, strings.Replace(latestBody, "187.5", "0", 1), market.ErrMalformed},
		{"null", 200, strings.Replace(latestBody, "187.5", "null", 1), market.ErrMalformed},
		{"without end", 200, strings.Replace(latestBody, "187.5", "1e400", 1), market.ErrMalformed},
		{"no rates", 200, `{"amount":1.0,"base":"EUR","date":"2026-04-13"}`, market.ErrMalformed},
		{"no day", 200, `{"amount":1.0,"base":"EUR","rates":{}}`, market.ErrNoData},
		{"no date", 200, strings.Replace(latestBody, "2026-04-13", "today", 1), market.ErrMalformed},
		{"a leg is missing", 200, strings.Replace(latestBody, `"JPY":187.5,`, "", 1), market.ErrNoData},
	} {
		t.Run(row.name, func(t *testing.T) {
			script := markettest.NewScript(map[string]markettest.Response{"/v1/latest": {Status: row.status, Body: []byte(row.body)}})
			if _, err := sourceOf(script).Rates(t.Context(), pair("USDJPY"), market.Range{}); !errors.Is(err, row.want) {
				t.Errorf("Rates = %v, want %v", err, row.want)
			}
		})
	}
}

func TestRates_BadDaysEndInTheirSentinel(t *testing.T) {
	for _, bad := range markettest.BadResponses([]byte(latestBody)) {
		t.Run(bad.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, err := sourceOf(markettest.NewScript(map[string]markettest.Response{"/v1/latest": bad.Response})).Rates(t.Context(), pair("USDJPY"), market.Range{})
				var from *market.SourceError
				if !errors.Is(err, bad.Want) || !errors.As(err, &from) || from.Source != "frankfurter" {
					t.Errorf("Rates = %v, want %v from frankfurter", err, bad.Want)
				}
			})
		})
	}
}

func TestRates_AnOldAnswerStandsInForASilentServerForAMonth(t *testing.T) {
	now := evening
	clock := func() time.Time { return now }
	script := markettest.NewScript(nil).Respond("/v1/latest", markettest.JSONResponse(latestBody), markettest.Response{Status: 500})
	s := frankfurter.New(client.New(client.Options{Transport: script, Now: clock, Dir: t.TempDir()}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Now: clock})
	for _, row := range []struct {
		after time.Duration
		want  market.CacheState
		stale bool
	}{
		{0, market.CacheMiss, false}, {30 * time.Minute, market.CacheHit, false}, {20 * 24 * time.Hour, market.CacheStale, true},
	} {
		now = evening.Add(row.after)
		got, err := s.Rates(t.Context(), pair("USDJPY"), market.Range{})
		if err != nil || got.Provenance.Cache != row.want || got.Provenance.Has(market.FlagStale) != row.stale || !got.Provenance.FetchedAt.Equal(evening) {
			t.Errorf("after %v: Rates with %+v, %v; want %q, stale %v", row.after, got.Provenance, err, row.want, row.stale)
		}
	}
	now = evening.Add(40 * 24 * time.Hour)
	if _, err := s.Rates(t.Context(), pair("USDJPY"), market.Range{}); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("Rates after forty days = %v, want ErrUnavailable", err)
	}
}

func FuzzRates(f *testing.F) {
	f.Add(latestBody)
	f.Add(rangeBody)
	f.Add(`{"message":"not found"}`)
	f.Fuzz(func(t *testing.T, body string) {
		got, err := answering("/v1/2026-04-01..", body).Rates(t.Context(), pair("USDJPY"), market.Range{From: day("2026-04-01")})
		var from *market.SourceError
		if err != nil && !errors.As(err, &from) {
			t.Errorf("error %v is no *market.SourceError", err)
		}
		for i, one := range got.Rates {
			if !one.Value.IsPositive() || i > 0 && !one.Date.After(got.Rates[i-1].Date) {
				t.Errorf("rate %s of %v", one.Value, one.Date)
			}
		}
	})
}
