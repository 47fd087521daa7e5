package toolkit_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func pricesAt(t *testing.T, now string, series market.Series) toolkit.Prices {
	t.Helper()
	source := markettest.NewSource(series)
	p := toolstest.Prices(t, source, now)
	p.Bars = toolstest.UnrangedBars{BarSource: source}
	return p
}

func spanOf(t *testing.T, back, from, to string) toolkit.Period {
	t.Helper()
	sp, err := toolkit.ParsePeriod(back, from, to, "1y")
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

func TestHistory_NothingAfterTheClockIsGiven(t *testing.T) {
	prices := pricesAt(t, "2020-01-03T18:00:00Z", markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100", "101", "102"))
	got, _, err := prices.History(t.Context(), "VTI", spanOf(t, "max", "", ""))
	if err != nil || len(got.Bars) != 2 || got.Bars[1].Close.String() != "101" {
		t.Errorf("history = %d bars, %v; want the two until January 3", len(got.Bars), err)
	}
}

func TestHistory_ASpanWithoutBarsIsToldWhereThereAreSome(t *testing.T) {
	prices := pricesAt(t, "2020-03-01T18:00:00Z", markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100", "101"))
	_, _, err := prices.History(t.Context(), "VTI", spanOf(t, "", "2019-01", "2019-02"))
	if !errors.Is(err, market.ErrNoData) || !strings.Contains(err.Error(), "from 2020-01-02 to 2020-01-03") {
		t.Errorf("history of 2019 = %v, want ErrNoData with the span there is", err)
	}
}

func TestToMonthly_IsDatedByTheLastSessionAndInventsNoHigh(t *testing.T) {
	series := markettest.Daily("VTI", toolstest.MustDay("2020-01-30"), "100", "101", "102")
	got := toolkit.ToMonthly(series)
	if len(got.Bars) != 2 || got.Bars[0].Close.String() != "101" || got.Bars[0].High.Valid || got.Interval != market.Monthly {
		t.Errorf("monthly = %+v, want January closing at 101 without a high, and February", got.Bars)
	}
}

// Tools must not fetch decades if a year is enough, and a range of a series that ended long ago must
// still count back from its end.
func TestHistory_AsksForNoMoreThanTheRangeNeeds(t *testing.T) {
	// 260 weekdays a year: from 2017-01-02 to 2020-01-03.
	closes := slices.Repeat([]string{"100"}, 785)
	series := markettest.Daily("VTI", toolstest.MustDay("2017-01-02"), closes...)
	for _, tc := range []struct {
		name, now, back string
		from, first     string // first day of the last request and of the result
		requests        int
	}{
		{"up to date", "2020-01-05T12:00:00Z", "1y", "2018-11-05", "2019-01-03", 1},
		{"up to date, of the year", "2020-01-05T12:00:00Z", "ytd", "2019-10-31", "2019-12-31", 1},
		{"a week behind", "2020-01-12T12:00:00Z", "1m", "2019-10-12", "2019-12-03", 1},
		{"two months behind", "2020-03-02T12:00:00Z", "1m", "2019-10-03", "2019-12-03", 2},
		{"the year has no close yet", "2021-01-02T12:00:00Z", "ytd", "", "2019-12-31", 2},
		{"ended years ago", "2026-11-20T12:00:00Z", "1y", "", "2019-01-03", 2},
		{"all of it", "2020-01-05T12:00:00Z", "max", "", "2017-01-02", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			prices := pricesAt(t, tc.now, series)
			bars := &toolstest.RecordingBars{BarSource: markettest.NewSource(series)}
			prices.Bars = bars
			got, warnings, err := prices.History(t.Context(), "VTI", spanOf(t, tc.back, "", ""))
			if err != nil || len(warnings) > 0 {
				t.Fatalf("History(%s) = %v, %v", tc.back, warnings, err)
			}
			starts := bars.Starts()["VTI"]
			if first := got.Bars[0].Date.Format(time.DateOnly); first != tc.first || len(starts) != tc.requests {
				t.Errorf("History(%s) begins on %s after %d requests, want %s after %d", tc.back, first, len(starts), tc.first, tc.requests)
			}
			if from := starts[len(starts)-1]; from != tc.from {
				t.Errorf("History(%s) requests bars from %q, want %q", tc.back, from, tc.from)
			}
		})
	}
}

// 1m of monthly closes needs the close of the previous month, also if the newest is weeks old.
func TestHistory_AMonthlySeriesKeepsTheCloseBeforeItsRange(t *testing.T) {
	series := toolkit.ToMonthly(markettest.Daily("VTI", toolstest.MustDay("2019-01-01"), slices.Repeat([]string{"100"}, 261)...))
	prices := pricesAt(t, "2020-01-30T12:00:00Z", series)
	prices.Bars = markettest.NewSource(series)
	got, _, err := prices.History(t.Context(), "VTI", spanOf(t, "1m", "", ""))
	if err != nil || len(got.Bars) != 2 || !got.Bars[0].Date.Equal(toolstest.MustDay("2019-11-29")) {
		t.Errorf("History(1m) = %d bars from %v, %v; want two from 2019-11-29", len(got.Bars), got.Bars, err)
	}
}

func TestHistory_LaterActionsAreNotGiven(t *testing.T) {
	series := markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100", "101", "102")
	for _, day := range []string{"2020-01-03", "2020-01-06"} {
		series.Actions = append(series.Actions, market.Action{Kind: market.ActionDividend, Date: toolstest.MustDay(day)})
	}
	got, _, err := pricesAt(t, "2020-01-03T18:00:00Z", series).History(t.Context(), "VTI", spanOf(t, "max", "", ""))
	if err != nil || len(got.Actions) != 1 || len(series.Actions) != 2 {
		t.Errorf("actions = %v, %v; want only that of 2020-01-03, and the source unchanged", got.Actions, err)
	}
}

func TestPrices_KnownGoesByTheDayOfTheClock(t *testing.T) {
	for _, tc := range []struct {
		name, now, asOf string
		want            bool
	}{
		{"the session of the day", "2026-11-20T10:30:00Z", "2026-11-20T00:00:00Z", true},
		{"the next session", "2026-11-20T23:59:00Z", "2026-11-21T00:00:00Z", false},
		{"a price of this evening", "2026-11-20T16:30:00-08:00", "2026-11-21T00:30:00Z", true},
		{"a price of tomorrow", "2026-11-20T16:30:00-08:00", "2026-11-21T08:00:01Z", false},
		{"no date", "2026-11-20T10:30:00Z", "0001-01-01T00:00:00Z", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			prices := toolkit.Prices{Now: toolstest.Clock(t, tc.now)}
			asOf, err := time.Parse(time.RFC3339, tc.asOf)
			if err != nil {
				t.Fatal(err)
			}
			if got := prices.Known(asOf); got != tc.want {
				t.Errorf("at %s: Known(%s) = %v, want %v", tc.now, tc.asOf, got, tc.want)
			}
		})
	}
}

// With the clock set back, a source still reports the current state and adjusts past prices for later
// splits. Without its list of them they cannot be undone.
func TestHistory_AReplayStatesTheAdjustmentAndNoCurrentSession(t *testing.T) {
	for _, tc := range []struct {
		name, kind, note, want string
		adjustment             market.Adjustment
	}{
		{"splits", "equity", "", "prices are adjusted for splits up to today", market.AdjustmentSplit},
		{"splits and dividends", "fund", "Thin.", "prices are adjusted for splits and dividends up to today; Thin.", market.AdjustmentSplitDiv},
		{"as traded", "equity", "Thin.", "Thin.", market.AdjustmentRaw},
		{"an index never splits", "index", "", "", market.AdjustmentSplit},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100", "101", "102")
			p := &s.Provenance
			s.Actions = nil
			s.Kind, p.Adjustment, p.Note, p.Phase, p.DelayMinutes = tc.kind, tc.adjustment, tc.note, market.PhaseRegular, 15
			p.Flags = []market.Flag{market.FlagDelayed, market.FlagSample, market.FlagProvisional}
			live, _, err := pricesAt(t, "2020-01-06T12:00:00Z", s).History(t.Context(), "VTI", spanOf(t, "max", "", ""))
			if err != nil || live.Provenance.Note != tc.note || live.Provenance.Phase != market.PhaseRegular {
				t.Errorf("history of now = %+v, %v; want what the source says", live.Provenance, err)
			}
			prices := pricesAt(t, "2020-01-05T12:00:00Z", s)
			prices.Replay = true
			got, _, err := prices.History(t.Context(), "VTI", spanOf(t, "1y", "", ""))
			want := s.Provenance
			want.AsOf = toolstest.MustDay("2020-01-03")
			if tc.adjustment == market.AdjustmentRaw || tc.kind == "index" {
				want.ShareBasis = toolstest.MustDay("2020-01-05")
			}
			want.Note, want.Phase, want.DelayMinutes, want.Flags = tc.want, "", 0, []market.Flag{market.FlagSample}
			if diff := cmp.Diff(want, got.Provenance); err != nil || diff != "" {
				t.Errorf("replayed history, %v (-want +got):\n%s", err, diff)
			}
			if diff := cmp.Diff(want, toolkit.ReplayProvenance(got.Provenance, tc.kind)); diff != "" {
				t.Errorf("said twice (-want +got):\n%s", diff)
			}
		})
	}
}

// Only the newest bar is provisional.
func TestHistory_WhatIsSaidOfTheNewestBarGoesWithIt(t *testing.T) {
	s := markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100", "101", "102")
	s.Provenance.Phase, s.Provenance.DelayMinutes = market.PhaseRegular, 15
	s.Provenance.Flags = []market.Flag{market.FlagSuspect, market.FlagDelayed, market.FlagProvisional}
	prices := pricesAt(t, "2020-01-06T18:00:00Z", s)
	for to, want := range map[string][]market.Flag{"2020-01-06": s.Provenance.Flags, "2020-01-03": {market.FlagSuspect}} {
		got, _, err := prices.History(t.Context(), "VTI", spanOf(t, "", "2020-01-02", to))
		if diff := cmp.Diff(want, got.Provenance.Flags); err != nil || diff != "" {
			t.Errorf("flags until %s, %v (-want +got):\n%s", to, err, diff)
		}
		if last := to == "2020-01-06"; (got.Provenance.Phase != "") != last || (got.Provenance.DelayMinutes != 0) != last {
			t.Errorf("until %s: session %q, %d min behind; want them only for the newest bar", to, got.Provenance.Phase, got.Provenance.DelayMinutes)
		}
	}
}
