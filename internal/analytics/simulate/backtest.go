package simulate

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// ErrInvalidBacktest means that prices or rules cannot be simulated; the message explains why.
var ErrInvalidBacktest = errors.New("invalid backtest")

// Prices are prices of several assets on common dates, adjusted for splits and, if known,
// dividends.
type Prices struct {
	Dates  []time.Time
	Names  []string
	Closes [][]float64 // by asset, then by date
	// Opens are the prices at which the decisions of the previous day are executed; if nil, that is
	// the close of the next date.
	Opens [][]float64
}

func (p Prices) check() error {
	if len(p.Closes) == 0 || len(p.Closes) != len(p.Names) || p.Opens != nil && len(p.Opens) != len(p.Closes) {
		return fmt.Errorf("%w: %d assets, %d series of closes, %d of opens", ErrInvalidBacktest, len(p.Names), len(p.Closes), len(p.Opens))
	}
	if len(p.Dates) < 3 {
		return fmt.Errorf("%w: %d dates; at least 3 are needed", ErrInvalidBacktest, len(p.Dates))
	}
	for i := 1; i < len(p.Dates); i++ {
		if !p.Dates[i].After(p.Dates[i-1]) {
			return fmt.Errorf("%w: dates must ascend", ErrInvalidBacktest)
		}
	}
	for _, rows := range [][][]float64{p.Closes, p.Opens} {
		for a, row := range rows {
			if len(row) != len(p.Dates) {
				return fmt.Errorf("%w: %s has %d prices for %d dates", ErrInvalidBacktest, p.Names[a], len(row), len(p.Dates))
			}
			for i, v := range row {
				if !(v > 0) || math.IsInf(v, 0) {
					return fmt.Errorf("%w: the price of %s on %s is %v", ErrInvalidBacktest, p.Names[a], p.Dates[i].Format(time.DateOnly), v)
				}
			}
		}
	}
	return nil
}

// historyUntil returns the history at the close of a date.
func (p Prices) historyUntil(i int) PriceHistory {
	closes := make([][]float64, len(p.Closes))
	for a := range closes {
		closes[a] = p.Closes[a][: i+1 : i+1]
	}
	return PriceHistory{Dates: p.Dates[: i+1 : i+1], Closes: closes}
}

// PriceHistory is the history up to the close of its last date.
type PriceHistory struct {
	Dates  []time.Time
	Closes [][]float64 // by asset
	First  bool        // no decision was made before
}

// Keep as a weight leaves the position of an asset unchanged.
const Keep = -1

// Strategy decides the weights to hold.
type Strategy interface {
	// Decide returns the weights to hold from the next bar on, by asset, or nil for no change. They
	// add up to at most one; the rest is cash. If some assets are Keep, the others share the
	// remainder in proportion. held are the weights at the close.
	Decide(v PriceHistory, held []float64) []float64
	// Warmup returns how many dates are needed before the first decision.
	Warmup() int
	check(assets int) error
}

// Costs are trading costs.
type Costs struct {
	Rate  float64 // fraction of the traded value: 10 basis points are 0.001
	Fixed float64 // per trade of one asset, in the unit of Start
}

// BacktestOptions configures a backtest.
type BacktestOptions struct {
	Start float64 // starting amount (default 10,000)
	Costs
	CashRate       float64 // annual rate on uninvested cash
	PeriodsPerYear float64
}

func (o BacktestOptions) check() error {
	switch {
	case !(o.Start > 0) || o.Start > maxBacktestMoney:
		return fmt.Errorf("%w: invalid starting amount %v", ErrInvalidBacktest, o.Start)
	case !(o.Rate >= 0) || o.Rate >= highestCost || !(o.Fixed >= 0) || o.Fixed > maxBacktestMoney:
		return fmt.Errorf("%w: invalid costs of %v of the traded value and %v per trade; they must not be negative (write 10 basis points as 0.001)", ErrInvalidBacktest, o.Rate, o.Fixed)
	case !(o.PeriodsPerYear > 0):
		return fmt.Errorf("%w: invalid number of periods per year %v", ErrInvalidBacktest, o.PeriodsPerYear)
	case !(math.Abs(o.CashRate) < 1):
		return fmt.Errorf("%w: invalid cash rate %v; write 4%% as 0.04", ErrInvalidBacktest, o.CashRate)
	}
	return nil
}

// BacktestResult is the result of a strategy. Its curves start at the first decision.
type BacktestResult struct {
	Dates    []time.Time
	Equity   []float64 // at each close
	Returns  []float64 // from each close to the next; one fewer than closes
	Exposure []float64 // invested fraction at each close
	Trades   int       // each trade is of one asset
	Turnover float64   // annual: half of the traded value divided by the equity at the time
	Costs    float64   // total paid
	Weights  []float64 // held at the end, by asset
}

const (
	defaultStart     = 10_000
	maxBacktestMoney = 1e15 // in any unit; a larger amount is a mistake
	maxEquity        = 1e30 // above any real equity
	highestCost      = 0.5  // fraction of the traded value
)

// Backtest runs a strategy. The first decision is made at the close of the date that ends its warm-up, so
// that strategies with equal warm-ups are comparable.
func Backtest(p Prices, s Strategy, o BacktestOptions) (BacktestResult, error) {
	return BacktestFrom(p, s, o, 0)
}

// BacktestFrom works like Backtest with the first decision not before the date at index first, so that strategies
// can be compared over the same dates.
func BacktestFrom(p Prices, s Strategy, o BacktestOptions, first int) (BacktestResult, error) {
	if o.Start == 0 {
		o.Start = defaultStart
	}
	if err := p.check(); err != nil {
		return BacktestResult{}, err
	}
	if err := s.check(len(p.Closes)); err != nil {
		return BacktestResult{}, err
	}
	if err := o.check(); err != nil {
		return BacktestResult{}, err
	}
	first = max(first, s.Warmup()-1, 0)
	if first > len(p.Dates)-3 {
		return BacktestResult{}, fmt.Errorf("%w: %d dates, but the rule needs %d before it starts; use a longer history or fewer bars in the rule", ErrInvalidBacktest, len(p.Dates), first+1)
	}
	assets := len(p.Closes)
	b := &backtestAccount{prices: p, options: o, units: make([]float64, assets), cash: o.Start, equity: o.Start, last: make([]float64, assets)}
	var traded float64
	r := BacktestResult{}
	for i := first; i < len(p.Dates); i++ {
		if i > first {
			b.cash *= math.Pow(1+o.CashRate, 1/o.PeriodsPerYear)
			traded += b.trade(i)
		}
		if b.markToMarket(i); !(b.equity > 0) {
			return BacktestResult{}, fmt.Errorf("%w: costs used up the portfolio by %s; start with more money, or trade less", ErrInvalidBacktest, p.Dates[i].Format(time.DateOnly))
		}
		if b.equity > maxEquity {
			return BacktestResult{}, fmt.Errorf("%w: the equity is %.3g on %s; check the prices of that day and the previous one", ErrInvalidBacktest, b.equity, p.Dates[i].Format(time.DateOnly))
		}
		r.Dates, r.Equity, r.Exposure = append(r.Dates, p.Dates[i]), append(r.Equity, b.equity), append(r.Exposure, 1-b.cash/b.equity)
		if i < len(p.Dates)-1 {
			view := p.historyUntil(i)
			view.First = i == first
			b.target = s.Decide(view, b.weights())
		}
	}
	for i := 1; i < len(r.Equity); i++ {
		r.Returns = append(r.Returns, r.Equity[i]/r.Equity[i-1]-1)
	}
	r.Trades, r.Costs, r.Weights = b.trades, b.costs, b.weights()
	r.Turnover = traded / 2 / (float64(len(r.Returns)) / o.PeriodsPerYear)
	return r, nil
}

// backtestAccount holds the positions.
type backtestAccount struct {
	prices  Prices
	options BacktestOptions
	units   []float64
	cash    float64
	equity  float64
	last    []float64 // prices at the last mark
	target  []float64 // decided weights, traded at the next bar; nil for no change

	trades int
	costs  float64
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

// trade executes previous decisions on date i and returns the traded value as a fraction of equity. Costs
// reduce all positions in proportion, so that nothing is borrowed to pay them.
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

// targetBase returns the value of a weight of one: the equity, or less if kept positions and weights
// together exceed it.
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

// afterCosts returns the equity after the costs of trading to the target. Costs and equity depend on each
// other, so it iterates; each step reduces the error by the factor of the cost rate. A trade that was
// charged once stays charged: without its fixed cost it would be made again.
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
