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

// A model must not receive a number without its source and date.
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

func TestOriginFooters_OneLineForASource(t *testing.T) {
	of := func(name, source, asOf, note string, flags ...market.Flag) toolkit.NamedOrigin {
		return toolkit.NamedOrigin{Name: name, Origin: toolkit.Origin{Source: source, AsOf: asOf, Note: note, Flags: flags}}
	}
	for _, tc := range []struct {
		name string
		all  []toolkit.NamedOrigin
		want []string
	}{
		{"none", nil, []string{}},
		{"one", []toolkit.NamedOrigin{of("A", "s", "2020-01-02", "One. Two")}, []string{"s · as of 2020-01-02 · One. Two"}},
		{"the same of all", []toolkit.NamedOrigin{of("A", "s", "2020-01-02", "One"), of("B", "s", "2020-01-02", "One")}, []string{"s · as of 2020-01-02 · One"}},
		{
			"the last sentence of some", []toolkit.NamedOrigin{of("A", "s", "2020-01-02", "One. Two"), of("B", "s", "2020-01-02", "One. Two. Three"), of("C", "s", "2020-01-02", "One. Two. Four"), of("D", "s", "2020-01-02", "One. Two. Three")},
			[]string{"s · as of 2020-01-02 · One. Two. B, D: Three. C: Four"},
		},
		{"nothing in common", []toolkit.NamedOrigin{of("A", "s", "", "One"), of("B", "s", "", "")}, []string{"s · A: One"}},
		{"no names", []toolkit.NamedOrigin{of("", "s", "", "One"), of("", "s", "", "Two")}, []string{"s · One. Two"}},
		{
			"several moments", []toolkit.NamedOrigin{of("A", "s", "2020-01-03", ""), of("B", "s", "2020-01-02", ""), of("C", "s", "", "")},
			[]string{"s · as of 2020-01-02 to 2020-01-03", "s"},
		},
		{
			"other flags and sources", []toolkit.NamedOrigin{of("A", "s", "", "", market.FlagSample), of("B", "s", "", ""), of("C", "z", "", "")},
			[]string{"**SAMPLE** s", "s", "z"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, toolkit.OriginFooters(tc.all)); diff != "" {
				t.Errorf("Footers (-want +got):\n%s", diff)
			}
		})
	}
}

// A name does not change what a model reads of an origin.
func TestNamedOrigin_IsItsOriginAsJSON(t *testing.T) {
	o := toolkit.Origin{Source: "s", AsOf: "2020-01-02", Note: "One", Flags: []market.Flag{market.FlagSample}}
	plain, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	named, err := json.Marshal(toolkit.NamedOrigin{Name: "A", Origin: o})
	if err != nil || string(named) != string(plain) {
		t.Errorf("Marshal = %s, %v; want %s", named, err, plain)
	}
}

// mixed returns a fund with dividends, one without, an index in another currency, and the caller's own
// closes.
func mixed(t *testing.T) []market.Series {
	t.Helper()
	a, b, c, d := daily(t, "AAA", "2020-01-02", "1"), daily(t, "BBB", "2020-01-02", "1"), daily(t, "CCC", "2020-01-02", "1"), daily(t, "^IDX", "2020-01-02", "1")
	b.Provenance.Adjustment, b.Provenance.Source = market.AdjustmentSplit, "another source"
	d.Provenance.Adjustment, d.Kind, d.Provenance.Currency = market.AdjustmentRaw, "index", "EUR"
	b.Provenance.Flags, d.Provenance.Flags = []market.Flag{market.FlagSample}, []market.Flag{market.FlagSample}
	own, err := toolkit.CallerSeries("own", "", toolkit.SeriesDates(a), []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	return []market.Series{a, b, c, d, own}
}

func TestMixedReturnsWarning_GroupsSeriesByKind(t *testing.T) {
	series := mixed(t)
	want := "returns are not comparable: AAA, CCC: total return, dividends reinvested; BBB: price return, no dividends; ^IDX: price index, no dividends"
	if got := toolkit.MixedReturnsWarning(series); got != want {
		t.Errorf("Unlike = %q, want %q", got, want)
	}
	if got := toolkit.MixedReturnsWarning([]market.Series{series[0], series[2], series[4]}); got != "" {
		t.Errorf("Unlike = %q, want nothing: own closes are not known to differ", got)
	}
	if diff := cmp.Diff([]string{"EUR", "USD"}, toolkit.SeriesCurrencies(series)); diff != "" {
		t.Errorf("Currencies (-want +got):\n%s", diff)
	}
}

func TestSeriesOrigins_AreSaidOnce(t *testing.T) {
	origins := toolkit.SeriesOrigins(mixed(t))
	if len(origins) != 5 || !strings.Contains(origins[1].Note, "price return") {
		t.Fatalf("origins = %+v, want one for each series, with what its return counts", origins)
	}
	if got := toolkit.JoinSources(origins); got != "markettest; another source; given in the call" {
		t.Errorf("Sources = %q", got)
	}
	if got := toolkit.CombinedFlagText(origins); strings.Count(got, "SAMPLE") != 1 {
		t.Errorf("Loud = %q, want SAMPLE once", got)
	}
	for i, name := range []string{"AAA", "BBB", "CCC", "^IDX", "own"} {
		if origins[i].Name != name {
			t.Errorf("origin %d is of %q, want %s", i, origins[i].Name, name)
		}
	}
}

func TestCombinedFlagText_TheLongestDelayAndWhatIsOldAreSaid(t *testing.T) {
	got := toolkit.CombinedFlagText([]toolkit.NamedOrigin{{Origin: toolkit.Origin{DelayMinutes: 15}}, {Origin: toolkit.Origin{DelayMinutes: 20, Cache: market.CacheStale}}})
	if !strings.Contains(got, "DELAYED 20 min") || !strings.Contains(got, "STALE") {
		t.Errorf("Loud = %q, want the longer delay, and that one is stale", got)
	}
}
