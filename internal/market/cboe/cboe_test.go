package cboe_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/cboe"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

const (
	// base is the server's URL in these tests; responses come from memory.
	base      = "http://127.0.0.1"
	quotePath = "/api/global/delayed_quotes/quotes/AAA.json"
	barsPath  = "/api/global/delayed_quotes/charts/historical/AAA.json"
)

// noon is a Friday, before New York opens.
var noon = time.Date(2026, 9, 25, 12, 0, 0, 0, time.UTC)

func sourceOf(carrier http.RoundTripper, now time.Time) *cboe.Source {
	clock := func() time.Time { return now }
	return cboe.New(client.New(client.Options{Transport: carrier, Now: clock}), client.ProviderOptions{BaseURL: base, Now: clock})
}

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// Older files have numbers as strings, others as numbers.
const (
	barsBody = `{"symbol":"AAA","data":[
		{"date":"2026-09-17","open":"10.00","high":"11.00","low":"9.50","close":"10.50","volume":"1000"},
		{"date":"2026-09-18","open":10.5,"high":11.25,"low":10,"close":11,"volume":2000.0},
		{"date":"2026-09-21","open":11,"high":11,"low":11,"close":11,"volume":0},
		{"date":"2026-09-22","open":11,"high":12,"low":11,"close":12,"volume":10},
		{"date":"2026-09-23","open":12,"high":12,"low":11,"close":11.5,"volume":10},
		{"date":"2026-09-24","open":11.5,"high":13,"low":11,"close":12.5,"volume":10}]}`
	quoteBody = `{"timestamp":"2026-09-24 20:15:02","symbol":"AAA","data":{"symbol":"AAA","security_type":"stock","exchange_id":5,
		"current_price":12.5,"price_change":1.0,"bid":12.4,"ask":12.6,"open":11.5,"high":13.0,"low":11.0,"close":12.5,"prev_day_close":11.5,
		"volume":10,"iv30":20.1,"seqno":1,"last_trade_time":"2026-09-24T15:59:58","tick":"up"}}`
	// The file server's response for a missing file.
	denied = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>`
)

func answering() *markettest.Script {
	unknown := markettest.Response{Status: 403, Body: []byte(denied)}
	return markettest.NewScript(map[string]markettest.Response{
		quotePath: markettest.JSONResponse(quoteBody), barsPath: markettest.JSONResponse(barsBody),
		strings.Replace(quotePath, "AAA", "ZZZ", 1): unknown, strings.Replace(barsPath, "AAA", "ZZZ", 1): unknown,
	})
}

func TestSource_KeepsTheContractOfPrices(t *testing.T) {
	markettest.RunPrices(t, func(*testing.T) markettest.PriceSubject {
		return markettest.PriceSubject{Source: sourceOf(answering(), noon), Listed: "AAA"}
	})
}

func TestSource_AFileThatIsDeniedIsNotThere(t *testing.T) {
	s := sourceOf(answering(), noon)
	_, quoteErr := s.Quote(t.Context(), "ZZZ")
	_, barsErr := s.Bars(t.Context(), "ZZZ", market.Range{})
	for call, err := range map[string]error{"Quote": quoteErr, "Bars": barsErr} {
		if !errors.Is(err, market.ErrUnknownSymbol) {
			t.Errorf("%s of a denied file = %v, want ErrUnknownSymbol", call, err)
		}
	}
}

func TestQuote_SaysHowOldItIs(t *testing.T) {
	q, err := sourceOf(answering(), noon).Quote(t.Context(), "AAA")
	if err != nil {
		t.Fatalf("Quote = %v", err)
	}
	want := market.Quote{
		Instrument: market.Instrument{Symbol: "AAA", Name: "AAA", Kind: "equity"},
		Price:      dec("12.5"), Previous: decimal.NewNullDecimal(dec("11.5")),
		Provenance: market.Provenance{
			Source: "cboe", Endpoint: "quotes", License: q.Provenance.License, Currency: "USD", Unit: "price", Adjustment: market.AdjustmentUnknown,
			// 15:59:58 in New York, in summer.
			AsOf: time.Date(2026, 9, 24, 19, 59, 58, 0, time.UTC), FetchedAt: noon, DelayMinutes: 15, Flags: []market.Flag{market.FlagDelayed},
		},
	}
	if diff := cmp.Diff(want, q); diff != "" {
		t.Errorf("quote (-want +got):\n%s", diff)
	}
	if q, err := sourceOf(answering(), noon.AddDate(0, 0, 1)).Quote(t.Context(), "AAA"); err != nil || !q.Provenance.Has(market.FlagStale) {
		t.Errorf("a session later: flags %v, %v; want stale", q.Provenance.Flags, err)
	}
}

func TestBars_OfTheSessionUnderWayAreProvisional(t *testing.T) {
	for hour, want := range map[int]bool{20: true, 21: false} { // 16:00 and 17:00 in New York
		got, err := sourceOf(answering(), time.Date(2026, 9, 24, hour, 0, 0, 0, time.UTC)).Bars(t.Context(), "AAA", market.Range{})
		if err != nil || got.Provenance.Has(market.FlagProvisional) != want {
			t.Errorf("at %d h UTC: provisional = %v, %v; want %v", hour, got.Provenance.Has(market.FlagProvisional), err, want)
		}
	}
}

// Cboe's files contain zeros, and prices outside high and low.
func TestBars_DaysThatCannotBeAreLeftOutAndFlagged(t *testing.T) {
	for name, odd := range map[string]string{
		"open of zero":       `{"date":"2026-09-23","open":0,"high":12,"low":11,"close":11.5,"volume":1}`,
		"open below zero":    `{"date":"2026-09-23","open":-3,"high":12,"low":11,"close":11.5,"volume":1}`,
		"no close":           `{"date":"2026-09-23","open":12,"high":12,"low":11,"close":null,"volume":1}`,
		"high below close":   `{"date":"2026-09-23","open":11,"high":11.2,"low":11,"close":11.5,"volume":1}`,
		"low above open":     `{"date":"2026-09-23","open":11,"high":12,"low":11.2,"close":11.5,"volume":1}`,
		"close without end":  `{"date":"2026-09-23","open":11,"high":12,"low":11,"close":1e999999999,"volume":1}`,
		"close that is text": `{"date":"2026-09-23","open":11,"high":12,"low":11,"close":"n/a","volume":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			body := `{"symbol":"AAA","data":[{"date":"2026-09-22","open":11,"high":12,"low":11,"close":12,"volume":10},` + odd + `]}`
			got, err := sourceOf(markettest.NewScript(map[string]markettest.Response{barsPath: markettest.JSONResponse(body)}), noon).Bars(t.Context(), "AAA", market.Range{})
			if err != nil || len(got.Bars) != 1 || !got.Provenance.Has(market.FlagSuspect) || !strings.Contains(got.Provenance.Note, "impossible prices: 1.") {
				t.Errorf("Bars = %d bars, %+v, %v; want one, and a note about the other", len(got.Bars), got.Provenance, err)
			}
		})
	}
}

func TestSource_SpellsSymbolsAsCboeDoes(t *testing.T) {
	for sym, want := range map[market.Symbol]string{
		"^GSPC": "_SPX.json", "^VIX": "_VIX.json", "BRK.B": "BRK.B.json",
		"VOD.L": "", "BTC-USD": "", "^FTSE": "", "EURUSD=X": "", "": "",
	} {
		script := markettest.NewScript(nil)
		if _, err := sourceOf(script, noon).Quote(t.Context(), sym); !errors.Is(err, market.ErrUnknownSymbol) {
			t.Errorf("Quote(%s) = %v, want ErrUnknownSymbol", sym, err)
		}
		got := ""
		if requests := script.Requests(); len(requests) > 0 {
			got = requests[0].URL.Path[strings.LastIndex(requests[0].URL.Path, "/")+1:]
		}
		if got != want {
			t.Errorf("%s asks %q, want %q", sym, got, want)
		}
	}
}

func TestQuote_OfAnIndexIsPoints(t *testing.T) {
	body := strings.ReplaceAll(quoteBody, `"AAA"`, `"^SPX"`)
	path := strings.Replace(quotePath, "AAA", "_SPX", 1)
	q, err := sourceOf(markettest.NewScript(map[string]markettest.Response{path: markettest.JSONResponse(body)}), noon).Quote(t.Context(), "^GSPC")
	if err != nil || q.Kind != "index" || q.Provenance.Currency != "" || q.Provenance.Unit != "index points" {
		t.Errorf("Quote(^GSPC) = %+v, %v; want index points", q, err)
	}
}

func TestSource_BadDaysEndInTheirSentinel(t *testing.T) {
	for path, good := range map[string]string{quotePath: quoteBody, barsPath: barsBody} {
		for _, bad := range append(markettest.BadResponses([]byte(good)),
			markettest.BadResponse{Name: "denied by a page", Response: markettest.HTMLResponse(403, "Sorry, you have been blocked"), Want: market.ErrAuth},
			markettest.BadResponse{Name: "another symbol", Response: markettest.JSONResponse(strings.ReplaceAll(good, `"AAA"`, `"BBB"`)), Want: market.ErrMalformed},
			markettest.BadResponse{Name: "nothing", Response: markettest.JSONResponse(`{}`), Want: market.ErrMalformed},
			markettest.BadResponse{Name: "null", Response: markettest.JSONResponse(`null`), Want: market.ErrMalformed},
			markettest.BadResponse{Name: "zeros", Response: markettest.JSONResponse(`{"symbol":"AAA","data":` + map[string]string{
				quotePath: `{"symbol":"AAA","current_price":0,"last_trade_time":null}}`, barsPath: `[{"date":"2026-09-23","open":0,"high":0,"low":0,"close":0}]}`}[path]),
				Want: market.ErrNoData},
		) {
			t.Run(path+"/"+bad.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := sourceOf(markettest.NewScript(map[string]markettest.Response{path: bad.Response}), noon)
					_, err := s.Quote(t.Context(), "AAA")
					if path == barsPath {
						_, err = s.Bars(t.Context(), "AAA", market.Range{})
					}
					if !errors.Is(err, bad.Want) {
						t.Errorf("%s = %v, want %v", path, err, bad.Want)
					}
				})
			})
		}
	}
}

func FuzzSource(f *testing.F) {
	f.Add(barsBody)
	f.Add(quoteBody)
	f.Add(denied)
	f.Fuzz(func(t *testing.T, body string) {
		s := sourceOf(markettest.NewScript(map[string]markettest.Response{quotePath: markettest.JSONResponse(body), barsPath: markettest.JSONResponse(body)}), noon)
		series, err := s.Bars(t.Context(), "AAA", market.Range{})
		if err == nil {
			markettest.CheckBars(t, series.Bars)
		}
		q, quoteErr := s.Quote(t.Context(), "AAA")
		if quoteErr == nil && (!q.Price.IsPositive() || q.Provenance.AsOf.IsZero()) {
			t.Errorf("quote %+v", q)
		}
		for _, err := range []error{err, quoteErr} {
			var from *market.SourceError
			if err != nil && !errors.As(err, &from) {
				t.Errorf("error %v is no *market.SourceError", err)
			}
		}
	})
}
