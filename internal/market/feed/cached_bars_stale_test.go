package feed_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
)

func TestStale_StandsInForAWeekWhereTheSourceIsSilent(t *testing.T) {
	for _, err := range []error{market.ErrUnavailable, market.ErrRateLimited, market.ErrMalformed} {
		d := newCacheFixture()
		d.bars(t, market.Range{})
		fetched := d.now
		d.upstream.err = upstreamError(err)
		d.now = d.now.AddDate(0, 0, 7)
		got := d.bars(t, market.Range{From: sinceSession(d.upstream.series, 5)})
		p := got.Provenance
		if p.Cache != market.CacheStale || !p.Has(market.FlagStale) || !p.FetchedAt.Equal(fetched) || len(got.Bars) != 5 ||
			len(p.Tried) != 1 || p.Tried[0].Source != "vendor" {
			t.Errorf("%v: %d bars of %+v, want what was kept, flagged, with the attempt", err, len(got.Bars), p)
		}
		d.now = d.now.Add(time.Second)
		if _, gone := d.Bars(t.Context(), "VTI", market.Range{}); !errors.Is(gone, err) {
			t.Errorf("after a week: %v, want %v", gone, err)
		}
	}
}

// The newest sessions do not show whether a short or doubtful history is still the same. It is used anyway,
// because there is no other.
func TestStale_StandsInWhereItCannotBeExtended(t *testing.T) {
	short, doubtful := newCacheFixture(), newCacheFixture()
	short.upstream.series.Bars = short.upstream.series.Bars[:5]
	doubtful.upstream.series.Provenance = doubtful.upstream.series.Provenance.With(market.FlagSuspect)
	for name, d := range map[string]*cacheFixture{"short": short, "doubtful": doubtful} {
		want := len(d.bars(t, market.Range{}).Bars)
		d.upstream.err = upstreamError(market.ErrUnavailable)
		d.now = d.now.AddDate(0, 0, 2)
		if got := d.bars(t, market.Range{}); got.Provenance.Cache != market.CacheStale || len(got.Bars) != want {
			t.Errorf("%s: %d bars of %+v, want the %d that were kept", name, len(got.Bars), got.Provenance, want)
		}
	}
}

func TestStale_NeverCoversUpWhatTheSourceSays(t *testing.T) {
	for _, err := range []error{market.ErrUnknownSymbol, market.ErrAuth, market.ErrNotConfigured, context.DeadlineExceeded} {
		d := newCacheFixture()
		d.bars(t, market.Range{})
		d.now = d.now.AddDate(0, 0, 2)
		d.upstream.err = fmt.Errorf("bars: %w", err)
		if got, barsErr := d.Bars(t.Context(), "VTI", market.Range{}); !errors.Is(barsErr, err) {
			t.Errorf("%v: Bars = %d bars, %v", err, len(got.Bars), barsErr)
		}
	}
}

// The split was seen, but the new history could not be fetched: the old one is known to be wrong.
func TestStale_NotWhereHistoryIsKnownToHaveChanged(t *testing.T) {
	d := newCacheFixture()
	d.bars(t, market.Range{})
	d.grow(1)
	d.multiply("0.5")
	flaky := &failsWhole{d.upstream}
	d.CachedBars = feed.NewCachedBars(flaky, d.store, feed.CacheOptions{Name: "vendor", Now: func() time.Time { return d.now }})
	if got, err := d.Bars(t.Context(), "VTI", market.Range{}); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("Bars = %d bars, %v, want ErrUnavailable", len(got.Bars), err)
	}
}

// failsWhole is a source that answers only requests for a short range.
type failsWhole struct{ *fakeUpstream }

func (f *failsWhole) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	if r.From.IsZero() {
		return market.Series{}, upstreamError(market.ErrUnavailable)
	}
	return f.fakeUpstream.Bars(ctx, sym, r)
}

func TestStale_OfTheSourceItselfIsNotKept(t *testing.T) {
	stale := func(d *cacheFixture) {
		d.upstream.series.Provenance.Cache = market.CacheStale
		d.upstream.series.Provenance = d.upstream.series.Provenance.With(market.FlagStale)
	}
	d := newCacheFixture()
	stale(d)
	if got := d.bars(t, market.Range{}); got.Provenance.Cache != market.CacheStale || len(d.store.saved) != 0 {
		t.Errorf("Bars = %q, saved %v, want it passed on and not kept", got.Provenance.Cache, d.store.saved)
	}
	d = newCacheFixture()
	d.bars(t, market.Range{})
	d.grow(1)
	stale(d)
	if got := d.bars(t, market.Range{}); len(got.Bars) != 60 || !got.Provenance.Has(market.FlagStale) || len(d.store.saved) != 1 {
		t.Errorf("Bars = %d with %v, want the 60 that were kept, flagged", len(got.Bars), got.Provenance.Flags)
	}
	d.store.records[market.BarKey{Source: "vendor", Symbol: "VTI"}].Series.Bars[55].Close = decimal.NewFromInt(1)
	d.upstream.series.Provenance.Cache = market.CacheMiss
	d.CachedBars = feed.NewCachedBars(&staleWhole{d.upstream}, d.store, feed.CacheOptions{Name: "vendor", Now: func() time.Time { return d.now }})
	if got, err := d.Bars(t.Context(), "VTI", market.Range{}); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("history has changed and only an older one is there: %d bars, %v, want ErrUnavailable", len(got.Bars), err)
	}
}

// staleWhole is a source that answers requests for a long range only from a store of its own.
type staleWhole struct{ *fakeUpstream }

func (s *staleWhole) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	got, err := s.fakeUpstream.Bars(ctx, sym, r)
	if r.From.IsZero() {
		got.Provenance.Cache = market.CacheStale
	}
	return got, err
}
