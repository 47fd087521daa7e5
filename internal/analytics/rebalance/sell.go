package rebalance

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"
)

// maxRounds limits how often rounding remainders are processed again. Each round makes a trade
// larger by at least one step; a few are enough.
const maxRounds = 64

// raiseCash sells positions of an account with negative cash until it is zero: first those furthest
// above target, then those below.
func (d *planner) raiseCash(t *cashAccount) error {
	for _, within := range []bool{true, false} {
		for _, a := range d.positionsByExcess(t) {
			if !t.cash.IsNegative() {
				return nil
			}
			if d.request.OnlyBuy {
				break
			}
			d.raiseFrom(t, a, within)
		}
	}
	if t.cash.IsNegative() {
		return fmt.Errorf("%w: account %s is short by %s, and its sellable positions do not cover it; deposit more or withdraw less", ErrNotEnoughCash, t.Name, t.cash.Neg())
	}
	return nil
}

// positionsByExcess returns the positions of an account, those furthest above their targets first.
func (d *planner) positionsByExcess(t *cashAccount) []*asset {
	var out []*asset
	for _, a := range d.assets {
		if t.positions[a.symbol].nextLot() != nil {
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b *asset) int { return b.excess().Cmp(a.excess()) })
	return out
}

func (a *asset) excess() decimal.Decimal { return a.value.Sub(a.target) }

func (d *planner) raiseFrom(t *cashAccount, a *asset, within bool) {
	s := orderKey{t.Name, a.symbol, Sell}
	need := t.cash.Neg()
	if d.trades[s] == nil {
		need = need.Add(d.request.Fee.Fixed)
	}
	free := t.positions[a.symbol].sellable()
	most := free
	if within {
		most = decimal.Min(most, wholeSteps(a.excess(), a.price, a.step))
	}
	quantity := decimal.Min(wholeStepsUp(need, a.price.Mul(decimalOne().Sub(d.request.Fee.Rate)), a.step), most)
	value := quantity.Mul(a.price)
	if quantity.IsPositive() && d.fee(s, value).LessThan(value) {
		d.sellFrom(t, a, quantity)
	}
}

// sell sells positions above their target, or above the edge of their band, unless cash alone brings all of
// them inside.
func (d *planner) sell() {
	if d.cashSuffices() {
		return
	}
	for range maxRounds {
		sold := false
		for i, value := range d.sellValues() {
			a := d.assets[i]
			if value.IsPositive() && d.sellAsset(a, value) {
				sold = true
			}
		}
		if !sold {
			return
		}
	}
}

// cashSuffices reports whether cash alone brings all assets inside their bands.
func (d *planner) cashSuffices() bool {
	for _, a := range d.assets {
		if a.value.GreaterThan(a.high) {
			return false
		}
	}
	idle := d.idleCash()
	if idle.IsNegative() && d.cash().LessThan(d.lowCash()) {
		return false
	}
	return !d.shortage().GreaterThan(decimal.Max(idle, decimal.Zero))
}

// lowCash returns the lower edge of the band of cash.
func (d *planner) lowCash() decimal.Decimal {
	weight := d.cashWeight()
	return weight.Sub(d.request.Band.of(weight)).Mul(d.base)
}

// reserveTarget returns the cash that is not spent on assets outside their band: its target or, if only
// band edges are targeted and cash is below that, the current cash or the edge of its own band. It is
// computed once, before sales, because their proceeds are meant to be spent.
func (d *planner) reserveTarget() decimal.Decimal {
	target := d.cashWeight().Mul(d.base)
	if d.request.Aim != AimEdge {
		return target
	}
	return decimal.Min(target, decimal.Max(d.lowCash(), d.cash()))
}

// spareCash returns the cash above reservedCash.
func (d *planner) spareCash() decimal.Decimal { return d.cash().Sub(d.reservedCash) }

// shortage returns the cash needed to bring all assets to the lower edge of their bands.
func (d *planner) shortage() decimal.Decimal {
	sum := decimal.Zero
	for _, a := range d.assets {
		sum = sum.Add(d.shortfall(a))
	}
	return sum
}

// shortfall returns the value to buy of an asset to reach the lower edge of its band, in whole steps,
// because nothing is sold to buy a fraction of one.
func (d *planner) shortfall(a *asset) decimal.Decimal {
	value := wholeSteps(a.low.Sub(a.value), a.price, a.step).Mul(a.price)
	if _, barred := d.purchaseBarred(a); barred || !a.traded && value.LessThan(d.request.MinTrade) {
		return decimal.Zero
	}
	return value
}

// sellValues returns the value to sell of each asset.
func (d *planner) sellValues() []decimal.Decimal {
	out := make([]decimal.Decimal, len(d.assets))
	if d.request.Aim != AimEdge {
		for i, a := range d.assets {
			out[i] = a.excess()
		}
		return out
	}
	gaps := make([]decimal.Decimal, len(d.assets))
	proceeds := decimal.Zero
	for i, a := range d.assets {
		out[i] = decimal.Max(a.value.Sub(a.high), decimal.Zero)
		gaps[i] = a.excess().Sub(out[i])
		proceeds = proceeds.Add(out[i])
	}
	for i, more := range fillLargestFirst(gaps, d.shortage().Sub(d.spareCash().Add(proceeds))) {
		out[i] = out[i].Add(more)
	}
	return out
}

// sellAsset sells a value of an asset, in untaxed accounts first, and reports whether it sold
// anything.
func (d *planner) sellAsset(a *asset, value decimal.Decimal) bool {
	quantity := wholeSteps(value, a.price, a.step)
	if d.request.Aim != AimEdge && !a.step.LessThan(decimalOne()) { // fractions are close enough
		quantity = nearestSteps(value, a.price, a.step)
	}
	if !value.LessThan(a.value) {
		quantity = d.sellable(a) // including the last fraction
	}
	if !quantity.IsPositive() {
		return false
	}
	sold := false
	for _, o := range d.sellOrders(a, quantity) {
		s := orderKey{o.account.Name, a.symbol, Sell}
		if !d.worthTrading(s, o.quantity.Mul(a.price)) {
			if o.quantity.IsPositive() {
				a.tooSmall = true
			}
			continue
		}
		d.sellFrom(o.account, a, o.quantity)
		sold = true
	}
	return sold
}

// sellable returns how much of an asset may be sold in all accounts.
func (d *planner) sellable(a *asset) decimal.Decimal {
	sum := decimal.Zero
	for _, t := range d.accounts {
		sum = sum.Add(t.positions[a.symbol].sellable())
	}
	return sum
}

// sellOrder is a sale of an asset in an account.
type sellOrder struct {
	account            *cashAccount
	quantity, sellable decimal.Decimal
	nextLot            int // index of the first lot not used yet
	rest               decimal.Decimal
}

// sellOrders divides a quantity among accounts: untaxed ones by size, then lot by lot with the
// lowest tax.
func (d *planner) sellOrders(a *asset, quantity decimal.Decimal) []*sellOrder {
	var all []*sellOrder
	for _, t := range d.accounts {
		if free := t.positions[a.symbol].sellable(); free.IsPositive() {
			all = append(all, &sellOrder{account: t, sellable: free})
		}
	}
	slices.SortStableFunc(all, func(x, y *sellOrder) int {
		return cmp.Or(compareFlags(y.account.Untaxed, x.account.Untaxed), y.sellable.Cmp(x.sellable))
	})
	taxed := slices.IndexFunc(all, func(o *sellOrder) bool { return !o.account.Untaxed })
	if taxed < 0 {
		taxed = len(all)
	}
	for _, o := range all[:taxed] {
		o.quantity = o.wholeSteps(quantity, a.step)
		quantity = quantity.Sub(o.quantity)
	}
	for quantity.IsPositive() {
		o, size := cheapestOrder(all[taxed:], a)
		if o == nil {
			break
		}
		size = decimal.Min(size, quantity)
		o.quantity, o.rest, quantity = o.quantity.Add(size), o.rest.Add(size), quantity.Sub(size)
	}
	for _, o := range all[taxed:] {
		o.quantity = o.wholeSteps(o.quantity, a.step)
	}
	return all
}

// wholeSteps returns as much of a quantity as the account can sell in whole steps, or its whole position.
func (o *sellOrder) wholeSteps(quantity, step decimal.Decimal) decimal.Decimal {
	if !quantity.LessThan(o.sellable) {
		return o.sellable
	}
	return wholeSteps(quantity, decimalOne(), step)
}

// cheapestOrder returns the order whose next lot costs the least tax, and how much is left of that lot.
func cheapestOrder(orders []*sellOrder, a *asset) (best *sellOrder, size decimal.Decimal) {
	for _, o := range orders {
		lots := o.account.positions[a.symbol].lots
		for o.nextLot < len(lots) && !o.rest.LessThan(lots[o.nextLot].Quantity) {
			o.rest = o.rest.Sub(lots[o.nextLot].Quantity)
			o.nextLot++
		}
		if o.nextLot == len(lots) || lots[o.nextLot].keepLoss {
			continue
		}
		if best == nil || lots[o.nextLot].compareTax(best.account.positions[a.symbol].lots[best.nextLot]) < 0 {
			best, size = o, lots[o.nextLot].Quantity.Sub(o.rest)
		}
	}
	return best, size
}

// sellFrom sells a quantity, which must be sellable, in an account.
func (d *planner) sellFrom(t *cashAccount, a *asset, quantity decimal.Decimal) {
	s := orderKey{t.Name, a.symbol, Sell}
	taken := t.positions[a.symbol].remove(quantity)
	for _, l := range taken {
		a.soldAtLoss = a.soldAtLoss || l.taxed && (!l.gain.Valid || l.gain.Decimal.IsNegative())
	}
	d.lots[s] = append(d.lots[s], taken...)
	d.recordTrade(t, a, Sell, quantity)
}
