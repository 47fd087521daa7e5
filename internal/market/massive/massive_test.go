package massive_test

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
	"github.com/nfa-cli/nfa/internal/market/massive"
)

var week = exchange{
	[]string{"2026-09-17", "2026-09-18", "2026-09-21", "2026-09-22", "2026-09-23", "2026-09-24"}, []float64{10, 10.5, 9.75, 11, 12, 12.5},
}

func TestSource_KeepsTheContractOfPrices(t *testing.T) {
	markettest.RunPrices(t, func(*testing.T) markettest.PriceSubject {
		return markettest.PriceSubject{Source: sourceAt(week, noon), Listed: "AAA"}
	})
}

func TestBars_OfTheRecordedAggregates(t *testing.T) {
	s, _ := answering(map[string]string{"/v2/aggs/ticker/AAPL/range/1/day/2005-04-01/2005-04-04": recorded(t, "aggs-AAPL-day.json")})
	got, err := s.Bars(t.Context(), "AAPL", market.Range{From: day("2005-04-01"), To: day("2005-04-04")})
	null := decimal.NewNullDecimal
	want := []market.Bar{ // on both sides of a clock change
		{Date: day("2005-04-01"), Open: null(dec("1.5032")), High: null(dec("1.5064")), Low: null(dec("1.4489")), Close: dec("1.4604"), Volume: null(dec("642646396"))},
		{Date: day("2005-04-04"), Open: null(dec("1.4639")), High: null(dec("1.4754")), Low: null(dec("1.4343")), Close: dec("1.4675"), Volume: null(dec("578172308"))},
	}
	if diff := cmp.Diff(want, got.Bars); err != nil || diff != "" {
		t.Errorf("bars: %v (-want +got):\n%s", err, diff)
	}
	if got.Provenance.Adjustment != market.AdjustmentSplit || got.Actions == nil {
		t.Errorf("adjustment %s, actions %v; want split, and none", got.Provenance.Adjustment, got.Actions)
	}
}

func TestProfile_OfTheRecordedTicker(t *testing.T) {
	s, _ := answering(map[string]string{"/v3/reference/tickers/AAPL": recorded(t, "ticker-AAPL.json")})
	p, err := s.Profile(t.Context(), "AAPL")
	want := market.Profile{
		Instrument: market.Instrument{Symbol: "AAPL", Name: "Apple Inc.", Kind: "equity", Listing: market.Listing{MIC: "XNAS", CIK: "0000320193", FIGI: "BBG000B9XRY4"}},
		Industry:   "ELECTRONIC COMPUTERS", SIC: "3571", Website: "https://www.apple.com", Employees: 154000,
	}
	if diff := cmp.Diff(want, p, cmpopts.IgnoreFields(market.Profile{}, "Description", "Provenance")); err != nil || diff != "" {
		t.Errorf("Profile: %v (-want +got):\n%s", err, diff)
	}
}

func TestNews_OfTheRecordedArticle(t *testing.T) {
	s, _ := answering(map[string]string{newsPath: recorded(t, "news-NFLX.json")})
	got, err := s.News(t.Context(), market.NewsQuery{Symbol: "NFLX"})
	if err != nil || len(got) != 1 || got[0].Publisher != "MarketWatch" || !got[0].Published.Equal(time.Date(2022, 4, 28, 17, 8, 0, 0, time.UTC)) || len(got[0].Symbols) != 4 {
		t.Errorf("News = %+v, %v", got, err)
	}
}

// The recorded lists cover many companies, and the snapshot is not a list of days: none of them matches the
// request.
func TestBars_RecordedAnswersToOtherQuestions(t *testing.T) {
	days := barsBody(barOf("2026-09-24", 1))
	for file, path := range map[string]string{"dividends.json": dividendPath, "splits.json": splitPath} {
		s, _ := answering(map[string]string{barsPath: days, path: recorded(t, file)})
		if got, err := s.Bars(t.Context(), "AAA", market.Range{}); err != nil || got.Actions != nil {
			t.Errorf("%s: actions %v, %v; want nil, which is not known", file, got.Actions, err)
		}
	}
	s, _ := answering(map[string]string{barsPath: recorded(t, "snapshot-AAPL.json")})
	if _, err := s.Bars(t.Context(), "AAA", market.Range{}); !errors.Is(err, market.ErrMalformed) {
		t.Errorf("Bars of a snapshot = %v, want ErrMalformed", err)
	}
}

// The rows are from the recorded lists, for one company each.
func TestBars_TellWhatHappenedToTheShares(t *testing.T) {
	splits := `{"results":[{"execution_date":"2026-09-23","split_from":1,"split_to":4,"ticker":"AAA"},{"execution_date":"2026-09-25","split_from":2,"split_to":1,"ticker":"AAA"},
		{"execution_date":"2026-09-28","split_from":1,"split_to":10,"ticker":"AAA"}],"status":"OK"}`
	dividends := `{"results":[{"cash_amount":0.8,"currency":"USD","ex_dividend_date":"2026-09-22","ticker":"AAA"},{"cash_amount":0.25,"ex_dividend_date":"2026-09-24","ticker":"AAA"},
		{"cash_amount":9,"ex_dividend_date":"2026-12-24","ticker":"AAA"}],"status":"OK"}`
	s, script := answering(map[string]string{barsPath: barsBody(barOf("2026-09-21", 10), barOf("2026-09-22", 10), barOf("2026-09-23", 10), barOf("2026-09-24", 10)), splitPath: splits, dividendPath: dividends})
	got, err := s.Bars(t.Context(), "AAA", market.Range{})
	// Prices are adjusted for two of the splits, the later one after the last bar: a dividend before both is
	// worth 2/4 of the amount paid, one between them 2/1. The third split is announced for Monday.
	want := []market.Action{
		{Kind: market.ActionDividend, Date: day("2026-09-22"), Amount: dec("0.4")},
		{Kind: market.ActionSplit, Date: day("2026-09-23"), New: dec("4"), Old: dec("1")},
		{Kind: market.ActionDividend, Date: day("2026-09-24"), Amount: dec("0.5")},
	}
	if diff := cmp.Diff(want, got.Actions); err != nil || diff != "" {
		t.Errorf("actions: %v (-want +got):\n%s", err, diff)
	}
	for _, r := range script.Requests() {
		if q := r.URL.Query(); strings.HasPrefix(r.URL.Path, "/v3") && (q.Get("execution_date.gte")+q.Get("ex_dividend_date.gte") != "2026-09-21" || q.Get("ticker") != "AAA") {
			t.Errorf("asked %s, want what happened since the first bar", r.URL)
		}
	}
}

func TestBars_OneActionThatCannotBeReadSpoilsThemAll(t *testing.T) {
	for name, row := range map[string]string{
		"no amount":        `{"ex_dividend_date":"2026-09-22","ticker":"AAA"}`,
		"amount of zero":   `{"cash_amount":0,"ex_dividend_date":"2026-09-22","ticker":"AAA"}`,
		"another currency": `{"cash_amount":1,"currency":"CAD","ex_dividend_date":"2026-09-22","ticker":"AAA"}`,
		"no day":           `{"cash_amount":1,"ticker":"AAA"}`,
		"another company":  `{"cash_amount":1,"ex_dividend_date":"2026-09-22","ticker":"BBB"}`,
	} {
		s, _ := answering(map[string]string{barsPath: barsBody(barOf("2026-09-24", 10)), dividendPath: `{"results":[` + row + `],"status":"OK"}`})
		if got, err := s.Bars(t.Context(), "AAA", market.Range{}); err != nil || got.Actions != nil {
			t.Errorf("%s: actions %v, %v; want nil, which is not known", name, got.Actions, err)
		}
	}
}

func TestBars_SayWhatThePlanLeavesOut(t *testing.T) {
	odd := barOf("2026-09-23", 10).with("h", 9)
	s, _ := answering(map[string]string{barsPath: barsBody(odd, barOf("2026-09-24", 10))})
	got, err := s.Bars(t.Context(), "AAA", market.Range{})
	if err != nil || !strings.Contains(got.Provenance.Note, "two years") || !strings.Contains(got.Provenance.Note, "close is used): 1.") || !got.Provenance.Has(market.FlagSuspect) {
		t.Fatalf("Bars say %q, %v, %v; want the reach of the plan and the odd day", got.Provenance.Note, got.Provenance.Flags, err)
	}
	if b := got.Bars[0]; b.High.Valid || b.Open.Valid || !b.Close.Equal(dec("10")) {
		t.Errorf("odd day = %+v, want its close alone", b)
	}
}

func TestBars_ASymbolWithoutBarsIsAskedForByName(t *testing.T) {
	s, script := answering(map[string]string{barsPath: barsBody(), profilePath: profileBody})
	if _, err := s.Bars(t.Context(), "AAA", market.Range{}); !errors.Is(err, market.ErrNoData) {
		t.Errorf("Bars of a listed symbol without bars = %v, want ErrNoData", err)
	}
	script.Respond(profilePath, markettest.Response{Status: 404, Body: []byte(notFound)})
	if _, err := s.Bars(t.Context(), "AAA", market.Range{}); !errors.Is(err, market.ErrUnknownSymbol) {
		t.Errorf("Bars of an unlisted symbol = %v, want ErrUnknownSymbol", err)
	}
}

func TestBars_OfTheSessionUnderWayAreProvisional(t *testing.T) {
	e := exchange{[]string{"2026-09-24", "2026-09-25"}, []float64{10, 11}}
	for hour, want := range map[int]bool{19: true, 21: false} {
		got, err := sourceAt(e, time.Date(2026, 9, 25, hour, 0, 0, 0, time.UTC)).Bars(t.Context(), "AAA", market.Range{})
		if err != nil || got.Provenance.Has(market.FlagProvisional) != want {
			t.Errorf("at %d h UTC: provisional = %v, %v; want %v", hour, got.Provenance.Has(market.FlagProvisional), err, want)
		}
	}
}

func TestQuote_IsTheLastCloseAndTheOneBefore(t *testing.T) {
	q, err := sourceAt(week, noon).Quote(t.Context(), "AAA")
	if err != nil || q.Name != "Example Inc." || !q.Price.Equal(dec("12.5")) || !q.Previous.Decimal.Equal(dec("12")) || !q.PreviousAsOf.Equal(day("2026-09-23")) {
		t.Errorf("Quote = %+v, %v; want 12.5 after 12 on 2026-09-23", q, err)
	}
}

func everyCall(ctx context.Context, s *massive.Source) map[string]error {
	errs := map[string]error{}
	_, errs["bars"] = s.Bars(ctx, "AAA", market.Range{})
	_, errs["profile"] = s.Profile(ctx, "AAA")
	_, errs["news"] = s.News(ctx, market.NewsQuery{Symbol: "AAA"})
	return errs
}

func TestSource_BadDaysEndInTheirSentinel(t *testing.T) {
	for call, endpoint := range map[string]struct{ path, body string }{"bars": {barsPath, barsBody(barOf("2026-09-24", 1))}, "profile": {profilePath, profileBody}, "news": {newsPath, newsBody}} {
		for _, bad := range append(markettest.BadResponses([]byte(endpoint.body)),
			markettest.BadResponse{Name: "not in the plan", Response: markettest.Response{Status: 403, Body: []byte(forbidden)}, Want: market.ErrAuth},
			markettest.BadResponse{Name: "not in the plan, with 200", Response: markettest.JSONResponse(forbidden), Want: market.ErrAuth},
			markettest.BadResponse{Name: "not found, with 200", Response: markettest.JSONResponse(notFound), Want: market.ErrUnknownSymbol},
			markettest.BadResponse{Name: "too many, with 200", Response: markettest.JSONResponse(tooMany), Want: market.ErrRateLimited},
			markettest.BadResponse{Name: "error, with 200", Response: markettest.JSONResponse(`{"status":"ERROR","error":"no"}`), Want: market.ErrUnavailable},
			markettest.BadResponse{Name: "no status", Response: markettest.JSONResponse(`{"results":[]}`), Want: market.ErrMalformed},
			markettest.BadResponse{Name: "null", Response: markettest.JSONResponse(`null`), Want: market.ErrMalformed},
		) {
			t.Run(call+"/"+bad.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := sourceAt(markettest.NewScript(map[string]markettest.Response{profilePath: markettest.JSONResponse(profileBody)}).Respond(endpoint.path, bad.Response), noon)
					err := map[string]func() error{
						"bars":    func() error { _, err := s.Bars(t.Context(), "AAA", market.Range{}); return err },
						"profile": func() error { _, err := s.Profile(t.Context(), "AAA"); return err },
						"news":    func() error { _, err := s.News(t.Context(), market.NewsQuery{Symbol: "AAA"}); return err },
					}[call]()
					if !errors.Is(err, bad.Want) {
						t.Errorf("%s = %v, want %v", call, err, bad.Want)
					}
				})
			})
		}
	}
}

func TestBars_AnswersThatAreNone(t *testing.T) {
	good := barsBody(barOf("2026-09-23", 1), barOf("2026-09-24", 1))
	for name, c := range map[string]struct {
		body string
		want error
	}{
		"another symbol":   {strings.Replace(good, "AAA", "BBB", 1), market.ErrMalformed},
		"not adjusted":     {strings.Replace(good, `"adjusted":true`, `"adjusted":false`, 1), market.ErrMalformed},
		"a part":           {strings.Replace(good, `{`, `{"next_url":"https://api.massive.com/x",`, 1), market.ErrMalformed},
		"null close":       {barsBody(barOf("2026-09-24", 1).with("c", nil)), market.ErrNoData},
		"zero close":       {barsBody(barOf("2026-09-24", 0)), market.ErrNoData},
		"no time":          {barsBody(barOf("2026-09-24", 1).with("t", 0)), market.ErrMalformed},
		"days in disorder": {barsBody(barOf("2026-09-24", 1), barOf("2026-09-23", 1)), market.ErrMalformed},
		"a day twice":      {barsBody(barOf("2026-09-24", 1), barOf("2026-09-24", 1)), market.ErrMalformed},
	} {
		s, _ := answering(map[string]string{barsPath: c.body, profilePath: profileBody})
		if _, err := s.Bars(t.Context(), "AAA", market.Range{}); !errors.Is(err, c.want) {
			t.Errorf("%s: Bars = %v, want %v", name, err, c.want)
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
		t.Errorf("News of words = %v, want ErrNoData without asking", err)
	}
}

func TestSource_WithoutAKeySaysHowToSetOne(t *testing.T) {
	for name, key := range map[string]func() string{"nil": nil, "empty": func() string { return "" }} {
		script := markettest.NewScript(nil)
		for call, err := range everyCall(t.Context(), massive.New(client.New(client.Options{Transport: script}), client.ProviderOptions{BaseURL: base, Key: key})) {
			if !errors.Is(err, market.ErrNotConfigured) || !strings.Contains(err.Error(), "nfa auth set massive") || len(script.Requests()) != 0 {
				t.Errorf("%s key: %s = %v, want ErrNotConfigured that says how to set one", name, call, err)
			}
		}
	}
}

func FuzzSource(f *testing.F) {
	for _, seed := range []string{barsBody(barOf("2026-09-24", 10)), profileBody, newsBody, emptyBody, tooMany,
		`{"results":[{"execution_date":"2026-09-23","split_from":1,"split_to":1e19,"ticker":"AAA"}],"status":"OK"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		s, script := answering(map[string]string{barsPath: body, profilePath: body, newsPath: body})
		if series, err := s.Bars(t.Context(), "AAA", market.Range{}); err == nil {
			markettest.CheckBars(t, series.Bars)
		}
		for call, err := range everyCall(t.Context(), s) {
			var from *market.SourceError
			if err != nil && !errors.As(err, &from) {
				t.Errorf("%s: error %v is no *market.SourceError", call, err)
			}
		}
		script.Respond(barsPath, markettest.JSONResponse(barsBody(barOf("2026-09-22", 1), barOf("2026-09-23", 1)))).Respond(splitPath, markettest.JSONResponse(body)).Respond(dividendPath, markettest.JSONResponse(body))
		if series, err := s.Bars(t.Context(), "AAA", market.Range{}); err == nil {
			_, _ = series.TotalReturn() // must not panic
		}
	})
}
