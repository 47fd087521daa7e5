package feed_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// composedSources returns the names of the providers that the program uses.
func composedSources() []string {
	var names []string
	for _, p := range feed.Providers() {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return names
}

// A provider that is not listed is never used, and one without a fake server would be requested over the
// network.
func TestProviders_EveryPackageIsListedAndHasAFakeServer(t *testing.T) {
	var described []string
	for _, pattern := range []string{"../*/*.go", "../../websearch/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if regexp.MustCompile(`(?m)^func \w*Provider\(\) client\.Provider`).Match(text) {
				described = append(described, strings.TrimSuffix(filepath.Base(file), ".go"))
			}
		}
	}
	slices.Sort(described)
	if diff := cmp.Diff(described, composedSources()); diff != "" {
		t.Errorf("feed.Providers (-packages +listed):\n%s", diff)
	}
	if diff := cmp.Diff(composedSources(), markettest.NewFakeProviders(time.Now).Names()); diff != "" {
		t.Errorf("fake servers (-providers +servers):\n%s", diff)
	}
}

// The providers that take a key are those for which a key can be stored.
func TestProbes_WhatNeedsAKeyCanBeGivenOne(t *testing.T) {
	for _, p := range marketWith(markettest.NewFakeProviders(time.Now), t.TempDir()).Probes() {
		if p.Requires == client.RequiresKey && !slices.ContainsFunc(feed.KeyedProviders(), func(k client.Provider) bool { return k.Name == p.Name }) {
			t.Errorf("%s needs a key, which nfa auth set would not take", p.Name)
		}
	}
}

func TestProbes_EachIsAnsweredOnAGoodDayAndAsksItsServerAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sleepToWednesday()
		w := markettest.NewFakeProviders(time.Now)
		for _, p := range marketWith(w, t.TempDir()).Probes() {
			origin, err := p.Run(t.Context())
			if err != nil || serverOf(origin.Source) != p.Name || origin.AsOf.IsZero() {
				t.Errorf("probe of %s = %+v, %v; want its own answer, dated", p.Name, origin, err)
			}
			// Some of them allow only 25 requests per day.
			if n := w.Requests(p.Name); n < 1 || n > 2 || w.Requests("") != n {
				t.Errorf("probe of %s asks %d times, of %d to all", p.Name, n, w.Requests(""))
			}
			w.ResetRequests()
		}
	})
}

// Whatever fails, the probe's error wraps a sentinel of market and does not contain the key.
func TestProbes_OnABadDayTheReasonIsTyped(t *testing.T) {
	meanings := []error{market.ErrRateLimited, market.ErrUnavailable, market.ErrMalformed, market.ErrAuth, market.ErrNoData, market.ErrUnknownSymbol}
	synctest.Test(t, func(t *testing.T) {
		sleepToWednesday()
		for _, day := range markettest.FailureModes() {
			if day.Name == "zeros" || day.Name == "other symbol" {
				continue // not all of them provide prices
			}
			w := markettest.NewFakeProviders(time.Now)
			w.SetMode(day, w.Names()...)
			for _, p := range marketWith(w, t.TempDir()).Probes() {
				_, err := p.Run(t.Context())
				from, ok := errors.AsType[*market.SourceError](err)
				if !ok || !slices.ContainsFunc(meanings, func(m error) bool { return errors.Is(err, m) }) {
					t.Errorf("probe of %s on a day of %q = %v, want a typed error", p.Name, day.Name, err)
					continue
				}
				if serverOf(from.Source) != p.Name {
					t.Errorf("probe of %s on a day of %q blames %s", p.Name, day.Name, from.Source)
				}
				if text := err.Error() + p.Try(t.Context()).Error; strings.Contains(text, "key-0123456789") {
					t.Errorf("probe of %s shows the key: %s", p.Name, text)
				}
			}
		}
	})
}

func TestProbes_WhoDoesNotAnswerIsNotWaitedForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sleepToWednesday()
		w := markettest.NewFakeProviders(time.Now)
		silent, err := markettest.FailureModeNamed("silent")
		if err != nil {
			t.Fatal(err)
		}
		w.SetMode(silent, w.Names()...)
		for _, p := range marketWith(w, t.TempDir()).Probes() {
			began := time.Now()
			got := p.Try(t.Context())
			if took := time.Since(began); took > feed.ProbeTimeout+time.Second {
				t.Errorf("trying %s takes %v", p.Name, took)
			}
			if got.OK || !strings.Contains(got.Error, "no response within 1") {
				t.Errorf("trying %s = %+v, want that there is no answer", p.Name, got)
			}
		}
	})
}
