package toolkit_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

var (
	closed  = time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)
	fetched = time.Date(2020, 1, 3, 9, 30, 15, 999, time.FixedZone("", 3600))
)

// A model must not receive a number without what it takes to trust it.
func TestOrigin_CarriesAllThatASourceTells(t *testing.T) {
	p := market.Provenance{
		Source: "yahoo", Endpoint: "v8 chart", License: "personal", AsOf: closed, FetchedAt: fetched, Cache: market.CacheHit, Currency: "GBP", QuotedCurrency: "GBp",
		Unit: "price", Adjustment: market.AdjustmentSplit, DelayMinutes: 15, Phase: market.PhaseRegular, Flags: []market.Flag{market.FlagConverted},
		Tried: []market.Attempt{{Source: "tiingo", Reason: "no key"}}, Note: "Thin.",
	}
	want := `{"currency":"GBP","quoted_currency":"GBp","unit":"price","adjustment":"split","source":"yahoo","endpoint":"v8 chart",` +
		`"as_of":"2020-01-02","fetched_at":"2020-01-03T08:30:15Z","cache":"hit","delay_min":15,"session":"regular","flags":["converted"],` +
		`"tried":[{"source":"tiingo","reason":"no key"}],"note":"a remark; Thin"}`
	if diff := cmp.Diff(want, encoded(t, toolkit.OriginOf(p, "a remark"))); diff != "" {
		t.Errorf("origin (-want +got):\n%s", diff)
	}
}

func TestOrigin_WhatIsNotKnownIsLeftOut(t *testing.T) {
	p := market.Provenance{Source: "a source", Adjustment: market.AdjustmentUnknown}
	if diff := cmp.Diff(`{"source":"a source","flags":[]}`, encoded(t, toolkit.OriginOf(p).WithoutAdjustment())); diff != "" {
		t.Errorf("origin (-want +got):\n%s", diff)
	}
}

func encoded(t *testing.T, o toolkit.Origin) string {
	t.Helper()
	raw, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestOrigin_FooterIsOneLineWithTheLoudFirst(t *testing.T) {
	plain := market.Provenance{Source: "a source", AsOf: closed}
	tried := func(n int, reason string) market.Provenance {
		p := plain
		for range n {
			p.Tried = append(p.Tried, market.Attempt{Source: "yahoo", Reason: reason})
		}
		return p
	}
	delayed := plain.With(market.FlagDelayed)
	delayed.DelayMinutes = 15
	unflagged := plain
	unflagged.DelayMinutes = 10
	kept := plain
	kept.Cache = market.CacheStale
	keptAndFlagged := kept.With(market.FlagStale)
	for _, tc := range []struct {
		name string
		p    market.Provenance
		want string
	}{
		{"nothing to say", plain, "a source · as of 2020-01-02"},
		{"flags", plain.With(market.FlagSample, market.FlagProvisional), "**SAMPLE PROVISIONAL** a source · as of 2020-01-02"},
		{"behind by rule", delayed, "**DELAYED 15 min** a source · as of 2020-01-02"},
		{"behind without a flag", unflagged, "**DELAYED 10 min** a source · as of 2020-01-02"},
		{"kept past its time", kept, "**STALE** a source · as of 2020-01-02"},
		{"the same, said twice", keptAndFlagged, "**STALE** a source · as of 2020-01-02"},
		{"another was asked before", tried(1, "rate limited"), "a source (yahoo: rate limited) · as of 2020-01-02"},
		{"many were", tried(50, "rate limited"), "a source (yahoo: rate limited, yahoo: rate limited, and 2 more) · as of 2020-01-02"},
		{"no day", market.Provenance{Source: "a source", Note: "read\nme"}, "a source · read me"},
	} {
		if got := toolkit.OriginOf(tc.p).Footer(); got != tc.want {
			t.Errorf("%s: Footer() = %q, want %q", tc.name, got, tc.want)
		}
	}
	long := toolkit.OriginOf(tried(50, "a page\nof "+strings.Repeat("words ", 500))).Footer()
	if len(long) > 240 || strings.Contains(long, "\n") {
		t.Errorf("Footer() after 50 talkative sources has %d bytes: %q", len(long), long)
	}
}

func TestFormatInstant_IsInUTCAndNothingWhereThereIsNone(t *testing.T) {
	for want, at := range map[string]time.Time{"2020-01-02T00:00:00Z": closed, "2020-01-03T08:30:15Z": fetched, "": {}} {
		if got := toolkit.FormatInstant(at); got != want {
			t.Errorf("Instant(%v) = %q, want %q", at, got, want)
		}
	}
}
