package simulate_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/simulate"
)

func mustYearsToGoal(t testing.TB, p simulate.Plan, m simulate.ReturnModel, o simulate.SimulationOptions, share float64) int {
	t.Helper()
	years, err := simulate.YearsToGoal(t.Context(), p, m, o, 40, share)
	if err != nil {
		t.Fatalf("Soonest(%+v) = %v", p, err)
	}
	return years
}

// 100 at 10% are 161.05 after five years and 177.16 after six.
func TestYearsToGoal_WithoutChanceItIsTheLogarithm(t *testing.T) {
	for goal, want := range map[float64]int{110: 1, 161: 5, 162: 6, 1e9: 0} {
		if got := mustYearsToGoal(t, simulate.Plan{Start: 100, Goal: goal}, simulate.NormalReturns{Mean: 0.1}, simulate.SimulationOptions{Paths: 3}, 1); got != want {
			t.Errorf("years to %v = %d, want %d", goal, got, want)
		}
	}
}

// All years are simulated in one pass, and the result must be that of Run for each number of years.
func TestYearsToGoal_IsTheFirstYearThatRunAgreesTo(t *testing.T) {
	past := simulate.PastReturns{PerYear: 4}
	for i := range 200 {
		past.Returns = append(past.Returns, 0.015+0.08*math.Sin(float64(i*i)))
	}
	plan := simulate.Plan{Start: 50, Contribution: 7, AnnualRaise: 0.01, Goal: 250, Inflation: 0.02, Fee: 0.002, TaxOnGains: 0.15}
	options := simulate.SimulationOptions{Paths: 700, Seed: 5}
	for name, m := range map[string]simulate.ReturnModel{
		"normal": simulate.NormalReturns{Mean: 0.07, Deviation: 0.2}, "bootstrap": simulate.BlockBootstrap{PastReturns: past, Block: 7}, "past": simulate.HistoricalSequences{PastReturns: past},
	} {
		for _, share := range []float64{0.1, 0.5, 0.8} {
			got, want := mustYearsToGoal(t, plan, m, options, share), 0
			for years := 1; want == 0 && years <= 40; years++ {
				p := plan
				p.Years, p.ContributionYears = years, years
				if out, err := simulate.Simulate(t.Context(), p, m, options); err == nil && out.Success >= share {
					want = years
				}
			}
			if got != want || want == 0 {
				t.Errorf("%s: years for %v = %d, and by trying each %d", name, share, got, want)
			}
		}
	}
}

func TestYearsToGoal_RefusesWhatCannotBePlayed(t *testing.T) {
	plan := simulate.Plan{Start: 1, Goal: 2}
	for name, err := range map[string]error{
		"a share in per cent": errorOf(simulate.YearsToGoal(t.Context(), plan, simulate.NormalReturns{}, simulate.SimulationOptions{}, 10, 90)),
		"for ever":            errorOf(simulate.YearsToGoal(t.Context(), plan, simulate.NormalReturns{}, simulate.SimulationOptions{}, 1000, 0.9)),
		"too many paths":      errorOf(simulate.YearsToGoal(t.Context(), plan, simulate.NormalReturns{}, simulate.SimulationOptions{Paths: 1 << 40}, 10, 0.9)),
		"no past":             errorOf(simulate.YearsToGoal(t.Context(), plan, simulate.HistoricalSequences{PastReturns: simulate.PastReturns{PerYear: 1}}, simulate.SimulationOptions{}, 10, 0.9)),
	} {
		if !errors.Is(err, simulate.ErrInvalidPlan) {
			t.Errorf("%s: %v, want ErrInput", name, err)
		}
	}
}

func errorOf(_ int, err error) error { return err }

// If one of five simulations fails, the share is exactly 0.8.
func TestRun_TheShareIsExact(t *testing.T) {
	past := simulate.PastReturns{Returns: []float64{-0.5, 0.1, 0.1, 0.1, 0.1}, PerYear: 1}
	for goal, want := range map[float64]float64{100: 0.8, 200: 0} {
		if got := mustSimulate(t, simulate.Plan{Start: 100, Years: 1, Goal: goal}, simulate.HistoricalSequences{PastReturns: past}, simulate.SimulationOptions{}); got.Success != want {
			t.Errorf("success = %v, want %v", got.Success, want)
		}
	}
}

func TestPlanOutcome_NoWithdrawalIsSaidWhereNoneSucceeds(t *testing.T) {
	plan := simulate.Plan{Start: 100, Years: 3, WithdrawalFrom: 1, Goal: 1000}
	out := mustSimulate(t, plan, simulate.NormalReturns{Mean: 0.05}, simulate.SimulationOptions{Paths: 2})
	if v, err := out.LargestWithdrawal(0.9); !errors.Is(err, simulate.ErrInvalidPlan) {
		t.Errorf("largest withdrawal = %v, %v; want ErrInput, since nothing is left to spend", v, err)
	}
	plan.Goal, plan.WithdrawalFrom = 100*math.Pow(1.05, 3), 2
	out = mustSimulate(t, plan, simulate.NormalReturns{Mean: 0.05}, simulate.SimulationOptions{Paths: 2})
	if v, err := out.LargestWithdrawal(0.9); err != nil || !withinRelative(v, 0, 1e-9) {
		t.Errorf("largest withdrawal = %v, %v; want nothing, and that it succeeds", v, err)
	}
}

func TestRun_RefusesBalancesBeyondAllNumbers(t *testing.T) {
	past := simulate.PastReturns{Returns: make([]float64, 366*5), PerYear: 366}
	for i := range past.Returns {
		past.Returns[i] = 10
	}
	if _, err := simulate.Simulate(t.Context(), simulate.Plan{Start: 1, Years: 2}, simulate.BlockBootstrap{PastReturns: past}, simulate.SimulationOptions{Paths: 2}); !errors.Is(err, simulate.ErrInvalidPlan) {
		t.Errorf("eleven to the power of 732 = %v, want ErrInput", err)
	}
}

func BenchmarkSoonest_60Years(b *testing.B) {
	for _, paths := range []int{50_000, 100_000, 200_000} {
		b.Run(fmt.Sprintf("paths=%d", paths), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := simulate.YearsToGoal(b.Context(), simulate.Plan{Contribution: 1, Goal: 1e9}, simulate.NormalReturns{Mean: 0.06, Deviation: 0.18}, simulate.SimulationOptions{Paths: paths, Seed: 1}, 60, 0.9); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
