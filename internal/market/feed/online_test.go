package feed_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// C17: once a live source has responded in a data folder, sample data never replaces live data, in this run
// or the next one, and it never prices what the user owns.
func TestMarket_SampleDataEndsWithTheFirstLiveAnswer(t *testing.T) {
	dir := t.TempDir()
	hasSample := func(s market.Sources) bool {
		last := s.Quotes[len(s.Quotes)-1]
		q, err := last.Quote(t.Context(), "MSFT")
		if err != nil && !errors.Is(err, market.ErrNotCovered) {
			t.Fatal(err)
		}
		return q.Provenance.Has(market.FlagSample)
	}
	m := feed.New(feed.Options{Dir: dir})
	if !hasSample(m.Sources()) {
		t.Error("a folder that has never been online has no sample data")
	}
	for _, q := range m.OwnSources().Quotes {
		if b, ok := q.(market.Directory); ok {
			t.Errorf("the user's own money is priced by %T", b)
		}
	}
	m.NoteAnswer(market.Provenance{Source: "sample", Flags: []market.Flag{market.FlagSample}})
	if !hasSample(m.Sources()) {
		t.Error("an answer of sample data ends sample data")
	}
	m.NoteAnswer(market.Provenance{Source: "yahoo"})
	for name, next := range map[string]*feed.Market{"the same run": m, "the next run": feed.New(feed.Options{Dir: dir})} {
		if hasSample(next.Sources()) {
			t.Errorf("%s uses sample data after a live answer", name)
		}
		if _, ok := next.Latest(t.Context(), "MSFT", market.Date{}); ok {
			t.Errorf("%s shows a price without a request from sample data", name)
		}
	}
	offline := feed.New(feed.Options{Dir: dir, SampleOnly: true})
	if !hasSample(offline.Sources()) {
		t.Error("sample data was chosen, and does not answer")
	}
	own := market.NewFallback(offline.OwnSources())
	if _, err := own.Quote(t.Context(), "MSFT"); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("price of the user's MSFT = %v; want that no source can be reached", err)
	}
	if _, err := own.Bars(t.Context(), "MSFT", market.Range{}); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("prices of the user's MSFT = %v; want that no source can be reached", err)
	}
	// Not even if sample data was chosen in a folder that has never been online.
	fresh := feed.New(feed.Options{SampleOnly: true})
	if !hasSample(fresh.Sources()) {
		t.Error("sample data was chosen, and does not answer")
	}
	if q, err := market.NewFallback(fresh.OwnSources()).Quote(t.Context(), "MSFT"); !errors.Is(err, market.ErrUnavailable) || !strings.Contains(err.Error(), "no live price is stored") {
		t.Errorf("price of the user's MSFT = %v, %v; want that none is stored", q.Price, err)
	}
	old := t.TempDir() // a data folder of a version without the marker
	if err := os.MkdirAll(filepath.Join(old, "http"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(old, "http", "answer"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if hasSample(feed.New(feed.Options{Dir: old}).Sources()) {
		t.Error("a folder with cached answers uses sample data")
	}
}

// C17: if no source responds, what the user owns has its last known live price, of any age and flagged as
// stale. Anything never fetched has no price.
func TestMarket_LastKnownLivePricesAreOldAndNotOfTheSample(t *testing.T) {
	store := newMemoryStore()
	s := markettest.Daily("VTI", time.Date(2024, 3, 4, 0, 0, 0, 0, time.UTC), "250", "251.5")
	s.Provenance.Flags = []market.Flag{market.FlagProvisional}
	if err := store.Save(t.Context(), market.BarKey{Source: "yahoo", Symbol: "VTI"}, market.StoredBars{Series: s, Last: s.Bars[1].Date}, market.Date{}); err != nil {
		t.Fatal(err)
	}
	own := feed.New(feed.Options{Dir: t.TempDir(), Bars: store}).OwnSources()
	stored := own.Quotes[len(own.Quotes)-1]
	q, err := stored.Quote(t.Context(), "VTI")
	if err != nil || q.Price.String() != "251.5" || !q.Provenance.AsOf.Equal(s.Bars[1].Date) {
		t.Fatalf("the stored price is %+v, %v; want 251.5 of %s", q, err, s.Bars[1].Date)
	}
	if p := q.Provenance; !p.Has(market.FlagStale) || p.Has(market.FlagProvisional) || p.Has(market.FlagSample) || p.Cache != market.CacheStale {
		t.Errorf("the stored price is marked %v with cache %q, want stale", p.Flags, p.Cache)
	}
	if q, err := stored.Quote(t.Context(), "MSFT"); !errors.Is(err, market.ErrNotCovered) {
		t.Errorf("the price of what was never fetched is %v, %v", q.Price, err)
	}
}
