package toolkit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// mixed are a fund with dividends, one without, an index in another currency, and
// closes of the caller's own.
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

func TestMixedReturnsWarning_NamesWhatCountsAlikeTogether(t *testing.T) {
	series := mixed(t)
	want := "not like for like: AAA, CCC: total return, dividends reinvested; BBB: price return, no dividends; ^IDX: price index, no dividends"
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
