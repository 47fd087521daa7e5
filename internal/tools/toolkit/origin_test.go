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

func TestSource_IsOneLine(t *testing.T) {
	plain := market.Provenance{Source: "a source", AsOf: closed, Adjustment: market.AdjustmentSplit}
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
		{"nothing to say", plain, "a source · 2020-01-02 close"},
		{"flags", plain.With(market.FlagSample, market.FlagProvisional), "SAMPLE · a source · 2020-01-02 close · provisional"},
		{"behind by rule", delayed, "a source · 2020-01-02 close · delayed 15 min"},
		{"behind without a flag", unflagged, "a source · 2020-01-02 close · delayed 10 min"},
		{"kept past its time", kept, "a source · 2020-01-02 close · stale"},
		{"the same, said twice", keptAndFlagged, "a source · 2020-01-02 close · stale"},
		{"a provider", market.Provenance{Source: "yahoo", AsOf: fetched}, "Yahoo Finance · 2020-01-03 08:30 UTC"},
		{"a sample file", market.Provenance{Source: "vega-datasets 3.2.1 sp500-2000.csv", Flags: []market.Flag{market.FlagSample}}, "SAMPLE · vega-datasets"},
	} {
		if got := toolkit.SourceOf(toolkit.OriginOf(tc.p)).Line(0, 0); got != tc.want {
			t.Errorf("%s: the line is %q, want %q", tc.name, got, tc.want)
		}
	}
	line := toolkit.SourceOf(toolkit.OriginOf(plain)).Line(3, 1)
	if want := "a source · 2020-01-02 close · 3 figures traced · 1 note"; line != want {
		t.Errorf("with counts: %q, want %q", line, want)
	}
}

func TestFormatInstant_IsInUTCAndNothingWhereThereIsNone(t *testing.T) {
	for want, at := range map[string]time.Time{"2020-01-02T00:00:00Z": closed, "2020-01-03T08:30:15Z": fetched, "": {}} {
		if got := toolkit.FormatInstant(at); got != want {
			t.Errorf("Instant(%v) = %q, want %q", at, got, want)
		}
	}
}

func TestRender_ANoteOfSourcesIsStatedOnce(t *testing.T) {
	of := func(name, note string) toolkit.NamedOrigin {
		return toolkit.NamedOrigin{Name: name, Origin: toolkit.OriginOf(market.Provenance{Source: "s", Note: note})}
	}
	for _, tc := range []struct {
		name string
		all  []toolkit.NamedOrigin
		want []string
	}{
		{"none", nil, nil},
		{"one", []toolkit.NamedOrigin{of("A", "One. Two")}, []string{"One. Two"}},
		{"the same of all", []toolkit.NamedOrigin{of("A", "One"), of("B", "One")}, []string{"One"}},
		{"the last sentence of some", []toolkit.NamedOrigin{of("A", "One. Two"), of("B", "One. Two. Three"), of("C", "One. Two. Four"), of("D", "One. Two. Three")},
			[]string{"One. Two", "B, D: Three", "C: Four"}},
		{"nothing in common", []toolkit.NamedOrigin{of("A", "One"), of("B", "")}, []string{"A: One"}},
		{"no names", []toolkit.NamedOrigin{of("", "One"), of("", "Two")}, []string{"One", "Two"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, n := range toolkit.Render(sourced{tc.all}).Notes {
				got = append(got, n.Text)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

type sourced struct {
	Sources []toolkit.NamedOrigin `json:"sources"`
}

func (sourced) Headline(string) string { return "All is known." }

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
