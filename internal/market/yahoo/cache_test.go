package yahoo_test

import (
	"errors"
	"io/fs"
	"net/http"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/yahoo"
)

// clock is set by the tests.
type clock struct{ now time.Time }

func keeping(t *testing.T, script *markettest.Script, c *clock, o client.ProviderOptions) *yahoo.Source {
	t.Helper()
	now := func() time.Time { return c.now }
	o.BaseURL, o.Now = base, now
	return yahoo.New(client.New(client.Options{Dir: t.TempDir(), Transport: script, Now: now}), o)
}

func TestQuote_IsAskedForAgainAfterFifteenSeconds(t *testing.T) {
	hour := func(market.Symbol, time.Time) time.Duration { return time.Hour }
	for _, row := range []struct {
		name  string
		fresh func(market.Symbol, time.Time) time.Duration
		later time.Duration
		want  market.CacheState
	}{
		{"within", nil, 14 * time.Second, market.CacheHit},
		{"after", nil, 16 * time.Second, market.CacheMiss},
		{"within an hour, while the exchange is closed", hour, 59 * time.Minute, market.CacheHit},
	} {
		c := &clock{testNoon}
		script := markettest.NewScript(map[string]markettest.Response{chartPath + "AAA": markettest.JSONResponse(markettest.NewYahooChart("AAA", "2025-02-19", 10).String())})
		s := keeping(t, script, c, client.ProviderOptions{Fresh: row.fresh})
		getQuote(t, s, "AAA")
		c.now = c.now.Add(row.later)
		if q := getQuote(t, s, "AAA"); q.Provenance.Cache != row.want {
			t.Errorf("%s: cache = %q, want %q", row.name, q.Provenance.Cache, row.want)
		}
	}
}

func TestSource_AnOldAnswerIsBetterThanNoneAndSaysSo(t *testing.T) {
	c := &clock{testNoon}
	script := markettest.NewScript(nil).Respond(chartPath+"AAA", markettest.JSONResponse(markettest.NewYahooChart("AAA", "2025-02-19", 10).String()), markettest.Response{Status: 500})
	s := keeping(t, script, c, client.ProviderOptions{})
	getQuote(t, s, "AAA")
	c.now = c.now.Add(time.Hour)
	q := getQuote(t, s, "AAA")
	if q.Provenance.Cache != market.CacheStale || !q.Provenance.Has(market.FlagStale) || !q.Provenance.FetchedAt.Equal(testNoon) {
		t.Errorf("quote while the server is down: %+v, want it stale and of an hour ago", q.Provenance)
	}
	c.now = c.now.Add(24 * time.Hour)
	if _, err := s.Quote(t.Context(), "AAA"); err == nil {
		t.Error("Quote of yesterday's copy succeeded, want an error")
	}
}

// A copy cached by an earlier version may not parse in this one.
func TestSource_AKeptAnswerThatCannotBeReadIsAnError(t *testing.T) {
	now := func() time.Time { return testNoon }
	script := markettest.NewScript(map[string]markettest.Response{chartPath + "AAA": markettest.JSONResponse(markettest.NewYahooChart("AAA", "2025-02-19", 10).String())})
	getQuote(t, sourceOf(script), "AAA")
	requests := script.Requests()[0]

	dir := t.TempDir()
	before := markettest.NewScript(map[string]markettest.Response{chartPath + "AAA": markettest.JSONResponse(`{"an":"older form"}`)})
	httpClient := client.New(client.Options{Dir: dir, Transport: before, Now: now})
	request := client.Request{Op: "quote", URL: requests.URL.String(), Fresh: time.Hour, Header: http.Header{"Accept": requests.Header["Accept"]}}
	if _, err := httpClient.Source(client.Policy{Source: "yahoo"}).Get(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	s := yahoo.New(client.New(client.Options{Dir: dir, Transport: before, Now: now}), client.ProviderOptions{BaseURL: base, Now: now})
	_, err := s.Quote(t.Context(), "AAA")
	if _, ok := errors.AsType[*market.SourceError](err); !ok || !errors.Is(err, market.ErrMalformed) || len(before.Requests()) != 2 {
		t.Errorf("Quote = %v, asked %d times; want ErrMalformed, after the server was asked anew", err, len(before.Requests()))
	}
}

// A cached response does not replace a new one that another user agent would receive.
func TestSource_TriesTheNextNameBeforeAnOldAnswer(t *testing.T) {
	c := &clock{testNoon}
	chart := markettest.NewYahooChart("AAA", "2025-02-19", 10)
	first := markettest.JSONResponse(chart.String())
	chart.Meta["regularMarketPrice"] = 11
	script := markettest.NewScript(nil).Respond(chartPath+"AAA", first, markettest.Response{Status: 429}, markettest.JSONResponse(chart.String()))
	s := keeping(t, script, c, client.ProviderOptions{})
	getQuote(t, s, "AAA")
	c.now = c.now.Add(time.Hour)
	if q := getQuote(t, s, "AAA"); !q.Price.Equal(testDecimal("11")) || q.Provenance.Cache != market.CacheMiss {
		t.Errorf("quote = %s, %q; want the new one under the second name", q.Price, q.Provenance.Cache)
	}
}

func TestSource_DoesNotKeepAMistake(t *testing.T) {
	c := &clock{testNoon}
	script := markettest.NewScript(nil).Respond(chartPath+"AAA",
		markettest.JSONResponse(markettest.NewYahooChart("BBB", "2025-02-19", 10).String()), markettest.JSONResponse(markettest.NewYahooChart("AAA", "2025-02-19", 10).String()))
	s := keeping(t, script, c, client.ProviderOptions{})
	if _, err := s.Quote(t.Context(), "AAA"); err == nil {
		t.Fatal("Quote of another symbol succeeded")
	}
	if q := getQuote(t, s, "AAA"); q.Provenance.Cache != market.CacheMiss {
		t.Errorf("cache = %q, want it asked for again", q.Provenance.Cache)
	}
}

// The URL changes with the day and the range, so a cached response would fill the disk and never be used.
func TestBars_AreNotKeptHere(t *testing.T) {
	for _, r := range []market.Range{{}, {From: testDay("2025-02-17")}, {To: testDay("2025-02-19")}, {From: testDay("2020-01-01"), To: testDay("2020-03-01")}} {
		c, dir := &clock{testNoon}, t.TempDir()
		now := func() time.Time { return c.now }
		sheet := markettest.NewYahooChart("AAA", "2020-02-03", 10)
		sheet.Rows = append(sheet.Rows, markettest.NewYahooChart("AAA", "2025-02-17", 10, 11, 12).Rows...)
		script := markettest.NewScript(nil).Respond(chartPath+"AAA", markettest.JSONResponse(sheet.String()), markettest.JSONResponse(sheet.String()), markettest.Response{Status: 404})
		s := yahoo.New(client.New(client.Options{Dir: dir, Transport: script, Now: now}), client.ProviderOptions{BaseURL: base, Now: now})
		for i := range 2 {
			if got, err := s.Bars(t.Context(), "AAA", r); err != nil || got.Provenance.Cache != market.CacheMiss || len(script.Requests()) != i+1 {
				t.Fatalf("%v, question %d: %q, %v after %d requests; want Yahoo asked each time", r, i+1, got.Provenance.Cache, err, len(script.Requests()))
			}
		}
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "limits":
				return filepath.SkipDir // stores rate limits, not responses
			case d.Type().IsRegular():
				t.Errorf("%v: %s is left on the disk", r, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestBars_OfASilentServerAreLeftToWhoKeepsThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // a server error is retried after a pause
		c := &clock{testNoon}
		script := markettest.NewScript(nil).Respond(chartPath+"AAA", markettest.JSONResponse(markettest.NewYahooChart("AAA", "2025-02-19", 10).String()), markettest.Response{Status: 500})
		s := keeping(t, script, c, client.ProviderOptions{})
		getBars(t, s, "AAA")
		if got, err := s.Bars(t.Context(), "AAA", market.Range{}); !errors.Is(err, market.ErrUnavailable) {
			t.Errorf("Bars = %+v, %v; want ErrUnavailable", got.Provenance, err)
		}
	})
}

func TestStatements_OfLastWeekStandInForASilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &clock{testNoon}
		script := markettest.NewScript(nil).Respond(statementPath, markettest.JSONResponse(statementBody), markettest.Response{Status: 500})
		s := keeping(t, script, c, client.ProviderOptions{})
		if _, err := s.Statements(t.Context(), "AAA", market.StatementQuery{}); err != nil {
			t.Fatal(err)
		}
		if got := script.Requests()[0].URL.Query().Get("period2"); got != "1740787200" { // 2025-03-01
			t.Errorf("asked until %s, want the end of February", got)
		}
		c.now = c.now.AddDate(0, 0, 7)
		got, err := s.Statements(t.Context(), "AAA", market.StatementQuery{})
		if err != nil || len(got) == 0 || !got[0].Provenance.Has(market.FlagStale) || !got[0].Provenance.FetchedAt.Equal(testNoon) {
			t.Errorf("Statements a week later = %+v, %v; want those of the week before, flagged", got, err)
		}
	})
}
