package marketplace_test

import (
	"errors"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/marketplace"
	"github.com/nfa-cli/nfa/internal/marketplace/marketplacetest"
)

// composed are the names of the providers that the program is made with: what
// providers.go imports of the rooms in market.
func composed(t *testing.T) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "providers.go", nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if name, ok := strings.CutPrefix(path, "github.com/nfa-cli/nfa/internal/market/"); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func probed(m *marketplace.Market) []string {
	var names []string
	for _, p := range m.Probes() {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return names
}

func TestProbes_EveryProviderHasOne(t *testing.T) {
	w := marketplacetest.New(time.Now)
	if diff := cmp.Diff(composed(t), probed(placeIn(w, t.TempDir()))); diff != "" {
		t.Errorf("probes (-providers +probes):\n%s", diff)
	}
	if diff := cmp.Diff(composed(t), w.Providers()); diff != "" {
		t.Errorf("servers of the tests' world (-providers +servers); one without would be asked in the real world:\n%s", diff)
	}
}

// The providers that take a key are those that a key can be kept for.
func TestProbes_WhatNeedsAKeyCanBeGivenOne(t *testing.T) {
	for _, p := range placeIn(marketplacetest.New(time.Now), t.TempDir()).Probes() {
		if p.Needs == marketplace.NeedKey && !slices.ContainsFunc(marketplace.KeyedProviders(), func(k marketplace.Keyed) bool { return k.Name == p.Name }) {
			t.Errorf("%s needs a key, which nfa auth set would not take", p.Name)
		}
	}
}

func TestProbes_EachIsAnsweredOnAGoodDayAndAsksItsServerAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		onAWednesday()
		w := marketplacetest.New(time.Now)
		for _, p := range placeIn(w, t.TempDir()).Probes() {
			origin, err := p.Ask(t.Context())
			if err != nil || serverOf(origin.Source) != p.Name || origin.AsOf.IsZero() {
				t.Errorf("probe of %s = %+v, %v; want its own answer, dated", p.Name, origin, err)
			}
			// A ration of some of them is twenty-five a day.
			if n := w.Requests(p.Name); n < 1 || n > 2 || w.Requests("") != n {
				t.Errorf("probe of %s asks %d times, of %d to all", p.Name, n, w.Requests(""))
			}
			w.Forget()
		}
	})
}

// Whatever is wrong with a server, its probe says so in the sentinels of market, and
// in no words of a key.
func TestProbes_OnABadDayTheReasonIsTyped(t *testing.T) {
	meanings := []error{market.ErrRateLimited, market.ErrUnavailable, market.ErrMalformed, market.ErrAuth, market.ErrNoData, market.ErrUnknownSymbol}
	synctest.Test(t, func(t *testing.T) {
		onAWednesday()
		for _, day := range marketplacetest.Modes() {
			if day.Name == "zeros" || day.Name == "other symbol" {
				continue // not all of them ask for prices
			}
			w := marketplacetest.New(time.Now)
			w.Set(day, w.Providers()...)
			for _, p := range placeIn(w, t.TempDir()).Probes() {
				_, err := p.Ask(t.Context())
				from, ok := errors.AsType[*market.SourceError](err)
				if !ok || !slices.ContainsFunc(meanings, func(m error) bool { return errors.Is(err, m) }) {
					t.Errorf("probe of %s on a day of %q = %v, want a typed error", p.Name, day.Name, err)
					continue
				}
				if serverOf(from.Source) != p.Name {
					t.Errorf("probe of %s on a day of %q blames %s", p.Name, day.Name, from.Source)
				}
				if said := err.Error() + p.Try(t.Context()).Error; strings.Contains(said, "key-0123456789") {
					t.Errorf("probe of %s shows the key: %s", p.Name, said)
				}
			}
		}
	})
}

func TestProbes_WhoDoesNotAnswerIsNotWaitedForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		onAWednesday()
		w := marketplacetest.New(time.Now)
		silent, err := marketplacetest.ModeNamed("silent")
		if err != nil {
			t.Fatal(err)
		}
		w.Set(silent, w.Providers()...)
		for _, p := range placeIn(w, t.TempDir()).Probes() {
			began := time.Now()
			got := p.Try(t.Context())
			if took := time.Since(began); took > marketplace.Patience+time.Second {
				t.Errorf("trying %s takes %v", p.Name, took)
			}
			if got.Answers || !strings.Contains(got.Error, "no answer within 1") {
				t.Errorf("trying %s = %+v, want that there is no answer", p.Name, got)
			}
		}
	})
}
