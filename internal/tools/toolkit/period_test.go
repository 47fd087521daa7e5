package toolkit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestParsePeriod_SaysWhatCanBeRead(t *testing.T) {
	for _, tc := range []struct{ name, back, from, to string }{
		{"both ways at once", "1y", "2020", ""},
		{"no unit", "12", "", ""},
		{"nothing counted", "0d", "", ""},
		{"beyond any series", "99999y", "", ""},
		{"another unit", "1é", "", ""},
		{"no date", "", "soon", ""},
		{"ends swapped", "", "2021", "2020"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if sp, err := toolkit.ParsePeriod(tc.back, tc.from, tc.to, "1y"); !errors.Is(err, toolkit.ErrPeriod) {
				t.Errorf("ParseSpan(%q, %q, %q) = %+v, %v; want ErrSpan", tc.back, tc.from, tc.to, sp, err)
			}
		})
	}
}

func TestParsePeriod_ReadsDaysMonthsAndYears(t *testing.T) {
	sp, err := toolkit.ParsePeriod("", "2020-02", "2021", "1y")
	if err != nil || !sp.From.Equal(toolstest.MustDay("2020-02-01")) || !sp.To.Equal(toolstest.MustDay("2021-12-31")) {
		t.Errorf("ParseSpan(2020-02 to 2021) = %s to %s, %v; want 2020-02-01 to 2021-12-31", sp.From, sp.To, err)
	}
}

// A year starts with the last close of the previous year.
func TestPeriod_CutBeginsWithTheCloseBeforeARelativeRange(t *testing.T) {
	series := markettest.Daily("VTI", toolstest.MustDay("2019-12-30"), "100", "101", "102", "103")
	sp, err := toolkit.ParsePeriod("ytd", "", "", "")
	if err != nil {
		t.Fatal(err)
	}
	got, warnings := sp.Cut(series)
	if len(got.Bars) != 3 || !got.Bars[0].Date.Equal(toolstest.MustDay("2019-12-31")) || len(warnings) > 0 {
		t.Errorf("ytd = %d bars from %s, warnings %v; want 3 from 2019-12-31 and none", len(got.Bars), got.Bars[0].Date, warnings)
	}
}

func TestPeriod_CutSaysWhereTheDataDoNotReach(t *testing.T) {
	series := markettest.Daily("VTI", toolstest.MustDay("2020-01-06"), "100", "101")
	sp, err := toolkit.ParsePeriod("", "2019", "2020", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, warnings := sp.Cut(series); len(warnings) != 2 {
		t.Errorf("2019 to 2020 of two days = warnings %q, want one for each end", warnings)
	}
}

func TestPeriod_LedBeginsEarlierAndEndsTheSame(t *testing.T) {
	for _, tc := range []struct{ name, back, from, to, first string }{
		{"a range", "1y", "", "", "2019-02-23"},
		{"a range of days", "5d", "", "", "2020-02-19"},
		{"the year", "ytd", "", "", "2019-12-26"},
		{"from a day", "", "2020-02-10", "", "2020-02-05"},
		{"open at its begin", "", "", "2020-02", ""},
		{"everything", "max", "", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sp, err := toolkit.ParsePeriod(tc.back, tc.from, tc.to, "")
			if err != nil {
				t.Fatal(err)
			}
			end := toolstest.MustDay("2020-02-29")
			got := sp.WithLead(5).EndingOn(end)
			if first := toolkit.FormatDate(got.From); first != tc.first || !got.To.Equal(end) || !sp.WithLead(5).To.Equal(sp.To) {
				t.Errorf("Led(5) of data until %s = %s to %s, want from %q", toolkit.FormatDate(end), first, toolkit.FormatDate(got.To), tc.first)
			}
		})
	}
}

// For any arguments, the result is a period whose cut lies within the data, or an ErrPeriod.
func FuzzParseSpan(f *testing.F) {
	for _, seed := range [][3]string{
		{"1y", "", ""}, {"ytd", "", ""}, {"max", "", ""}, {"9999y", "", ""}, {"0d", "", ""}, {"", "2020", "2020-01"},
		{"", "2020-01-03", ""}, {"", "", "0000-01-01"}, {"", "9999", ""}, {"1é", "", ""}, {"m", "x", "y"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	series := markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100", "101", "99", "102")
	f.Fuzz(func(t *testing.T, back, from, to string) {
		sp, err := toolkit.ParsePeriod(back, from, to, "1y")
		if err != nil {
			if !errors.Is(err, toolkit.ErrPeriod) {
				t.Errorf("ParseSpan(%q, %q, %q) = %v, want ErrSpan", back, from, to, err)
			}
			return
		}
		if !sp.From.IsZero() && !sp.To.IsZero() && sp.From.After(sp.To) {
			t.Errorf("ParseSpan(%q, %q, %q) = %s to %s", back, from, to, sp.From, sp.To)
		}
		if sp.From.IsZero() { // an explicit start after the data leaves nothing
			if got, _ := sp.Cut(series); len(got.Bars) == 0 || len(got.Bars) > len(series.Bars) {
				t.Errorf("cut of range %q from %q to %q has %d bars", back, from, to, len(got.Bars))
			}
		}
	})
}

// A year, quarter or month starts from the last close before it, however it is named; another day
// and a single day keep their own close.
func TestPeriod_CutStartsACalendarPeriodFromTheCloseBefore(t *testing.T) {
	series := markettest.Daily("VTI", toolstest.MustDay("2019-09-27"), strings.Split(strings.Repeat("100,", 100)+"100", ",")...)
	for _, tc := range []struct{ from, to, first, last string }{
		{"2020", "", "2019-12-31", ""},
		{"2020-01", "", "2019-12-31", ""},
		{"2020-01-01", "", "2019-12-31", ""},
		{"2020-Q1", "", "2019-12-31", ""},
		{"2019q4", "2019Q4", "2019-09-30", "2019-12-31"},
		{"2019-10-01", "2019-10-31", "2019-09-30", "2019-10-31"},
		{"2019-10-01", "2019-10-01", "2019-10-01", "2019-10-01"},
		{"2020-01-02", "", "2020-01-02", ""},
		{"2020-01-04", "", "2020-01-06", ""},
	} {
		sp, err := toolkit.ParsePeriod("", tc.from, tc.to, "")
		if err != nil {
			t.Fatal(err)
		}
		got, warnings := sp.Cut(series)
		if first := toolkit.FormatDate(got.Bars[0].Date); first != tc.first || toolkit.FormatDate(sp.To) != tc.last || len(warnings) > 0 {
			t.Errorf("from %s to %s starts with the close of %s and ends on %s, warnings %v; want %s to %s", tc.from, tc.to, first, toolkit.FormatDate(sp.To), warnings, tc.first, tc.last)
		}
		if before := tc.first < tc.from && tc.first < toolkit.FormatDate(sp.From); sp.StartsBefore(got) != before {
			t.Errorf("from %s: StartsBefore = %v, want %v", tc.from, !before, before)
		}
	}
}
