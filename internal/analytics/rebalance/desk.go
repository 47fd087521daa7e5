package rebalance

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// places are those of weights and of parts of sums.
const places = 12

// desk is where a plan is worked out: what is held now, and the trades so far.
type desk struct {
	r      *Request
	tills  []*till  // by name
	assets []*asset // by symbol
	trades map[slip]*Trade
	lots   map[slip][]lot // that sales took
	total  decimal.Decimal
	base   decimal.Decimal // total less the fees that the plan will cost: what weights are of
	fees   decimal.Decimal // so far
	floor  decimal.Decimal // of cash: what is outside its band does not get what is below
}

// slip names an order.
type slip struct {
	account string
	symbol  market.Symbol
	side    Side
}

// till is an account at work.
type till struct {
	*Account
	cash   decimal.Decimal
	stocks map[market.Symbol]*stock
}

// asset is a symbol at work. Target, low and high are values.
type asset struct {
	symbol            market.Symbol
	price, step       decimal.Decimal
	weight            decimal.Decimal
	target, low, high decimal.Decimal
	held              decimal.Decimal // value in all accounts
	began             decimal.Decimal // held before the plan
	soldAtLoss        bool            // in this plan, in a taxed account
	traded            bool
	refused           bool // an order that was wanted would have been too small
}

// newDesk lays everything out. Stocks are those of each account, which are copied:
// a plan may have to be made more than once.
func newDesk(r *Request, stocks []map[market.Symbol]*stock) *desk {
	d := &desk{r: r, trades: map[slip]*Trade{}, lots: map[slip][]lot{}}
	found := map[market.Symbol]*asset{}
	for _, t := range r.Targets {
		step, named := r.Steps[t.Symbol]
		if !named {
			step = one()
		}
		a := &asset{symbol: t.Symbol, price: r.Prices[t.Symbol], step: step, weight: t.Weight}
		found[t.Symbol] = a
		d.assets = append(d.assets, a)
	}
	for i := range r.Accounts {
		t := &till{Account: &r.Accounts[i], stocks: map[market.Symbol]*stock{}}
		t.cash = t.Cash.Add(t.Flow)
		d.total = d.total.Add(t.cash)
		for _, h := range t.Holdings {
			if r.Leave[h.Symbol] || h.Quantity.IsZero() {
				continue
			}
			a := found[h.Symbol]
			a.began = a.began.Add(h.Quantity.Mul(a.price))
			t.stocks[h.Symbol] = stocks[i][h.Symbol].clone()
		}
		d.tills = append(d.tills, t)
	}
	slices.SortFunc(d.tills, func(a, b *till) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(d.assets, func(a, b *asset) int { return cmp.Compare(a.symbol, b.symbol) })
	for _, a := range d.assets {
		a.held = a.began
		d.total = d.total.Add(a.held)
	}
	return d
}

// aim sets the targets for what is left after fees.
func (d *desk) aim(fees decimal.Decimal) {
	d.base = d.total.Sub(fees)
	for _, a := range d.assets {
		band := d.r.Band.of(a.weight)
		a.target = a.weight.Mul(d.base)
		a.low, a.high = a.weight.Sub(band).Mul(d.base), a.weight.Add(band).Mul(d.base)
	}
}

// of is the band of a target.
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

// cash is that of all accounts, less the fees that are still to come.
func (d *desk) cash() decimal.Decimal {
	sum := d.base.Sub(d.total).Add(d.fees)
	for _, t := range d.tills {
		sum = sum.Add(t.cash)
	}
	return sum
}

// cashWeight is the target of cash.
func (d *desk) cashWeight() decimal.Decimal {
	weight := one()
	for _, a := range d.assets {
		weight = weight.Sub(a.weight)
	}
	return weight
}

// idle is cash above its target; below zero where it is short of it.
func (d *desk) idle() decimal.Decimal { return d.cash().Sub(d.cashWeight().Mul(d.base)) }

// run makes the trades.
func (d *desk) run() error {
	for _, t := range d.tills {
		if err := d.raise(t); err != nil {
			return err
		}
	}
	d.floor = d.keep()
	if !d.r.OnlyBuy {
		d.sell()
	}
	d.buy()
	return nil
}

// fee is what enlarging an order by a value costs: the fixed part is due once.
func (d *desk) fee(s slip, value decimal.Decimal) decimal.Decimal {
	if d.trades[s] != nil {
		return value.Mul(d.r.Fee.Rate)
	}
	return d.r.Fee.of(value)
}

// book writes an order down and settles it.
func (d *desk) book(t *till, a *asset, side Side, quantity decimal.Decimal) {
	s := slip{t.Name, a.symbol, side}
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
		t.cash, a.held = t.cash.Add(value).Sub(fee), a.held.Sub(value)
		return
	}
	t.cash, a.held = t.cash.Sub(value).Sub(fee), a.held.Add(value)
}

// worth tells whether an order of a value is to be made at all.
func (d *desk) worth(s slip, value decimal.Decimal) bool {
	if d.trades[s] != nil {
		return value.IsPositive()
	}
	return value.IsPositive() && !value.LessThan(d.r.Smallest) && d.r.Fee.of(value).LessThan(value)
}

// steps is the largest quantity of whole steps within a quantity that is a quotient:
// above over below, so that nothing is rounded on the way.
func steps(above, below, step decimal.Decimal) decimal.Decimal {
	if !above.IsPositive() {
		return decimal.Zero
	}
	whole, _ := above.QuoRem(below.Mul(step), 0)
	return whole.Mul(step)
}

// stepsUp is the smallest quantity of whole steps that is not below the quotient.
func stepsUp(above, below, step decimal.Decimal) decimal.Decimal {
	whole, rest := above.QuoRem(below.Mul(step), 0)
	if rest.IsPositive() {
		whole = whole.Add(one())
	}
	return whole.Mul(step)
}
