package simulate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
)

// YearsToGoal returns the smallest number of years, up to most, after which the balance meets the goal in a
// share of the paths, if the plan saves every year; 0 if there is none. More years do not always help: the
// first match is returned. The plan's own years and withdrawals are ignored.
//
// For each number of years the paths are those of Simulate with the same options, so both agree.
// All are simulated at once, because a short path is the beginning of a long one.
//
// It stops when the context ends.
func YearsToGoal(ctx context.Context, p Plan, m ReturnModel, o SimulationOptions, most int, share float64) (int, error) {
	p.Years, p.ContributionYears, p.Withdrawal, p.WithdrawalFrom = most, most, 0, 0
	if err := p.check(); err != nil {
		return 0, err
	}
	if err := checkShare(share); err != nil {
		return 0, err
	}
	if err := m.check(1); err != nil {
		return 0, err
	}
	s := goalSearch{plan: p, model: m, seed: o.Seed, counts: make([]int, most+1), met: make([]int, most+1)}
	for year := 1; year <= most; year++ {
		s.counts[year] = o.pathCount(m, year)
	}
	if n := s.counts[1]; n < 1 || n > MaxPaths {
		return 0, errPaths(n, 1)
	}
	parallelRanges(s.counts[1], func(from, to int) { s.simulatePaths(ctx, from, to) })
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("simulating %d paths: %w", s.counts[1], err)
	}
	for year := 1; year <= most && s.counts[year] > 0; year++ {
		if s.met[year] >= requiredRank(s.counts[year], share) {
			return year, nil
		}
	}
	return 0, nil
}

// goalSearch counts, for each number of years, all paths and those that meet the goal.
type goalSearch struct {
	plan   Plan
	model  ReturnModel
	seed   uint64
	counts []int

	mutex sync.Mutex
	met   []int
}

func (s *goalSearch) simulatePaths(ctx context.Context, from, to int) {
	generator := rand.NewPCG(0, 0)
	source := rand.New(generator)
	returns, met, goals, deposits := make([]float64, s.plan.Years), make([]int, len(s.met)), make([]float64, len(s.met)), make([]float64, len(s.met))
	for year := range goals {
		goals[year], deposits[year] = s.plan.goalAfter(year), s.plan.deposit(year)
	}
	reach := s.plan.Years
	for n := from; n < to && ctx.Err() == nil; n++ {
		for s.counts[reach] <= n { // longer paths have fewer starts in the past
			reach--
		}
		generator.Seed(s.seed, uint64(n))
		s.model.fillReturns(n, source, returns[:reach])
		balance := s.plan.Start
		for year := 1; year <= reach; year++ {
			balance = balance*s.plan.afterCosts(returns[year-1]) + s.plan.Contribution*deposits[year]
			if balance >= goals[year] {
				met[year]++
			}
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for year, n := range met {
		s.met[year] += n
	}
}
