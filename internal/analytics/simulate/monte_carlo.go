package simulate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/nfa-cli/nfa/internal/crash"
)

// SimulationOptions configures a simulation.
type SimulationOptions struct {
	Paths int    // default 10,000; HistoricalSequences uses all there are
	Seed  uint64 // the same seed gives the same paths
}

const defaultPaths = 10_000

// pathCount returns the number of paths of a length in years for a model.
func (o SimulationOptions) pathCount(m ReturnModel, years int) int {
	if all := m.pathCount(years); all != 0 {
		return all
	}
	return cmp.Or(o.Paths, defaultPaths)
}

// PlanOutcome is the result of a plan over all simulated paths.
type PlanOutcome struct {
	Paths int
	// Success is the share of paths in which every withdrawal was paid in full and the goal was
	// met.
	Success float64
	// Balances are percentiles of the balance at the end of each year, in nominal money; index 0 is
	// today. An emptied account holds only later savings.
	Balances []Percentiles
	// RanOut lists the years in which the money ran out, ascending.
	RanOut       []int
	plan         Plan
	requirements requirements
}

// Percentiles are percentiles of a distribution, with linear interpolation.
type Percentiles struct{ P5, P25, P50, P75, P95 float64 }

// requirements holds, for each path, the start, contribution and withdrawal at which the plan would just
// succeed.
type requirements struct{ start, contribution, withdrawal []float64 }

// Simulate runs a plan. An invalid plan is ErrInvalidPlan. It stops early if the context ends:
// 100,000 paths of daily returns take seconds.
func Simulate(ctx context.Context, p Plan, m ReturnModel, o SimulationOptions) (PlanOutcome, error) {
	if err := p.check(); err != nil {
		return PlanOutcome{}, err
	}
	if err := m.check(p.Years); err != nil {
		return PlanOutcome{}, err
	}
	n := o.pathCount(m, p.Years)
	if n < 1 || n > MaxPaths || n*(p.Years+1) > maxStoredBalances {
		return PlanOutcome{}, errPaths(n, p.Years)
	}
	r := newSimulationRun(p, m, o.Seed, n)
	parallelRanges(n, func(from, to int) { r.simulatePaths(ctx, from, to) })
	if err := ctx.Err(); err != nil {
		return PlanOutcome{}, fmt.Errorf("simulating %d paths: %w", n, err)
	}
	out := r.outcome()
	for year, b := range out.Balances {
		if !(b.P95 < maxBalance) {
			return PlanOutcome{}, fmt.Errorf("%w: the balances are out of range by year %d; check that returns are fractions", ErrInvalidPlan, year)
		}
	}
	return out, nil
}

func errPaths(n, years int) error {
	return fmt.Errorf("%w: %d paths of %d years; use 1 to %d", ErrInvalidPlan, n, years, min(MaxPaths, maxStoredBalances/(years+1)))
}

// simulationRun holds the results of all paths, each at its own index.
type simulationRun struct {
	plan         Plan
	model        ReturnModel
	seed         uint64
	deposits     []float64 // growth of one unit of contribution in today's money, by year
	spending     []float64
	goal         float64 // in money at the end
	balances     [][]float64
	ranOut       []int
	requirements requirements
}

func newSimulationRun(p Plan, m ReturnModel, seed uint64, n int) *simulationRun {
	r := &simulationRun{plan: p, model: m, seed: seed, goal: p.goalAfter(p.Years), ranOut: make([]int, n)}
	for year := 0; year <= p.Years; year++ {
		r.deposits, r.spending = append(r.deposits, p.deposit(year)), append(r.spending, p.spending(year))
		r.balances = append(r.balances, make([]float64, n))
	}
	r.requirements = requirements{make([]float64, n), make([]float64, n), make([]float64, n)}
	return r
}

// parallelRanges runs work on all processors, each on its own range. Results do not depend on their
// number, because every path has its own random numbers.
func parallelRanges(n int, work func(from, to int)) {
	var group crash.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), n)
	for w := range workers {
		group.Go(func() { work(n*w/workers, n*(w+1)/workers) })
	}
	group.Wait()
}

func (r *simulationRun) simulatePaths(ctx context.Context, from, to int) {
	generator := rand.NewPCG(0, 0)
	source := rand.New(generator)
	returns := make([]float64, r.plan.Years)
	for n := from; n < to && ctx.Err() == nil; n++ {
		generator.Seed(r.seed, uint64(n))
		r.model.fillReturns(n, source, returns)
		r.path(n, returns)
	}
}

// path simulates one future. Besides the balance it tracks full, the balance if debt were allowed at the
// same return, and what one unit of start, contribution and withdrawal grows to. The plan succeeds if full
// is never negative and meets the goal at the end. Each of these conditions bounds the start, the
// contribution and the withdrawal.
func (r *simulationRun) path(n int, returns []float64) {
	p := r.plan
	balance, full := p.Start, p.Start
	var grownStart, grownDeposit, grownSpending = 1.0, 0.0, 0.0
	var needStart, needDeposit float64 = 0, 0
	mayWithdraw := math.Inf(1)
	r.balances[0][n] = p.Start
	observe := func(wanted float64) {
		short := wanted - full // the shortfall; negative for a surplus
		needStart = max(needStart, p.Start+short/grownStart)
		switch {
		case grownDeposit > 0:
			needDeposit = max(needDeposit, p.Contribution+short/grownDeposit)
		case short > 0:
			needDeposit = math.Inf(1) // no contribution is early enough
		}
		if grownSpending > 0 {
			mayWithdraw = min(mayWithdraw, p.Withdrawal-short/grownSpending)
		}
	}
	for year := 1; year <= p.Years; year++ {
		out := p.Withdrawal * r.spending[year]
		full -= out
		grownSpending += r.spending[year]
		if r.spending[year] > 0 {
			observe(0)
		}
		if balance < out && r.ranOut[n] == 0 {
			r.ranOut[n] = year
		}
		balance = max(balance-out, 0)
		net, in := p.afterCosts(returns[year-1]), r.deposits[year]
		balance, full = balance*net+p.Contribution*in, full*net+p.Contribution*in
		grownStart, grownDeposit, grownSpending = grownStart*net, grownDeposit*net+in, grownSpending*net
		r.balances[year][n] = balance
	}
	if r.goal > 0 {
		observe(r.goal)
		if balance < r.goal && r.ranOut[n] == 0 {
			r.ranOut[n] = -1 // paid everything, but missed the goal
		}
	}
	r.requirements.start[n], r.requirements.contribution[n], r.requirements.withdrawal[n] = needStart, needDeposit, mayWithdraw
}

func (r *simulationRun) outcome() PlanOutcome {
	o := PlanOutcome{Paths: len(r.ranOut), Balances: make([]Percentiles, len(r.balances)), plan: r.plan, requirements: r.requirements}
	failed := 0
	for _, year := range r.ranOut {
		if year != 0 {
			failed++
		}
		if year > 0 {
			o.RanOut = append(o.RanOut, year)
		}
	}
	slices.Sort(o.RanOut)
	o.Success = float64(o.Paths-failed) / float64(o.Paths)
	parallelRanges(len(r.balances), func(from, to int) {
		for year := from; year < to; year++ {
			o.Balances[year] = percentiles(r.balances[year])
		}
	})
	needs := [][]float64{r.requirements.start, r.requirements.contribution, r.requirements.withdrawal}
	parallelRanges(len(needs), func(from, to int) {
		for _, all := range needs[from:to] {
			slices.Sort(all)
		}
	})
	return o
}

// percentiles returns the percentiles of x and changes its order.
func percentiles(x []float64) Percentiles {
	shares := []float64{0.05, 0.25, 0.5, 0.75, 0.95}
	var ranks []int
	for _, share := range shares {
		low, high, _ := quantileRanks(len(x), share)
		ranks = append(ranks, low, high)
	}
	slices.Sort(ranks)
	selectRanks(x, ranks)
	return Percentiles{
		P5: quantile(x, shares[0]), P25: quantile(x, shares[1]), P50: quantile(x, shares[2]),
		P75: quantile(x, shares[3]), P95: quantile(x, shares[4]),
	}
}

// quantile interpolates between the two surrounding values, which must be in their sorted
// positions.
func quantile(x []float64, share float64) float64 {
	low, high, beyond := quantileRanks(len(x), share)
	if x[low] == x[high] {
		return x[low]
	}
	return x[low] + beyond*(x[high]-x[low])
}

// quantileRanks returns the ranks around a share of n values, and the distance beyond the lower
// one.
func quantileRanks(n int, share float64) (low, high int, beyond float64) {
	at := share * float64(n-1)
	low = int(math.Floor(at))
	return low, min(low+1, n-1), at - float64(low)
}
