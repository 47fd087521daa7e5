package simulate_test

import (
	"errors"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/analytics/simulate"
)

// The first asset is bought for half of 100 on the fourth day. When the second is bought on the sixth, the
// first is not traded: two trades, and no third.
func TestMovingAverageCross_LeavesAloneWhatGoesOnBeingHeld(t *testing.T) {
	p := weekdays([]float64{10, 9, 10, 11, 15, 20, 30}, []float64{10, 9, 8, 7, 8, 10, 10})
	got := mustBacktest(t, p, simulate.MovingAverageCross{Fast: 1, Slow: 2}, simulate.BacktestOptions{Start: 100, Costs: simulate.Costs{Fixed: 1}})
	// Half of 99 at 11, which leaves 49.5 in cash. When the second is bought at 10, half of the account
	// would be more than that, so it gets the cash minus its cost.
	first, second := 4.5, 4.85
	if want := first*30 + second*10; got.Trades != 2 || !withinTolerance(got.Equity[len(got.Equity)-1], want, 1e-9) || !withinTolerance(got.Costs, 2, 1e-9) {
		t.Errorf("%d trades, costs %v, equity %v; want 2 trades and %v", got.Trades, got.Costs, got.Equity, want)
	}
	if got.Exposure[len(got.Exposure)-1] > 1+1e-12 {
		t.Errorf("exposure %v: the costs were borrowed", got.Exposure)
	}
}

// All assets fell in January, so the account is in cash; the rise in February counts only when March
// begins.
func TestMomentum_CashToo_WaitsForTheNextLook(t *testing.T) {
	var closes []float64
	for i := range 60 {
		v := 100 - float64(i)
		if i > 15 {
			v = 85 + float64(i-15)
		}
		closes = append(closes, v)
	}
	p := weekdays(closes)
	got := mustBacktest(t, p, simulate.Momentum{Lookback: 3, Top: 1, OnlyRising: true, Rebalance: simulate.Monthly}, simulate.BacktestOptions{})
	for i, e := range got.Exposure {
		// On February 3 the past month is still a fall, on March 2 it is not; the trade is on March 3.
		if bought := !got.Dates[i].Before(date(2020, 2, 4)); e > 0 != bought {
			t.Fatalf("exposure on %s = %v", got.Dates[i].Format("2006-01-02"), e)
		}
	}
}

// A trade that costs more than the account has is refused, not made for free.
func TestRun_RefusesCostsThatTakeAll(t *testing.T) {
	p := weekdays([]float64{1, 2, 3, 4}, []float64{1, 1, 1, 1})
	both := simulate.FixedWeights{Weights: []float64{0.5, 0.5}, Rebalance: simulate.Never}
	for _, fixed := range []float64{5, 7, 50} {
		if r, err := simulate.Backtest(p, both, simulate.BacktestOptions{Start: 10, PeriodsPerYear: 252, Costs: simulate.Costs{Fixed: fixed}}); !errors.Is(err, simulate.ErrInvalidBacktest) {
			t.Errorf("two trades of %v each out of 10 = %v, %v; want ErrInput", fixed, r.Equity, err)
		}
	}
	got := mustBacktest(t, p, both, simulate.BacktestOptions{Start: 10, Costs: simulate.Costs{Fixed: 4}})
	if !withinTolerance(got.Costs, 8, 1e-9) || !withinTolerance(got.Equity[1], 2, 1e-9) || !withinTolerance(got.Equity[3], 3, 1e-9) {
		t.Errorf("costs %v, equity %v; want 8, and 2 that became 3", got.Costs, got.Equity)
	}
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}
