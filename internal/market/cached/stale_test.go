package cached_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/cached"
)

func TestStale_StandsInForAWeekWhereTheSourceIsSilent(t *testing.T) {
	for _, err := range []error{market.ErrUnavailable, market.ErrRateLimited, market.ErrMalformed} {
		d := newDesk()
		d.bars(t, market.Range{})
		fetched := d.now
		d.vendor.err = failing(err)
		d.now = d.now.AddDate(0, 0, 7)
		got := d.bars(t, market.Range{From: since(d.vendor.series, 5)})
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

// Of a short or a doubtful history the newest sessions do not tell whether it is still
// the same. It is all there is, all the same.
func TestStale_StandsInWhereItCannotBeExtended(t *testing.T) {
	short, doubtful := newDesk(), newDesk()
	short.vendor.series.Bars = short.vendor.series.Bars[:5]
	doubtful.vendor.series.Provenance = doubtful.vendor.series.Provenance.With(market.FlagSuspect)
	for name, d := range map[string]*desk{"short": short, "doubtful": doubtful} {
		want := len(d.bars(t, market.Range{}).Bars)
		d.vendor.err = failing(market.ErrUnavailable)
		d.now = d.now.AddDate(0, 0, 2)
		if got := d.bars(t, market.Range{}); got.Provenance.Cache != market.CacheStale || len(got.Bars) != want {
			t.Errorf("%s: %d bars of %+v, want the %d that were kept", name, len(got.Bars), got.Provenance, want)
		}
	}
}

func TestStale_NeverCoversUpWhatTheSourceSays(t *testing.T) {
	for _, err := range []error{market.ErrUnknownSymbol, market.ErrAuth, market.ErrNotConfigured, context.DeadlineExceeded} {
		d := newDesk()
		d.bars(t, market.Range{})
		d.now = d.now.AddDate(0, 0, 2)
		d.vendor.err = fmt.Errorf("bars: %w", err)
		if got, said := d.Bars(t.Context(), "VTI", market.Range{}); !errors.Is(said, err) {
			t.Errorf("%v: Bars = %d bars, %v", err, len(got.Bars), said)
		}
	}
}

// The split was seen, the new history was not got: the old one is known wrong.
func TestStale_NotWhereHistoryIsKnownToHaveChanged(t *testing.T) {
	d := newDesk()
	d.bars(t, market.Range{})
	d.grow(1)
	d.multiply("0.5")
	flaky := &failsWhole{d.vendor}
	d.Source = cached.New(flaky, d.shelf, cached.Options{Name: "vendor", Now: func() time.Time { return d.now }})
	if got, err := d.Bars(t.Context(), "VTI", market.Range{}); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("Bars = %d bars, %v, want ErrUnavailable", len(got.Bars), err)
	}
}

// failsWhole answers short questions alone.
type failsWhole struct{ *vendor }

func (f *failsWhole) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	if r.From.IsZero() {
		return market.Series{}, failing(market.ErrUnavailable)
	}
	return f.vendor.Bars(ctx, sym, r)
}

func TestStale_OfTheSourceItselfIsNotKept(t *testing.T) {
	stale := func(d *desk) {
		d.vendor.series.Provenance.Cache = market.CacheStale
		d.vendor.series.Provenance = d.vendor.series.Provenance.With(market.FlagStale)
	}
	d := newDesk()
	stale(d)
	if got := d.bars(t, market.Range{}); got.Provenance.Cache != market.CacheStale || len(d.shelf.saved) != 0 {
		t.Errorf("Bars = %q, saved %v, want it passed on and not kept", got.Provenance.Cache, d.shelf.saved)
	}
	d = newDesk()
	d.bars(t, market.Range{})
	d.grow(1)
	stale(d)
	if got := d.bars(t, market.Range{}); len(got.Bars) != 60 || !got.Provenance.Has(market.FlagStale) || len(d.shelf.saved) != 1 {
		t.Errorf("Bars = %d with %v, want the 60 that were kept, flagged", len(got.Bars), got.Provenance.Flags)
	}
	d.shelf.records[market.BarKey{Source: "vendor", Symbol: "VTI"}].Series.Bars[55].Close = decimal.NewFromInt(1)
	d.vendor.series.Provenance.Cache = market.CacheMiss
	d.Source = cached.New(&staleWhole{d.vendor}, d.shelf, cached.Options{Name: "vendor", Now: func() time.Time { return d.now }})
	if got, err := d.Bars(t.Context(), "VTI", market.Range{}); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("history has changed and only an older one is there: %d bars, %v, want ErrUnavailable", len(got.Bars), err)
	}
}

// staleWhole has long answers from a store of its own alone.
type staleWhole struct{ *vendor }

func (s *staleWhole) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	got, err := s.vendor.Bars(ctx, sym, r)
	if r.From.IsZero() {
		got.Provenance.Cache = market.CacheStale
	}
	return got, err
}
