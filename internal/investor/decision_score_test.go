package investor_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/investor"
)

func TestScoreDecision_AWorkedExample(t *testing.T) {
	market := assetReturn("^GSPC", 0.10)
	got, err := investor.ScoreDecision(buyDecision(), date(2025, 3, 1), []investor.AssetReturn{assetReturn("VTI", 0.21)}, &market)
	if err != nil {
		t.Fatal(err)
	}
	// 28 February 2023 to 28 February 2025 are 731 days, and 1.21^(365.25/731) is
	// e^(0.1906204 * 0.4996580) = 1.0999282.
	wantNear(t, "return", got.Return, 0.21)
	wantNear(t, "benchmark", got.Benchmark, 0.10)
	wantNear(t, "excess", got.Excess, 0.11)
	wantNear(t, "edge", got.Edge, 0.11)
	wantNear(t, "return a year", got.ReturnYear, math.Exp(math.Log(1.21)*365.25/731)-1)
	wantNear(t, "return a year by hand", got.ReturnYear, 0.0999282)
	wantNear(t, "confidence", got.Confidence, 0.7)
	if got.Days != 731 || got.Right == nil || !*got.Right || !got.Due {
		t.Errorf("score = %+v, want 731 days, right and due", got)
	}
}

func TestScoreDecision_RightGoesByTheDirection(t *testing.T) {
	for _, row := range []struct {
		action           investor.DecisionAction
		lead, same, lags bool
	}{
		{investor.ActionBuy, true, false, false},
		{investor.ActionHold, true, true, false},
		{investor.ActionSell, false, false, true},
		{investor.ActionAvoid, false, false, true},
	} {
		d := buyDecision()
		d.Action = row.action
		for own, want := range map[float64]bool{0.2: row.lead, 0.1: row.same, -0.05: row.lags} {
			benchmark := assetReturn("^GSPC", 0.1)
			got, err := investor.ScoreDecision(d, date(2025, 3, 1), []investor.AssetReturn{assetReturn("VTI", own)}, &benchmark)
			if err != nil || got.Right == nil || *got.Right != want {
				t.Errorf("%s of what made %v against 0.1 is right: %v, %v, want %v", row.action, own, got.Right, err, want)
			}
		}
	}
}

func TestScoreDecision_SeveralAssetsCountInEqualParts(t *testing.T) {
	d := buyDecision()
	d.Assets = append(d.Assets, investor.PricedAsset{Symbol: "VXUS"})
	got, err := investor.ScoreDecision(d, date(2025, 3, 1), []investor.AssetReturn{assetReturn("VXUS", -0.1), assetReturn("VTI", 0.3)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "return", got.Return, 0.1)
}

func TestScoreDecision_WhatDoesNotCompareIsAbsentWithTheReason(t *testing.T) {
	for _, row := range []struct {
		name, want string
		assets     []investor.AssetReturn
		change     func(benchmark *investor.AssetReturn)
	}{
		{"no growth", "return of VTI since", nil, nil},
		{"no benchmark", investor.NoBenchmark, []investor.AssetReturn{assetReturn("VTI", 1)}, nil},
		{"another currency", "one is in USD, the other in EUR", []investor.AssetReturn{assetReturn("VTI", 1)}, func(b *investor.AssetReturn) { b.Currency = "EUR" }},
		{"no dividends", "one includes dividends", []investor.AssetReturn{assetReturn("VTI", 1)}, func(b *investor.AssetReturn) { b.Total = false }},
		{"other days", "the dates differ", []investor.AssetReturn{assetReturn("VTI", 1)}, func(b *investor.AssetReturn) { b.To = date(2025, 1, 1) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			var benchmark *investor.AssetReturn
			if row.change != nil {
				b := assetReturn("^GSPC", 0.1)
				row.change(&b)
				benchmark = &b
			}
			got, err := investor.ScoreDecision(buyDecision(), date(2025, 3, 1), row.assets, benchmark)
			if err != nil || got.Excess != nil || got.Right != nil || !strings.Contains(strings.Join(got.Notes, "; "), row.want) {
				t.Errorf("ScoreOf = %+v, %v, want no excess and a note with %q", got, err, row.want)
			}
		})
	}
}

func TestScoreDecision_NoYearlyFigureBeforeAYear(t *testing.T) {
	short := assetReturn("VTI", 0.05)
	short.To = date(2024, 2, 27) // 364 days
	got, err := investor.ScoreDecision(buyDecision(), date(2025, 3, 1), []investor.AssetReturn{short}, nil)
	if err != nil || got.Days != 364 || got.ReturnYear != nil {
		t.Errorf("ScoreOf over 364 days = %+v, %v, want no yearly figure", got, err)
	}
	short.To = short.To.AddDate(0, 0, 1)
	if got, _ = investor.ScoreDecision(buyDecision(), date(2025, 3, 1), []investor.AssetReturn{short}, nil); got.ReturnYear == nil {
		t.Errorf("ScoreOf over 365 days = %+v, want a yearly figure", got)
	}
}

func TestScoreDecision_ADayThatHasNotPassedDecidesNothing(t *testing.T) {
	own, benchmark := assetReturn("VTI", 0), assetReturn("^GSPC", 0)
	own.To, benchmark.To = own.From, benchmark.From
	d := buyDecision()
	d.Action = investor.ActionHold
	if got, err := investor.ScoreDecision(d, date(2023, 3, 1), []investor.AssetReturn{own}, &benchmark); err != nil || got.Right != nil || got.Due {
		t.Errorf("ScoreOf on the day = %+v, %v, want neither right nor due", got, err)
	}
}

func TestScoreDecision_GrowthOfOtherThingsIsRefused(t *testing.T) {
	closed := buyDecision()
	closed.Closed = date(2024, 6, 1)
	late, early := assetReturn("VTI", 1), assetReturn("VTI", 1)
	late.From, early.From = date(2023, 3, 2), date(2023, 1, 2)
	for _, row := range []struct {
		name      string
		decision  investor.Decision
		asset     investor.AssetReturn
		benchmark investor.AssetReturn
		want      error
	}{
		{"another asset", buyDecision(), assetReturn("VOO", 1), assetReturn("^GSPC", 1), investor.ErrMismatch},
		{"another benchmark", buyDecision(), assetReturn("VTI", 1), assetReturn("VTI", 1), investor.ErrMismatch},
		{"begins after", buyDecision(), late, assetReturn("^GSPC", 1), investor.ErrMismatch},
		{"begins long before", buyDecision(), early, assetReturn("^GSPC", 1), investor.ErrMismatch},
		{"ends after the close", closed, assetReturn("VTI", 1), assetReturn("^GSPC", 1), investor.ErrMismatch},
		{"not a number", buyDecision(), assetReturn("VTI", math.NaN()), assetReturn("^GSPC", 1), investor.ErrInvalidEntry},
		{"more than all lost", buyDecision(), assetReturn("VTI", -1.5), assetReturn("^GSPC", 1), investor.ErrInvalidEntry},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got, err := investor.ScoreDecision(row.decision, date(2025, 3, 1), []investor.AssetReturn{row.asset}, &row.benchmark); !errors.Is(err, row.want) {
				t.Errorf("ScoreOf = %+v, %v, want %v", got, err, row.want)
			}
		})
	}
}

func TestDecision_IsDueFromItsDayUntilItIsClosed(t *testing.T) {
	d := buyDecision()
	if d.Due(date(2025, 2, 28)) || !d.Due(date(2025, 3, 1)) {
		t.Errorf("due on the day before and on the day = %v, %v", d.Due(date(2025, 2, 28)), d.Due(date(2025, 3, 1)))
	}
	d.Closed = date(2024, 6, 1)
	if d.Due(date(2025, 3, 1)) || d.End(date(2025, 3, 1)) != d.Closed || d.End(date(2024, 1, 1)) != date(2024, 1, 1) {
		t.Errorf("a closed decision is due, or ends on %s", d.End(date(2025, 3, 1)))
	}
}
