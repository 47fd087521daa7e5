package toolkit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func daily(t testing.TB, sym market.Symbol, first string, closes ...string) market.Series {
	t.Helper()
	return markettest.Daily(sym, toolstest.MustDay(first), closes...)
}

// monthly returns month-end closes from the month of a day on.
func monthly(t testing.TB, sym market.Symbol, first string, closes ...string) market.Series {
	t.Helper()
	s := daily(t, sym, "2020-01-01", closes...)
	day := toolstest.MustDay(first)
	for i := range s.Bars {
		s.Bars[i].Date = day.AddDate(0, i+1, -day.Day())
	}
	s.Interval = market.Monthly
	return s
}

func span(t testing.TB, back, from, to string) toolkit.Period {
	t.Helper()
	sp, err := toolkit.ParsePeriod(back, from, to, "max")
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

func aligned(t testing.TB, sp toolkit.Period, series ...market.Series) toolkit.AlignedSeries {
	t.Helper()
	l, err := toolkit.AlignSeries(series, sp)
	if err != nil {
		t.Fatalf("Align = %v", err)
	}
	return l
}

func closesOf(s market.Series) string {
	var out []string
	for _, bar := range s.Bars {
		out = append(out, bar.Close.String())
	}
	return strings.Join(out, " ")
}

func TestAlignSeries_KeepsCommonDatesAndReportsDroppedCloses(t *testing.T) {
	a := daily(t, "AAA", "2020-01-02", "10", "20", "30", "40", "50")
	b := daily(t, "BBB", "2020-01-02", "1", "2", "3", "4", "5")
	b.Bars = append(b.Bars[:1:1], b.Bars[2:]...)
	l := aligned(t, toolkit.Period{}, a, b)
	want := toolkit.CommonWindow{From: "2020-01-02", To: "2020-01-08", Observations: 4, Interval: market.Daily, Limits: []string{}}
	if diff := cmp.Diff(want, l.CommonWindow); diff != "" {
		t.Errorf("window (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"dropped 1 close of AAA on dates that not all series have"}, l.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if closesOf(l.Series[0]) != "10 30 40 50" || closesOf(l.Series[1]) != "1 3 4 5" || l.Prices[0].Len() != 4 {
		t.Errorf("closes %s and %s, %d prices", closesOf(l.Series[0]), closesOf(l.Series[1]), l.Prices[0].Len())
	}
	if len(a.Bars) != 5 || len(b.Bars) != 4 {
		t.Error("the series given were changed")
	}
}

// OLD ends on 2020-01-08; NEW starts on 2019-12-16 and continues.
func TestAlignSeries_ARangeCountsBackFromTheCommonEnd(t *testing.T) {
	old := daily(t, "OLD", "2019-12-02", strings.Fields(strings.Repeat("5 6 ", 14))...)
	young := daily(t, "NEW", "2019-12-16", strings.Fields(strings.Repeat("7 8 ", 30))...)
	for _, tc := range []struct {
		name, back, from, to string
		first, last          string
		limits, warnings     string
	}{
		{"all", "max", "", "", "2019-12-16", "2020-01-08", "NEW starts latest, on 2019-12-16, OLD ends earliest, on 2020-01-08", ""},
		{"a week", "1w", "", "", "2020-01-01", "2020-01-08", "OLD ends earliest, on 2020-01-08", ""},
		{"longer than they have", "3m", "", "", "2019-12-16", "2020-01-08", "NEW starts latest, on 2019-12-16, OLD ends earliest, on 2020-01-08", "these symbols have no common prices before 2019-12-16; shown from there"},
		{"days", "", "2019-12-28", "2020-03-01", "2019-12-30", "2020-01-08", "OLD ends earliest, on 2020-01-08", "these symbols have no common prices after 2020-01-08; shown up to there"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := aligned(t, span(t, tc.back, tc.from, tc.to), old, young)
			if l.From != tc.first || l.To != tc.last || l.Observations != len(l.Series[1].Bars) {
				t.Errorf("%d observations from %s to %s, want %s to %s", l.Observations, l.From, l.To, tc.first, tc.last)
			}
			if limits := strings.Join(l.Limits, ", "); limits != tc.limits {
				t.Errorf("limits %q, want %q", limits, tc.limits)
			}
			if warnings := strings.Join(l.Warnings, "\n"); warnings != tc.warnings {
				t.Errorf("warnings %q, want %q", warnings, tc.warnings)
			}
		})
	}
}

// The daily series ends in the middle of March, so March is incomplete.
func TestAlignSeries_DailyAndMonthlyMeetAtTheEndsOfMonths(t *testing.T) {
	d := daily(t, "DDD", "2020-01-02", strings.Fields(strings.Repeat("5 6 7 ", 17))...)
	m := monthly(t, "MMM", "2019-12-31", "1", "2", "3", "4", "5")
	l := aligned(t, toolkit.Period{}, d, m)
	if l.Interval != market.Monthly || l.From != "2020-01-31" || l.To != "2020-02-28" || closesOf(l.Series[0]) != "5 7" || closesOf(l.Series[1]) != "2 3" {
		t.Errorf("%s from %s to %s: closes %s and %s", l.Interval, l.From, l.To, closesOf(l.Series[0]), closesOf(l.Series[1]))
	}
	want := "DDD uses month-end closes, because other series are monthly"
	if diff := cmp.Diff([]string{want}, l.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"DDD ends earliest, on 2020-03-12"}, l.Limits); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	if d.Interval != market.Daily || len(d.Bars) != 51 {
		t.Error("the daily series given was changed")
	}
}

func TestAlignSeries_OneSeriesIsALineupToo(t *testing.T) {
	l := aligned(t, span(t, "2d", "", ""), daily(t, "AAA", "2020-01-06", "1", "2", "3", "4"))
	if l.From != "2020-01-07" || l.Observations != 3 || len(l.Limits) != 0 || len(l.Warnings) != 0 {
		t.Errorf("window %+v, warnings %q", l.CommonWindow, l.Warnings)
	}
}

func TestAlignSeries_ErrorsSayWhatEachSeriesCovers(t *testing.T) {
	a, b := daily(t, "AAA", "2020-01-02", "1", "2"), daily(t, "BBB", "2020-03-02", "3", "4")
	own := daily(t, "own", "2021-01-04", "1")
	own.Interval = ""
	below := daily(t, "OIL", "2020-01-02", "18.27", "-37.63")
	for _, tc := range []struct {
		name   string
		series []market.Series
		sp     toolkit.Period
		is     []error
		part   string
	}{
		{"none", nil, toolkit.Period{}, []error{market.ErrNoData}, "no series"},
		{"apart", []market.Series{a, b}, toolkit.Period{}, []error{market.ErrNoData, analytics.ErrNoOverlap}, "AAA has daily closes from 2020-01-02 to 2020-01-03, BBB has daily closes from 2020-03-02 to 2020-03-03"},
		{"after their end", []market.Series{a, a}, span(t, "", "2020-02", ""), []error{market.ErrNoData}, "share closes only from 2020-01-02 to 2020-01-03; AAA has"},
		{"less than a month", []market.Series{a, monthly(t, "MMM", "2020-01-31", "1", "2")}, toolkit.Period{}, []error{market.ErrNoData}, "AAA has daily closes from 2020-01-02"},
		{"no known interval", []market.Series{own, daily(t, "AAA", "2021-01-04", "1")}, toolkit.Period{}, []error{analytics.ErrUnaligned}, "own has closes from 2021-01-04"},
		{"below zero", []market.Series{a, below}, toolkit.Period{}, []error{analytics.ErrNonPositive}, "OIL: close -37.63 on 2020-01-03"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := toolkit.AlignSeries(tc.series, tc.sp)
			if err == nil || !strings.Contains(err.Error(), tc.part) {
				t.Fatalf("Align = %v, want %q", err, tc.part)
			}
			for _, want := range tc.is {
				if !errors.Is(err, want) {
					t.Errorf("Align = %v, want a %v", err, want)
				}
			}
		})
	}
}
