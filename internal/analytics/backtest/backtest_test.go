package backtest_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/analytics/backtest"
)

func near(got, want, within float64) bool { return math.Abs(got-want) <= within }

// weekdays are closes on weekdays from January 2, 2020.
func weekdays(closes ...[]float64) backtest.Prices {
	p := backtest.Prices{Closes: closes}
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

func played(t testing.TB, p backtest.Prices, s backtest.Strategy, o backtest.Options) backtest.Result {
	t.Helper()
	if o.PeriodsPerYear == 0 {
		o.PeriodsPerYear = 252
	}
	r, err := backtest.Run(p, s, o)
	if err != nil {
		t.Fatalf("Run(%+v) = %v", s, err)
	}
	return r
}

// Decided on the first close, bought at the second, at 110, with one per cent of
// cost: the price's way from there, less the cost.
func TestRun_BuyAndHoldIsThePriceLessItsCost(t *testing.T) {
	hold := backtest.Fixed{Weights: []float64{1}, Rebalance: backtest.Never}
	got := played(t, weekdays([]float64{100, 110, 121, 99}), hold, backtest.Options{Start: 1000, Costs: backtest.Costs{Rate: 0.01}})
	paid := 1000 / 1.01 // of every 1.01, 0.01 is cost
	want := []float64{1000, paid, paid * 1.1, paid * 0.9}
	for i := range want {
		if !near(got.Equity[i], want[i], 1e-6) {
			t.Errorf("equity on day %d = %v, want %v", i, got.Equity[i], want[i])
		}
	}
	if got.Trades != 1 || !near(got.Costs, 1000-paid, 1e-6) || !near(got.Exposure[3], 1, 1e-9) {
		t.Errorf("%d trades, costs %v, exposure %v", got.Trades, got.Costs, got.Exposure)
	}
}

func TestRun_WhatWasDecidedIsDoneAtTheNextOpen(t *testing.T) {
	p := weekdays([]float64{100, 110, 121})
	p.Opens = [][]float64{{99, 105, 120}}
	got := played(t, p, backtest.Fixed{Weights: []float64{1}, Rebalance: backtest.Never}, backtest.Options{Start: 1050})
	if !near(got.Equity[1], 1100, 1e-9) || !near(got.Equity[2], 1210, 1e-9) {
		t.Errorf("equity = %v, want ten shares bought at 105", got.Equity)
	}
}

// Half and half, one doubles and halves: brought back at each bar, by hand.
func TestRun_RebalancingSellsWhatRose(t *testing.T) {
	p := weekdays([]float64{1, 1, 2, 1}, []float64{1, 1, 1, 1})
	half := backtest.Fixed{Weights: []float64{0.5, 0.5}, Rebalance: backtest.EachBar}
	got := played(t, p, half, backtest.Options{Start: 100})
	// Bought at 1 and 1; then 50*2 + 50 = 150, brought to 75 and 75; then 37.5 + 75.
	if !near(got.Equity[2], 150, 1e-9) || !near(got.Equity[3], 112.5, 1e-9) {
		t.Errorf("equity = %v, want 150, then 112.5", got.Equity)
	}
	if !near(got.Weights[0], 0.5, 1e-9) || got.Trades != 6 {
		t.Errorf("weights %v after %d trades, want halves after 6", got.Weights, got.Trades)
	}
}

func TestFixed_ABandWaitsForTheDrift(t *testing.T) {
	p := weekdays([]float64{1, 1, 1.1, 1.5, 1.5}, []float64{1, 1, 1, 1, 1})
	got := played(t, p, backtest.Fixed{Weights: []float64{0.5, 0.5}, Rebalance: backtest.Never, Band: 0.05}, backtest.Options{})
	if got.Trades != 4 || !near(got.Weights[0], 0.5, 1e-9) {
		t.Errorf("%d trades, weights %v; want one correction, after the drift of ten points", got.Trades, got.Weights)
	}
}

// The mean of two against three: crosses up on the fourth day, down on the
// seventh; each is done a day later.
func TestCross_HoldsWhileTheFastAverageIsAbove(t *testing.T) {
	p := weekdays([]float64{10, 9, 8, 11, 12, 15, 6, 6})
	got := played(t, p, backtest.Cross{Fast: 2, Slow: 3}, backtest.Options{Start: 120})
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
	got := played(t, p, backtest.Momentum{Lookback: 2, Top: 1, Rebalance: backtest.EachBar}, backtest.Options{})
	if got.Weights[1] != 1 || got.Weights[0] != 0 || got.Weights[2] != 0 {
		t.Errorf("weights %v, want the second asset alone", got.Weights)
	}
	falling := weekdays([]float64{5, 4, 3, 2, 1})
	if got = played(t, falling, backtest.Momentum{Lookback: 2, Top: 1, OnlyRising: true, Rebalance: backtest.EachBar}, backtest.Options{}); got.Trades != 0 {
		t.Errorf("%d trades in what only falls, want none", got.Trades)
	}
}

func TestVolTarget_HoldsLessOfWhatMovesMore(t *testing.T) {
	calm, wild := make([]float64, 100), make([]float64, 100)
	for i := range calm {
		calm[i], wild[i] = 100+0.01*float64(i%2), 100+5*float64(i%2)
	}
	rule := backtest.VolTarget{Weights: []float64{1}, Target: 0.10, Window: 20, PeriodsPerYear: 252, Rebalance: backtest.Monthly}
	if got := played(t, weekdays(calm), rule, backtest.Options{}); !near(got.Weights[0], 1, 1e-9) {
		t.Errorf("weight of what hardly moves = %v, want all", got.Weights[0])
	}
	got := played(t, weekdays(wild), rule, backtest.Options{})
	vol := 0.05 * math.Sqrt(252)
	if w := got.Weights[0]; w < 0.8*0.10/vol || w > 1.2*0.10/vol {
		t.Errorf("weight of what moves %v a year = %v, want about %v", vol, w, 0.10/vol)
	}
}

func strategies(assets int) map[string]backtest.Strategy {
	equal := make([]float64, assets)
	for a := range equal {
		equal[a] = 1 / float64(assets)
	}
	return map[string]backtest.Strategy{
		"hold": backtest.Fixed{Weights: equal, Rebalance: backtest.Never}, "fixed": backtest.Fixed{Weights: equal, Rebalance: backtest.Monthly, Band: 0.1},
		"cross": backtest.Cross{Fast: 5, Slow: 20}, "momentum": backtest.Momentum{Lookback: 20, Skip: 2, Top: 1, Rebalance: backtest.Monthly},
		"vol": backtest.VolTarget{Weights: equal, Target: 0.1, Window: 20, PeriodsPerYear: 252, Rebalance: backtest.Monthly},
	}
}

func walk(seed uint64, n int) []float64 {
	source := rand.New(rand.NewPCG(seed, 0))
	out, v := make([]float64, n), 100.0
	for i := range out {
		v *= 1 + 0.01*source.NormFloat64()
		out[i] = v
	}
	return out
}

// Whatever the future brings, the past of the account is the same.
func TestRun_NoLookAhead(t *testing.T) {
	const n, known = 300, 200
	p := weekdays(walk(1, n), walk(2, n), walk(3, n))
	changed := weekdays(walk(1, n), walk(2, n), walk(3, n))
	for a := range changed.Closes {
		for i := known; i < n; i++ {
			changed.Closes[a][i] *= 1 + 0.5*math.Sin(float64(i*(a+1)))
		}
	}
	for name, s := range strategies(3) {
		one, other := played(t, p, s, backtest.Options{Costs: backtest.Costs{Rate: 0.001}}), played(t, changed, s, backtest.Options{Costs: backtest.Costs{Rate: 0.001}})
		at := known - s.Warmup() + 1
		if diff := cmp.Diff(one.Equity[:at], other.Equity[:at]); diff != "" {
			t.Errorf("%s: the future changes the past (-one +other):\n%s", name, diff)
		}
	}
}

func TestRun_TheUnitOfPricesAndMoneyDoesNotMatter(t *testing.T) {
	p, scaled := weekdays(walk(4, 200), walk(5, 200)), weekdays(walk(4, 200), walk(5, 200))
	for _, row := range scaled.Closes {
		for i := range row {
			row[i] *= 1000
		}
	}
	for name, s := range strategies(2) {
		one := played(t, p, s, backtest.Options{Start: 1, Costs: backtest.Costs{Rate: 0.002}})
		other := played(t, scaled, s, backtest.Options{Start: 1e6, Costs: backtest.Costs{Rate: 0.002}})
		if last := len(one.Equity) - 1; !near(one.Equity[last]*1e6, other.Equity[last], 1e-3) {
			t.Errorf("%s: %v and %v", name, one.Equity[last], other.Equity[last])
		}
	}
}

func TestRun_CostsOnlyTake(t *testing.T) {
	p := weekdays(walk(6, 400), walk(7, 400))
	for name, s := range strategies(2) {
		free := played(t, p, s, backtest.Options{})
		dear := played(t, p, s, backtest.Options{Costs: backtest.Costs{Rate: 0.005, Fixed: 1}})
		if last := len(free.Equity) - 1; dear.Equity[last] >= free.Equity[last] || dear.Costs <= 0 || free.Costs != 0 {
			t.Errorf("%s: %v without costs, %v with costs of %v", name, free.Equity[last], dear.Equity[last], dear.Costs)
		}
	}
}

func TestRun_CashEarnsItsRate(t *testing.T) {
	falling := weekdays([]float64{9, 8, 7, 6, 5, 4})
	got := played(t, falling, backtest.Cross{Fast: 1, Slow: 2}, backtest.Options{Start: 100, CashRate: 0.05, PeriodsPerYear: 4})
	if last := got.Equity[4]; !near(last, 105, 1e-9) {
		t.Errorf("after four quarters in cash = %v, want 105", last)
	}
}

func TestRun_RefusesWhatCannotBePlayed(t *testing.T) {
	hold := backtest.Fixed{Weights: []float64{1}, Rebalance: backtest.Never}
	options := backtest.Options{PeriodsPerYear: 252}
	unsorted := weekdays([]float64{1, 2, 3})
	unsorted.Dates[2] = unsorted.Dates[0]
	for name, tc := range map[string]struct {
		p backtest.Prices
		s backtest.Strategy
		o backtest.Options
	}{
		"too few dates":       {weekdays([]float64{1, 2}), hold, options},
		"a price of zero":     {weekdays([]float64{1, 0, 2}), hold, options},
		"not in order":        {unsorted, hold, options},
		"weights above one":   {weekdays([]float64{1, 2, 3}), backtest.Fixed{Weights: []float64{1.5}, Rebalance: backtest.Never}, options},
		"another frequency":   {weekdays([]float64{1, 2, 3}), backtest.Fixed{Weights: []float64{1}, Rebalance: "weekly"}, options},
		"a long warm-up":      {weekdays([]float64{1, 2, 3}), backtest.Cross{Fast: 5, Slow: 50}, options},
		"averages swapped":    {weekdays([]float64{1, 2, 3}), backtest.Cross{Fast: 2, Slow: 1}, options},
		"more than there are": {weekdays([]float64{1, 2, 3}), backtest.Momentum{Lookback: 1, Top: 2, Rebalance: backtest.Monthly}, options},
		"costs in per cent":   {weekdays([]float64{1, 2, 3}), hold, backtest.Options{PeriodsPerYear: 252, Costs: backtest.Costs{Rate: 1}}},
	} {
		if _, err := backtest.Run(tc.p, tc.s, tc.o); !errors.Is(err, backtest.ErrInput) {
			t.Errorf("%s: %v, want ErrInput", name, err)
		}
	}
}

func BenchmarkRun_MomentumOf20AssetsOver20Years(b *testing.B) {
	var closes [][]float64
	for a := range 20 {
		closes = append(closes, walk(uint64(a), 5040))
	}
	p := weekdays(closes...)
	s := backtest.Momentum{Lookback: 252, Skip: 21, Top: 5, Rebalance: backtest.Monthly}
	for b.Loop() {
		if _, err := backtest.Run(p, s, backtest.Options{PeriodsPerYear: 252}); err != nil {
			b.Fatal(err)
		}
	}
}
