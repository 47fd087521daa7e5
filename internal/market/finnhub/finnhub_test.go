package finnhub_test

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
	"github.com/nfa-cli/nfa/internal/market/finnhub"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/recordings"
)

const (
	base        = "http://127.0.0.1" // the answers come from memory
	secret      = "fh0123456789"
	quotePath   = "/api/v1/quote"
	profilePath = "/api/v1/stock/profile2"
	newsPath    = "/api/v1/company-news"

	quoteBody   = `{"c":12.5,"d":1,"dp":8.7,"h":13,"l":11,"o":11.5,"pc":11.5,"t":1790280000}`
	profileBody = `{"ticker":"AAA","name":"Example Inc","exchange":"NASDAQ NMS - GLOBAL MARKET","country":"US","currency":"USD","finnhubIndustry":"Technology","weburl":"https://example.com/"}`
	newsBody    = `[{"category":"company","datetime":1789905600,"headline":"Older","id":1,"related":"AAA","source":"X","summary":"s","url":"https://example.com/1"},
		{"category":"company","datetime":1789992000,"headline":"Newer\u001b[31m","id":2,"related":"AAA","source":"Y","summary":"","url":"https://example.com/2"},
		{"datetime":1790078400,"headline":"A script","url":"javascript:alert(1)"}]`
)

var noon = time.Date(2026, 9, 25, 12, 0, 0, 0, time.UTC)

func sourceOf(carrier http.RoundTripper) *finnhub.Source {
	clock := func() time.Time { return noon }
	return finnhub.New(client.New(client.Options{Transport: carrier, Now: clock}), client.ProviderOptions{BaseURL: base, Now: clock, Key: func() string { return secret }})
}

func listed() *markettest.Script {
	return markettest.NewScript(map[string]markettest.Response{
		quotePath: markettest.JSONResponse(quoteBody), profilePath: markettest.JSONResponse(profileBody), newsPath: markettest.JSONResponse(newsBody),
	})
}

func recorded(t testing.TB, name string) string {
	t.Helper()
	return string(recordings.Read(t, "market", name))
}

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func TestQuote_OfTheRecordedShape(t *testing.T) {
	script := listed().Respond(quotePath, markettest.JSONResponse(recorded(t, "finnhub/quote-ok-shape.json")))
	q, err := sourceOf(script).Quote(t.Context(), "AAA")
	if err != nil || !q.Price.Equal(dec("251.3")) || !q.Previous.Decimal.Equal(dec("250.1")) || !q.Provenance.AsOf.Equal(time.Unix(1790467200, 0)) {
		t.Errorf("Quote = %+v, %v; want 251.3 after 250.1", q, err)
	}
}

func TestQuote_RecordedZerosAreAnUnknownSymbol(t *testing.T) {
	script := listed().Respond(quotePath, markettest.JSONResponse(recorded(t, "errors/finnhub-quote-unknown-200.json")))
	if q, err := sourceOf(script).Quote(t.Context(), "AAA"); !errors.Is(err, market.ErrUnknownSymbol) {
		t.Errorf("Quote of zeros = %s, %v; want ErrUnknownSymbol", q.Price, err)
	}
}

func TestSource_TheRecordedRefusalIsOfTheKey(t *testing.T) {
	for _, status := range []int{200, 403} {
		script := listed().Respond(quotePath, markettest.Response{Status: status, Body: []byte(recorded(t, "errors/finnhub-403.json"))})
		if _, err := sourceOf(script).Quote(t.Context(), "AAA"); !errors.Is(err, market.ErrAuth) {
			t.Errorf("Quote refused with %d = %v, want ErrAuth", status, err)
		}
	}
}

func TestQuote_ZerosAreAnUnknownSymbol(t *testing.T) {
	script := listed().Respond(quotePath, markettest.JSONResponse(`{"c":0,"d":null,"dp":null,"h":0,"l":0,"o":0,"pc":0,"t":0}`))
	if q, err := sourceOf(script).Quote(t.Context(), "AAA"); !errors.Is(err, market.ErrUnknownSymbol) {
		t.Errorf("Quote of zeros = %s, %v; want ErrUnknownSymbol", q.Price, err)
	}
}

func TestQuote_IsNamedByTheProfile(t *testing.T) {
	script := listed()
	q, err := sourceOf(script).Quote(t.Context(), "AAA")
	if err != nil || q.Name != "Example Inc" || q.Provenance.Currency != "USD" || q.Provenance.Has(market.FlagStale) {
		t.Errorf("Quote = %+v, %v; want the price of Example Inc in dollars", q, err)
	}
	for _, r := range script.Requests() {
		if r.Header.Get("X-Finnhub-Token") != secret || strings.Contains(r.URL.String(), secret) {
			t.Errorf("asked %s, want the key in the header alone", r.URL)
		}
	}
	// A price is useful even without a name.
	script.Respond(profilePath, markettest.Response{Status: 500})
	if q, err = sourceOf(script).Quote(t.Context(), "AAA"); err != nil || q.Name != "AAA" {
		t.Errorf("Quote without a name = %+v, %v; want the symbol in its place", q.Instrument, err)
	}
}

func TestProfile_TellsWhatIsKnown(t *testing.T) {
	p, err := sourceOf(listed()).Profile(t.Context(), "AAA")
	want := market.Profile{
		Instrument: market.Instrument{Symbol: "AAA", Name: "Example Inc", Kind: "equity", Listing: market.Listing{Exchange: "NASDAQ NMS - GLOBAL MARKET"}},
		Industry:   "Technology", Country: "US", Website: "https://example.com/",
	}
	if diff := cmp.Diff(want, p, cmpopts.IgnoreFields(market.Profile{}, "Provenance")); err != nil || diff != "" {
		t.Errorf("Profile: %v (-want +got):\n%s", err, diff)
	}
}

func TestNews_AreWithinTheBoundsOfTheQuery(t *testing.T) {
	at := func(unix int64) time.Time { return time.Unix(unix, 0).UTC() }
	for _, c := range []struct {
		name     string
		q        market.NewsQuery
		want     []string
		from, to string
	}{
		{"all", market.NewsQuery{Symbol: "AAA"}, []string{"Newer [31m", "Older"}, "2026-08-25", "2026-09-26"},
		{"limit", market.NewsQuery{Symbol: "AAA", Limit: 1}, []string{"Newer [31m"}, "2026-08-25", "2026-09-26"},
		{"before", market.NewsQuery{Symbol: "AAA", Before: at(1789992000)}, []string{"Older"}, "2026-08-21", "2026-09-22"},
		{"after", market.NewsQuery{Symbol: "AAA", After: at(1789992000)}, []string{"Newer [31m"}, "2026-09-20", "2026-09-26"},
		{"after the future", market.NewsQuery{Symbol: "AAA", After: noon.AddDate(1, 0, 0)}, nil, "2027-09-24", "2026-09-26"},
	} {
		script := listed()
		got, err := sourceOf(script).News(t.Context(), c.q)
		var titles []string
		for _, a := range got {
			titles = append(titles, a.Title)
		}
		query := script.Requests()[0].URL.Query()
		if err != nil || cmp.Diff(c.want, titles) != "" || query.Get("from") != c.from || query.Get("to") != c.to {
			t.Errorf("%s: %q from %s to %s, %v; want %q from %s to %s", c.name, titles, query.Get("from"), query.Get("to"), err, c.want, c.from, c.to)
		}
	}
	script := listed()
	if _, err := sourceOf(script).News(t.Context(), market.NewsQuery{Text: "rates"}); !errors.Is(err, market.ErrNoData) || len(script.Requests()) != 0 {
		t.Errorf("News of words = %v, want ErrNoData without asking", err)
	}
}

func everyCall(ctx context.Context, s *finnhub.Source) map[string]error {
	errs := map[string]error{}
	_, errs["quote"] = s.Quote(ctx, "AAA")
	_, errs["profile"] = s.Profile(ctx, "AAA")
	_, errs["news"] = s.News(ctx, market.NewsQuery{Symbol: "AAA"})
	return errs
}

func TestSource_BadDaysEndInTheirSentinel(t *testing.T) {
	for call, endpoint := range map[string]struct{ path, body string }{"quote": {quotePath, quoteBody}, "profile": {profilePath, profileBody}, "news": {newsPath, newsBody}} {
		for _, bad := range append(markettest.BadResponses([]byte(endpoint.body)),
			markettest.BadResponse{Name: "no access, with 200", Response: markettest.JSONResponse(`{"error":"You don't have access to this resource."}`), Want: market.ErrAuth},
			markettest.BadResponse{Name: "wrong key, with 200", Response: markettest.JSONResponse(`{"error":"Invalid API key"}`), Want: market.ErrAuth},
			markettest.BadResponse{Name: "limit with 200", Response: markettest.JSONResponse(`{"error":"API limit reached. Please try again later."}`), Want: market.ErrRateLimited},
			markettest.BadResponse{Name: "something else", Response: markettest.JSONResponse(`{"error":"no"}`), Want: market.ErrMalformed},
			markettest.BadResponse{Name: "another form", Response: markettest.JSONResponse(`[[1]]`), Want: market.ErrMalformed},
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

func TestSource_AnswersThatAreNone(t *testing.T) {
	for _, c := range []struct {
		call, path, body string
		want             error
	}{
		{"quote", quotePath, `{}`, market.ErrMalformed},
		{"quote", quotePath, `null`, market.ErrMalformed},
		{"quote", quotePath, strings.Replace(quoteBody, "12.5", "0", 1), market.ErrNoData},
		{"quote", quotePath, strings.Replace(quoteBody, "12.5", "-1", 1), market.ErrNoData},
		{"quote", quotePath, strings.Replace(quoteBody, "12.5", "1e999999999", 1), market.ErrNoData},
		{"quote", quotePath, strings.Replace(quoteBody, "1790280000", "0", 1), market.ErrMalformed},
		{"profile", profilePath, `{}`, market.ErrUnknownSymbol},
		{"profile", profilePath, strings.Replace(profileBody, "AAA", "BBB", 1), market.ErrMalformed},
		{"news", newsPath, `null`, market.ErrMalformed},
	} {
		err := everyCall(t.Context(), sourceOf(markettest.NewScript(map[string]markettest.Response{c.path: markettest.JSONResponse(c.body)})))[c.call]
		if !errors.Is(err, c.want) {
			t.Errorf("%s of %.60q = %v, want %v", c.call, c.body, err, c.want)
		}
	}
}

func TestSource_WithoutAKeySaysHowToSetOne(t *testing.T) {
	for name, key := range map[string]func() string{"nil": nil, "empty": func() string { return "" }} {
		script := markettest.NewScript(nil)
		for call, err := range everyCall(t.Context(), finnhub.New(client.New(client.Options{Transport: script}), client.ProviderOptions{BaseURL: base, Key: key})) {
			if !errors.Is(err, market.ErrNotConfigured) || !strings.Contains(err.Error(), "nfa auth set finnhub") || len(script.Requests()) != 0 {
				t.Errorf("%s key: %s = %v, want ErrNotConfigured that says how to set one", name, call, err)
			}
		}
	}
}

func TestSource_DoesNotAskForWhatItCannotKnow(t *testing.T) {
	for _, sym := range []market.Symbol{"VOD.L", "7203.T", "BTC-USD", "EURUSD=X", "^GSPC", "", "NOSUCH.ZZ"} {
		script := listed()
		if _, err := sourceOf(script).Quote(t.Context(), sym); !errors.Is(err, market.ErrUnknownSymbol) || len(script.Requests()) != 0 {
			t.Errorf("Quote(%s) = %v after %d questions, want ErrUnknownSymbol after none", sym, err, len(script.Requests()))
		}
	}
}

func FuzzSource(f *testing.F) {
	for _, seed := range []string{quoteBody, profileBody, newsBody, `{"error":"x"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		a := markettest.JSONResponse(body)
		s := sourceOf(markettest.NewScript(map[string]markettest.Response{quotePath: a, profilePath: a, newsPath: a}))
		if q, err := s.Quote(t.Context(), "AAA"); err == nil && (!q.Price.IsPositive() || q.Provenance.AsOf.IsZero()) {
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
