package fmp_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/fmp"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/recordings"
)

const (
	base        = "http://127.0.0.1" // the answers come from memory
	secret      = "fmp0123456789"
	quotePath   = "/stable/quote"
	profilePath = "/stable/profile"
	quoteBody   = `[{"symbol":"AAA","name":"Example Inc.","price":12.5,"changePercentage":8.7,"change":1,"volume":10,"exchange":"NASDAQ","open":11.5,"previousClose":11.5,"timestamp":1790280000}]`
	profileBody = `[{"symbol":"AAA","price":12.5,"companyName":"Example Inc.","currency":"USD","cik":"51143","isin":"US0000000000","exchange":"NASDAQ","exchangeFullName":"NASDAQ Global Select",
		"industry":"Tools","sector":"Industrials","country":"US","fullTimeEmployees":"1200","website":"https://example.com","description":"Makes\nexamples.","isEtf":false,"isFund":false}]`
)

var noon = time.Date(2026, 9, 25, 12, 0, 0, 0, time.UTC)

func sourceOf(carrier http.RoundTripper) *fmp.Source {
	clock := func() time.Time { return noon }
	return fmp.New(client.New(client.Options{Transport: carrier, Now: clock}), client.ProviderOptions{BaseURL: base, Now: clock, Key: func() string { return secret }})
}

func answering(body string) (*fmp.Source, *markettest.Script) {
	script := markettest.NewScript(map[string]markettest.Response{quotePath: markettest.JSONResponse(body), profilePath: markettest.JSONResponse(body)})
	return sourceOf(script), script
}

func recorded(t testing.TB, name string) []byte {
	t.Helper()
	return recordings.Read(t, "market", name)
}

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func TestQuote_SaysWhatItIs(t *testing.T) {
	s, script := answering(quoteBody)
	q, err := s.Quote(t.Context(), "AAA")
	want := market.Quote{
		Instrument: market.Instrument{Symbol: "AAA", Name: "Example Inc.", Kind: "equity", Listing: market.Listing{Exchange: "NASDAQ"}},
		Price:      dec("12.5"), Previous: decimal.NewNullDecimal(dec("11.5")),
		Provenance: market.Provenance{
			Source: "fmp", Endpoint: "quote", AsOf: time.Unix(1790280000, 0).UTC(), FetchedAt: noon, Currency: "USD", Unit: "price",
			Adjustment: market.AdjustmentRaw, DelayMinutes: 15, Flags: []market.Flag{market.FlagDelayed},
		},
	}
	if diff := cmp.Diff(want, q, cmpopts.IgnoreFields(market.Provenance{}, "License")); err != nil || diff != "" {
		t.Errorf("Quote: %v (-want +got):\n%s", err, diff)
	}
	if r := script.Requests()[0]; r.Header.Get("Apikey") != secret || strings.Contains(r.URL.String(), secret) {
		t.Errorf("asked %s, want the key in the header alone", r.URL)
	}
}

func TestProfile_TellsWhatIsKnown(t *testing.T) {
	s, _ := answering(profileBody)
	p, err := s.Profile(t.Context(), "AAA")
	want := market.Profile{
		Instrument:  market.Instrument{Symbol: "AAA", Name: "Example Inc.", Kind: "equity", Listing: market.Listing{Exchange: "NASDAQ", ISIN: "US0000000000", CIK: "0000051143"}},
		Description: "Makes examples.", Sector: "Industrials", Industry: "Tools", Country: "US", Website: "https://example.com", Employees: 1200,
	}
	if diff := cmp.Diff(want, p, cmpopts.IgnoreFields(market.Profile{}, "Provenance")); err != nil || diff != "" {
		t.Errorf("Profile: %v (-want +got):\n%s", err, diff)
	}
	for text, want := range map[string]int{`1200`: 1200, `null`: 0, `"many"`: 0, `-5`: 0, `1e300`: 1e8} {
		s, _ := answering(strings.Replace(strings.Replace(profileBody, `"1200"`, text, 1), `"isEtf":false`, `"isEtf":true`, 1))
		if p, err := s.Profile(t.Context(), "AAA"); err != nil || p.Employees != want || p.Kind != "fund" {
			t.Errorf("employees of %s = %d of a %s, %v; want %d of a fund", text, p.Employees, p.Kind, err, want)
		}
	}
}

func everyCall(ctx context.Context, s *fmp.Source) map[string]error {
	errs := map[string]error{}
	_, errs["quote"] = s.Quote(ctx, "AAA")
	_, errs["profile"] = s.Profile(ctx, "AAA")
	return errs
}

func TestSource_BadDaysEndInTheirSentinel(t *testing.T) {
	for call, endpoint := range map[string]struct{ path, body string }{"quote": {quotePath, quoteBody}, "profile": {profilePath, profileBody}} {
		for _, bad := range append(markettest.BadResponses([]byte(endpoint.body)),
			markettest.BadResponse{Name: "402 in words", Response: markettest.Response{Status: 402, Body: []byte("Restricted Endpoint: not available under your current subscription")}, Want: market.ErrAuth},
			markettest.BadResponse{Name: "wrong key, with 200", Response: markettest.JSONResponse(`{"Error Message":"Invalid API KEY."}`), Want: market.ErrAuth},
			markettest.BadResponse{Name: "limit with 200", Response: markettest.JSONResponse(`{"Error Message":"Limit Reach . Please upgrade your plan"}`), Want: market.ErrRateLimited},
			markettest.BadResponse{Name: "no row", Response: markettest.JSONResponse(`[]`), Want: market.ErrUnknownSymbol},
			markettest.BadResponse{Name: "null", Response: markettest.JSONResponse(`null`), Want: market.ErrMalformed},
			markettest.BadResponse{Name: "another symbol", Response: markettest.JSONResponse(strings.Replace(endpoint.body, "AAA", "BBB", 1)), Want: market.ErrMalformed},
		) {
			t.Run(call+"/"+bad.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					script := markettest.NewScript(map[string]markettest.Response{endpoint.path: bad.Response})
					if err := everyCall(t.Context(), sourceOf(script))[call]; !errors.Is(err, bad.Want) {
						t.Errorf("%s = %v, want %v", call, err, bad.Want)
					}
				})
			})
		}
	}
}

func TestSource_RecordedRefusalsAreOfTheKey(t *testing.T) {
	for _, c := range []struct {
		file   string
		status int
	}{{"errors/fmp-402.txt", 402}, {"errors/fmp-401.json", 401}, {"errors/fmp-401.json", 200}} {
		script := markettest.NewScript(map[string]markettest.Response{quotePath: {Status: c.status, Body: recorded(t, c.file)}})
		if _, err := sourceOf(script).Quote(t.Context(), "AAA"); !errors.Is(err, market.ErrAuth) {
			t.Errorf("%s with %d: Quote = %v, want ErrAuth", c.file, c.status, err)
		}
	}
}

func TestQuote_PricesThatAreNone(t *testing.T) {
	for body, want := range map[string]error{
		strings.Replace(quoteBody, "12.5", "0", 1):            market.ErrNoData,
		strings.Replace(quoteBody, "12.5", "null", 1):         market.ErrNoData,
		strings.Replace(quoteBody, "12.5", "-1", 1):           market.ErrNoData,
		strings.Replace(quoteBody, "12.5", "1e9999999", 1):    market.ErrNoData,
		strings.Replace(quoteBody, "1790280000", "0", 1):      market.ErrMalformed,
		strings.Replace(quoteBody, `"symbol":"AAA",`, ``, 1):  market.ErrMalformed,
		strings.Replace(quoteBody, "1790280000", `"noon"`, 1): market.ErrMalformed,
	} {
		s, _ := answering(body)
		if q, err := s.Quote(t.Context(), "AAA"); !errors.Is(err, want) {
			t.Errorf("Quote of %.120s = %s, %v; want %v", body, q.Price, err, want)
		}
	}
}

func TestSource_WithoutAKeySaysHowToSetOne(t *testing.T) {
	for name, key := range map[string]func() string{"nil": nil, "empty": func() string { return "" }} {
		script := markettest.NewScript(nil)
		for call, err := range everyCall(t.Context(), fmp.New(client.New(client.Options{Transport: script}), client.ProviderOptions{BaseURL: base, Key: key})) {
			if !errors.Is(err, market.ErrNotConfigured) || !strings.Contains(err.Error(), "nfa auth set fmp") || len(script.Requests()) != 0 {
				t.Errorf("%s key: %s = %v, want ErrNotConfigured that says how to set one", name, call, err)
			}
		}
	}
}

func TestSource_SpellsSymbolsAsTheServerDoes(t *testing.T) {
	for sym, want := range map[market.Symbol]string{"BRK.B": "BRK-B", "AAPL": "AAPL", "VOD.L": "", "BTC-USD": "", "^GSPC": "", "": ""} {
		s, script := answering(`[]`)
		_, err := s.Quote(t.Context(), sym)
		got := ""
		if requests := script.Requests(); len(requests) > 0 {
			got = requests[0].URL.Query().Get("symbol")
		}
		if !errors.Is(err, market.ErrUnknownSymbol) || got != want {
			t.Errorf("Quote(%s) = %v after asking %q, want ErrUnknownSymbol after %q", sym, err, got, want)
		}
	}
}

func FuzzSource(f *testing.F) {
	f.Add(quoteBody)
	f.Add(profileBody)
	f.Add(`{"Error Message":"x"}`)
	f.Fuzz(func(t *testing.T, body string) {
		s, _ := answering(body)
		if q, err := s.Quote(t.Context(), "AAA"); err == nil && (!q.Price.IsPositive() || q.Name == "" || q.Provenance.AsOf.IsZero()) {
			t.Errorf("quote %+v", q)
		}
		for call, err := range everyCall(t.Context(), s) {
			var from *market.SourceError
			if err != nil && !errors.As(err, &from) {
				t.Errorf("%s: error %v is no *market.SourceError", call, err)
			}
		}
	})
}
