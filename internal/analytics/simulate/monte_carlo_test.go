package simulate_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/analytics/simulate"
)

func withinRelative(got, want, within float64) bool { return math.Abs(got-want) <= within }

func mustSimulate(t testing.TB, p simulate.Plan, m simulate.ReturnModel, o simulate.SimulationOptions) simulate.PlanOutcome {
	t.Helper()
	out, err := simulate.Simulate(t.Context(), p, m, o)
	if err != nil {
		t.Fatalf("Run(%+v) = %v", p, err)
	}
	return out
}

// Without volatility it is the future value of a spreadsheet: 1,000, and 100 at the end of each of 10 years
// at 5%.
func TestRun_WithoutChanceItIsCompoundInterest(t *testing.T) {
	got := mustSimulate(t, simulate.Plan{Start: 1000, Years: 10, Contribution: 100, ContributionYears: 10}, simulate.NormalReturns{Mean: 0.05}, simulate.SimulationOptions{Paths: 3})
	want := 1000*math.Pow(1.05, 10) + 100*(math.Pow(1.05, 10)-1)/0.05
	if end := got.Balances[10]; !withinRelative(end.P5, want, 1e-6) || !withinRelative(end.P95, want, 1e-6) || got.Success != 1 {
		t.Errorf("end = %+v, success %v; want %v in every future", end, got.Success, want)
	}
}

// 100 at the beginning of each of 20 years at 4%, from the balance of an annuity due.
func TestRun_TheLastWithdrawalEmptiesTheAnnuity(t *testing.T) {
	start := 100 * 1.04 * (1 - math.Pow(1.04, -20)) / 0.04
	plan := simulate.Plan{Start: start + 1e-6, Years: 20, Withdrawal: 100, WithdrawalFrom: 1}
	got := mustSimulate(t, plan, simulate.NormalReturns{Mean: 0.04}, simulate.SimulationOptions{Paths: 2})
	if got.Success != 1 || !withinRelative(got.Balances[20].P50, 0, 1e-4) {
		t.Errorf("end = %v, success %v; want nothing left and all paid", got.Balances[20].P50, got.Success)
	}
	plan.Start = start - 1
	got = mustSimulate(t, plan, simulate.NormalReturns{Mean: 0.04}, simulate.SimulationOptions{Paths: 2})
	if diff := cmp.Diff([]int{20, 20}, got.RanOut); diff != "" || got.Success != 0 {
		t.Errorf("ran out (-want +got):\n%s, success %v", diff, got.Success)
	}
	if need, err := got.NeededStart(0.9); err != nil || !withinRelative(need, start, 1e-6) {
		t.Errorf("needed start = %v, %v; want %v", need, err, start)
	}
	if spend, err := got.LargestWithdrawal(0.9); err != nil || !withinRelative(spend, 100*(start-1)/start, 1e-6) {
		t.Errorf("largest withdrawal = %v, %v; want %v", spend, err, 100*(start-1)/start)
	}
}

// By hand: 100, a year of +50% taxed by a fifth and a fee of 1%, inflation 10%.
func TestRun_FeesTaxesAndInflation(t *testing.T) {
	plan := simulate.Plan{Start: 100, Years: 2, Withdrawal: 10, WithdrawalFrom: 1, Contribution: 5, ContributionYears: 1, Inflation: 0.1, Fee: 0.01, TaxOnGains: 0.2}
	got := mustSimulate(t, plan, simulate.HistoricalSequences{PastReturns: simulate.PastReturns{Returns: []float64{0.5, -0.2}, PerYear: 1}}, simulate.SimulationOptions{})
	first := (100-10)*1.4*0.99 + 5*1.1
	second := (first - 11) * 0.8 * 0.99
	if got.Paths != 1 || !withinRelative(got.Balances[1].P50, first, 1e-9) || !withinRelative(got.Balances[2].P50, second, 1e-9) {
		t.Errorf("balances %+v, want %v and %v", got.Balances, first, second)
	}
}

func TestRun_SequencesAreThePastFromEveryStart(t *testing.T) {
	past := simulate.PastReturns{Returns: []float64{0.1, 0.2, -0.5, 0.3}, PerYear: 1}
	got := mustSimulate(t, simulate.Plan{Start: 100, Years: 2}, simulate.HistoricalSequences{PastReturns: past}, simulate.SimulationOptions{Paths: 99})
	if got.Paths != 3 || !withinRelative(got.Balances[2].P50, 65, 1e-9) {
		t.Errorf("%d paths, middle %v; want 132, 60 and 65", got.Paths, got.Balances[2].P50)
	}
	monthly := simulate.PastReturns{Returns: make([]float64, 30), PerYear: 12}
	if got = mustSimulate(t, simulate.Plan{Start: 100, Years: 2}, simulate.HistoricalSequences{PastReturns: monthly}, simulate.SimulationOptions{}); got.Paths != 7 {
		t.Errorf("%d paths of two years out of 30 months, want 7", got.Paths)
	}
}

func TestRun_TheNormalMarketHasItsMeanAndDeviation(t *testing.T) {
	got := mustSimulate(t, simulate.Plan{Start: 1, Years: 1}, simulate.NormalReturns{Mean: 0.07, Deviation: 0.18}, simulate.SimulationOptions{Paths: 100_000, Seed: 1})
	v := math.Log1p(math.Pow(0.18/1.07, 2))
	median := 1.07 * math.Exp(-v/2)
	end := got.Balances[1]
	if !withinRelative(end.P50, median, 0.002) || !withinRelative(end.P95, median*math.Exp(1.644854*math.Sqrt(v)), 0.005) || !withinRelative(end.P5, median*math.Exp(-1.644854*math.Sqrt(v)), 0.005) {
		t.Errorf("percentiles = %+v, want those of the lognormal around %v", end, median)
	}
}

// Blocks as long as the history, drawn from a history without order, have the mean of the history.
func TestRun_TheBootstrapHasTheMeanOfThePast(t *testing.T) {
	past := simulate.PastReturns{PerYear: 12}
	for i := range 240 {
		past.Returns = append(past.Returns, 0.01*math.Sin(float64(i))+0.004)
	}
	got := mustSimulate(t, simulate.Plan{Start: 1, Years: 30}, simulate.BlockBootstrap{PastReturns: past, Block: 6}, simulate.SimulationOptions{Paths: 20_000, Seed: 5})
	grown := 0.0
	for _, r := range past.Returns {
		grown += math.Log1p(r)
	}
	want := math.Exp(grown / 240 * 360)
	if !withinRelative(got.Balances[30].P50/want, 1, 0.02) {
		t.Errorf("middle after 30 years = %v, want about %v", got.Balances[30].P50, want)
	}
}

func TestRun_ASeedGivesTheSameFuturesOnAnyNumberOfProcessors(t *testing.T) {
	plan := simulate.Plan{Start: 500, Years: 30, Contribution: 10, ContributionYears: 10, Withdrawal: 30, WithdrawalFrom: 11, Inflation: 0.02}
	market := simulate.NormalReturns{Mean: 0.06, Deviation: 0.15}
	before := runtime.GOMAXPROCS(1)
	one := mustSimulate(t, plan, market, simulate.SimulationOptions{Paths: 1001, Seed: 42})
	runtime.GOMAXPROCS(4)
	four := mustSimulate(t, plan, market, simulate.SimulationOptions{Paths: 1001, Seed: 42})
	runtime.GOMAXPROCS(before)
	if one.Success != four.Success || !cmp.Equal(one.Balances, four.Balances) {
		t.Errorf("success %v on one processor, %v on four", one.Success, four.Success)
	}
	if other := mustSimulate(t, plan, market, simulate.SimulationOptions{Paths: 1001, Seed: 43}); cmp.Equal(one.Balances, other.Balances) {
		t.Error("another seed gives the same futures")
	}
}

func TestRun_MoreSavingNeverSucceedsLess(t *testing.T) {
	plan := simulate.Plan{Start: 300, Years: 40, ContributionYears: 15, Withdrawal: 40, WithdrawalFrom: 16, Inflation: 0.02, Fee: 0.005}
	market := simulate.NormalReturns{Mean: 0.06, Deviation: 0.16}
	last := -1.0
	for _, c := range []float64{0, 5, 10, 20, 40} {
		plan.Contribution = c
		got := mustSimulate(t, plan, market, simulate.SimulationOptions{Paths: 2000, Seed: 3})
		if got.Success < last {
			t.Errorf("saving %v succeeds in %v, less than %v before", c, got.Success, last)
		}
		last = got.Success
	}
}

func TestRun_SumsOfAnySizeAreAlike(t *testing.T) {
	plan := simulate.Plan{Start: 300, Years: 25, Withdrawal: 15, WithdrawalFrom: 1, Goal: 100}
	market := simulate.NormalReturns{Mean: 0.05, Deviation: 0.12}
	small := mustSimulate(t, plan, market, simulate.SimulationOptions{Paths: 3000, Seed: 9})
	plan.Start, plan.Withdrawal, plan.Goal = 300e6, 15e6, 100e6
	large := mustSimulate(t, plan, market, simulate.SimulationOptions{Paths: 3000, Seed: 9})
	if small.Success != large.Success || !withinRelative(small.Balances[25].P50*1e6, large.Balances[25].P50, 1) {
		t.Errorf("success %v and %v, middle %v and %v", small.Success, large.Success, small.Balances[25].P50, large.Balances[25].P50)
	}
}

// The amount given as needed for a share of successes must succeed in that share of simulations, and a
// slightly smaller one must not.
func TestPlanOutcome_AreExactlyWhatIsNeeded(t *testing.T) {
	plan := simulate.Plan{Start: 200, Years: 35, Contribution: 8, ContributionYears: 15, AnnualRaise: 0.01, Withdrawal: 25, WithdrawalFrom: 16, Goal: 50, Inflation: 0.02, Fee: 0.003, TaxOnGains: 0.1}
	market := simulate.NormalReturns{Mean: 0.06, Deviation: 0.14}
	options := simulate.SimulationOptions{Paths: 2000, Seed: 11}
	base := mustSimulate(t, plan, market, options)
	for _, tc := range []struct {
		name  string
		need  func(float64) (float64, error)
		set   func(*simulate.Plan, float64)
		worse float64
	}{
		{"start", base.NeededStart, func(p *simulate.Plan, v float64) { p.Start = v }, -1},
		{"contribution", base.NeededContribution, func(p *simulate.Plan, v float64) { p.Contribution = v }, -1},
		{"withdrawal", base.LargestWithdrawal, func(p *simulate.Plan, v float64) { p.Withdrawal = v }, 1},
	} {
		for _, share := range []float64{0.5, 0.9} {
			need, err := tc.need(share)
			if err != nil {
				t.Fatalf("%s: %v", tc.name, err)
			}
			enough, short := plan, plan
			tc.set(&enough, need*(1-tc.worse*1e-9))
			tc.set(&short, need*(1+tc.worse*1e-3))
			if got := mustSimulate(t, enough, market, options).Success; got < share {
				t.Errorf("%s of %v succeeds in %v, want %v", tc.name, need, got, share)
			}
			if got := mustSimulate(t, short, market, options).Success; got >= share {
				t.Errorf("%s a little short of %v still succeeds in %v", tc.name, need, got)
			}
		}
	}
}

func TestSimulate_RefusesInvalidPlan(t *testing.T) {
	sound := simulate.Plan{Start: 100, Years: 10}
	for name, change := range map[string]func(*simulate.Plan){
		"no years":                 func(p *simulate.Plan) { p.Years = 0 },
		"for ever":                 func(p *simulate.Plan) { p.Years = 1000 },
		"debt":                     func(p *simulate.Plan) { p.Start = -1 },
		"spending before it began": func(p *simulate.Plan) { p.Withdrawal = 1 },
		"saving after the end":     func(p *simulate.Plan) { p.ContributionYears = 11 },
		"inflation in per cent":    func(p *simulate.Plan) { p.Inflation = 2 },
		"fee of everything":        func(p *simulate.Plan) { p.Fee = 1 },
		"not a number":             func(p *simulate.Plan) { p.Goal = math.NaN() },
	} {
		p := sound
		change(&p)
		if _, err := simulate.Simulate(t.Context(), p, simulate.NormalReturns{Mean: 0.05}, simulate.SimulationOptions{}); !errors.Is(err, simulate.ErrInvalidPlan) {
			t.Errorf("%s: %v, want ErrInput", name, err)
		}
	}
	short := simulate.PastReturns{Returns: []float64{0.1, 0.2}, PerYear: 1}
	for name, m := range map[string]simulate.ReturnModel{
		"mean in per cent": simulate.NormalReturns{Mean: 7}, "a short past": simulate.BlockBootstrap{PastReturns: short}, "too short to repeat": simulate.HistoricalSequences{PastReturns: short},
		"a total loss": simulate.HistoricalSequences{PastReturns: simulate.PastReturns{Returns: []float64{-1}, PerYear: 1}},
	} {
		if _, err := simulate.Simulate(t.Context(), sound, m, simulate.SimulationOptions{}); !errors.Is(err, simulate.ErrInvalidPlan) {
			t.Errorf("%s: %v, want ErrInput", name, err)
		}
	}
	if _, err := simulate.Simulate(t.Context(), sound, simulate.NormalReturns{}, simulate.SimulationOptions{Paths: 1 << 40}); !errors.Is(err, simulate.ErrInvalidPlan) {
		t.Errorf("a trillion paths: %v, want ErrInput", err)
	}
}

func BenchmarkRun_50Years(b *testing.B) {
	plan := simulate.Plan{Start: 500, Years: 50, Contribution: 10, ContributionYears: 20, Withdrawal: 30, WithdrawalFrom: 21, Inflation: 0.02, Fee: 0.002}
	past := simulate.PastReturns{PerYear: 12}
	for i := range 1200 {
		past.Returns = append(past.Returns, 0.04*math.Sin(float64(i*i))+0.006)
	}
	for name, m := range map[string]simulate.ReturnModel{"normal": simulate.NormalReturns{Mean: 0.06, Deviation: 0.16}, "bootstrap": simulate.BlockBootstrap{PastReturns: past}} {
		for _, paths := range []int{25_000, 50_000, 100_000} {
			b.Run(fmt.Sprintf("%s/paths=%d", name, paths), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := simulate.Simulate(b.Context(), plan, m, simulate.SimulationOptions{Paths: paths, Seed: 1}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// Simulations of ten seconds, which are canceled.
func TestRun_EndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	past := simulate.PastReturns{PerYear: 252}
	for i := range 5 * 252 {
		past.Returns = append(past.Returns, 0.001*float64(i%3-1))
	}
	market, options := simulate.BlockBootstrap{PastReturns: past}, simulate.SimulationOptions{Paths: 120_000, Seed: 1}
	if out, err := simulate.Simulate(ctx, simulate.Plan{Start: 1, Years: 100}, market, options); !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %d futures, %v; want context.Canceled", out.Paths, err)
	}
	if years, err := simulate.YearsToGoal(ctx, simulate.Plan{Start: 1, Goal: 2}, market, options, 60, 0.9); !errors.Is(err, context.Canceled) {
		t.Errorf("Soonest = %d years, %v; want context.Canceled", years, err)
	}
}
