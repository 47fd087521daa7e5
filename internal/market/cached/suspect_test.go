package cached_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/cached"
)

// A doubt is about some day of the whole. Of the last ten sessions the source says
// nothing bad, and the day that is doubtful is kept all the same.
func TestRefresh_WhatIsSuspectStaysSo(t *testing.T) {
	d := newDesk()
	sound := d.vendor.series.Provenance
	d.vendor.series.Provenance = sound.With(market.FlagSuspect)
	d.vendor.series.Provenance.Note = "Closes step by a factor of about 100 on 2026-08-05."
	d.bars(t, market.Range{})
	doubtful := d.vendor.series.Provenance
	for range 2 {
		d.grow(1)
		d.vendor.series.Provenance = doubtful
		d.vendor.part = sound
		got := d.bars(t, market.Range{})
		if p := got.Provenance; !p.Has(market.FlagSuspect) || p.Note != doubtful.Note || cmp.Diff(d.vendor.series.Bars, got.Bars) != "" {
			t.Errorf("after a refresh: flags %v, note %q of %d bars; want the doubt kept", p.Flags, p.Note, len(got.Bars))
		}
	}
}

// doubted is a desk whose history is doubtful at the vendor, and its newest sessions
// are not. Nothing that is kept of it is fresh.
func doubted(t *testing.T) (d *desk, sound market.Provenance) {
	t.Helper()
	d = newDesk()
	d.Source = cached.New(d.vendor, d.shelf, cached.Options{Name: "vendor", Now: func() time.Time { return d.now }})
	sound = d.vendor.series.Provenance
	d.vendor.part = sound
	d.vendor.series.Provenance = sound.With(market.FlagSuspect)
	d.vendor.series.Provenance.Note = "Closes step by a factor of about 100 on 2026-08-05."
	d.bars(t, market.Range{})
	return d, sound
}

// whole reports whether the last question was of all there is.
func (d *desk) whole() bool { return d.vendor.asked[len(d.vendor.asked)-1].From.IsZero() }

// While an exchange trades a history is refreshed every quarter of an hour.
func TestRefresh_WhatIsSuspectIsFetchedWholeOnceADay(t *testing.T) {
	d, sound := doubted(t)
	doubtful, start := d.vendor.series.Provenance, d.now
	d.grow(1)
	d.vendor.series.Provenance = doubtful
	for _, later := range []time.Duration{15 * time.Minute, time.Hour, 24*time.Hour - time.Second} {
		d.now = start.Add(later)
		got := d.bars(t, market.Range{})
		if p := got.Provenance; d.whole() || !p.Has(market.FlagSuspect) || p.Note != doubtful.Note || cmp.Diff(d.vendor.series.Bars, got.Bars) != "" {
			t.Errorf("after %v: asked %v, flags %v, note %q; want ten sessions asked for, and the doubt kept", later, d.vendor.asked, p.Flags, p.Note)
		}
	}
	d.vendor.series.Provenance, d.vendor.series.Bars = sound, d.vendor.series.Bars[1:] // the source has mended it
	d.now = start.Add(24 * time.Hour)
	if got := d.bars(t, market.Range{}); !d.whole() || got.Provenance.Has(market.FlagSuspect) || got.Provenance.Note != "" || len(got.Bars) != len(d.vendor.series.Bars) {
		t.Errorf("after a day: asked %v, flags %v; want all of it as its source tells it now", d.vendor.asked, got.Provenance.Flags)
	}
}

func TestRefresh_WhatIsSuspectIsFetchedWholeWhereTheTimeOfTheLastIsNotKnown(t *testing.T) {
	d, _ := doubted(t)
	for name, at := range map[string]time.Time{"kept by an earlier program": {}, "of a clock that ran ahead": d.now.AddDate(1, 0, 0)} {
		rec := d.shelf.records[market.BarKey{Source: "vendor", Symbol: "VTI"}]
		rec.Whole = at
		d.shelf.records[market.BarKey{Source: "vendor", Symbol: "VTI"}] = rec
		d.now = d.now.Add(time.Minute)
		if d.bars(t, market.Range{}); !d.whole() {
			t.Errorf("%s: asked %v, want all of it", name, d.vendor.asked)
		}
	}
}

// The bar of a session that goes on may be odd for a quarter of an hour, and is replaced:
// then nothing of what is kept is doubtful. Where the whole is doubtful as well, that
// is asked for no sooner than in a day.
func TestRefresh_ADoubtThatAPartBringsIsAskedOfTheWholeAtOnce(t *testing.T) {
	for name, lasting := range map[string]bool{"of a bar that was replaced": false, "of a day that stays": true} {
		d := newDesk()
		d.Source = cached.New(d.vendor, d.shelf, cached.Options{Name: "vendor", Now: func() time.Time { return d.now }})
		sound := d.vendor.series.Provenance
		d.bars(t, market.Range{})
		d.now = d.now.Add(15 * time.Minute)
		doubtful := sound.With(market.FlagSuspect, market.FlagProvisional)
		doubtful.Note = "High and low contradict the close on 2026-10-23 and are left out."
		d.vendor.part = doubtful
		if p := d.bars(t, market.Range{}).Provenance; d.whole() || !p.Has(market.FlagSuspect) || p.Note != doubtful.Note {
			t.Errorf("%s: asked %v, flags %v, note %q; want a part asked for, and its doubt", name, d.vendor.asked, p.Flags, p.Note)
		}
		d.vendor.part = sound
		if lasting {
			d.vendor.series.Provenance = doubtful.Without(market.FlagProvisional)
		}
		d.now = d.now.Add(15 * time.Minute)
		asked := d.now
		if p := d.bars(t, market.Range{}).Provenance; !d.whole() || p.Has(market.FlagSuspect) != lasting || p.Note != d.vendor.series.Provenance.Note {
			t.Errorf("%s: asked %v, flags %v, note %q; want what the whole says", name, d.vendor.asked, p.Flags, p.Note)
		}
		for _, later := range []time.Duration{15 * time.Minute, 24*time.Hour - time.Second} {
			d.now = asked.Add(later)
			if p := d.bars(t, market.Range{}).Provenance; d.whole() || p.Has(market.FlagSuspect) != lasting {
				t.Errorf("%s, %v later: asked %v, flags %v; want a part asked for, and what the whole said to stand", name, later, d.vendor.asked, p.Flags)
			}
		}
	}
}

func TestRefresh_ADoubtOfAPartIsToldBesideThatOfTheWhole(t *testing.T) {
	d, sound := doubted(t)
	d.vendor.part = sound.With(market.FlagSuspect)
	d.vendor.part.Note = "High and low contradict the close on 2026-10-23 and are left out."
	want := d.vendor.series.Provenance.Note + " " + d.vendor.part.Note
	for range 2 {
		d.now = d.now.Add(time.Hour)
		if got := d.bars(t, market.Range{}); d.whole() || got.Provenance.Note != want || !got.Provenance.Has(market.FlagSuspect) {
			t.Errorf("asked %v, flags %v, note %q; want a part asked for and both doubts, once each", d.vendor.asked, got.Provenance.Flags, got.Provenance.Note)
		}
	}
}

// A source holds a dividend against the close before its day, which the first day of a
// part has not: there it is told as it came.
func TestRefresh_ADividendOfTheFirstDayOfAPartIsThatOfTheWhole(t *testing.T) {
	d, _ := doubted(t)
	on := since(d.vendor.series, 10)
	checked := market.Action{Kind: market.ActionDividend, Date: on, Amount: decimal.New(2, -2), Flags: []market.Flag{market.FlagSuspect, market.FlagConverted}}
	special := market.Action{Kind: market.ActionDividend, Date: on, Amount: decimal.New(3, 0)}
	d.vendor.series.Actions = []market.Action{checked, special}
	d.now = d.now.AddDate(0, 0, 1)
	d.bars(t, market.Range{})
	d.vendor.series.Actions = []market.Action{{Kind: market.ActionDividend, Date: on, Amount: decimal.New(2, 0)}, special}
	d.now = d.now.Add(time.Hour)
	got := d.bars(t, market.Range{})
	if diff := cmp.Diff([]market.Action{checked, special}, got.Actions); diff != "" || d.whole() {
		t.Errorf("asked %v; actions (-want +got):\n%s", d.vendor.asked, diff)
	}
}
