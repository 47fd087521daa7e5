package toolkit_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestCallerSeries_IsASeriesOfNoKnownIntervalOrAdjustment(t *testing.T) {
	dates, err := toolkit.ParseDays([]string{"2020-01-31", " 2020-02-28 "})
	if err != nil {
		t.Fatal(err)
	}
	s, err := toolkit.CallerSeries("mine", "EUR", dates, []float64{10, 10.5})
	if err != nil {
		t.Fatal(err)
	}
	want := market.Provenance{Source: toolkit.CallerSource, Currency: "EUR", Unit: "price", Adjustment: market.AdjustmentUnknown, AsOf: toolstest.MustDay("2020-02-28")}
	if diff := cmp.Diff(want, s.Provenance); diff != "" {
		t.Errorf("provenance (-want +got):\n%s", diff)
	}
	if s.Symbol != "mine" || s.Interval != "" || closesOf(s) != "10 10.5" {
		t.Errorf("series %s of interval %q: %s", s.Symbol, s.Interval, closesOf(s))
	}
	if diff := cmp.Diff(dates, toolkit.SeriesDates(s)); diff != "" {
		t.Errorf("Dates (-want +got):\n%s", diff)
	}
}

func TestCallerSeries_SaysWhatToMend(t *testing.T) {
	for _, tc := range []struct {
		name   string
		dates  []string
		closes []float64
		part   string
	}{
		{"a month for a day", []string{"2020-01"}, []float64{1}, `date "2020-01" is no date; write YYYY-MM-DD`},
		{"newest first", []string{"2020-01-03", "2020-01-02"}, []float64{1, 2}, "2020-01-02 after 2020-01-03; give the dates oldest first"},
		{"a day twice", []string{"2020-01-03", "2020-01-03"}, []float64{1, 2}, "each once"},
		{"too few closes", []string{"2020-01-02", "2020-01-03"}, []float64{1}, "1 closes for 2 dates"},
		{"nothing", []string{"2020-01-02"}, []float64{0}, "close 0 on 2020-01-02; returns need prices above zero"},
		{"below zero", []string{"2020-01-02"}, []float64{-1}, "above zero"},
		{"no number", []string{"2020-01-02"}, []float64{math.NaN()}, "close NaN"},
		{"without end", []string{"2020-01-02"}, []float64{math.Inf(1)}, "close +Inf"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dates, err := toolkit.ParseDays(tc.dates)
			if err == nil {
				_, err = toolkit.CallerSeries("mine", "", dates, tc.closes)
			}
			if err == nil || !strings.Contains(err.Error(), tc.part) {
				t.Errorf("error = %v, want %q", err, tc.part)
			}
		})
	}
}

// What can be read is in order, and keeps the day that was written.
func FuzzDays_AreInOrder(f *testing.F) {
	for _, seed := range []string{"2020-01-02,2020-01-03", "2020-02-30", "2020-01-03,2020-01-02", "0000-00-00", ",", "1700-01-01,2400-12-31"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		texts := strings.Split(text, ",")
		dates, err := toolkit.ParseDays(texts)
		if err != nil {
			if len(err.Error()) > 200 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		for i, d := range dates {
			if d.Format("2006-01-02") != strings.TrimSpace(texts[i]) || i > 0 && !d.After(dates[i-1]) {
				t.Errorf("Days(%q) = %v", texts, dates)
			}
		}
	})
}
