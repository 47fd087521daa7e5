package marketplace_test

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
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/marketplace"
	"github.com/nfa-cli/nfa/internal/marketplace/marketplacetest"
)

// loopback is where the world's servers are said to be. Nothing listens there: the
// answers come from memory.
const loopback = "http://127.0.0.1"

// placeIn is the program's own composition of sources, in a world of the test.
func placeIn(w *marketplacetest.World, dir string) *marketplace.Market {
	env := w.Env(loopback)
	return marketplace.New(marketplace.Options{
		Dir: dir, Client: fetch.New(fetch.Options{Transport: w, Now: time.Now}),
		Base:    func(provider string) string { return env["NFA_"+strings.ToUpper(provider)+"_URL"] },
		Key:     func(marketplace.Keyed) string { return "key-0123456789" },
		Contact: "tests@example.com", SearXNG: env["NFA_SEARXNG_URL"], Now: time.Now, Log: zerolog.Nop(),
	})
}

// onAWednesday moves the clock of a bubble to a morning in New York's session.
func onAWednesday() {
	time.Sleep(time.Until(time.Date(2026, time.November, 18, 15, 0, 0, 0, time.UTC)))
}

// serverOf is the world's server behind a source, "" for the embedded sample.
func serverOf(source string) string {
	switch source {
	case "sec-edgar":
		return "edgar"
	case "google-news":
		return "rss"
	}
	if slices.Contains(marketplacetest.New(time.Now).Providers(), source) {
		return source
	}
	return ""
}

// order is who answers an inquiry: the first on a good day, the second where the
// first is down, and so on. It ends at the sample. Nil means that no live source is
// asked at all.
func order(t *testing.T, ask inquiry) []string {
	t.Helper()
	w := marketplacetest.New(time.Now)
	var names []string
	for {
		p, err := put(t, w, ask, t.TempDir())
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
		w.Set(marketplacetest.Away(), name)
	}
}

// put asks the program's sources in this world.
func put(t *testing.T, w *marketplacetest.World, ask inquiry, dir string) (market.Provenance, error) {
	t.Helper()
	m := placeIn(w, dir)
	p, err := ask.put(t.Context(), market.NewFallback(m.Sources()))
	if closed := m.Close(); closed != nil {
		t.Fatal(closed)
	}
	return p, err
}

// exceptions are the bad days of a source, or of one inquiry of it, that mean
// something else there. Nil is a fault that nobody could see in the answer.
func exceptions() map[string]error {
	return map[string]error{
		"yahoo: words in place of data": market.ErrRateLimited,   // it says so with status 200
		"binance: 403":                  market.ErrUnavailable,   // of countries that it does not serve
		"edgar: other symbol":           market.ErrUnknownSymbol, // the register lists others
		// These answers do not say of what they are.
		"bars of a share of tiingo: other symbol":       nil,
		"bars of a share of alphavantage: other symbol": nil,
		"bars of a coin of binance: other symbol":       nil,
		"bars of a coin of coingecko: other symbol":     nil,
		"quote of a share of finnhub: other symbol":     nil,
		// An empty answer is how these say that they do not know a symbol.
		"quote of a share of tiingo: nothing but null": market.ErrUnknownSymbol,
		"bars of a share of tiingo: nothing but null":  market.ErrNoData,
		"profile of finnhub: nothing but null":         market.ErrUnknownSymbol,
		"profile of alphavantage: nothing but null":    market.ErrUnknownSymbol,
		"news of tiingo: nothing but null":             nil,
	}
}

// on is the day as the source of an inquiry means it, false where it cannot be told
// from a good one.
func on(day marketplacetest.Mode, ask inquiry, source string) (marketplacetest.Mode, bool) {
	if day.Name == "zeros" && !ask.prices || day.Name == "other symbol" && !ask.named {
		return day, false
	}
	for _, who := range []string{source, ask.name + " of " + source} {
		if want, ok := exceptions()[who+": "+day.Name]; ok {
			day.Want = want
			return day, want != nil
		}
	}
	return day, true
}

// The matrix: each source of each inquiry on each bad day. Those before it are
// down, so that it is asked; what is wrong with it has to be told in the sentinels
// of market, and the one after it answers.
func TestMarket_OnABadDayOfOneSourceTheNextAnswers(t *testing.T) {
	for _, ask := range inquiries() {
		t.Run(ask.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				onAWednesday()
				sources := order(t, ask)
				if sources == nil {
					t.Fatal("no live source is asked for this")
				}
				for i, source := range sources {
					dir := t.TempDir()
					for _, day := range marketplacetest.Modes() {
						if day, ok := on(day, ask, source); ok {
							badDay(t, ask, sources, i, day, dir)
						}
					}
				}
			})
		})
	}
}

// Whoever is made is asked for something, so that the matrix is of all.
func TestMarket_EveryProviderAnswersSomething(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		onAWednesday()
		var names []string
		for _, ask := range inquiries() {
			names = append(names, order(t, ask)...)
		}
		slices.Sort(names)
		if diff := cmp.Diff(composed(t), slices.Compact(names)); diff != "" {
			t.Errorf("providers (-made +that answer):\n%s", diff)
		}
	})
}

func badDay(t *testing.T, ask inquiry, sources []string, i int, day marketplacetest.Mode, dir string) {
	t.Helper()
	w := marketplacetest.New(time.Now)
	w.Set(marketplacetest.Away(), sources[:i]...)
	w.Set(day, sources[i])
	what := fmt.Sprintf("%s, %s on a day of %q", ask.name, sources[i], day.Name)
	p, err := put(t, w, ask, dir)
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
