package toolkit_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// every returns n dates from 2020-01-03, a Friday.
func every(n int, next func(time.Time) time.Time) []market.Date {
	var dates []market.Date
	for d := time.Date(2020, 1, 3, 0, 0, 0, 0, time.UTC); len(dates) < n; d = next(d) {
		dates = append(dates, d)
	}
	return dates
}

func days(n int) func(time.Time) time.Time {
	return func(d time.Time) time.Time { return d.AddDate(0, 0, n) }
}

func weekday(d time.Time) time.Time {
	if d.Weekday() == time.Friday {
		return d.AddDate(0, 0, 3)
	}
	return d.AddDate(0, 0, 1)
}

func month(d time.Time) time.Time { return d.AddDate(0, 1, 0) }

func TestSpacing_TellsTheIntervalAndThePeriodsAYear(t *testing.T) {
	for _, tc := range []struct {
		name    string
		dates   []market.Date
		want    market.Interval
		gap     float64
		periods float64
	}{
		{"weekdays", every(300, weekday), market.Daily, 1, 252},
		{"every day", every(300, days(1)), market.Daily, 1, 365},
		{"every day, too few to tell", every(toolkit.MinSpacingDates-1, days(1)), market.Daily, 1, 252},
		{"every day, just enough", every(toolkit.MinSpacingDates, days(1)), market.Daily, 1, 365},
		{"weekdays, just enough", every(toolkit.MinSpacingDates, weekday), market.Daily, 1, 252},
		{"every second day", every(300, days(2)), market.Daily, 2, 252},
		{"weeks", every(60, days(7)), market.Weekly, 7, 52},
		{"months", every(24, month), market.Monthly, 31, 12},
		{"fortnights", every(24, days(14)), "", 14, 252},
		{"one", every(1, days(1)), "", 0, 252},
		{"none", nil, "", 0, 252},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, gap := toolkit.Spacing(tc.dates)
			if got != tc.want || gap != tc.gap {
				t.Errorf("Spacing = %q, %v days; want %q, %v", got, gap, tc.want, tc.gap)
			}
			if periods := toolkit.PeriodsPerYear(got, tc.dates); periods != tc.periods {
				t.Errorf("PeriodsPerYear(%q) = %v, want %v", got, periods, tc.periods)
			}
		})
	}
}

func TestYearsSpanned_AreOf365DaysAndAQuarter(t *testing.T) {
	dates := []market.Date{toolstest.MustDay("2020-01-01"), toolstest.MustDay("2024-01-01")}
	if got := toolkit.YearsSpanned(dates); math.Abs(got-4) > 1e-12 {
		t.Errorf("Years = %v, want 4: 1461 days", got)
	}
	if got := toolkit.YearsSpanned(nil); got != 0 {
		t.Errorf("Years of none = %v, want 0", got)
	}
}

func TestToMonthEnds_LeaveOutAMonthThatHasNotEnded(t *testing.T) {
	for _, tc := range []struct {
		name string
		s    market.Series
		want string
	}{
		{"to the last session", daily(t, "AAA", "2020-02-27", "1", "2", "3", "4"), "2"},
		{"a weekend before the end", daily(t, "AAA", "2020-05-28", "1", "2"), "2"},
		{"six days before the end", daily(t, "AAA", "2020-04-30", strings.Fields(strings.Repeat("1 2 ", 9))...), "1"},
		{"a week before the end", daily(t, "AAA", "2020-04-30", "1", "2", "3"), "1"},
		{"within a month", daily(t, "AAA", "2020-04-06", "1", "2", "3"), ""},
		{"monthly already", monthly(t, "MMM", "2020-01-31", "1", "2"), "1 2"},
		{"none", market.Series{Interval: market.Daily}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := toolkit.ToMonthEnds(tc.s); closesOf(got) != tc.want || got.Interval != market.Monthly {
				t.Errorf("MonthEnds = %q %s, want %q monthly", closesOf(got), got.Interval, tc.want)
			}
		})
	}
}

func TestAnnualizationWarning_ComparesTheRequestWithTheData(t *testing.T) {
	for _, tc := range []struct {
		name         string
		dates        []market.Date
		usual, asked float64
		want         string
	}{
		{"nothing asked of weekdays", every(300, weekday), 252, 0, ""},
		{"nothing asked of every second day", every(300, days(2)), 252, 0, "they assume 252 prices a year, but the data have about 183"},
		{"the usual", every(300, weekday), 252, 252, ""},
		{"what fits better than the usual", every(300, days(2)), 252, 183, ""},
		{"weeks of weekdays", every(300, weekday), 252, 52, "52 periods a year were requested, but the data have about 252"},
		{"weeks of every second day", every(300, days(2)), 252, 52, "52 periods a year were requested, but the data have about 183"},
		{"weeks of few", every(10, weekday), 252, 52, "52 periods a year were requested, but the data have about 252"},
	} {
		if got := toolkit.AnnualizationWarning(tc.dates, tc.usual, tc.asked); (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
			t.Errorf("%s: Pace = %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestSparseWarning_WarnsIfAnnualizingIsOff(t *testing.T) {
	for _, tc := range []struct {
		name    string
		dates   []market.Date
		periods float64
		want    string
	}{
		{"weekdays", every(300, weekday), 252, ""},
		{"every day of a coin", every(300, days(1)), 365, ""},
		{"months", every(40, month), 12, ""},
		{"every second day", every(300, days(2)), 252, "they assume 252 prices a year, but the data have about 183"},
		{"four days a week", every(300, func(d time.Time) time.Time {
			if d.Weekday() == time.Thursday {
				return d.AddDate(0, 0, 4)
			}
			return weekday(d)
		}), 252, "about 209"},
		{"too few to tell", every(toolkit.MinSpacingDates-1, days(2)), 252, ""},
		{"none", nil, 252, ""},
	} {
		if got := toolkit.SparseWarning(tc.dates, tc.periods); (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
			t.Errorf("%s: Sparse = %q, want %q", tc.name, got, tc.want)
		}
	}
}
