package rebalance

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// decimalPlaces is the precision of weights and shares of amounts.
const decimalPlaces = 16

// planner computes a plan. It holds the current positions and the trades so far.
type planner struct {
	request      *Request
	accounts     []*cashAccount // by name
	assets       []*asset       // by symbol
	trades       map[orderKey]*Trade
	lots         map[orderKey][]saleLot // taken by sales
	total        decimal.Decimal
	base         decimal.Decimal // total less the fees of the plan, the basis of weights
	fees         decimal.Decimal // so far
	reservedCash decimal.Decimal // not spent on positions outside their band
}

// orderKey identifies an order.
type orderKey struct {
	account string
	symbol  market.Symbol
	side    Side
}

// cashAccount is the state of an account during planning.
type cashAccount struct {
	*Account
	cash      decimal.Decimal
	positions map[market.Symbol]*lotQueue
}

// asset is the state of a symbol during planning. Target, low and high are values.
type asset struct {
	symbol            market.Symbol
	price, step       decimal.Decimal
	weight            decimal.Decimal
	target, low, high decimal.Decimal
	value             decimal.Decimal // value in all accounts
	valueBefore       decimal.Decimal // held before the plan
	soldAtLoss        bool            // in this plan, in a taxed account
	traded            bool
	tooSmall          bool // an order was skipped because it was too small
}

// newPlanner prepares the accounts and assets of a plan. It copies the lots of each account, because a plan
// may have to be computed more than once.
func newPlanner(r *Request, queues []map[market.Symbol]*lotQueue) *planner {
	d := &planner{request: r, trades: map[orderKey]*Trade{}, lots: map[orderKey][]saleLot{}}
	found := map[market.Symbol]*asset{}
	for _, t := range r.Targets {
		step, named := r.Steps[t.Symbol]
		if !named {
			step = decimalOne()
		}
		a := &asset{symbol: t.Symbol, price: r.Prices[t.Symbol], step: step, weight: t.Weight}
		found[t.Symbol] = a
		d.assets = append(d.assets, a)
	}
	for i := range r.Accounts {
		t := &cashAccount{Account: &r.Accounts[i], positions: map[market.Symbol]*lotQueue{}}
		t.cash = t.Cash.Add(t.Flow)
		d.total = d.total.Add(t.cash)
		for _, h := range t.Positions {
			if r.Excluded[h.Symbol] || h.Quantity.IsZero() {
				continue
			}
			a := found[h.Symbol]
			a.valueBefore = a.valueBefore.Add(h.Quantity.Mul(a.price))
			t.positions[h.Symbol] = queues[i][h.Symbol].clone()
		}
		d.accounts = append(d.accounts, t)
	}
	slices.SortFunc(d.accounts, func(a, b *cashAccount) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(d.assets, func(a, b *asset) int { return cmp.Compare(a.symbol, b.symbol) })
	for _, a := range d.assets {
		a.value = a.valueBefore
		d.total = d.total.Add(a.value)
	}
	return d
}

// setTargets sets the targets for the value after fees.
func (d *planner) setTargets(fees decimal.Decimal) {
	d.base = d.total.Sub(fees)
	for _, a := range d.assets {
		band := d.request.Band.of(a.weight)
		a.target = a.weight.Mul(d.base)
		a.low, a.high = a.weight.Sub(band).Mul(d.base), a.weight.Add(band).Mul(d.base)
	}
}

// of returns the band of a target.
func (b Band) of(weight decimal.Decimal) decimal.Decimal {
	relative := b.Relative.Decimal.Mul(weight)
	switch {
	case b.Absolute.Valid && b.Relative.Valid:
		return decimal.Min(b.Absolute.Decimal, relative)
	case b.Absolute.Valid:
		return b.Absolute.Decimal
	case b.Relative.Valid:
		return relative
	}
	return decimal.Zero
}

// cash returns the cash of all accounts, less the fees still due.
func (d *planner) cash() decimal.Decimal {
	sum := d.base.Sub(d.total).Add(d.fees)
	for _, t := range d.accounts {
		sum = sum.Add(t.cash)
	}
	return sum
}

// cashWeight returns the target weight of cash.
func (d *planner) cashWeight() decimal.Decimal {
	weight := decimalOne()
	for _, a := range d.assets {
		weight = weight.Sub(a.weight)
	}
	return weight
}

// idleCash returns the cash above its target; negative if cash is below it.
func (d *planner) idleCash() decimal.Decimal { return d.cash().Sub(d.cashWeight().Mul(d.base)) }

// run makes the trades.
func (d *planner) run() error {
	for _, t := range d.accounts {
		if err := d.raiseCash(t); err != nil {
			return err
		}
	}
	d.reservedCash = d.reserveTarget()
	if !d.request.OnlyBuy {
		d.sell()
	}
	d.buy()
	return nil
}

// fee returns the cost of increasing an order by a value. The fixed part is charged once.
func (d *planner) fee(s orderKey, value decimal.Decimal) decimal.Decimal {
	if d.trades[s] != nil {
		return value.Mul(d.request.Fee.Rate)
	}
	return d.request.Fee.of(value)
}

// recordTrade adds to an order and updates cash and value.
func (d *planner) recordTrade(t *cashAccount, a *asset, side Side, quantity decimal.Decimal) {
	s := orderKey{t.Name, a.symbol, side}
	value := quantity.Mul(a.price)
	fee := d.fee(s, value)
	order := d.trades[s]
	if order == nil {
		order = &Trade{Account: t.Name, Symbol: a.symbol, Side: side, Price: a.price, Untaxed: t.Untaxed}
		d.trades[s] = order
	}
	order.Quantity, order.Value, order.Fee = order.Quantity.Add(quantity), order.Value.Add(value), order.Fee.Add(fee)
	d.fees, a.traded = d.fees.Add(fee), true
	if side == Sell {
		t.cash, a.value = t.cash.Add(value).Sub(fee), a.value.Sub(value)
		return
	}
	t.cash, a.value = t.cash.Sub(value).Sub(fee), a.value.Add(value)
}

// worthTrading reports whether an order of a value should be made.
func (d *planner) worthTrading(s orderKey, value decimal.Decimal) bool {
	if d.trades[s] != nil {
		return value.IsPositive()
	}
	return value.IsPositive() && !value.LessThan(d.request.MinTrade) && d.request.Fee.of(value).LessThan(value)
}

// wholeSteps returns the largest quantity of whole steps within above / below. The quotient is not rounded
// before.
func wholeSteps(above, below, step decimal.Decimal) decimal.Decimal {
	if !above.IsPositive() {
		return decimal.Zero
	}
	whole, _ := above.QuoRem(below.Mul(step), 0)
	return whole.Mul(step)
}

// nearestSteps returns the quantity of whole steps nearest to above / below, with half a step rounded up.
func nearestSteps(above, below, step decimal.Decimal) decimal.Decimal {
	if !above.IsPositive() {
		return decimal.Zero
	}
	return wholeSteps(above.Add(below.Mul(step).Div(decimal.NewFromInt(2))), below, step)
}

// wholeStepsUp returns the smallest quantity of whole steps that is at least above / below.
func wholeStepsUp(above, below, step decimal.Decimal) decimal.Decimal {
	whole, rest := above.QuoRem(below.Mul(step), 0)
	if rest.IsPositive() {
		whole = whole.Add(decimalOne())
	}
	return whole.Mul(step)
}
