package feed_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
)

func TestRefresh_ActionsAreThoseOfTheSource(t *testing.T) {
	dividend := func(d market.Date, amount string) market.Action {
		return market.Action{Kind: market.ActionDividend, Date: d, Amount: decimal.RequireFromString(amount)}
	}
	d := newCacheFixture()
	early, late := firstSession.AddDate(0, 0, 1), sinceSession(d.upstream.series, 3)
	d.upstream.series.Actions = []market.Action{dividend(early, "1"), dividend(late, "2")}
	d.bars(t, market.Range{})
	d.grow(2)
	d.upstream.series.Actions = []market.Action{dividend(late, "2.5"), dividend(sinceSession(d.upstream.series, 1), "3")}
	got := d.bars(t, market.Range{})
	want := []market.Action{dividend(early, "1"), dividend(late, "2.5"), dividend(sinceSession(d.upstream.series, 1), "3")}
	if diff := cmp.Diff(want, got.Actions); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	if part := d.bars(t, market.Range{From: firstSession.AddDate(0, 0, 2), To: firstSession.AddDate(0, 0, 9)}); part.Actions == nil || len(part.Actions) != 0 {
		t.Errorf("actions of a week without = %v, want an empty list", part.Actions)
	}
}

// A source may know that there was no dividend in the last ten sessions, but not which ones there were in
// earlier years. The history is then not fetched again, and its dividends remain unknown.
func TestRefresh_ActionsThatAreNotKnownStaySoAndOfAPartTheyMayBe(t *testing.T) {
	d := newCacheFixture()
	d.upstream.series.Actions, d.upstream.series.Provenance.Note = nil, "dividends in another currency"
	d.bars(t, market.Range{})
	d.grow(2)
	d.upstream.series.Actions, d.upstream.series.Provenance.Note = []market.Action{}, ""
	got := d.bars(t, market.Range{})
	if got.Actions != nil || got.Provenance.Note != "dividends in another currency" || len(d.upstream.ranges) != 2 {
		t.Errorf("actions %v, note %q, asked %v; want none known, the note, and ten sessions asked for", got.Actions, got.Provenance.Note, d.upstream.ranges)
	}
	if diff := cmp.Diff(d.upstream.series.Bars, got.Bars); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
}

// The value of dividends in another currency is unknown. A new part without dividends does not make earlier
// ones known, and a first part with such a dividend makes all of them unknown.
func TestRefresh_DividendsThatAreNotKnownStaySoAndSplitsAreKept(t *testing.T) {
	split := market.Action{Kind: market.ActionSplit, Date: firstSession.AddDate(0, 0, 1), New: decimal.NewFromInt(4), Old: decimal.NewFromInt(1)}
	d := newCacheFixture()
	d.upstream.series.Actions, d.upstream.series.DividendsUnknown, d.upstream.series.Provenance.Note = []market.Action{split}, true, "dividends in another currency"
	d.bars(t, market.Range{})
	d.grow(2)
	d.upstream.series.DividendsUnknown, d.upstream.series.Provenance.Note = false, ""
	got := d.bars(t, market.Range{})
	if diff := cmp.Diff([]market.Action{split}, got.Actions); diff != "" || !got.DividendsUnknown || got.Provenance.Note != "dividends in another currency" || len(d.upstream.ranges) != 2 {
		t.Errorf("unknown %v, note %q, asked %v; want it so, the note and ten sessions asked for; actions (-want +got):\n%s",
			got.DividendsUnknown, got.Provenance.Note, d.upstream.ranges, diff)
	}
}

// A known dividend does not make earlier ones known. Fetching all of the history again would not either, and
// it would be repeated on each day of the two weeks in which the dividend is among the newest sessions.
func TestRefresh_OfDividendsThatAreNotKnownOneThatIsChangesNothing(t *testing.T) {
	split := market.Action{Kind: market.ActionSplit, Date: firstSession.AddDate(0, 0, 1), New: decimal.NewFromInt(4), Old: decimal.NewFromInt(1)}
	d := newCacheFixture()
	d.upstream.series.Actions, d.upstream.series.DividendsUnknown, d.upstream.series.Provenance.Note = []market.Action{split}, true, "dividends in another currency"
	d.bars(t, market.Range{})
	var log strings.Builder
	d.CachedBars = feed.NewCachedBars(&failsWhole{d.upstream}, d.store, feed.CacheOptions{Name: "vendor", Now: func() time.Time { return d.now }, Log: zerolog.New(&log)})
	paid := market.Action{Kind: market.ActionDividend, Date: sinceSession(d.upstream.series, 3), Amount: decimal.NewFromInt(1)}
	later := market.Action{Kind: market.ActionSplit, Date: sinceSession(d.upstream.series, 2), New: decimal.NewFromInt(1001), Old: decimal.NewFromInt(1000)}
	for range 2 {
		d.grow(1)
		d.upstream.series.Actions, d.upstream.series.DividendsUnknown, d.upstream.series.Provenance.Note = []market.Action{paid, later}, false, ""
		got := d.bars(t, market.Range{})
		if diff := cmp.Diff([]market.Action{split, later}, got.Actions); diff != "" || !got.DividendsUnknown || got.Provenance.Note != "dividends in another currency" {
			t.Errorf("unknown %v, note %q; want it so, and the note; actions (-want +got):\n%s", got.DividendsUnknown, got.Provenance.Note, diff)
		}
		if diff := cmp.Diff(d.upstream.series.Bars, got.Bars); diff != "" || log.Len() > 0 {
			t.Errorf("logged %q, want nothing; bars (-want +got):\n%s", log.String(), diff)
		}
	}
}

func TestRefresh_SplitsThatAPartDoesNotTellAreAskedOfTheWhole(t *testing.T) {
	d := newCacheFixture()
	d.upstream.series.Actions, d.upstream.series.DividendsUnknown = []market.Action{}, true
	d.bars(t, market.Range{})
	d.grow(1)
	d.upstream.series.Actions, d.upstream.series.DividendsUnknown = nil, false
	if d.bars(t, market.Range{}); !d.whole() {
		t.Errorf("asked %v, want all of it", d.upstream.ranges)
	}
}

func TestRefresh_ADividendThatIsNotKnownMakesTheEarlierOnesUnknown(t *testing.T) {
	paid := market.Action{Kind: market.ActionDividend, Date: firstSession.AddDate(0, 0, 1), Amount: decimal.NewFromInt(1)}
	d := newCacheFixture()
	d.upstream.series.Actions = []market.Action{paid}
	d.bars(t, market.Range{})
	d.grow(2)
	d.upstream.series.Actions, d.upstream.series.DividendsUnknown = []market.Action{}, true
	if got := d.bars(t, market.Range{}); !got.DividendsUnknown || len(got.Actions) != 0 {
		t.Errorf("actions %v, unknown %v; want no dividend returned as if it were all", got.Actions, got.DividendsUnknown)
	}
}
