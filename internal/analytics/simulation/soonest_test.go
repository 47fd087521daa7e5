package simulation_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/simulation"
)

func soonest(t testing.TB, p simulation.Plan, m simulation.Market, o simulation.Options, share float64) int {
	t.Helper()
	years, err := simulation.Soonest(t.Context(), p, m, o, 40, share)
	if err != nil {
		t.Fatalf("Soonest(%+v) = %v", p, err)
	}
	return years
}

// 100 at 10 % are 161.05 after five years and 177.16 after six.
func TestSoonest_WithoutChanceItIsTheLogarithm(t *testing.T) {
	for goal, want := range map[float64]int{110: 1, 161: 5, 162: 6, 1e9: 0} {
		if got := soonest(t, simulation.Plan{Start: 100, Goal: goal}, simulation.Normal{Mean: 0.1}, simulation.Options{Paths: 3}, 1); got != want {
			t.Errorf("years to %v = %d, want %d", goal, got, want)
		}
	}
}

// What is played at once must be what Run plays for each number of years.
func TestSoonest_IsTheFirstYearThatRunAgreesTo(t *testing.T) {
	past := simulation.Past{PerYear: 4}
	for i := range 200 {
		past.Returns = append(past.Returns, 0.015+0.08*math.Sin(float64(i*i)))
	}
	plan := simulation.Plan{Start: 50, Contribution: 7, Raise: 0.01, Goal: 250, Inflation: 0.02, Fee: 0.002, TaxOnGains: 0.15}
	options := simulation.Options{Paths: 700, Seed: 5}
	for name, m := range map[string]simulation.Market{
		"normal": simulation.Normal{Mean: 0.07, Deviation: 0.2}, "bootstrap": simulation.Bootstrap{Past: past, Block: 7}, "past": simulation.Sequences{Past: past},
	} {
		for _, share := range []float64{0.1, 0.5, 0.8} {
			got, want := soonest(t, plan, m, options, share), 0
			for years := 1; want == 0 && years <= 40; years++ {
				p := plan
				p.Years, p.ContributionYears = years, years
				if out, err := simulation.Run(t.Context(), p, m, options); err == nil && out.Success >= share {
					want = years
				}
			}
			if got != want || want == 0 {
				t.Errorf("%s: years for %v = %d, and by trying each %d", name, share, got, want)
			}
		}
	}
}

func TestSoonest_RefusesWhatCannotBePlayed(t *testing.T) {
	plan := simulation.Plan{Start: 1, Goal: 2}
	for name, err := range map[string]error{
		"a share in per cent": second(simulation.Soonest(t.Context(), plan, simulation.Normal{}, simulation.Options{}, 10, 90)),
		"for ever":            second(simulation.Soonest(t.Context(), plan, simulation.Normal{}, simulation.Options{}, 1000, 0.9)),
		"too many paths":      second(simulation.Soonest(t.Context(), plan, simulation.Normal{}, simulation.Options{Paths: 1 << 40}, 10, 0.9)),
		"no past":             second(simulation.Soonest(t.Context(), plan, simulation.Sequences{Past: simulation.Past{PerYear: 1}}, simulation.Options{}, 10, 0.9)),
	} {
		if !errors.Is(err, simulation.ErrInput) {
			t.Errorf("%s: %v, want ErrInput", name, err)
		}
	}
}

func second(_ int, err error) error { return err }

// One of five futures that fail leaves 0.8, not a hair less.
func TestRun_TheShareIsExact(t *testing.T) {
	past := simulation.Past{Returns: []float64{-0.5, 0.1, 0.1, 0.1, 0.1}, PerYear: 1}
	for goal, want := range map[float64]float64{100: 0.8, 200: 0} {
		if got := played(t, simulation.Plan{Start: 100, Years: 1, Goal: goal}, simulation.Sequences{Past: past}, simulation.Options{}); got.Success != want {
			t.Errorf("success = %v, want %v", got.Success, want)
		}
	}
}

func TestNeeds_NoWithdrawalIsSaidWhereNoneSucceeds(t *testing.T) {
	plan := simulation.Plan{Start: 100, Years: 3, WithdrawalFrom: 1, Goal: 1000}
	out := played(t, plan, simulation.Normal{Mean: 0.05}, simulation.Options{Paths: 2})
	if v, err := out.LargestWithdrawal(0.9); !errors.Is(err, simulation.ErrInput) {
		t.Errorf("largest withdrawal = %v, %v; want ErrInput, since nothing is left to spend", v, err)
	}
	plan.Goal, plan.WithdrawalFrom = 100*math.Pow(1.05, 3), 2
	out = played(t, plan, simulation.Normal{Mean: 0.05}, simulation.Options{Paths: 2})
	if v, err := out.LargestWithdrawal(0.9); err != nil || !near(v, 0, 1e-9) {
		t.Errorf("largest withdrawal = %v, %v; want nothing, and that it succeeds", v, err)
	}
}

func TestRun_RefusesBalancesBeyondAllNumbers(t *testing.T) {
	past := simulation.Past{Returns: make([]float64, 366*5), PerYear: 366}
	for i := range past.Returns {
		past.Returns[i] = 10
	}
	if _, err := simulation.Run(t.Context(), simulation.Plan{Start: 1, Years: 2}, simulation.Bootstrap{Past: past}, simulation.Options{Paths: 2}); !errors.Is(err, simulation.ErrInput) {
		t.Errorf("eleven to the power of 732 = %v, want ErrInput", err)
	}
}

func BenchmarkSoonest_60Years(b *testing.B) {
	for _, paths := range []int{50_000, 100_000, 200_000} {
		b.Run(fmt.Sprintf("paths=%d", paths), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := simulation.Soonest(b.Context(), simulation.Plan{Contribution: 1, Goal: 1e9}, simulation.Normal{Mean: 0.06, Deviation: 0.18}, simulation.Options{Paths: paths, Seed: 1}, 60, 0.9); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
