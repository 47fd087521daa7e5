package market_test

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

func day(d int) market.Date { return time.Date(2020, 1, d, 0, 0, 0, 0, time.UTC) }

func seriesOf(days ...int) market.Series {
	var s market.Series
	for _, d := range days {
		s.Bars = append(s.Bars, market.Bar{Date: day(d), Close: decimal.New(int64(d), 0)})
	}
	return s
}

func TestSeries_WithinAgreesWithContains(t *testing.T) {
	s := seriesOf(2, 3, 6, 7, 8)
	for from := 0; from <= 10; from++ {
		for to := 0; to <= 10; to++ {
			var r market.Range
			if from > 0 {
				r.From = day(from)
			}
			if to > 0 {
				r.To = day(to)
			}
			want := 0
			for _, b := range s.Bars {
				if r.Contains(b.Date) {
					want++
				}
			}
			if got := s.Within(r).Bars; len(got) != want {
				t.Errorf("Within(%d..%d) = %d bars, want %d", from, to, len(got), want)
			}
		}
	}
}

func TestSeries_WithinIsDatedByItsLastBar(t *testing.T) {
	got := seriesOf(2, 3, 6).Within(market.Range{To: day(4)})
	if !got.Provenance.AsOf.Equal(day(3)) {
		t.Errorf("AsOf = %v, want %v", got.Provenance.AsOf, day(3))
	}
}

func TestSeries_AppendingToAPartLeavesTheWholeAlone(t *testing.T) {
	s := seriesOf(2, 3, 6)
	part := s.Within(market.Range{To: day(2)})
	_ = append(part.Bars, market.Bar{})
	if !s.Bars[1].Date.Equal(day(3)) {
		t.Error("append to a part overwrote the series")
	}
}

func TestSeries_LatestOfOneBarHasNoPrevious(t *testing.T) {
	if q, ok := seriesOf(2).Latest(); !ok || q.Previous.Valid || !q.PreviousAsOf.IsZero() {
		t.Errorf("Latest of one bar = %+v, %v; want no previous price", q, ok)
	}
	if _, ok := seriesOf().Latest(); ok {
		t.Error("Latest of no bars reports a quote")
	}
	q, _ := seriesOf(2, 3).Latest()
	if !q.Price.Equal(decimal.New(3, 0)) || !q.Previous.Decimal.Equal(decimal.New(2, 0)) {
		t.Errorf("Latest = %v after %v, want 3 after 2", q.Price, q.Previous.Decimal)
	}
}
