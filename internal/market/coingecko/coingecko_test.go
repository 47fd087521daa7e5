package coingecko_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/coingecko"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestSource_KeepsTheContractOfPrices(t *testing.T) {
	markettest.RunPrices(t, func(*testing.T) markettest.PriceSubject {
		return markettest.PriceSubject{Source: sourceOf(fixtureScript()), Listed: "BTC-USD"}
	})
}

// 66000.5 / 1.1 = 60000.4545...
func TestQuote_SaysWhatItIs(t *testing.T) {
	q, err := sourceOf(fixtureScript()).Quote(t.Context(), "BTC-USD")
	if err != nil {
		t.Fatalf("Quote = %v", err)
	}
	hourAgo := noon.Add(-time.Hour)
	want := market.Provenance{
		Source: "coingecko", Endpoint: "v3 simple price", AsOf: hourAgo, FetchedAt: noon, Currency: "USD", Unit: "price",
		Adjustment: market.AdjustmentRaw, Phase: market.PhaseRegular,
	}
	if diff := cmp.Diff(want, q.Provenance, cmpopts.IgnoreFields(market.Provenance{}, "License")); diff != "" {
		t.Errorf("provenance (-want +got):\n%s", diff)
	}
	if !strings.Contains(q.Provenance.License, "CoinGecko") {
		t.Errorf("licence %q does not name CoinGecko", q.Provenance.License)
	}
	if q.Name != "Bitcoin" || !q.Price.Equal(dec("66000.5")) || !q.Previous.Decimal.Equal(dec("60000.455")) || !q.PreviousAsOf.Equal(hourAgo.AddDate(0, 0, -1)) {
		t.Errorf("Quote = %s of %s, %s a day before", q.Price, q.Name, q.Previous.Decimal)
	}
}

func TestQuote_OldOrUndatedPricesSaySo(t *testing.T) {
	old := strings.Replace(priceBody, fmt.Sprint(noon.Add(-time.Hour).Unix()), fmt.Sprint(noon.Add(-30*time.Hour).Unix()), 1)
	if q, err := answering(pricePath, old).Quote(t.Context(), "BTC-USD"); err != nil || !q.Provenance.Has(market.FlagStale) {
		t.Errorf("Quote of yesterday = %+v, %v; want it stale", q.Provenance, err)
	}
	q, err := answering(pricePath, recorded(t, "GetPrices.json")).Quote(t.Context(), "ETH-USD")
	if err != nil || !q.Price.Equal(dec("1498.64")) || !q.Provenance.AsOf.Equal(noon) || !strings.Contains(q.Provenance.Note, "reported no time") {
		t.Errorf("recorded price without a time = %s as of %v, %q, %v", q.Price, q.Provenance.AsOf, q.Provenance.Note, err)
	}
	q, err = answering(pricePath, recorded(t, "simple-price-multi.json")).Quote(t.Context(), "BTC-USD")
	if err != nil || !q.Price.Equal(dec("49357")) || q.Previous.Valid || !q.PreviousAsOf.IsZero() {
		t.Errorf("recorded price without a change = %s, previous %+v, %v", q.Price, q.Previous, err)
	}
}

func TestQuotes_OneRequestForAllCoins(t *testing.T) {
	script := fixtureScript().Respond(pricePath, markettest.JSONResponse(`{"bitcoin":{"usd":2,"eur":1.9},"ethereum":{"usd":3,"eur":0}}`))
	got, err := sourceOf(script).Quotes(t.Context(), []market.Symbol{"BTC-USD", "ETH-USD", "BTC-EUR", "ETH-EUR", "AAPL", "NOSUCH-USD"})
	if err != nil || len(got) != 3 || !got["BTC-EUR"].Price.Equal(dec("1.9")) || got["BTC-EUR"].Provenance.Currency != "EUR" {
		t.Fatalf("Quotes = %+v, %v; want three: zero is no price, and two are no coins", got, err)
	}
	q := script.Requests()[1].URL.Query() // after a search for NOSUCH
	if q.Get("ids") != "bitcoin,ethereum" || q.Get("vs_currencies") != "eur,usd" || len(script.Requests()) != 2 {
		t.Errorf("asked %d times, last for %v", len(script.Requests()), q)
	}
}

func TestBars_MidnightClosesTheDayBefore(t *testing.T) {
	s, err := sourceOf(fixtureScript()).Bars(t.Context(), "BTC-USD", market.Range{From: day("2025-02-18")})
	if err != nil {
		t.Fatalf("Bars = %v", err)
	}
	want := []market.Bar{
		{Date: day("2025-02-18"), Close: dec("99")}, {Date: day("2025-02-19"), Close: dec("100")}, {Date: day("2025-02-20"), Close: dec("101")},
	}
	if diff := cmp.Diff(want, s.Bars); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
	if p := s.Provenance; !p.Has(market.FlagProvisional) || !p.AsOf.Equal(noon.Add(-30*time.Second)) || p.Note != "" {
		t.Errorf("provenance = %+v, want it provisional as of the newest price", p)
	}
	if total, err := s.TotalReturn(); err != nil || len(total.Bars) != 3 {
		t.Errorf("TotalReturn = %d bars, %v; a coin has no actions to adjust for", len(total.Bars), err)
	}
	s, err = sourceOf(fixtureScript()).Bars(t.Context(), "BTC-USD", market.Range{From: day("2025-02-18"), To: day("2025-02-19")})
	if err != nil || len(s.Bars) != 2 || s.Provenance.Has(market.FlagProvisional) || !s.Provenance.AsOf.Equal(day("2025-02-19")) {
		t.Errorf("Bars of days that are over = %d as of %v, %v; want two, settled", len(s.Bars), s.Provenance.AsOf, err)
	}
}

func TestBars_JustAfterMidnight(t *testing.T) {
	for _, row := range []struct{ name, body, want string }{
		{"the close is late", chart("2025-02-19T00:00:00Z=1", "2025-02-20T00:05:00Z=2"), "2025-02-18 2025-02-19"},
		{"close and newest price", chart("2025-02-20T00:00:00Z=1", "2025-02-20T00:05:00Z=2"), "2025-02-19 2025-02-20"},
		{"several a day", chart("2025-02-19T00:00:00Z=1", "2025-02-19T12:00:00Z=3", "2025-02-20T00:00:00Z=2"), "2025-02-18 2025-02-19"},
		{"null and zero", chart("2025-02-17T00:00:00Z=1", "2025-02-18T00:00:00Z=null", "2025-02-19T00:00:00Z=0", "2025-02-20T00:00:00Z=2"), "2025-02-16 2025-02-19"},
	} {
		s, err := answering(chartPath, row.body).Bars(t.Context(), "BTC-USD", market.Range{})
		if err != nil || len(s.Bars) != 2 || !s.Bars[1].Close.Equal(dec("2")) {
			t.Errorf("%s: Bars = %+v, %v; want two that end with 2", row.name, s.Bars, err)
			continue
		}
		if got := s.Bars[0].Date.Format(time.DateOnly) + " " + s.Bars[1].Date.Format(time.DateOnly); got != row.want {
			t.Errorf("%s: bars of %s, want %s", row.name, got, row.want)
		}
	}
}

func TestBars_AYearIsAllThereIs(t *testing.T) {
	for _, from := range []market.Date{{}, day("2020-01-01")} {
		s, err := sourceOf(fixtureScript()).Bars(t.Context(), "BTC-USD", market.Range{From: from})
		if err != nil || !strings.Contains(s.Provenance.Note, "365 days") {
			t.Errorf("Bars from %v say %q, %v; want a note about the limit", from, s.Provenance.Note, err)
		}
	}
	script := fixtureScript()
	_, err := sourceOf(script).Bars(t.Context(), "BTC-USD", market.Range{From: day("2020-01-01"), To: day("2020-12-31")})
	if !errors.Is(err, market.ErrNoData) || !strings.Contains(err.Error(), "365 days") || len(script.Requests()) > 0 {
		t.Errorf("Bars of 2020 = %v after %d requests, want ErrNoData unasked", err, len(script.Requests()))
	}
}

func TestBars_OfARecordedChart(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{"/api/v3/coins/ethereum/market_chart": markettest.JSONResponse(recorded(t, "GetMarketChart.json"))})
	s, err := sourceOf(script).Bars(t.Context(), "ETH-USD", market.Range{})
	if err != nil {
		t.Fatalf("Bars = %v", err)
	}
	want := []market.Bar{
		{Date: day("2024-03-30"), Close: dec("69702.3087473573")}, {Date: day("2024-03-31"), Close: dec("71246.9514406015")}, {Date: day("2024-04-01"), Close: dec("68887.7495158568")},
	}
	if diff := cmp.Diff(want, s.Bars); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
}

// Responses of CoinGecko's other services must not be taken for prices.
func TestSource_RecordingsOfOtherServicesAreRefused(t *testing.T) {
	for _, file := range []string{"GetOhlc.json", "GetAssets.json", "GetMarkets.json", "Ping.json", "Search.json"} {
		text := recorded(t, file)
		_, quote := answering(pricePath, text).Quote(t.Context(), "BTC-USD")
		_, bars := answering(chartPath, text).Bars(t.Context(), "BTC-USD", market.Range{})
		if !errors.Is(quote, market.ErrMalformed) || !errors.Is(bars, market.ErrMalformed) {
			t.Errorf("%s: Quote = %v, Bars = %v; want ErrMalformed", file, quote, bars)
		}
	}
}

func TestSource_WhatIsNoCoinIsNotAsked(t *testing.T) {
	for _, sym := range []market.Symbol{"AAPL", "^GSPC", "EURUSD=X", "BTC-", "", "USDT-USDT"} {
		script := markettest.NewScript(nil)
		if _, err := sourceOf(script).Quote(t.Context(), sym); !errors.Is(err, market.ErrUnknownSymbol) || len(script.Requests()) > 0 {
			t.Errorf("Quote(%q) = %v after %d requests, want ErrUnknownSymbol unasked", sym, err, len(script.Requests()))
		}
	}
}

func TestSource_TheKeyGoesInAHeaderAndIsAskedForLate(t *testing.T) {
	const secret = "CG-secret-demo-key"
	requests := 0
	script := fixtureScript().Respond(pricePath, markettest.Response{Status: 400, Body: []byte(`{"status":{"error_code":10002,"error_message":"API Key ` + secret + ` is wrong"}}`)})
	s := sourceWith(script, func() string { requests++; return secret })
	if requests != 0 {
		t.Error("New asked for the key")
	}
	_, err := s.Quote(t.Context(), "BTC-USD")
	if !errors.Is(err, market.ErrAuth) || strings.Contains(err.Error(), secret) {
		t.Errorf("Quote with a wrong key = %v, want ErrAuth without the key", err)
	}
	r := script.Requests()[0]
	if r.Header.Get("x-cg-demo-api-key") != secret || strings.Contains(r.URL.String(), secret) {
		t.Errorf("asked %s with %v, want the key in the header alone", r.URL, r.Header)
	}
	script = fixtureScript()
	if _, err := sourceWith(script, func() string { return "" }).Quote(t.Context(), "BTC-USD"); err != nil || len(script.Requests()[0].Header.Values("x-cg-demo-api-key")) > 0 {
		t.Errorf("Quote without a key = %v, sent %v", err, script.Requests()[0].Header)
	}
}

func TestSource_BadDaysEndInTheirSentinel(t *testing.T) {
	for name, call := range map[string]struct {
		path, good string
		ask        func(*testing.T, *coingecko.Source) error
	}{
		"quote": {pricePath, priceBody, func(t *testing.T, s *coingecko.Source) error {
			_, err := s.Quote(t.Context(), "BTC-USD")
			return err
		}},
		"bars": {chartPath, week, func(t *testing.T, s *coingecko.Source) error {
			_, err := s.Bars(t.Context(), "BTC-USD", market.Range{})
			return err
		}},
		"search": {searchPath, searchBody("a A 1"), func(t *testing.T, s *coingecko.Source) error {
			_, err := s.Search(t.Context(), "a", 5)
			return err
		}},
	} {
		for _, bad := range markettest.BadResponses([]byte(call.good)) {
			t.Run(name+"/"+bad.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					err := call.ask(t, sourceOf(markettest.NewScript(map[string]markettest.Response{call.path: bad.Response})))
					var from *market.SourceError
					if !errors.Is(err, bad.Want) || !errors.As(err, &from) || from.Source != "coingecko" {
						t.Errorf("%s = %v, want %v from coingecko", name, err, bad.Want)
					}
				})
			})
		}
	}
}

func TestQuote_CoinGeckosOwnRefusals(t *testing.T) {
	for _, row := range []struct {
		name   string
		status int
		body   string
		want   error
	}{
		{"unknown coin", 200, `{}`, market.ErrUnknownSymbol},
		{"unknown currency", 200, `{"bitcoin":{}}`, market.ErrUnknownSymbol},
		{"null", 200, `{"bitcoin":{"usd":null}}`, market.ErrUnknownSymbol},
		{"invalid currency", 400, `{"error":"invalid vs_currency"}`, market.ErrUnknownSymbol},
		{"coin not found", 404, `{"error":"coin not found"}`, market.ErrUnknownSymbol},
		{"too many", 429, `{"status":{"error_code":429,"error_message":"You've exceeded the Rate Limit."}}`, market.ErrRateLimited},
		{"too many with status 200", 200, `{"status":{"error_code":429,"error_message":"slow down"}}`, market.ErrRateLimited},
		{"too old", 401, `{"error":{"status":{"error_code":10012,"error_message":"exceeds the allowed time range"}}}`, market.ErrNoData},
		{"a key of another plan", 400, `{"status":{"error_code":10010,"error_message":"change your root URL"}}`, market.ErrAuth},
		{"their trouble", 500, `{"status":{"error_code":500,"error_message":"oops"}}`, market.ErrUnavailable},
		{"zero", 200, `{"bitcoin":{"usd":0}}`, market.ErrNoData},
		{"another coin", 200, `{"ethereum":{"usd":1}}`, market.ErrMalformed},
		{"without end", 200, `{"bitcoin":{"usd":1e400}}`, market.ErrMalformed},
		{"a list", 200, `[]`, market.ErrMalformed},
	} {
		t.Run(row.name, func(t *testing.T) {
			script := markettest.NewScript(map[string]markettest.Response{pricePath: {Status: row.status, Body: []byte(row.body)}})
			if _, err := sourceOf(script).Quote(t.Context(), "BTC-USD"); !errors.Is(err, row.want) {
				t.Errorf("Quote = %v, want %v", err, row.want)
			}
		})
	}
}

func TestQuote_TinyPricesKeepTheirDigits(t *testing.T) {
	q, err := answering(pricePath, `{"bitcoin":{"usd":1.2345e-07,"usd_24h_change":-50}}`).Quote(t.Context(), "BTC-USD")
	if err != nil || !q.Price.Equal(dec("0.00000012345")) || !q.Previous.Decimal.Equal(dec("0.0000002469")) {
		t.Errorf("Quote = %s after %s, %v", q.Price, q.Previous.Decimal, err)
	}
}

func FuzzChart(f *testing.F) {
	f.Add(week)
	f.Add(`{"prices":[[1711843200000,69702.3],[1711843200000,null],[1e3,1e-7]]}`)
	f.Fuzz(func(t *testing.T, body string) {
		s, err := answering(chartPath, body).Bars(t.Context(), "BTC-USD", market.Range{})
		checkSentinel(t, err)
		markettest.CheckBars(t, s.Bars)
	})
}

func FuzzPrice(f *testing.F) {
	f.Add(priceBody)
	f.Add(`{"error":{"status":{"error_code":10012}}}`)
	f.Add(`{"bitcoin":{"usd":1e-21,"usd_24h_change":1e20,"last_updated_at":9223372036854775807}}`)
	f.Fuzz(func(t *testing.T, body string) {
		q, err := answering(pricePath, body).Quote(t.Context(), "BTC-USD")
		if checkSentinel(t, err); err == nil && !q.Price.IsPositive() {
			t.Errorf("quote of %s", q.Price)
		}
	})
}

// checkSentinel fails on an error that wraps no sentinel of market.
func checkSentinel(t *testing.T, err error) {
	t.Helper()
	var from *market.SourceError
	if err != nil && !errors.As(err, &from) {
		t.Errorf("error %v is no *market.SourceError", err)
	}
}
