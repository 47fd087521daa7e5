package tiingo_test

import (
	"context"
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
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/tiingo"
)

func TestSource_KeepsTheContractOfPrices(t *testing.T) {
	markettest.RunPrices(t, func(*testing.T) markettest.PriceSubject {
		e := fakeServer{[]row{
			rowOf("2026-09-17", 10), rowOf("2026-09-18", 10.5), rowOf("2026-09-21", 9.75), rowOf("2026-09-22", 11), rowOf("2026-09-23", 12), rowOf("2026-09-24", 12.5),
		}}
		return markettest.PriceSubject{Source: sourceAt(e, noon), Listed: "AAA"}
	})
}

func TestBars_OfRecordedPrices(t *testing.T) {
	null := decimal.NewNullDecimal
	bar := func(date, o, h, l, c, v string) market.Bar {
		return market.Bar{Date: day(date), Open: null(dec(o)), High: null(dec(h)), Low: null(dec(l)), Close: dec(c), Volume: null(dec(v))}
	}
	for file, want := range map[string][]market.Bar{
		"daily-prices.json": {
			bar("2015-01-02", "532.6", "535.8", "527.88", "529.55", "1327870"),
			bar("2015-01-05", "527.15", "527.9899", "517.75", "519.46", "2059119"),
		},
		"daily-latest.json": {bar("2018-04-12", "1031.47", "1044.65", "1026.05", "1037.29", "1644794")},
	} {
		s, _ := answering(map[string]string{"/tiingo/daily/GOOGL/prices": recorded(t, file)})
		got, err := s.Bars(t.Context(), "GOOGL", market.Range{})
		if diff := cmp.Diff(want, got.Bars); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", file, err, diff)
		}
		if got.Actions == nil || len(got.Actions) != 0 || got.Provenance.Adjustment != market.AdjustmentRaw {
			t.Errorf("%s: actions %v, adjustment %s; want none of a raw series", file, got.Actions, got.Provenance.Adjustment)
		}
	}
}

func TestProfile_OfTheRecordedMeta(t *testing.T) {
	s, _ := answering(map[string]string{"/tiingo/daily/GOOGL": recorded(t, "daily-meta.json")})
	p, err := s.Profile(t.Context(), "GOOGL")
	if err != nil || p.Name != `Alphabet Inc.("Google") - Class A` || p.Exchange != "NASDAQ" || !strings.HasPrefix(p.Description, "Google Inc.") || !p.Provenance.AsOf.Equal(day("2017-10-06")) {
		t.Errorf("Profile(GOOGL) = %+v, %v", p, err)
	}
}

func TestNews_OfTheRecordedArticle(t *testing.T) {
	s, _ := answering(map[string]string{newsPath: recorded(t, "news.json")})
	got, err := s.News(t.Context(), market.NewsQuery{Symbol: "AAPL"})
	want := []market.Article{{
		Title: "Tech giants may be stronger than you think", Publisher: "cnbc.com", URL: "http://www.cnbc.com/2016/01/11/tech-giants-may-be-stronger-than-you-think.html",
		Published: time.Date(2016, 1, 11, 23, 13, 0, 0, time.UTC), Symbols: []market.Symbol{"GOOGL", "AAPL", "AMZN", "MSFT", "NFLX", "FB"},
	}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(market.Article{}, "Provenance", "Summary")); err != nil || diff != "" {
		t.Errorf("News: %v (-want +got):\n%s", err, diff)
	}
}

// Coins have another format, which is not the history of a share.
func TestBars_RecordedCoinsAreNotTakenForShares(t *testing.T) {
	s, _ := answering(map[string]string{barsPath: recorded(t, "crypto-prices.json")})
	if _, err := s.Bars(t.Context(), "AAA", market.Range{}); !errors.Is(err, market.ErrMalformed) {
		t.Errorf("Bars of coins = %v, want ErrMalformed", err)
	}
}

func TestBars_TellWhatHappenedToTheShares(t *testing.T) {
	one := dec("1")
	for _, c := range []struct {
		name  string
		field string
		value float64
		want  market.Action
	}{
		{"dividend", "divCash", 0.205, market.Action{Kind: market.ActionDividend, Amount: dec("0.205")}},
		{"four for one", "splitFactor", 4, market.Action{Kind: market.ActionSplit, New: dec("4"), Old: one}},
		{"three for two", "splitFactor", 1.5, market.Action{Kind: market.ActionSplit, New: dec("3"), Old: dec("2")}},
		{"one for three", "splitFactor", 0.333333, market.Action{Kind: market.ActionSplit, New: one, Old: dec("3")}},
		{"one for five hundred", "splitFactor", 0.002, market.Action{Kind: market.ActionSplit, New: one, Old: dec("500")}},
		{"stock dividend of 1 %", "splitFactor", 1.01, market.Action{Kind: market.ActionSplit, New: dec("101"), Old: dec("100")}},
		// IBM spun off Kyndryl on 2021-11-04.
		{"spin-off", "splitFactor", 1.046, market.Action{Kind: market.ActionSpinOff, New: dec("1.046"), Old: one, Flags: []market.Flag{market.FlagSuspect}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := answering(map[string]string{barsPath: barsBody(rowOf("2020-08-28", 500), rowOf("2020-08-31", 129).with(c.field, c.value))})
			got, err := s.Bars(t.Context(), "AAA", market.Range{})
			c.want.Date = day("2020-08-31")
			if diff := cmp.Diff([]market.Action{c.want}, got.Actions); err != nil || diff != "" {
				t.Errorf("actions: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// Calculated by hand: a split of 4 for 1 turns 400 into 100, and a dividend of 2 after a close of 100 reduces
// all earlier prices by 2%.
func TestBars_TotalReturnIsMadeOfThem(t *testing.T) {
	s, _ := answering(map[string]string{barsPath: barsBody(
		rowOf("2020-01-02", 400), rowOf("2020-01-03", 100).with("splitFactor", 4.0), rowOf("2020-01-06", 99).with("divCash", 2.0),
	)})
	raw, err := s.Bars(t.Context(), "AAA", market.Range{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := raw.TotalReturn()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"98", "98", "99"} {
		if !got.Bars[i].Close.Equal(dec(want)) {
			t.Errorf("close of %s = %s, want %s", got.Bars[i].Date.Format(time.DateOnly), got.Bars[i].Close, want)
		}
	}
}

func TestBars_ActionsBelongToTheRange(t *testing.T) {
	e := fakeServer{[]row{rowOf("2020-01-02", 10).with("divCash", 1.0), rowOf("2020-01-03", 10).with("divCash", 2.0), rowOf("2020-01-06", 10).with("divCash", 3.0)}}
	careless, _ := answering(map[string]string{barsPath: barsBody(e.days...)}) // returns more than was requested
	for name, s := range map[string]*tiingo.Source{"exact": sourceAt(e, noon), "careless": careless} {
		got, err := s.Bars(t.Context(), "AAA", market.Range{From: day("2020-01-03"), To: day("2020-01-03")})
		if err != nil || len(got.Bars) != 1 || len(got.Actions) != 1 || !got.Actions[0].Amount.Equal(dec("2")) {
			t.Errorf("%s server: Bars = %v with %v, %v; want one bar with the dividend of 2", name, got.Bars, got.Actions, err)
		}
	}
}

func TestBars_MayChangeUntilEightInTheEvening(t *testing.T) {
	e := fakeServer{[]row{rowOf("2026-09-25", 10)}}
	for at, want := range map[time.Time]bool{
		time.Date(2026, 9, 25, 23, 59, 0, 0, time.UTC): true, // 19:59 in New York
		time.Date(2026, 9, 26, 0, 0, 0, 0, time.UTC):   false,
	} {
		got, err := sourceAt(e, at).Bars(t.Context(), "AAA", market.Range{})
		if err != nil || got.Provenance.Has(market.FlagProvisional) != want {
			t.Errorf("at %v: provisional = %v, %v; want %v", at, got.Provenance.Has(market.FlagProvisional), err, want)
		}
	}
}

func TestQuote_IsNamedByTheMeta(t *testing.T) {
	s, script := answering(map[string]string{quotePath: quoteBody, metaPath: metaBody})
	q, err := s.Quote(t.Context(), "AAA")
	if err != nil || q.Name != "Example Inc - Class A" || !q.Price.Equal(dec("12.5")) || !q.Previous.Decimal.Equal(dec("11.5")) ||
		!q.Provenance.AsOf.Equal(time.Date(2026, 9, 24, 19, 59, 59, 5e8, time.UTC)) {
		t.Errorf("Quote = %+v, %v", q, err)
	}
	// A price is useful even without a name.
	script.Respond(metaPath, markettest.Response{Status: 500})
	if q, err = s.Quote(t.Context(), "AAA"); err != nil || q.Name != "AAA" {
		t.Errorf("Quote without a name = %+v, %v; want the symbol in its place", q.Instrument, err)
	}
}

func TestSource_TheKeyGoesIntoTheHeaderAlone(t *testing.T) {
	s, script := answering(map[string]string{barsPath: `{"detail":"Invalid token ` + secret + `."}`})
	_, err := s.Bars(t.Context(), "AAA", market.Range{})
	if !errors.Is(err, market.ErrAuth) || strings.Contains(err.Error(), secret) {
		t.Errorf("Bars = %v, want ErrAuth without the key", err)
	}
	r := script.Requests()[0]
	if r.Header.Get("Authorization") != "Token "+secret || strings.Contains(r.URL.String(), secret) {
		t.Errorf("asked %s with %q, want the key in the header", r.URL, r.Header.Get("Authorization"))
	}
}

func TestSource_WithoutAKeySaysHowToSetOne(t *testing.T) {
	for name, key := range map[string]func() string{"nil": nil, "empty": func() string { return "" }} {
		script := markettest.NewScript(nil)
		s := tiingo.New(client.New(client.Options{Transport: script}), client.ProviderOptions{BaseURL: base, Key: key})
		for call, err := range everyCall(t.Context(), s) {
			if !errors.Is(err, market.ErrNotConfigured) || !strings.Contains(err.Error(), "nfa auth set tiingo") || !strings.Contains(err.Error(), "TIINGO_API_KEY") {
				t.Errorf("%s key: %s = %v, want ErrNotConfigured that says how to set one", name, call, err)
			}
		}
		if n := len(script.Requests()); n != 0 {
			t.Errorf("%s key: asked %d times", name, n)
		}
	}
}

func everyCall(ctx context.Context, s *tiingo.Source) map[string]error {
	errs := map[string]error{}
	_, errs["quote"] = s.Quote(ctx, "AAA")
	_, errs["bars"] = s.Bars(ctx, "AAA", market.Range{})
	_, errs["news"] = s.News(ctx, market.NewsQuery{Symbol: "AAA"})
	_, errs["profile"] = s.Profile(ctx, "AAA")
	return errs
}

func TestSource_BadDaysEndInTheirSentinel(t *testing.T) {
	good := map[string]struct{ path, body string }{
		"quote": {quotePath, quoteBody}, "bars": {barsPath, barsBody(rowOf("2026-09-24", 10))}, "news": {newsPath, newsBody}, "profile": {metaPath, metaBody},
	}
	for call, endpoint := range good {
		for _, bad := range append(markettest.BadResponses([]byte(endpoint.body)),
			markettest.BadResponse{Name: "200 with not found", Response: markettest.JSONResponse(notFound), Want: market.ErrUnknownSymbol},
			markettest.BadResponse{Name: "200 with a limit", Response: markettest.JSONResponse(overLimit), Want: market.ErrRateLimited},
			markettest.BadResponse{Name: "200 with a wrong token", Response: markettest.JSONResponse(wrongToken), Want: market.ErrAuth},
			markettest.BadResponse{Name: "another form", Response: markettest.JSONResponse(`"x"`), Want: market.ErrMalformed},
		) {
			t.Run(call+"/"+bad.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := sourceAt(markettest.NewScript(map[string]markettest.Response{endpoint.path: bad.Response}), noon)
					if err := everyCall(t.Context(), s)[call]; !errors.Is(err, bad.Want) {
						t.Errorf("%s = %v, want %v", call, err, bad.Want)
					}
				})
			})
		}
	}
}

func TestSource_AnswersThatAreNone(t *testing.T) {
	for _, c := range []struct {
		name, path, body, call string
		want                   error
	}{
		{"no bars", barsPath, `[]`, "bars", market.ErrNoData},
		{"null close", barsPath, barsBody(rowOf("2026-09-24", 1).with("close", nil)), "bars", market.ErrNoData},
		{"zero close", barsPath, barsBody(rowOf("2026-09-24", 0)), "bars", market.ErrNoData},
		{"days out of order", barsPath, barsBody(rowOf("2026-09-24", 1), rowOf("2026-09-23", 1)), "bars", market.ErrMalformed},
		{"a day twice", barsPath, barsBody(rowOf("2026-09-24", 1), rowOf("2026-09-24", 1)), "bars", market.ErrMalformed},
		{"no date", barsPath, `[{"close":1}]`, "bars", market.ErrMalformed},
		{"no such symbol", quotePath, `[]`, "quote", market.ErrUnknownSymbol},
		{"another symbol", quotePath, strings.Replace(quoteBody, "AAA", "BBB", 1), "quote", market.ErrMalformed},
		{"nulls", quotePath, strings.Replace(quoteBody, "12.5", "null", 1), "quote", market.ErrNoData},
		{"zero", quotePath, strings.Replace(quoteBody, "12.5", "0", 1), "quote", market.ErrNoData},
		{"no time", quotePath, strings.Replace(quoteBody, "2026-09-24T", "", 1), "quote", market.ErrMalformed},
		{"profile of another", metaPath, strings.Replace(metaBody, "AAA", "BBB", 1), "profile", market.ErrMalformed},
	} {
		s, _ := answering(map[string]string{c.path: c.body})
		if err := everyCall(t.Context(), s)[c.call]; !errors.Is(err, c.want) {
			t.Errorf("%s: %s = %v, want %v", c.name, c.call, err, c.want)
		}
	}
}

func TestNews_AreOfTheSymbolAndWithinTheBounds(t *testing.T) {
	at := func(d int) time.Time { return time.Date(2026, 9, d, 12, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		name string
		q    market.NewsQuery
		want []string
	}{
		{"all", market.NewsQuery{Symbol: "AAA"}, []string{"Newer", "Older"}},
		{"a class of share", market.NewsQuery{Symbol: "BRK.B"}, []string{"Newer"}},
		{"limit", market.NewsQuery{Symbol: "AAA", Limit: 1}, []string{"Newer"}},
		{"before", market.NewsQuery{Symbol: "AAA", Before: at(21)}, []string{"Older"}},
		{"after", market.NewsQuery{Symbol: "AAA", After: at(21)}, []string{"Newer"}},
	} {
		s, _ := answering(map[string]string{newsPath: newsBody})
		got, err := s.News(t.Context(), c.q)
		var titles []string
		for _, a := range got {
			titles = append(titles, a.Title)
		}
		if err != nil || cmp.Diff(c.want, titles) != "" {
			t.Errorf("%s: %q, %v; want %q", c.name, titles, err, c.want)
		}
	}
	s, script := answering(nil)
	if _, err := s.News(t.Context(), market.NewsQuery{Text: "rates"}); !errors.Is(err, market.ErrNoData) || len(script.Requests()) != 0 {
		t.Errorf("News of words = %v after %d questions, want ErrNoData after none", err, len(script.Requests()))
	}
}

func FuzzSource(f *testing.F) {
	for _, seed := range []string{quoteBody, metaBody, newsBody, notFound, barsBody(rowOf("2026-09-24", 10).with("splitFactor", 1e-19), rowOf("2026-09-25", 10).with("divCash", 1e19))} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		s, _ := answering(map[string]string{quotePath: body, barsPath: body, newsPath: body, metaPath: body})
		if series, err := s.Bars(t.Context(), "AAA", market.Range{}); err == nil {
			markettest.CheckBars(t, series.Bars)
			_, _ = series.TotalReturn() // must not panic
		}
		for call, err := range everyCall(t.Context(), s) {
			var from *market.SourceError
			if err != nil && !errors.As(err, &from) {
				t.Errorf("%s: error %v is no *market.SourceError", call, err)
			}
		}
	})
}
