package feed_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// loopback is the base URL of the fake providers. Nothing listens there: responses come from memory.
const loopback = "http://127.0.0.1"

// marketWith returns the program's own sources with fake providers.
func marketWith(w *markettest.FakeProviders, dir string) *feed.Market {
	env := w.Env(loopback)
	return feed.New(feed.Options{
		Bars: newMemoryStore(), Dir: dir, Client: client.New(client.Options{Transport: w, Now: time.Now}),
		Base:    func(provider string) string { return env["NFA_"+strings.ToUpper(provider)+"_URL"] },
		Key:     func(client.Provider) string { return "key-0123456789" },
		Contact: "tests@example.com", SearXNG: env["NFA_SEARXNG_URL"], Now: time.Now, Log: zerolog.Nop(),
	})
}

// sleepToWednesday moves the clock of a synctest bubble to a morning during New York's session.
func sleepToWednesday() {
	time.Sleep(time.Until(time.Date(2026, time.November, 18, 15, 0, 0, 0, time.UTC)))
}

// serverOf returns the fake server behind a source, "" for the sample data.
func serverOf(source string) string {
	switch source {
	case "sec-edgar":
		return "edgar"
	case "google-news":
		return "rss"
	}
	if slices.Contains(markettest.NewFakeProviders(time.Now).Names(), source) {
		return source
	}
	return ""
}

// sourceOrder returns the sources that answer an inquiry: the first one without failures, the second one if
// the first is down, and so on, until only the sample data remains. Nil means that no live source is asked.
func sourceOrder(t *testing.T, ask inquiry) []string {
	t.Helper()
	w := markettest.NewFakeProviders(time.Now)
	var names []string
	for {
		p, err := runInquiry(t, w, ask, t.TempDir())
		name := serverOf(p.Source)
		if len(names) == 0 && name == "" {
			if exhausted, ok := errors.AsType[*market.ExhaustedError](err); ok && len(exhausted.Tried) > 0 || len(p.Tried) > 0 {
				t.Fatalf("%s: no live source answers on a good day: %v, tried %v", ask.name, err, p.Tried)
			}
			return nil
		}
		if err != nil || name == "" {
			return names
		}
		if slices.Contains(names, name) {
			t.Fatalf("%s: %s answers although its server is down", ask.name, name)
		}
		names = append(names, name)
		w.SetMode(markettest.UnreachableMode(), name)
	}
}

// runInquiry asks the program's sources, which request the fake providers.
func runInquiry(t *testing.T, w *markettest.FakeProviders, ask inquiry, dir string) (market.Provenance, error) {
	t.Helper()
	return ask.run(t.Context(), market.NewFallback(marketWith(w, dir).Sources()))
}

// expectedExceptions returns the errors of sources, or of single inquiries, for which a failure means
// something else. Nil means that the failure cannot be detected.
func expectedExceptions() map[string]error {
	return map[string]error{
		"yahoo: words in place of data": market.ErrRateLimited,   // with status 200
		"binance: 403":                  market.ErrUnavailable,   // for countries that it does not serve
		"edgar: other symbol":           market.ErrUnknownSymbol, // its list has other companies
		// These responses do not name their symbol.
		"bars of a share of tiingo: other symbol":       nil,
		"bars of a share of alphavantage: other symbol": nil,
		"bars of a coin of binance: other symbol":       nil,
		"bars of a coin of coingecko: other symbol":     nil,
		"quote of a share of finnhub: other symbol":     nil,
		// For an unknown symbol, these sources return an empty response.
		"quote of a share of tiingo: only null": market.ErrUnknownSymbol,
		"bars of a share of tiingo: only null":  market.ErrNoData,
		"profile of finnhub: only null":         market.ErrUnknownSymbol,
		"profile of alphavantage: only null":    market.ErrUnknownSymbol,
		"news of tiingo: only null":             nil,
	}
}

// modeFor returns the failure mode with the error expected of the source of an inquiry, and
// false if the source cannot recognize the failure.
func modeFor(day markettest.FailureMode, ask inquiry, source string) (markettest.FailureMode, bool) {
	if day.Name == "zeros" && !ask.prices || day.Name == "other symbol" && !ask.named {
		return day, false
	}
	for _, key := range []string{source, ask.name + " of " + source} {
		if want, ok := expectedExceptions()[key+": "+day.Name]; ok {
			day.Want = want
			return day, want != nil
		}
	}
	return day, true
}

// Each source of each inquiry is tested in each failure mode. The sources before it are down, so that it is
// asked. Its failure must be reported with a sentinel of package market, and the next source must answer.
func TestMarket_OnABadDayOfOneSourceTheNextAnswers(t *testing.T) {
	for _, ask := range inquiries() {
		t.Run(ask.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				sleepToWednesday()
				sources := sourceOrder(t, ask)
				if sources == nil {
					t.Fatal("no live source is asked for this")
				}
				for i, source := range sources {
					dir := t.TempDir()
					for _, day := range markettest.FailureModes() {
						if day, ok := modeFor(day, ask, source); ok {
							checkFailureMode(t, ask, sources, i, day, dir)
						}
					}
				}
			})
		})
	}
}

// Each provider must answer an inquiry, so that the test above covers all of them.
func TestMarket_EveryProviderAnswersSomething(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sleepToWednesday()
		var names []string
		for _, ask := range inquiries() {
			names = append(names, sourceOrder(t, ask)...)
		}
		slices.Sort(names)
		if diff := cmp.Diff(composedSources(), slices.Compact(names)); diff != "" {
			t.Errorf("providers (-made +that answer):\n%s", diff)
		}
	})
}

func checkFailureMode(t *testing.T, ask inquiry, sources []string, i int, day markettest.FailureMode, dir string) {
	t.Helper()
	w := markettest.NewFakeProviders(time.Now)
	w.SetMode(markettest.UnreachableMode(), sources[:i]...)
	w.SetMode(day, sources[i])
	what := fmt.Sprintf("%s, %s on a day of %q", ask.name, sources[i], day.Name)
	p, err := runInquiry(t, w, ask, dir)
	tried := p.Tried
	if exhausted, ok := errors.AsType[*market.ExhaustedError](err); ok {
		tried = exhausted.Tried
	} else if err != nil {
		t.Errorf("%s: %v, want an answer of the next source or an account of all", what, err)
		return
	}
	if got := serverOf(p.Source); i+1 < len(sources) && got != sources[i+1] {
		t.Errorf("%s: %q answers (%v), want %q", what, got, err, sources[i+1])
	}
	at := slices.IndexFunc(tried, func(a market.Attempt) bool { return serverOf(a.Source) == sources[i] })
	switch {
	case at < 0:
		t.Errorf("%s: it is not said that it was asked: %+v", what, tried)
	case day.Want != nil && !strings.Contains(tried[at].Reason, day.Want.Error()):
		t.Errorf("%s: %q is said, want %q", what, tried[at].Reason, day.Want)
	}
}
