package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// openCachedDay returns a source as in another process, with a file that remains.
func openCachedDay(t testing.TB, path string, from market.BarSource, now time.Time, fresh bool) market.BarSource {
	t.Helper()
	return feed.NewCachedBars(from, openBars(t, path), feed.CacheOptions{
		Name: "markettest", Now: func() time.Time { return now }, Fresh: func(market.Series, time.Time) bool { return fresh },
	})
}

// countingSource counts its requests.
type countingSource struct {
	*markettest.Source
	asked []market.Range
}

func (c *countingSource) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	c.asked = append(c.asked, r)
	return c.Source.Bars(ctx, sym, r)
}

func newVendor(n int) *countingSource {
	closes := make([]string, n)
	for i := range closes {
		closes[i] = fmt.Sprintf("%d.50", 100+i)
	}
	return &countingSource{Source: markettest.NewSource(markettest.Daily("VTI", on(2025, 10, 1), closes...))}
}

func TestBars_ServeACachedSourceFromDayToDay(t *testing.T) {
	path, now := barsPath(t), on(2026, 11, 20)
	ask := func(from *countingSource, fresh bool) market.Series {
		t.Helper()
		s, err := openCachedDay(t, path, from, now, fresh).Bars(t.Context(), "VTI", market.Range{})
		if err != nil {
			t.Fatalf("Bars = %v", err)
		}
		return s
	}
	first, second, silent := newVendor(100), newVendor(103), newVendor(103)
	ask(first, true)
	if hit := ask(second, true); len(hit.Bars) != 100 || hit.Provenance.Cache != market.CacheHit || len(second.asked) != 0 {
		t.Errorf("another process was given %d bars, %q, want the kept ones", len(hit.Bars), hit.Provenance.Cache)
	}
	grown := ask(second, false)
	if want, err := second.Source.Bars(t.Context(), "VTI", market.Range{}); err != nil || cmp.Diff(want.Bars, grown.Bars, markettest.CompareExactly) != "" {
		t.Errorf("after three sessions %d bars, want %d (%v)", len(grown.Bars), len(want.Bars), err)
	}
	if len(second.asked) != 1 || second.asked[0].From.IsZero() {
		t.Errorf("asked %v, want the last sessions alone", second.asked)
	}
	silent.Err = &market.SourceError{Source: "markettest", Err: market.ErrUnavailable}
	now = grown.Provenance.FetchedAt.AddDate(0, 0, 3)
	if stale := ask(silent, false); !stale.Provenance.Has(market.FlagStale) || len(stale.Bars) != 103 {
		t.Errorf("where the source is silent: %d bars, flags %v", len(stale.Bars), stale.Provenance.Flags)
	}
}

func TestBars_ADamagedYearIsFetchedAnew(t *testing.T) {
	path, from := barsPath(t), newVendor(100)
	now := on(2026, 11, 20)
	if _, err := openCachedDay(t, path, from, now, true).Bars(t.Context(), "VTI", market.Range{}); err != nil {
		t.Fatal(err)
	}
	execute(t, path, "UPDATE bars SET bars = x'0102' WHERE year = 2025")
	for range 2 {
		if s, err := openCachedDay(t, path, from, now, true).Bars(t.Context(), "VTI", market.Range{}); err != nil || len(s.Bars) != 100 {
			t.Errorf("Bars = %d, %v, want all 100", len(s.Bars), err)
		}
	}
	if len(from.asked) != 2 {
		t.Errorf("asked %d times, want once for the damage", len(from.asked))
	}
}

func TestBars_ThatAreClosedAreAnErrorAndNoPanic(t *testing.T) {
	store := openBars(t, barsPath(t))
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, loadErr := store.Load(t.Context(), vti, market.Range{})
	saveErr := store.Save(t.Context(), vti, markettest.StoredBars(on(2020, 6, 1), 3), market.Date{})
	if loadErr == nil || saveErr == nil || errors.Is(saveErr, market.ErrBarsChanged) {
		t.Errorf("Load = %v, Save = %v, want errors", loadErr, saveErr)
	}
}

func TestBars_AreAskedForUnderACancelledContext(t *testing.T) {
	store := openBars(t, barsPath(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := store.Load(ctx, vti, market.Range{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Load = %v, want context.Canceled", err)
	}
}

// BenchmarkBars_CachedYear measures loading one stored year of 40.
func BenchmarkBars_CachedYear(b *testing.B) {
	store, rec := openBars(b, barsPath(b)), markettest.StoredBars(on(1986, 1, 1), decades)
	if err := store.Save(b.Context(), vti, rec, market.Date{}); err != nil {
		b.Fatal(err)
	}
	s := feed.NewCachedBars(markettest.NewSource(), store, feed.CacheOptions{
		Name: "yahoo", Now: func() time.Time { return on(2026, 1, 1) }, Fresh: func(market.Series, time.Time) bool { return true },
	})
	for b.Loop() {
		if _, err := s.Bars(b.Context(), "VTI", market.Range{From: rec.Last.AddDate(-1, 0, 0)}); err != nil {
			b.Fatal(err)
		}
	}
}
