package journal_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/journal"
)

func TestScoreOf_AWorkedExample(t *testing.T) {
	market := growth("^GSPC", 0.10)
	got, err := journal.ScoreOf(bought(), on(2025, 3, 1), []journal.Growth{growth("VTI", 0.21)}, &market)
	if err != nil {
		t.Fatal(err)
	}
	// 28 February 2023 to 28 February 2025 are 731 days, and 1.21^(365.25/731) is
	// e^(0.1906204 * 0.4996580) = 1.0999282.
	near(t, "return", got.Return, 0.21)
	near(t, "benchmark", got.Benchmark, 0.10)
	near(t, "excess", got.Excess, 0.11)
	near(t, "edge", got.Edge, 0.11)
	near(t, "return a year", got.ReturnYear, math.Exp(math.Log(1.21)*365.25/731)-1)
	near(t, "return a year by hand", got.ReturnYear, 0.0999282)
	near(t, "confidence", got.Confidence, 0.7)
	if got.Days != 731 || got.Right == nil || !*got.Right || !got.Due {
		t.Errorf("score = %+v, want 731 days, right and due", got)
	}
}

func TestScoreOf_RightGoesByTheDirection(t *testing.T) {
	for _, row := range []struct {
		action           journal.Action
		lead, same, lags bool
	}{
		{journal.Buy, true, false, false},
		{journal.Hold, true, true, false},
		{journal.Sell, false, false, true},
		{journal.Avoid, false, false, true},
	} {
		d := bought()
		d.Action = row.action
		for own, want := range map[float64]bool{0.2: row.lead, 0.1: row.same, -0.05: row.lags} {
			benchmark := growth("^GSPC", 0.1)
			got, err := journal.ScoreOf(d, on(2025, 3, 1), []journal.Growth{growth("VTI", own)}, &benchmark)
			if err != nil || got.Right == nil || *got.Right != want {
				t.Errorf("%s of what made %v against 0.1 is right: %v, %v, want %v", row.action, own, got.Right, err, want)
			}
		}
	}
}

func TestScoreOf_SeveralAssetsCountInEqualParts(t *testing.T) {
	d := bought()
	d.Marks = append(d.Marks, journal.Mark{Symbol: "VXUS"})
	got, err := journal.ScoreOf(d, on(2025, 3, 1), []journal.Growth{growth("VXUS", -0.1), growth("VTI", 0.3)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "return", got.Return, 0.1)
}

func TestScoreOf_WhatDoesNotCompareIsAbsentWithTheReason(t *testing.T) {
	for _, row := range []struct {
		name, want string
		assets     []journal.Growth
		change     func(benchmark *journal.Growth)
	}{
		{"no growth", "VTI did since is not known", nil, nil},
		{"no benchmark", journal.NoBenchmark, []journal.Growth{growth("VTI", 1)}, nil},
		{"another currency", "one is in USD, the other in EUR", []journal.Growth{growth("VTI", 1)}, func(b *journal.Growth) { b.Currency = "EUR" }},
		{"no dividends", "with dividends, the other without", []journal.Growth{growth("VTI", 1)}, func(b *journal.Growth) { b.Total = false }},
		{"other days", "of different days", []journal.Growth{growth("VTI", 1)}, func(b *journal.Growth) { b.To = on(2025, 1, 1) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			var benchmark *journal.Growth
			if row.change != nil {
				b := growth("^GSPC", 0.1)
				row.change(&b)
				benchmark = &b
			}
			got, err := journal.ScoreOf(bought(), on(2025, 3, 1), row.assets, benchmark)
			if err != nil || got.Excess != nil || got.Right != nil || !strings.Contains(strings.Join(got.Notes, "; "), row.want) {
				t.Errorf("ScoreOf = %+v, %v, want no excess and a note with %q", got, err, row.want)
			}
		})
	}
}

func TestScoreOf_NoYearlyFigureBeforeAYear(t *testing.T) {
	short := growth("VTI", 0.05)
	short.To = on(2024, 2, 27) // 364 days
	got, err := journal.ScoreOf(bought(), on(2025, 3, 1), []journal.Growth{short}, nil)
	if err != nil || got.Days != 364 || got.ReturnYear != nil {
		t.Errorf("ScoreOf over 364 days = %+v, %v, want no yearly figure", got, err)
	}
	short.To = short.To.AddDate(0, 0, 1)
	if got, _ = journal.ScoreOf(bought(), on(2025, 3, 1), []journal.Growth{short}, nil); got.ReturnYear == nil {
		t.Errorf("ScoreOf over 365 days = %+v, want a yearly figure", got)
	}
}

func TestScoreOf_ADayThatHasNotPassedDecidesNothing(t *testing.T) {
	own, benchmark := growth("VTI", 0), growth("^GSPC", 0)
	own.To, benchmark.To = own.From, benchmark.From
	d := bought()
	d.Action = journal.Hold
	if got, err := journal.ScoreOf(d, on(2023, 3, 1), []journal.Growth{own}, &benchmark); err != nil || got.Right != nil || got.Due {
		t.Errorf("ScoreOf on the day = %+v, %v, want neither right nor due", got, err)
	}
}

func TestScoreOf_GrowthOfOtherThingsIsRefused(t *testing.T) {
	closed := bought()
	closed.Closed = on(2024, 6, 1)
	late, early := growth("VTI", 1), growth("VTI", 1)
	late.From, early.From = on(2023, 3, 2), on(2023, 1, 2)
	for _, row := range []struct {
		name      string
		decision  journal.Decision
		asset     journal.Growth
		benchmark journal.Growth
		want      error
	}{
		{"another asset", bought(), growth("VOO", 1), growth("^GSPC", 1), journal.ErrOther},
		{"another benchmark", bought(), growth("VTI", 1), growth("VTI", 1), journal.ErrOther},
		{"begins after", bought(), late, growth("^GSPC", 1), journal.ErrOther},
		{"begins long before", bought(), early, growth("^GSPC", 1), journal.ErrOther},
		{"ends after the close", closed, growth("VTI", 1), growth("^GSPC", 1), journal.ErrOther},
		{"not a number", bought(), growth("VTI", math.NaN()), growth("^GSPC", 1), journal.ErrInvalid},
		{"more than all lost", bought(), growth("VTI", -1.5), growth("^GSPC", 1), journal.ErrInvalid},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got, err := journal.ScoreOf(row.decision, on(2025, 3, 1), []journal.Growth{row.asset}, &row.benchmark); !errors.Is(err, row.want) {
				t.Errorf("ScoreOf = %+v, %v, want %v", got, err, row.want)
			}
		})
	}
}

func TestDecision_IsDueFromItsDayUntilItIsClosed(t *testing.T) {
	d := bought()
	if d.Due(on(2025, 2, 28)) || !d.Due(on(2025, 3, 1)) {
		t.Errorf("due on the day before and on the day = %v, %v", d.Due(on(2025, 2, 28)), d.Due(on(2025, 3, 1)))
	}
	d.Closed = on(2024, 6, 1)
	if d.Due(on(2025, 3, 1)) || d.End(on(2025, 3, 1)) != d.Closed || d.End(on(2024, 1, 1)) != on(2024, 1, 1) {
		t.Errorf("a closed decision is due, or ends on %s", d.End(on(2025, 3, 1)))
	}
}
