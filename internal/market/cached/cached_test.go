package cached_test

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
	"github.com/nfa-cli/nfa/internal/market/cached"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// shelf is a Store in memory that keeps the promises of the interface.
type shelf struct {
	mu      sync.Mutex
	records map[market.BarKey]market.StoredBars
	saved   []market.Date // the since of each Save
	err     error         // of every call: a disk that is gone
}

func newShelf() *shelf { return &shelf{records: map[market.BarKey]market.StoredBars{}} }

func (s *shelf) Load(_ context.Context, k market.BarKey, r market.Range) (market.StoredBars, bool, error) {
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

func (s *shelf) Save(_ context.Context, k market.BarKey, rec market.StoredBars, since market.Date) error {
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

// vendor is a source that writes down what it is asked.
type vendor struct {
	mu     sync.Mutex
	series market.Series
	part   market.Provenance // of what is not the whole, where it differs
	err    error
	asked  []market.Range
	now    func() time.Time
}

func (v *vendor) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return market.Series{}, err
	}
	v.asked = append(v.asked, r)
	if v.err != nil {
		return market.Series{}, v.err
	}
	if sym != v.series.Symbol {
		return market.Series{}, failing(market.ErrUnknownSymbol)
	}
	asked := v.series.Within(r)
	if len(asked.Bars) == 0 {
		return market.Series{}, failing(market.ErrNoData)
	}
	if v.part.Source != "" && len(asked.Bars) < len(v.series.Bars) {
		asked.Provenance = v.part
	}
	asked.Provenance.FetchedAt = v.now()
	return asked, nil
}

func failing(err error) error {
	return &market.SourceError{Source: "vendor", Doing: "bars of VTI", Err: err}
}

// desk is a cached source over a vendor of 60 closes, 100 to 159, from Monday
// 2026-08-03 on, at a clock to set. What is kept is fresh for a day.
type desk struct {
	*cached.Source
	shelf  *shelf
	vendor *vendor
	now    time.Time
}

var first = time.Date(2026, 8, 3, 0, 0, 0, 0, time.UTC)

func closes(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprint(100 + i)
	}
	return texts
}

func newDesk() *desk {
	d := &desk{shelf: newShelf(), now: time.Date(2026, 10, 24, 12, 0, 0, 0, time.UTC)}
	now := func() time.Time { return d.now }
	d.vendor = &vendor{series: markettest.Daily("VTI", first, closes(60)...), now: now}
	d.vendor.series.Provenance.Adjustment = market.AdjustmentSplit
	d.Source = cached.New(d.vendor, d.shelf, cached.Options{
		Name: "vendor", Now: now,
		Fresh: func(s market.Series, now time.Time) bool { return now.Sub(s.Provenance.FetchedAt) < 24*time.Hour },
	})
	return d
}

func (d *desk) bars(t *testing.T, r market.Range) market.Series {
	t.Helper()
	s, err := d.Bars(t.Context(), "VTI", r)
	if err != nil {
		t.Fatalf("Bars(%v) = %v", r, err)
	}
	return s
}

// grow lets n sessions pass at the vendor, and the clock with them.
func (d *desk) grow(n int) {
	adjustment, actions := d.vendor.series.Provenance.Adjustment, d.vendor.series.Actions
	d.vendor.series = markettest.Daily("VTI", first, closes(len(d.vendor.series.Bars)+n)...)
	d.vendor.series.Provenance.Adjustment, d.vendor.series.Actions = adjustment, actions
	d.now = d.now.AddDate(0, 0, max(n, 1))
}

// multiply restates every price, as a split does.
func (d *desk) multiply(by string) {
	d.vendor.series.Bars = slices.Clone(d.vendor.series.Bars)
	for i := range d.vendor.series.Bars {
		d.vendor.series.Bars[i].Close = d.vendor.series.Bars[i].Close.Mul(decimal.RequireFromString(by))
	}
}

// correct restates one of the last prices, as an exchange does.
func (d *desk) correct(by string) {
	bars := slices.Clone(d.vendor.series.Bars)
	one := &bars[len(bars)-4]
	one.Close = one.Close.Mul(decimal.RequireFromString(by))
	d.vendor.series.Bars = bars
}

func since(s market.Series, back int) market.Date { return s.Bars[len(s.Bars)-back].Date }

// priced lets a cached source pass for one of quotes as well.
type priced struct {
	*cached.Source
	market.QuoteSource
}

func TestBars_HoldTheContract(t *testing.T) {
	markettest.Run(t, func(*testing.T) markettest.Subject {
		source := markettest.NewSource(markettest.Daily("VTI", first, closes(60)...))
		return markettest.Subject{Listed: "VTI", Source: priced{cached.New(source, newShelf(), cached.Options{
			Name: "markettest", Now: func() time.Time { return time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC) },
			Fresh: func(market.Series, time.Time) bool { return true },
		}), source}}
	})
}

func TestBars_AreAskedForOnceWhileTheyAreFresh(t *testing.T) {
	d := newDesk()
	whole := d.bars(t, market.Range{})
	if whole.Provenance.Cache != market.CacheMiss {
		t.Errorf("the first answer is %q, want a miss", whole.Provenance.Cache)
	}
	part := d.bars(t, market.Range{From: first.AddDate(0, 0, 7), To: first.AddDate(0, 0, 11)})
	if len(part.Bars) != 5 || part.Provenance.Cache != market.CacheHit || !part.Provenance.AsOf.Equal(first.AddDate(0, 0, 11)) {
		t.Errorf("a week = %d bars, %+v", len(part.Bars), part.Provenance)
	}
	if again := d.bars(t, market.Range{}); cmp.Diff(whole.Bars, again.Bars) != "" || !again.Provenance.FetchedAt.Equal(whole.Provenance.FetchedAt) {
		t.Errorf("again = %d bars fetched %v, want those of the first time", len(again.Bars), again.Provenance.FetchedAt)
	}
	if len(d.vendor.asked) != 1 {
		t.Errorf("asked %v, want once", d.vendor.asked)
	}
}

func TestBars_AnEarlierStartIsFetchedWithAllThatFollows(t *testing.T) {
	d := newDesk()
	late, early := first.AddDate(0, 1, 0), first.AddDate(0, 0, 3)
	d.bars(t, market.Range{From: late, To: late.AddDate(0, 0, 2)})
	got := d.bars(t, market.Range{From: early})
	d.bars(t, market.Range{From: late})
	if diff := cmp.Diff([]market.Range{{From: late}, {From: early}}, d.vendor.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	if want := d.vendor.series.Within(market.Range{From: early}).Bars; cmp.Diff(want, got.Bars) != "" {
		t.Errorf("got %d bars, want %d", len(got.Bars), len(want))
	}
}

func TestRefresh_FetchesTenSessionsAgainAndAddsTheNew(t *testing.T) {
	d := newDesk()
	d.bars(t, market.Range{})
	overlap := since(d.vendor.series, 10)
	d.grow(3)
	got := d.bars(t, market.Range{})
	if diff := cmp.Diff(d.vendor.series.Bars, got.Bars); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]market.Range{{}, {From: overlap}}, d.vendor.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]market.Date{{}, overlap}, d.shelf.saved); diff != "" {
		t.Errorf("saved since (-want +got):\n%s", diff)
	}
	if again := d.bars(t, market.Range{}); cmp.Diff(got.Bars, again.Bars) != "" || again.Provenance.Cache != market.CacheHit {
		t.Errorf("after the refresh: %d bars, %q", len(again.Bars), again.Provenance.Cache)
	}
}

func TestRefresh_HistoryThatHasChangedIsFetchedWhole(t *testing.T) {
	tests := []struct {
		name   string
		change func(d *desk)
		whole  bool
	}{
		{"nothing", func(*desk) {}, false},
		{"a correction of 0.4 %", func(d *desk) { d.correct("1.004") }, false},
		{"a correction of 0.6 %", func(d *desk) { d.correct("1.006") }, true},
		{"a stock dividend of 0.4 %", func(d *desk) { d.multiply("0.996") }, true},
		{"other digits", func(d *desk) { d.multiply("1.0001") }, false},
		{"a split of 2 for 1", func(d *desk) { d.multiply("0.5") }, true},
		{"a reverse split", func(d *desk) { d.multiply("10") }, true},
		{"another source", func(d *desk) { d.vendor.series.Provenance.Source = "other" }, true},
		{"another currency", func(d *desk) { d.vendor.series.Provenance.Currency = "EUR" }, true},
		{"another level", func(d *desk) { d.vendor.series.Provenance.Adjustment = market.AdjustmentRaw }, true},
		{"another interval", func(d *desk) { d.vendor.series.Interval = market.Monthly }, true},
		{"an action told for the first time", func(d *desk) {
			d.vendor.series.Actions = []market.Action{{Kind: market.ActionDividend, Date: since(d.vendor.series, 3), Amount: decimal.New(1, 0)}}
		}, true},
		{"days that are gone", func(d *desk) {
			n := len(d.vendor.series.Bars)
			d.vendor.series.Bars = slices.Delete(slices.Clone(d.vendor.series.Bars), n-9, n-1)
		}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk()
			d.bars(t, market.Range{})
			d.grow(1)
			test.change(d)
			got := d.bars(t, market.Range{})
			if whole := len(d.vendor.asked) == 3; whole != test.whole {
				t.Errorf("asked %v, want all of it fetched again = %v", d.vendor.asked, test.whole)
			}
			if test.whole && (cmp.Diff(d.vendor.series.Bars, got.Bars) != "" || got.Provenance.Source != d.vendor.series.Provenance.Source) {
				t.Error("the answer is not the series as its source tells it now")
			}
		})
	}
}

// A quarterly dividend of 0.4 % moves all earlier prices of an adjusted series by
// as much. Joined to the kept ones it would look like a loss on a day.
func TestRefresh_ADividendMovesAdjustedHistory(t *testing.T) {
	d := newDesk()
	d.vendor.series.Provenance.Adjustment = market.AdjustmentSplitDiv
	d.bars(t, market.Range{})
	d.grow(1)
	d.multiply("0.996")
	got := d.bars(t, market.Range{})
	if diff := cmp.Diff(d.vendor.series.Bars, got.Bars); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
}

func TestProvisional_BarIsReplacedAndNeverTakenForFinal(t *testing.T) {
	d := newDesk()
	last := len(d.vendor.series.Bars) - 1
	d.vendor.series.Provenance = d.vendor.series.Provenance.With(market.FlagProvisional)
	d.vendor.series.Bars[last].Close = decimal.RequireFromString("1000") // in the middle of a wild session
	if got := d.bars(t, market.Range{}); !got.Provenance.Has(market.FlagProvisional) {
		t.Errorf("flags %v, want provisional", got.Provenance.Flags)
	}
	if hit := d.bars(t, market.Range{}); !hit.Provenance.Has(market.FlagProvisional) || len(hit.Bars) != last+1 {
		t.Errorf("the hit has %d bars and flags %v, want the same", len(hit.Bars), hit.Provenance.Flags)
	}
	if past := d.bars(t, market.Range{To: first.AddDate(0, 0, 11)}); past.Provenance.Has(market.FlagProvisional) {
		t.Error("bars of August are provisional in October")
	}
	d.grow(1)
	d.vendor.err = failing(market.ErrUnavailable)
	if stale := d.bars(t, market.Range{}); len(stale.Bars) != last || stale.Provenance.Has(market.FlagProvisional) {
		t.Errorf("what stands in has %d bars and flags %v, want %d settled ones", len(stale.Bars), stale.Provenance.Flags, last)
	}
	d.vendor.err = nil
	got := d.bars(t, market.Range{})
	if diff := cmp.Diff(d.vendor.series.Bars, got.Bars); diff != "" || len(d.vendor.asked) != 3 {
		t.Errorf("asked %d times; bars (-want +got):\n%s", len(d.vendor.asked), diff)
	}
}

func TestClock_SetBackMakesNothingFreshForEver(t *testing.T) {
	d := newDesk()
	d.bars(t, market.Range{})
	d.now = d.now.AddDate(0, -1, 0)
	if got := d.bars(t, market.Range{}); got.Provenance.Cache != market.CacheMiss || len(d.vendor.asked) != 2 {
		t.Errorf("Bars = %q, asked %d times, want it asked anew", got.Provenance.Cache, len(d.vendor.asked))
	}
}

func TestClock_ABarOfADayToComeIsNotKept(t *testing.T) {
	d := newDesk()
	d.bars(t, market.Range{})
	right := d.vendor.series.Bars
	for _, day := range []market.Date{d.now.AddDate(0, 0, 3), d.now.AddDate(100, 0, 0)} {
		odd := right[len(right)-1]
		odd.Date = day.Truncate(24 * time.Hour)
		d.vendor.series.Bars = append(slices.Clone(right), odd)
		d.now = d.now.AddDate(0, 0, 1).Add(time.Minute)
		d.bars(t, market.Range{})
		d.vendor.series.Bars = right
		if got := d.bars(t, market.Range{}); cmp.Diff(right, got.Bars) != "" {
			t.Errorf("after a bar of %s the last one is of %s", odd.Date.Format(time.DateOnly), since(got, 1).Format(time.DateOnly))
		}
	}
}

func TestDisk_ThatIsGoneFailsNoRequest(t *testing.T) {
	d := newDesk()
	d.shelf.err = errors.New("no space left on device")
	for range 2 {
		if got := d.bars(t, market.Range{}); len(got.Bars) != 60 {
			t.Errorf("Bars = %d, want 60", len(got.Bars))
		}
	}
}

func TestSources_OfAnotherNameAreNotMixed(t *testing.T) {
	d := newDesk()
	d.bars(t, market.Range{})
	other := &vendor{series: markettest.Daily("VTI", first, "1", "2", "3"), now: d.vendor.now}
	s := cached.New(other, d.shelf, cached.Options{Name: "other", Now: d.vendor.now, Fresh: func(market.Series, time.Time) bool { return true }})
	if got, err := s.Bars(t.Context(), "VTI", market.Range{}); err != nil || len(got.Bars) != 3 {
		t.Errorf("Bars = %d, %v, want the three of the other source", len(got.Bars), err)
	}
	if keys := slices.Collect(maps.Keys(d.shelf.records)); len(keys) != 2 {
		t.Errorf("kept under %v, want two names", keys)
	}
}

func TestBars_AtOnceAreAskedForOnce(t *testing.T) {
	d := newDesk()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := d.Bars(t.Context(), "VTI", market.Range{}); err != nil {
				t.Errorf("Bars = %v", err)
			}
		})
	}
	wg.Wait()
	if len(d.vendor.asked) != 1 {
		t.Errorf("asked %d times, want once", len(d.vendor.asked))
	}
}
