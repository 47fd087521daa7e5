package feed_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// memoryStore is a BarStore in memory that keeps the contract of the interface.
type memoryStore struct {
	mu      sync.Mutex
	records map[market.BarKey]market.StoredBars
	saved   []market.Date // the since of each Save
	err     error         // returned by every call, like a broken disk
}

func newMemoryStore() *memoryStore {
	return &memoryStore{records: map[market.BarKey]market.StoredBars{}}
}

func (s *memoryStore) Load(_ context.Context, k market.BarKey, r market.Range) (market.StoredBars, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rec, ok := s.records[k]
	if s.err != nil {
		return market.StoredBars{}, false, s.err
	}
	p := rec.Series.Provenance
	rec.Series = rec.Series.Within(r)
	rec.Series.Provenance = p
	return rec, ok, nil
}

func (s *memoryStore) Save(_ context.Context, k market.BarKey, rec market.StoredBars, since market.Date) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.records[k]
	switch {
	case s.err != nil:
		return s.err
	case !since.IsZero() && old.Revision != rec.Revision:
		return market.ErrBarsChanged
	}
	rec.Revision = old.Revision + 1
	s.records[k] = rec
	s.saved = append(s.saved, since)
	return nil
}

// fakeUpstream is a source that records the requested ranges.
type fakeUpstream struct {
	mu      sync.Mutex
	series  market.Series
	partial market.Provenance // provenance of partial responses, if it differs
	err     error
	ranges  []market.Range
	now     func() time.Time
}

func (v *fakeUpstream) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return market.Series{}, err
	}
	v.ranges = append(v.ranges, r)
	if v.err != nil {
		return market.Series{}, v.err
	}
	if sym != v.series.Symbol {
		return market.Series{}, upstreamError(market.ErrUnknownSymbol)
	}
	requested := v.series.Within(r)
	if len(requested.Bars) == 0 {
		return market.Series{}, upstreamError(market.ErrNoData)
	}
	if v.partial.Source != "" && len(requested.Bars) < len(v.series.Bars) {
		requested.Provenance = v.partial
	}
	requested.Provenance.FetchedAt = v.now()
	return requested, nil
}

func upstreamError(err error) error {
	return &market.SourceError{Source: "vendor", Op: "bars of VTI", Err: err}
}

// cacheFixture is a cache in front of a source with 60 closes, 100 to 159, from Monday 2026-08-03 on, with an
// adjustable clock. Stored bars are fresh for a day.
type cacheFixture struct {
	*feed.CachedBars
	store    *memoryStore
	upstream *fakeUpstream
	now      time.Time
}

var firstSession = time.Date(2026, 8, 3, 0, 0, 0, 0, time.UTC)

func closeTexts(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprint(100 + i)
	}
	return texts
}

func newCacheFixture() *cacheFixture {
	d := &cacheFixture{store: newMemoryStore(), now: time.Date(2026, 10, 24, 12, 0, 0, 0, time.UTC)}
	now := func() time.Time { return d.now }
	d.upstream = &fakeUpstream{series: markettest.Daily("VTI", firstSession, closeTexts(60)...), now: now}
	d.upstream.series.Provenance.Adjustment = market.AdjustmentSplit
	d.CachedBars = feed.NewCachedBars(d.upstream, d.store, feed.CacheOptions{
		Name: "vendor", Now: now,
		Fresh: func(s market.Series, now time.Time) bool { return now.Sub(s.Provenance.FetchedAt) < 24*time.Hour },
	})
	return d
}

func (d *cacheFixture) bars(t *testing.T, r market.Range) market.Series {
	t.Helper()
	s, err := d.Bars(t.Context(), "VTI", r)
	if err != nil {
		t.Fatalf("Bars(%v) = %v", r, err)
	}
	return s
}

// grow adds n sessions to the source and moves the clock.
func (d *cacheFixture) grow(n int) {
	adjustment, actions := d.upstream.series.Provenance.Adjustment, d.upstream.series.Actions
	d.upstream.series = markettest.Daily("VTI", firstSession, closeTexts(len(d.upstream.series.Bars)+n)...)
	d.upstream.series.Provenance.Adjustment, d.upstream.series.Actions = adjustment, actions
	d.now = d.now.AddDate(0, 0, max(n, 1))
}

// multiply restates all prices, as after a split.
func (d *cacheFixture) multiply(by string) {
	d.upstream.series.Bars = slices.Clone(d.upstream.series.Bars)
	for i := range d.upstream.series.Bars {
		d.upstream.series.Bars[i].Close = d.upstream.series.Bars[i].Close.Mul(decimal.RequireFromString(by))
	}
}

// correct restates one of the last prices, as an exchange does.
func (d *cacheFixture) correct(by string) {
	bars := slices.Clone(d.upstream.series.Bars)
	one := &bars[len(bars)-4]
	one.Close = one.Close.Mul(decimal.RequireFromString(by))
	d.upstream.series.Bars = bars
}

func sinceSession(s market.Series, back int) market.Date { return s.Bars[len(s.Bars)-back].Date }

// pricedCache makes a cached source a source of quotes too.
type pricedCache struct {
	*feed.CachedBars
	market.QuoteSource
}

func TestBars_HoldTheContract(t *testing.T) {
	markettest.RunPrices(t, func(*testing.T) markettest.PriceSubject {
		source := markettest.NewSource(markettest.Daily("VTI", firstSession, closeTexts(60)...))
		return markettest.PriceSubject{Listed: "VTI", Source: pricedCache{feed.NewCachedBars(source, newMemoryStore(), feed.CacheOptions{
			Name: "markettest", Now: func() time.Time { return time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC) },
			Fresh: func(market.Series, time.Time) bool { return true },
		}), source}}
	})
}

func TestBars_AreAskedForOnceWhileTheyAreFresh(t *testing.T) {
	d := newCacheFixture()
	whole := d.bars(t, market.Range{})
	if whole.Provenance.Cache != market.CacheMiss {
		t.Errorf("the first answer is %q, want a miss", whole.Provenance.Cache)
	}
	part := d.bars(t, market.Range{From: firstSession.AddDate(0, 0, 7), To: firstSession.AddDate(0, 0, 11)})
	if len(part.Bars) != 5 || part.Provenance.Cache != market.CacheHit || !part.Provenance.AsOf.Equal(firstSession.AddDate(0, 0, 11)) {
		t.Errorf("a week = %d bars, %+v", len(part.Bars), part.Provenance)
	}
	if again := d.bars(t, market.Range{}); cmp.Diff(whole.Bars, again.Bars) != "" || !again.Provenance.FetchedAt.Equal(whole.Provenance.FetchedAt) {
		t.Errorf("again = %d bars fetched %v, want those of the first time", len(again.Bars), again.Provenance.FetchedAt)
	}
	if len(d.upstream.ranges) != 1 {
		t.Errorf("asked %v, want once", d.upstream.ranges)
	}
}

func TestBars_AnEarlierStartIsFetchedWithAllThatFollows(t *testing.T) {
	d := newCacheFixture()
	late, early := firstSession.AddDate(0, 1, 0), firstSession.AddDate(0, 0, 3)
	d.bars(t, market.Range{From: late, To: late.AddDate(0, 0, 2)})
	got := d.bars(t, market.Range{From: early})
	d.bars(t, market.Range{From: late})
	if diff := cmp.Diff([]market.Range{{From: late}, {From: early}}, d.upstream.ranges); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	if want := d.upstream.series.Within(market.Range{From: early}).Bars; cmp.Diff(want, got.Bars) != "" {
		t.Errorf("got %d bars, want %d", len(got.Bars), len(want))
	}
}

func TestRefresh_FetchesTenSessionsAgainAndAddsTheNew(t *testing.T) {
	d := newCacheFixture()
	d.bars(t, market.Range{})
	overlap := sinceSession(d.upstream.series, 10)
	d.grow(3)
	got := d.bars(t, market.Range{})
	if diff := cmp.Diff(d.upstream.series.Bars, got.Bars); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]market.Range{{}, {From: overlap}}, d.upstream.ranges); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]market.Date{{}, overlap}, d.store.saved); diff != "" {
		t.Errorf("saved since (-want +got):\n%s", diff)
	}
	if again := d.bars(t, market.Range{}); cmp.Diff(got.Bars, again.Bars) != "" || again.Provenance.Cache != market.CacheHit {
		t.Errorf("after the refresh: %d bars, %q", len(again.Bars), again.Provenance.Cache)
	}
}

func TestRefresh_HistoryThatHasChangedIsFetchedWhole(t *testing.T) {
	tests := []struct {
		name   string
		change func(d *cacheFixture)
		whole  bool
	}{
		{"nothing", func(*cacheFixture) {}, false},
		{"a correction of 0.4 %", func(d *cacheFixture) { d.correct("1.004") }, false},
		{"a correction of 0.6 %", func(d *cacheFixture) { d.correct("1.006") }, true},
		{"a stock dividend of 0.4 %", func(d *cacheFixture) { d.multiply("0.996") }, true},
		{"other digits", func(d *cacheFixture) { d.multiply("1.0001") }, false},
		{"a split of 2 for 1", func(d *cacheFixture) { d.multiply("0.5") }, true},
		{"a reverse split", func(d *cacheFixture) { d.multiply("10") }, true},
		{"another source", func(d *cacheFixture) { d.upstream.series.Provenance.Source = "other" }, true},
		{"another currency", func(d *cacheFixture) { d.upstream.series.Provenance.Currency = "EUR" }, true},
		{"another level", func(d *cacheFixture) { d.upstream.series.Provenance.Adjustment = market.AdjustmentRaw }, true},
		{"another interval", func(d *cacheFixture) { d.upstream.series.Interval = market.Monthly }, true},
		{"an action reported for the first time", func(d *cacheFixture) {
			d.upstream.series.Actions = []market.Action{{Kind: market.ActionDividend, Date: sinceSession(d.upstream.series, 3), Amount: decimal.New(1, 0)}}
		}, true},
		{"days that are gone", func(d *cacheFixture) {
			n := len(d.upstream.series.Bars)
			d.upstream.series.Bars = slices.Delete(slices.Clone(d.upstream.series.Bars), n-9, n-1)
		}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := newCacheFixture()
			d.bars(t, market.Range{})
			d.grow(1)
			test.change(d)
			got := d.bars(t, market.Range{})
			if whole := len(d.upstream.ranges) == 3; whole != test.whole {
				t.Errorf("asked %v, want all of it fetched again = %v", d.upstream.ranges, test.whole)
			}
			if test.whole && (cmp.Diff(d.upstream.series.Bars, got.Bars) != "" || got.Provenance.Source != d.upstream.series.Provenance.Source) {
				t.Error("the answer is not the series as its source tells it now")
			}
		})
	}
}

// A quarterly dividend of 0.4% changes all earlier prices of an adjusted series by as much. If joined to the
// stored ones, it would look like a loss on one day.
func TestRefresh_ADividendMovesAdjustedHistory(t *testing.T) {
	d := newCacheFixture()
	d.upstream.series.Provenance.Adjustment = market.AdjustmentSplitDiv
	d.bars(t, market.Range{})
	d.grow(1)
	d.multiply("0.996")
	got := d.bars(t, market.Range{})
	if diff := cmp.Diff(d.upstream.series.Bars, got.Bars); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
}

func TestProvisional_BarIsReplacedAndNeverTakenForFinal(t *testing.T) {
	d := newCacheFixture()
	last := len(d.upstream.series.Bars) - 1
	d.upstream.series.Provenance = d.upstream.series.Provenance.With(market.FlagProvisional)
	d.upstream.series.Bars[last].Close = decimal.RequireFromString("1000") // in the middle of a volatile session
	if got := d.bars(t, market.Range{}); !got.Provenance.Has(market.FlagProvisional) {
		t.Errorf("flags %v, want provisional", got.Provenance.Flags)
	}
	if hit := d.bars(t, market.Range{}); !hit.Provenance.Has(market.FlagProvisional) || len(hit.Bars) != last+1 {
		t.Errorf("the hit has %d bars and flags %v, want the same", len(hit.Bars), hit.Provenance.Flags)
	}
	if past := d.bars(t, market.Range{To: firstSession.AddDate(0, 0, 11)}); past.Provenance.Has(market.FlagProvisional) {
		t.Error("bars of August are provisional in October")
	}
	d.grow(1)
	d.upstream.err = upstreamError(market.ErrUnavailable)
	if stale := d.bars(t, market.Range{}); len(stale.Bars) != last || stale.Provenance.Has(market.FlagProvisional) {
		t.Errorf("what stands in has %d bars and flags %v, want %d settled ones", len(stale.Bars), stale.Provenance.Flags, last)
	}
	d.upstream.err = nil
	got := d.bars(t, market.Range{})
	if diff := cmp.Diff(d.upstream.series.Bars, got.Bars); diff != "" || len(d.upstream.ranges) != 3 {
		t.Errorf("asked %d times; bars (-want +got):\n%s", len(d.upstream.ranges), diff)
	}
}

func TestClock_SetBackMakesNothingFreshForEver(t *testing.T) {
	d := newCacheFixture()
	d.bars(t, market.Range{})
	d.now = d.now.AddDate(0, -1, 0)
	if got := d.bars(t, market.Range{}); got.Provenance.Cache != market.CacheMiss || len(d.upstream.ranges) != 2 {
		t.Errorf("Bars = %q, asked %d times, want it asked anew", got.Provenance.Cache, len(d.upstream.ranges))
	}
}

func TestClock_ABarOfADayToComeIsNotKept(t *testing.T) {
	d := newCacheFixture()
	d.bars(t, market.Range{})
	right := d.upstream.series.Bars
	for _, day := range []market.Date{d.now.AddDate(0, 0, 3), d.now.AddDate(100, 0, 0)} {
		odd := right[len(right)-1]
		odd.Date = day.Truncate(24 * time.Hour)
		d.upstream.series.Bars = append(slices.Clone(right), odd)
		d.now = d.now.AddDate(0, 0, 1).Add(time.Minute)
		d.bars(t, market.Range{})
		d.upstream.series.Bars = right
		if got := d.bars(t, market.Range{}); cmp.Diff(right, got.Bars) != "" {
			t.Errorf("after a bar of %s the last one is of %s", odd.Date.Format(time.DateOnly), sinceSession(got, 1).Format(time.DateOnly))
		}
	}
}

func TestDisk_ThatIsGoneFailsNoRequest(t *testing.T) {
	d := newCacheFixture()
	d.store.err = errors.New("no space left on device")
	for range 2 {
		if got := d.bars(t, market.Range{}); len(got.Bars) != 60 {
			t.Errorf("Bars = %d, want 60", len(got.Bars))
		}
	}
}

func TestSources_OfAnotherNameAreNotMixed(t *testing.T) {
	d := newCacheFixture()
	d.bars(t, market.Range{})
	other := &fakeUpstream{series: markettest.Daily("VTI", firstSession, "1", "2", "3"), now: d.upstream.now}
	s := feed.NewCachedBars(other, d.store, feed.CacheOptions{Name: "other", Now: d.upstream.now, Fresh: func(market.Series, time.Time) bool { return true }})
	if got, err := s.Bars(t.Context(), "VTI", market.Range{}); err != nil || len(got.Bars) != 3 {
		t.Errorf("Bars = %d, %v, want the three of the other source", len(got.Bars), err)
	}
	if keys := slices.Collect(maps.Keys(d.store.records)); len(keys) != 2 {
		t.Errorf("kept under %v, want two names", keys)
	}
}

func TestBars_AtOnceAreAskedForOnce(t *testing.T) {
	d := newCacheFixture()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := d.Bars(t.Context(), "VTI", market.Range{}); err != nil {
				t.Errorf("Bars = %v", err)
			}
		})
	}
	wg.Wait()
	if len(d.upstream.ranges) != 1 {
		t.Errorf("asked %d times, want once", len(d.upstream.ranges))
	}
}
