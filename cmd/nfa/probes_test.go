package main

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
)

// composed are the names of the providers that the program makes.
func composed() []string {
	var names []string
	of := reflect.TypeFor[providers]()
	for i := range of.NumField() {
		names = append(names, of.Field(i).Name)
	}
	slices.Sort(names)
	return names
}

func probed(m *marketplace) []string {
	var names []string
	for _, p := range m.probes() {
		names = append(names, p.name)
	}
	slices.Sort(names)
	return names
}

func TestProbes_EveryProviderHasOne(t *testing.T) {
	w := newWorld(clock)
	if diff := cmp.Diff(composed(), probed(placeIn(w, t.TempDir()))); diff != "" {
		t.Errorf("probes (-providers +probes):\n%s", diff)
	}
	if diff := cmp.Diff(composed(), w.providers()); diff != "" {
		t.Errorf("servers of the tests' world (-providers +servers); one without would be asked in the real world:\n%s", diff)
	}
}

// The providers that take a key are those that a key can be kept for.
func TestProbes_WhatNeedsAKeyCanBeGivenOne(t *testing.T) {
	for _, p := range placeIn(newWorld(clock), t.TempDir()).probes() {
		if p.needs == needKey && !p.keyed() {
			t.Errorf("%s needs a key, which nfa auth set would not take", p.name)
		}
	}
}

func TestProbes_EachIsAnsweredOnAGoodDayAndAsksItsServerAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		onAWednesday()
		w := newWorld(clock)
		for _, p := range placeIn(w, t.TempDir()).probes() {
			origin, err := p.ask(t.Context())
			if err != nil || serverOf(origin.Source) != p.name || origin.AsOf.IsZero() {
				t.Errorf("probe of %s = %+v, %v; want its own answer, dated", p.name, origin, err)
			}
			// A ration of some of them is twenty-five a day.
			if n := w.requests(p.name); n < 1 || n > 2 || w.requests("") != n {
				t.Errorf("probe of %s asks %d times, of %d to all", p.name, n, w.requests(""))
			}
			w.forget()
		}
	})
}

// Whatever is wrong with a server, its probe says so in the sentinels of market, and
// in no words of a key.
func TestProbes_OnABadDayTheReasonIsTyped(t *testing.T) {
	meanings := []error{market.ErrRateLimited, market.ErrUnavailable, market.ErrMalformed, market.ErrAuth, market.ErrNoData, market.ErrUnknownSymbol}
	synctest.Test(t, func(t *testing.T) {
		onAWednesday()
		for _, day := range modes() {
			if day.name == "zeros" || day.name == "other symbol" {
				continue // not all of them ask for prices
			}
			w := newWorld(clock)
			w.set(day, w.providers()...)
			for _, p := range placeIn(w, t.TempDir()).probes() {
				_, err := p.ask(t.Context())
				from, ok := errors.AsType[*market.SourceError](err)
				if !ok || !slices.ContainsFunc(meanings, func(m error) bool { return errors.Is(err, m) }) {
					t.Errorf("probe of %s on a day of %q = %v, want a typed error", p.name, day.name, err)
					continue
				}
				if serverOf(from.Source) != p.name {
					t.Errorf("probe of %s on a day of %q blames %s", p.name, day.name, from.Source)
				}
				if said := err.Error() + p.refused(t.Context(), err); strings.Contains(said, "key-0123456789") {
					t.Errorf("probe of %s shows the key: %s", p.name, said)
				}
			}
		}
	})
}

func TestProbes_WhoDoesNotAnswerIsNotWaitedForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		onAWednesday()
		w := newWorld(clock)
		silent, err := modeNamed("silent")
		if err != nil {
			t.Fatal(err)
		}
		w.set(silent, w.providers()...)
		for _, p := range placeIn(w, t.TempDir()).probes() {
			began := time.Now()
			got := p.try(t.Context())
			if took := time.Since(began); took > probePatience+time.Second {
				t.Errorf("trying %s takes %v", p.name, took)
			}
			if got.Status != statusNote || got.Probe.Answers || !strings.Contains(got.Message, "no answer within 1") {
				t.Errorf("trying %s = %+v, want a note that there is no answer", p.name, got.check)
			}
		}
	})
}
