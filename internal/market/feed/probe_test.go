package feed_test

import (
	"errors"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// composedSources returns the names of the providers that the program uses: the packages below
// market that providers.go imports, and the files of websearch.
func composedSources(t *testing.T) []string {
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
	// Each web search provider is a file of its package.
	searches, err := filepath.Glob("../../websearch/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range searches {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		if name != "doc" && name != "search" && !strings.HasSuffix(name, "_test") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func probedSources(m *feed.Market) []string {
	var names []string
	for _, p := range m.Probes() {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return names
}

func TestProbes_EveryProviderHasOne(t *testing.T) {
	w := markettest.NewFakeProviders(time.Now)
	if diff := cmp.Diff(composedSources(t), probedSources(marketWith(w, t.TempDir()))); diff != "" {
		t.Errorf("probes (-providers +probes):\n%s", diff)
	}
	if diff := cmp.Diff(composedSources(t), w.Names()); diff != "" {
		t.Errorf("fake servers (-providers +servers); a provider without one would be requested over the network:\n%s", diff)
	}
}

// The providers that take a key are those that a key can be kept for.
func TestProbes_WhatNeedsAKeyCanBeGivenOne(t *testing.T) {
	for _, p := range marketWith(markettest.NewFakeProviders(time.Now), t.TempDir()).Probes() {
		if p.Requires == feed.RequiresKey && !slices.ContainsFunc(feed.KeyedProviders(), func(k feed.KeyedProvider) bool { return k.Name == p.Name }) {
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
			// A ration of some of them is twenty-five a day.
			if n := w.Requests(p.Name); n < 1 || n > 2 || w.Requests("") != n {
				t.Errorf("probe of %s asks %d times, of %d to all", p.Name, n, w.Requests(""))
			}
			w.ResetRequests()
		}
	})
}

// Whatever is wrong with a server, its probe says so in the sentinels of market, and
// in no words of a key.
func TestProbes_OnABadDayTheReasonIsTyped(t *testing.T) {
	meanings := []error{market.ErrRateLimited, market.ErrUnavailable, market.ErrMalformed, market.ErrAuth, market.ErrNoData, market.ErrUnknownSymbol}
	synctest.Test(t, func(t *testing.T) {
		sleepToWednesday()
		for _, day := range markettest.FailureModes() {
			if day.Name == "zeros" || day.Name == "other symbol" {
				continue // not all of them ask for prices
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
			if got.OK || !strings.Contains(got.Error, "no answer within 1") {
				t.Errorf("trying %s = %+v, want that there is no answer", p.Name, got)
			}
		}
	})
}
