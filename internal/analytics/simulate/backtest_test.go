package simulate_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/analytics/simulate"
)

func withinTolerance(got, want, within float64) bool { return math.Abs(got-want) <= within }

// weekdays returns closes on weekdays from January 2, 2020.
func weekdays(closes ...[]float64) simulate.Prices {
	p := simulate.Prices{Closes: closes}
	date := time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)
	for a := range closes {
		p.Names = append(p.Names, string(rune('A'+a)))
	}
	for range closes[0] {
		for date.Weekday() == time.Saturday || date.Weekday() == time.Sunday {
			date = date.AddDate(0, 0, 1)
		}
		p.Dates = append(p.Dates, date)
		date = date.AddDate(0, 0, 1)
	}
	return p
}

func mustBacktest(t testing.TB, p simulate.Prices, s simulate.Strategy, o simulate.BacktestOptions) simulate.BacktestResult {
	t.Helper()
	if o.PeriodsPerYear == 0 {
		o.PeriodsPerYear = 252
	}
	r, err := simulate.Backtest(p, s, o)
	if err != nil {
		t.Fatalf("Run(%+v) = %v", s, err)
	}
	return r
}

// Decided at the first close, bought at the second, at 110, with one percent of cost: the change in price
// from there, minus the cost.
func TestRun_BuyAndHoldIsThePriceLessItsCost(t *testing.T) {
	hold := simulate.FixedWeights{Weights: []float64{1}, Rebalance: simulate.Never}
	got := mustBacktest(t, weekdays([]float64{100, 110, 121, 99}), hold, simulate.BacktestOptions{Start: 1000, Costs: simulate.Costs{Rate: 0.01}})
	paid := 1000 / 1.01 // of every 1.01, 0.01 is cost
	want := []float64{1000, paid, paid * 1.1, paid * 0.9}
	for i := range want {
		if !withinTolerance(got.Equity[i], want[i], 1e-6) {
			t.Errorf("equity on day %d = %v, want %v", i, got.Equity[i], want[i])
		}
	}
	if got.Trades != 1 || !withinTolerance(got.Costs, 1000-paid, 1e-6) || !withinTolerance(got.Exposure[3], 1, 1e-9) {
		t.Errorf("%d trades, costs %v, exposure %v", got.Trades, got.Costs, got.Exposure)
	}
}

func TestRun_WhatWasDecidedIsDoneAtTheNextOpen(t *testing.T) {
	p := weekdays([]float64{100, 110, 121})
	p.Opens = [][]float64{{99, 105, 120}}
	got := mustBacktest(t, p, simulate.FixedWeights{Weights: []float64{1}, Rebalance: simulate.Never}, simulate.BacktestOptions{Start: 1050})
	if !withinTolerance(got.Equity[1], 1100, 1e-9) || !withinTolerance(got.Equity[2], 1210, 1e-9) {
		t.Errorf("equity = %v, want ten shares bought at 105", got.Equity)
	}
}

// Half and half; one doubles and then halves; rebalanced at each bar, computed by hand.
func TestRun_RebalancingSellsWhatRose(t *testing.T) {
	p := weekdays([]float64{1, 1, 2, 1}, []float64{1, 1, 1, 1})
	half := simulate.FixedWeights{Weights: []float64{0.5, 0.5}, Rebalance: simulate.EachBar}
	got := mustBacktest(t, p, half, simulate.BacktestOptions{Start: 100})
	// Bought at 1 and 1; then 50*2 + 50 = 150, rebalanced to 75 and 75; then 37.5 + 75.
	if !withinTolerance(got.Equity[2], 150, 1e-9) || !withinTolerance(got.Equity[3], 112.5, 1e-9) {
		t.Errorf("equity = %v, want 150, then 112.5", got.Equity)
	}
	if !withinTolerance(got.Weights[0], 0.5, 1e-9) || got.Trades != 6 {
		t.Errorf("weights %v after %d trades, want halves after 6", got.Weights, got.Trades)
	}
}

func TestFixedWeights_ABandWaitsForTheDrift(t *testing.T) {
	p := weekdays([]float64{1, 1, 1.1, 1.5, 1.5}, []float64{1, 1, 1, 1, 1})
	got := mustBacktest(t, p, simulate.FixedWeights{Weights: []float64{0.5, 0.5}, Rebalance: simulate.Never, Band: 0.05}, simulate.BacktestOptions{})
	if got.Trades != 4 || !withinTolerance(got.Weights[0], 0.5, 1e-9) {
		t.Errorf("%d trades, weights %v; want one correction, after the drift of ten points", got.Trades, got.Weights)
	}
}

// The mean of two closes against that of three crosses up on the fourth day and down on the seventh; each
// trade is a day later.
func TestMovingAverageCross_HoldsWhileTheFastAverageIsAbove(t *testing.T) {
	p := weekdays([]float64{10, 9, 8, 11, 12, 15, 6, 6})
	got := mustBacktest(t, p, simulate.MovingAverageCross{Fast: 2, Slow: 3}, simulate.BacktestOptions{Start: 120})
	want := []float64{120, 120, 120, 150, 60, 60} // from the third day; bought at 12, sold at 6
	if diff := cmp.Diff(want, got.Equity); diff != "" {
		t.Errorf("equity (-want +got):\n%s", diff)
	}
	if got.Trades != 2 {
		t.Errorf("%d trades, want 2", got.Trades)
	}
}

func TestMomentum_HoldsTheBest(t *testing.T) {
	p := weekdays([]float64{1, 1, 1, 1, 1}, []float64{1, 2, 3, 4, 5}, []float64{5, 4, 3, 2, 1})
	got := mustBacktest(t, p, simulate.Momentum{Lookback: 2, Top: 1, Rebalance: simulate.EachBar}, simulate.BacktestOptions{})
	if got.Weights[1] != 1 || got.Weights[0] != 0 || got.Weights[2] != 0 {
		t.Errorf("weights %v, want the second asset alone", got.Weights)
	}
	falling := weekdays([]float64{5, 4, 3, 2, 1})
	if got = mustBacktest(t, falling, simulate.Momentum{Lookback: 2, Top: 1, OnlyRising: true, Rebalance: simulate.EachBar}, simulate.BacktestOptions{}); got.Trades != 0 {
		t.Errorf("%d trades in what only falls, want none", got.Trades)
	}
}

func TestVolTarget_HoldsLessOfWhatMovesMore(t *testing.T) {
	calm, wild := make([]float64, 100), make([]float64, 100)
	for i := range calm {
		calm[i], wild[i] = 100+0.01*float64(i%2), 100+5*float64(i%2)
	}
	rule := simulate.VolTarget{Weights: []float64{1}, Target: 0.10, Window: 20, PeriodsPerYear: 252, Rebalance: simulate.Monthly}
	if got := mustBacktest(t, weekdays(calm), rule, simulate.BacktestOptions{}); !withinTolerance(got.Weights[0], 1, 1e-9) {
		t.Errorf("weight of what hardly moves = %v, want all", got.Weights[0])
	}
	got := mustBacktest(t, weekdays(wild), rule, simulate.BacktestOptions{})
	vol := 0.05 * math.Sqrt(252)
	if w := got.Weights[0]; w < 0.8*0.10/vol || w > 1.2*0.10/vol {
		t.Errorf("weight of what moves %v a year = %v, want about %v", vol, w, 0.10/vol)
	}
}

func strategies(assets int) map[string]simulate.Strategy {
	equal := make([]float64, assets)
	for a := range equal {
		equal[a] = 1 / float64(assets)
	}
	return map[string]simulate.Strategy{
		"hold": simulate.FixedWeights{Weights: equal, Rebalance: simulate.Never}, "fixed": simulate.FixedWeights{Weights: equal, Rebalance: simulate.Monthly, Band: 0.1},
		"cross": simulate.MovingAverageCross{Fast: 5, Slow: 20}, "momentum": simulate.Momentum{Lookback: 20, Skip: 2, Top: 1, Rebalance: simulate.Monthly},
		"vol": simulate.VolTarget{Weights: equal, Target: 0.1, Window: 20, PeriodsPerYear: 252, Rebalance: simulate.Monthly},
	}
}

func randomWalk(seed uint64, n int) []float64 {
	source := rand.New(rand.NewPCG(seed, 0))
	out, v := make([]float64, n), 100.0
	for i := range out {
		v *= 1 + 0.01*source.NormFloat64()
		out[i] = v
	}
	return out
}

// Later prices do not change the account before them.
func TestRun_NoLookAhead(t *testing.T) {
	const n, known = 300, 200
	p := weekdays(randomWalk(1, n), randomWalk(2, n), randomWalk(3, n))
	changed := weekdays(randomWalk(1, n), randomWalk(2, n), randomWalk(3, n))
	for a := range changed.Closes {
		for i := known; i < n; i++ {
			changed.Closes[a][i] *= 1 + 0.5*math.Sin(float64(i*(a+1)))
		}
	}
	for name, s := range strategies(3) {
		one, other := mustBacktest(t, p, s, simulate.BacktestOptions{Costs: simulate.Costs{Rate: 0.001}}), mustBacktest(t, changed, s, simulate.BacktestOptions{Costs: simulate.Costs{Rate: 0.001}})
		at := known - s.Warmup() + 1
		if diff := cmp.Diff(one.Equity[:at], other.Equity[:at]); diff != "" {
			t.Errorf("%s: the future changes the past (-one +other):\n%s", name, diff)
		}
	}
}

func TestRun_TheUnitOfPricesAndMoneyDoesNotMatter(t *testing.T) {
	p, scaled := weekdays(randomWalk(4, 200), randomWalk(5, 200)), weekdays(randomWalk(4, 200), randomWalk(5, 200))
	for _, row := range scaled.Closes {
		for i := range row {
			row[i] *= 1000
		}
	}
	for name, s := range strategies(2) {
		one := mustBacktest(t, p, s, simulate.BacktestOptions{Start: 1, Costs: simulate.Costs{Rate: 0.002}})
		other := mustBacktest(t, scaled, s, simulate.BacktestOptions{Start: 1e6, Costs: simulate.Costs{Rate: 0.002}})
		if last := len(one.Equity) - 1; !withinTolerance(one.Equity[last]*1e6, other.Equity[last], 1e-3) {
			t.Errorf("%s: %v and %v", name, one.Equity[last], other.Equity[last])
		}
	}
}

func TestRun_CostsOnlyTake(t *testing.T) {
	p := weekdays(randomWalk(6, 400), randomWalk(7, 400))
	for name, s := range strategies(2) {
		free := mustBacktest(t, p, s, simulate.BacktestOptions{})
		dear := mustBacktest(t, p, s, simulate.BacktestOptions{Costs: simulate.Costs{Rate: 0.005, Fixed: 1}})
		if last := len(free.Equity) - 1; dear.Equity[last] >= free.Equity[last] || dear.Costs <= 0 || free.Costs != 0 {
			t.Errorf("%s: %v without costs, %v with costs of %v", name, free.Equity[last], dear.Equity[last], dear.Costs)
		}
	}
}

func TestRun_CashEarnsItsRate(t *testing.T) {
	falling := weekdays([]float64{9, 8, 7, 6, 5, 4})
	got := mustBacktest(t, falling, simulate.MovingAverageCross{Fast: 1, Slow: 2}, simulate.BacktestOptions{Start: 100, CashRate: 0.05, PeriodsPerYear: 4})
	if last := got.Equity[4]; !withinTolerance(last, 105, 1e-9) {
		t.Errorf("after four quarters in cash = %v, want 105", last)
	}
}

func TestBacktest_RefusesInvalidInput(t *testing.T) {
	hold := simulate.FixedWeights{Weights: []float64{1}, Rebalance: simulate.Never}
	options := simulate.BacktestOptions{PeriodsPerYear: 252}
	unsorted := weekdays([]float64{1, 2, 3})
	unsorted.Dates[2] = unsorted.Dates[0]
	for name, tc := range map[string]struct {
		p simulate.Prices
		s simulate.Strategy
		o simulate.BacktestOptions
	}{
		"too few dates":       {weekdays([]float64{1, 2}), hold, options},
		"a price of zero":     {weekdays([]float64{1, 0, 2}), hold, options},
		"not in order":        {unsorted, hold, options},
		"weights above one":   {weekdays([]float64{1, 2, 3}), simulate.FixedWeights{Weights: []float64{1.5}, Rebalance: simulate.Never}, options},
		"another frequency":   {weekdays([]float64{1, 2, 3}), simulate.FixedWeights{Weights: []float64{1}, Rebalance: "weekly"}, options},
		"a long warm-up":      {weekdays([]float64{1, 2, 3}), simulate.MovingAverageCross{Fast: 5, Slow: 50}, options},
		"averages swapped":    {weekdays([]float64{1, 2, 3}), simulate.MovingAverageCross{Fast: 2, Slow: 1}, options},
		"more than there are": {weekdays([]float64{1, 2, 3}), simulate.Momentum{Lookback: 1, Top: 2, Rebalance: simulate.Monthly}, options},
		"costs in per cent":   {weekdays([]float64{1, 2, 3}), hold, simulate.BacktestOptions{PeriodsPerYear: 252, Costs: simulate.Costs{Rate: 1}}},
	} {
		if _, err := simulate.Backtest(tc.p, tc.s, tc.o); !errors.Is(err, simulate.ErrInvalidBacktest) {
			t.Errorf("%s: %v, want ErrInput", name, err)
		}
	}
}

func BenchmarkRun_MomentumOf20AssetsOver20Years(b *testing.B) {
	var closes [][]float64
	for a := range 20 {
		closes = append(closes, randomWalk(uint64(a), 5040))
	}
	p := weekdays(closes...)
	s := simulate.Momentum{Lookback: 252, Skip: 21, Top: 5, Rebalance: simulate.Monthly}
	for b.Loop() {
		if _, err := simulate.Backtest(p, s, simulate.BacktestOptions{PeriodsPerYear: 252}); err != nil {
			b.Fatal(err)
		}
	}
}
