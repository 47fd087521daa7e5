package analytics_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
)

func datesOf(s market.Series) []string {
	var out []string
	for _, b := range s.Bars {
		out = append(out, b.Date.Format(time.DateOnly))
	}
	return out
}

func TestAlign_KeepsTheDaysThatAllHaveAndFillsNoneIn(t *testing.T) {
	a := newSeries(t, market.Daily, "2020-01-02", "1", "2020-01-03", "2", "2020-01-06", "3", "2020-01-08", "4")
	b := newSeries(t, market.Daily, "2020-01-03", "10", "2020-01-06", "20", "2020-01-07", "30", "2020-01-08", "40", "2020-01-09", "50")
	got, err := analytics.Align(a, b)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"2020-01-03", "2020-01-06", "2020-01-08"}
	if diff := cmp.Diff([][]string{want, want}, [][]string{datesOf(got[0]), datesOf(got[1])}); diff != "" {
		t.Errorf("common days (-want +got):\n%s", diff)
	}
	if got[0].Bars[2].Close.String() != "4" || got[1].Bars[2].Close.String() != "40" {
		t.Errorf("closes = %s and %s, want 4 and 40", got[0].Bars[2].Close, got[1].Bars[2].Close)
	}
	if len(a.Bars) != 4 || len(b.Bars) != 5 {
		t.Error("the series given were changed")
	}
}

// The last trading day of a month differs by exchange. A month that has only begun in one series is not
// compared with the full month of the other.
func TestAlign_MonthsBelongTogetherUnlessOneHasNotEnded(t *testing.T) {
	a := newSeries(t, market.Monthly, "2020-01-31", "1", "2020-02-28", "2", "2020-03-31", "3", "2020-04-17", "4")
	b := newSeries(t, market.Monthly, "2020-01-30", "1", "2020-02-28", "2", "2020-03-31", "3", "2020-04-30", "4")
	got, err := analytics.Align(a, b)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"2020-01-31", "2020-02-28", "2020-03-31"}, {"2020-01-30", "2020-02-28", "2020-03-31"}}
	if diff := cmp.Diff(want, [][]string{datesOf(got[0]), datesOf(got[1])}); diff != "" {
		t.Errorf("common months (-want +got):\n%s", diff)
	}
}

func TestAlign_RefusesWhatHasNothingInCommon(t *testing.T) {
	january := newSeries(t, market.Daily, "2020-01-02", "1", "2020-01-03", "2")
	february := newSeries(t, market.Daily, "2020-02-03", "1", "2020-02-04", "2")
	monthly := newSeries(t, market.Monthly, "2020-01-31", "1")
	if _, err := analytics.Align(january, february); !errors.Is(err, analytics.ErrNoOverlap) {
		t.Errorf("Align of two months = %v, want ErrNoOverlap", err)
	}
	if _, err := analytics.Align(january, monthly); !errors.Is(err, analytics.ErrUnaligned) {
		t.Errorf("Align of daily with monthly = %v, want ErrUnaligned", err)
	}
	if got, err := analytics.Align(); got != nil || err != nil {
		t.Errorf("Align of nothing = %v, %v", got, err)
	}
}

func TestAlign_OrderOfSeriesDoesNotMatter(t *testing.T) {
	a, b, c := randomSeries(t, 1, 200), randomSeries(t, 2, 200), randomSeries(t, 3, 200)
	a.Bars = append(a.Bars[:50:50], a.Bars[60:]...)
	b.Bars, c.Bars = b.Bars[10:], c.Bars[:190]
	first, err := analytics.Align(a, b, c)
	if err != nil {
		t.Fatal(err)
	}
	second, err := analytics.Align(c, a, b)
	if err != nil {
		t.Fatal(err)
	}
	if len(first[0].Bars) != 170 {
		t.Errorf("%d common days, want 170", len(first[0].Bars))
	}
	for i, j := range []int{1, 2, 0} {
		if diff := cmp.Diff(datesOf(first[i]), datesOf(second[j])); diff != "" {
			t.Errorf("series %d (-one +other order):\n%s", i, diff)
		}
	}
}
