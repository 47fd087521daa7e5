package feed_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
)

// A doubt concerns some day of the whole history. The last ten sessions are not flagged, but the doubtful day
// remains stored.
func TestRefresh_WhatIsSuspectStaysSo(t *testing.T) {
	d := newCacheFixture()
	clean := d.upstream.series.Provenance
	d.upstream.series.Provenance = clean.With(market.FlagSuspect)
	d.upstream.series.Provenance.Note = "Closes step by a factor of about 100 on 2026-08-05."
	d.bars(t, market.Range{})
	doubtful := d.upstream.series.Provenance
	for range 2 {
		d.grow(1)
		d.upstream.series.Provenance = doubtful
		d.upstream.partial = clean
		got := d.bars(t, market.Range{})
		if p := got.Provenance; !p.Has(market.FlagSuspect) || p.Note != doubtful.Note || cmp.Diff(d.upstream.series.Bars, got.Bars) != "" {
			t.Errorf("after a refresh: flags %v, note %q of %d bars; want the doubt kept", p.Flags, p.Note, len(got.Bars))
		}
	}
}

// suspectFixture returns a cache whose upstream flags the whole history as suspect, but not the newest
// sessions. Stored bars are never fresh.
func suspectFixture(t *testing.T) (d *cacheFixture, clean market.Provenance) {
	t.Helper()
	d = newCacheFixture()
	d.CachedBars = feed.NewCachedBars(d.upstream, d.store, feed.CacheOptions{Name: "vendor", Now: func() time.Time { return d.now }})
	clean = d.upstream.series.Provenance
	d.upstream.partial = clean
	d.upstream.series.Provenance = clean.With(market.FlagSuspect)
	d.upstream.series.Provenance.Note = "Closes step by a factor of about 100 on 2026-08-05."
	d.bars(t, market.Range{})
	return d, clean
}

// whole reports whether the last request was for the whole history.
func (d *cacheFixture) whole() bool { return d.upstream.ranges[len(d.upstream.ranges)-1].From.IsZero() }

// While an exchange is open, a history is refreshed every quarter of an hour.
func TestRefresh_WhatIsSuspectIsFetchedWholeOnceADay(t *testing.T) {
	d, clean := suspectFixture(t)
	doubtful, start := d.upstream.series.Provenance, d.now
	d.grow(1)
	d.upstream.series.Provenance = doubtful
	for _, later := range []time.Duration{15 * time.Minute, time.Hour, 24*time.Hour - time.Second} {
		d.now = start.Add(later)
		got := d.bars(t, market.Range{})
		if p := got.Provenance; d.whole() || !p.Has(market.FlagSuspect) || p.Note != doubtful.Note || cmp.Diff(d.upstream.series.Bars, got.Bars) != "" {
			t.Errorf("after %v: asked %v, flags %v, note %q; want ten sessions asked for, and the doubt kept", later, d.upstream.ranges, p.Flags, p.Note)
		}
	}
	d.upstream.series.Provenance, d.upstream.series.Bars = clean, d.upstream.series.Bars[1:] // the source has corrected it
	d.now = start.Add(24 * time.Hour)
	if got := d.bars(t, market.Range{}); !d.whole() || got.Provenance.Has(market.FlagSuspect) || got.Provenance.Note != "" || len(got.Bars) != len(d.upstream.series.Bars) {
		t.Errorf("after a day: asked %v, flags %v; want all of it as its source tells it now", d.upstream.ranges, got.Provenance.Flags)
	}
}

func TestRefresh_WhatIsSuspectIsFetchedWholeWhereTheTimeOfTheLastIsNotKnown(t *testing.T) {
	d, _ := suspectFixture(t)
	for name, at := range map[string]time.Time{"kept by an earlier program": {}, "of a clock that ran ahead": d.now.AddDate(1, 0, 0)} {
		rec := d.store.records[market.BarKey{Source: "vendor", Symbol: "VTI"}]
		rec.FullFetchAt = at
		d.store.records[market.BarKey{Source: "vendor", Symbol: "VTI"}] = rec
		d.now = d.now.Add(time.Minute)
		if d.bars(t, market.Range{}); !d.whole() {
			t.Errorf("%s: asked %v, want all of it", name, d.upstream.ranges)
		}
	}
}

// The bar of the current session may look wrong for a quarter of an hour and is then replaced, so that no
// stored bar is doubtful. If the whole history is doubtful too, it is not fetched again until a day later.
func TestRefresh_ADoubtThatAPartBringsIsAskedOfTheWholeAtOnce(t *testing.T) {
	for name, lasting := range map[string]bool{"of a bar that was replaced": false, "of a day that stays": true} {
		d := newCacheFixture()
		d.CachedBars = feed.NewCachedBars(d.upstream, d.store, feed.CacheOptions{Name: "vendor", Now: func() time.Time { return d.now }})
		clean := d.upstream.series.Provenance
		d.bars(t, market.Range{})
		d.now = d.now.Add(15 * time.Minute)
		doubtful := clean.With(market.FlagSuspect, market.FlagProvisional)
		doubtful.Note = "High and low contradict the close on 2026-10-23 and are left out."
		d.upstream.partial = doubtful
		if p := d.bars(t, market.Range{}).Provenance; d.whole() || !p.Has(market.FlagSuspect) || p.Note != doubtful.Note {
			t.Errorf("%s: asked %v, flags %v, note %q; want a part asked for, and its doubt", name, d.upstream.ranges, p.Flags, p.Note)
		}
		d.upstream.partial = clean
		if lasting {
			d.upstream.series.Provenance = doubtful.Without(market.FlagProvisional)
		}
		d.now = d.now.Add(15 * time.Minute)
		requested := d.now
		if p := d.bars(t, market.Range{}).Provenance; !d.whole() || p.Has(market.FlagSuspect) != lasting || p.Note != d.upstream.series.Provenance.Note {
			t.Errorf("%s: asked %v, flags %v, note %q; want what the whole says", name, d.upstream.ranges, p.Flags, p.Note)
		}
		for _, later := range []time.Duration{15 * time.Minute, 24*time.Hour - time.Second} {
			d.now = requested.Add(later)
			if p := d.bars(t, market.Range{}).Provenance; d.whole() || p.Has(market.FlagSuspect) != lasting {
				t.Errorf("%s, %v later: asked %v, flags %v; want a part asked for, and what the whole said to stand", name, later, d.upstream.ranges, p.Flags)
			}
		}
	}
}

func TestRefresh_ADoubtOfAPartIsNotedBesideThatOfTheWhole(t *testing.T) {
	d, clean := suspectFixture(t)
	d.upstream.partial = clean.With(market.FlagSuspect)
	d.upstream.partial.Note = "High and low contradict the close on 2026-10-23 and are left out."
	want := d.upstream.series.Provenance.Note + " " + d.upstream.partial.Note
	for range 2 {
		d.now = d.now.Add(time.Hour)
		if got := d.bars(t, market.Range{}); d.whole() || got.Provenance.Note != want || !got.Provenance.Has(market.FlagSuspect) {
			t.Errorf("asked %v, flags %v, note %q; want a part asked for and both doubts, once each", d.upstream.ranges, got.Provenance.Flags, got.Provenance.Note)
		}
	}
}

// A source checks a dividend against the previous close, which is missing for the first day of a part. On
// that day, the stored dividend remains as reported.
func TestRefresh_ADividendOfTheFirstDayOfAPartIsThatOfTheWhole(t *testing.T) {
	d, _ := suspectFixture(t)
	on := sinceSession(d.upstream.series, 10)
	checked := market.Action{Kind: market.ActionDividend, Date: on, Amount: decimal.New(2, -2), Flags: []market.Flag{market.FlagSuspect, market.FlagConverted}}
	special := market.Action{Kind: market.ActionDividend, Date: on, Amount: decimal.New(3, 0)}
	d.upstream.series.Actions = []market.Action{checked, special}
	d.now = d.now.AddDate(0, 0, 1)
	d.bars(t, market.Range{})
	d.upstream.series.Actions = []market.Action{{Kind: market.ActionDividend, Date: on, Amount: decimal.New(2, 0)}, special}
	d.now = d.now.Add(time.Hour)
	got := d.bars(t, market.Range{})
	if diff := cmp.Diff([]market.Action{checked, special}, got.Actions); diff != "" || d.whole() {
		t.Errorf("asked %v; actions (-want +got):\n%s", d.upstream.ranges, diff)
	}
}
