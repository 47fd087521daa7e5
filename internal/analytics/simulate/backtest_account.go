package simulate

import "math"

// backtestAccount is what is held.
type backtestAccount struct {
	prices  Prices
	options BacktestOptions
	units   []float64
	cash    float64
	equity  float64
	last    []float64 // prices at the last mark
	target  []float64 // decided, to be done at the next bar; nil for nothing

	trades int
	costs  float64
}

func newBacktestAccount(p Prices, o BacktestOptions) *backtestAccount {
	return &backtestAccount{prices: p, options: o, units: make([]float64, len(p.Closes)), cash: o.Start, equity: o.Start, last: make([]float64, len(p.Closes))}
}

// addInterest is one period's interest on cash.
func (b *backtestAccount) addInterest() {
	b.cash *= math.Pow(1+b.options.CashRate, 1/b.options.PeriodsPerYear)
}

// markToMarket values the account at the close of a date.
func (b *backtestAccount) markToMarket(i int) {
	b.equity = b.cash
	for a, units := range b.units {
		b.last[a] = b.prices.Closes[a][i]
		b.equity += units * b.last[a]
	}
}

func (b *backtestAccount) weights() []float64 {
	out := make([]float64, len(b.units))
	for a, units := range b.units {
		out[a] = units * b.last[a] / b.equity
	}
	return out
}

// trade does at date i what was decided before, and gives what was bought and sold
// as a part of the equity. What the costs take is taken from every position alike,
// so that nothing is borrowed to pay them.
func (b *backtestAccount) trade(i int) float64 {
	if b.target == nil {
		return 0
	}
	at := b.prices.Closes
	if b.prices.Opens != nil {
		at = b.prices.Opens
	}
	worth := b.cash
	for a, units := range b.units {
		worth += units * at[a][i]
	}
	left := b.afterCosts(worth, i, at)
	traded, part := 0.0, b.targetBase(left, i, at)
	for a := range b.units {
		if b.target[a] == Keep {
			continue
		}
		want := b.target[a] * part / at[a][i]
		if change := math.Abs(want-b.units[a]) * at[a][i]; change > 1e-9*worth {
			traded += change
			b.trades++
		} else {
			want = b.units[a]
		}
		b.units[a] = want
	}
	b.costs += worth - left
	b.cash = left
	for a, units := range b.units {
		b.cash -= units * at[a][i]
	}
	b.target = nil
	return traded / worth
}

// targetBase is what a weight of one is worth: the equity, or less where what is kept and
// the weights together are more than all.
func (b *backtestAccount) targetBase(left float64, i int, at [][]float64) float64 {
	kept, weights := 0.0, 0.0
	for a, units := range b.units {
		if b.target[a] == Keep {
			kept += units * at[a][i]
		} else {
			weights += b.target[a]
		}
	}
	if free := max(left-kept, 0); kept > 0 && weights*left > free {
		return free / weights
	}
	return left
}

// afterCosts is the equity once the trades to the target are paid. They depend on
// it, and it on them; each turn comes closer by the rate of the costs. A trade that
// was charged once stays charged: without its fixed cost it would be done again.
func (b *backtestAccount) afterCosts(value float64, i int, at [][]float64) float64 {
	left, charged := value, make([]bool, len(b.units))
	for range 100 {
		cost, part := 0.0, b.targetBase(left, i, at)
		for a, units := range b.units {
			change := math.Abs(b.target[a]*part - units*at[a][i])
			if charged[a] = charged[a] || b.target[a] != Keep && change > 1e-9*value; charged[a] {
				cost += change*b.options.Rate + b.options.Fixed
			}
		}
		next := max(value-cost, 0)
		if math.Abs(next-left) < 1e-12*value {
			return next
		}
		left = next
	}
	return left
}
