package rebalance

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"
)

// mostRounds bounds how often what rounding left over is looked at again. Each round
// makes a trade larger by a step at least; a few are enough.
const mostRounds = 64

// raise sells in an account that owes cash until it does not: what is furthest above
// its target first, and what is below only after that.
func (d *desk) raise(t *till) error {
	for _, within := range []bool{true, false} {
		for _, a := range d.above(t) {
			if !t.cash.IsNegative() {
				return nil
			}
			if d.r.OnlyBuy {
				break
			}
			d.raiseFrom(t, a, within)
		}
	}
	if t.cash.IsNegative() {
		return fmt.Errorf("%w: account %s is %s short, and nothing in it that may be sold covers that; pay it in, or take less out", ErrCash, t.Name, t.cash.Neg())
	}
	return nil
}

// above are the assets that an account has, those furthest above their targets first.
func (d *desk) above(t *till) []*asset {
	var out []*asset
	for _, a := range d.assets {
		if t.stocks[a.symbol].front() != nil {
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b *asset) int { return b.excess().Cmp(a.excess()) })
	return out
}

func (a *asset) excess() decimal.Decimal { return a.held.Sub(a.target) }

func (d *desk) raiseFrom(t *till, a *asset, within bool) {
	s := slip{t.Name, a.symbol, Sell}
	need := t.cash.Neg()
	if d.trades[s] == nil {
		need = need.Add(d.r.Fee.Fixed)
	}
	free := t.stocks[a.symbol].free()
	most := free
	if within {
		most = decimal.Min(most, steps(a.excess(), a.price, a.step))
	}
	quantity := decimal.Min(stepsUp(need, a.price.Mul(one().Sub(d.r.Fee.Rate)), a.step), most)
	value := quantity.Mul(a.price)
	if quantity.IsPositive() && d.fee(s, value).LessThan(value) {
		d.sellFrom(t, a, quantity)
	}
}

// sell sells what is above its target, or the edge of its band, if cash alone does
// not bring everything inside.
func (d *desk) sell() {
	if d.cured() {
		return
	}
	for range mostRounds {
		sold := false
		for i, value := range d.surplus() {
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

// cured tells whether cash alone brings everything inside its band.
func (d *desk) cured() bool {
	for _, a := range d.assets {
		if a.held.GreaterThan(a.high) {
			return false
		}
	}
	idle := d.idle()
	if idle.IsNegative() && d.cash().LessThan(d.lowCash()) {
		return false
	}
	return !d.shortage().GreaterThan(decimal.Max(idle, decimal.Zero))
}

// lowCash is the lower edge of the band of cash.
func (d *desk) lowCash() decimal.Decimal {
	weight := d.cashWeight()
	return weight.Sub(d.r.Band.of(weight)).Mul(d.base)
}

// keep is the cash that is not spent on what is outside its band: its target; where
// only the edges are aimed at and cash is below that, what there is, or the edge of
// its own band. It is asked for once, before anything is sold for others: what sales
// bring is not to be kept.
func (d *desk) keep() decimal.Decimal {
	target := d.cashWeight().Mul(d.base)
	if d.r.Aim != AimEdge {
		return target
	}
	return decimal.Min(target, decimal.Max(d.lowCash(), d.cash()))
}

// spare is the cash above that.
func (d *desk) spare() decimal.Decimal { return d.cash().Sub(d.floor) }

// shortage is what it takes to bring everything to the lower edge of its band.
func (d *desk) shortage() decimal.Decimal {
	sum := decimal.Zero
	for _, a := range d.assets {
		sum = sum.Add(d.lack(a))
	}
	return sum
}

// lack is what can be bought of an asset on the way to the lower edge of its band:
// whole steps, for nothing is to be sold for a part of one.
func (d *desk) lack(a *asset) decimal.Decimal {
	value := steps(a.low.Sub(a.held), a.price, a.step).Mul(a.price)
	if _, barred := d.barred(a); barred || !a.traded && value.LessThan(d.r.Smallest) {
		return decimal.Zero
	}
	return value
}

// surplus is the value to be sold of each asset.
func (d *desk) surplus() []decimal.Decimal {
	out := make([]decimal.Decimal, len(d.assets))
	if d.r.Aim != AimEdge {
		for i, a := range d.assets {
			out[i] = a.excess()
		}
		return out
	}
	rooms := make([]decimal.Decimal, len(d.assets))
	proceeds := decimal.Zero
	for i, a := range d.assets {
		out[i] = decimal.Max(a.held.Sub(a.high), decimal.Zero)
		rooms[i] = a.excess().Sub(out[i])
		proceeds = proceeds.Add(out[i])
	}
	for i, more := range level(rooms, d.shortage().Sub(d.spare().Add(proceeds))) {
		out[i] = out[i].Add(more)
	}
	return out
}

// sellAsset sells a value of an asset, in accounts that are not taxed first, and
// tells whether anything was.
func (d *desk) sellAsset(a *asset, value decimal.Decimal) bool {
	quantity := steps(value, a.price, a.step)
	if !value.LessThan(a.held) {
		quantity = d.free(a) // to the last fraction
	}
	if !quantity.IsPositive() {
		return false
	}
	sold := false
	for _, o := range d.offers(a, quantity) {
		s := slip{o.till.Name, a.symbol, Sell}
		if !d.worth(s, o.quantity.Mul(a.price)) {
			if o.quantity.IsPositive() {
				a.refused = true
			}
			continue
		}
		d.sellFrom(o.till, a, o.quantity)
		sold = true
	}
	return sold
}

// free is how much of an asset may be sold in all accounts.
func (d *desk) free(a *asset) decimal.Decimal {
	sum := decimal.Zero
	for _, t := range d.tills {
		sum = sum.Add(t.stocks[a.symbol].free())
	}
	return sum
}

// offer is what an account is to sell of an asset.
type offer struct {
	till           *till
	quantity, free decimal.Decimal
	next           int // the first lot that is not offered
	rest           decimal.Decimal
}

// offers divides a quantity among accounts: those that are not taxed by size, then
// lot by lot where the tax is least.
func (d *desk) offers(a *asset, quantity decimal.Decimal) []*offer {
	var all []*offer
	for _, t := range d.tills {
		if free := t.stocks[a.symbol].free(); free.IsPositive() {
			all = append(all, &offer{till: t, free: free})
		}
	}
	slices.SortStableFunc(all, func(x, y *offer) int {
		return cmp.Or(compareFlags(y.till.Untaxed, x.till.Untaxed), y.free.Cmp(x.free))
	})
	taxed := slices.IndexFunc(all, func(o *offer) bool { return !o.till.Untaxed })
	if taxed < 0 {
		taxed = len(all)
	}
	for _, o := range all[:taxed] {
		o.quantity = o.whole(quantity, a.step)
		quantity = quantity.Sub(o.quantity)
	}
	for quantity.IsPositive() {
		o, size := least(all[taxed:], a)
		if o == nil {
			break
		}
		size = decimal.Min(size, quantity)
		o.quantity, o.rest, quantity = o.quantity.Add(size), o.rest.Add(size), quantity.Sub(size)
	}
	for _, o := range all[taxed:] {
		o.quantity = o.whole(o.quantity, a.step)
	}
	return all
}

// whole is as much of a quantity as the account can sell in whole steps; or all.
func (o *offer) whole(quantity, step decimal.Decimal) decimal.Decimal {
	if !quantity.LessThan(o.free) {
		return o.free
	}
	return steps(quantity, one(), step)
}

// least finds the offer whose next lot costs the least tax, and how much is left of
// that lot.
func least(offers []*offer, a *asset) (best *offer, size decimal.Decimal) {
	for _, o := range offers {
		lots := o.till.stocks[a.symbol].lots
		for o.next < len(lots) && !o.rest.LessThan(lots[o.next].Quantity) {
			o.rest = o.rest.Sub(lots[o.next].Quantity)
			o.next++
		}
		if o.next == len(lots) || lots[o.next].kept {
			continue
		}
		if best == nil || lots[o.next].cheaper(best.till.stocks[a.symbol].lots[best.next]) < 0 {
			best, size = o, lots[o.next].Quantity.Sub(o.rest)
		}
	}
	return best, size
}

// sellFrom sells so much, which is free, out of an account.
func (d *desk) sellFrom(t *till, a *asset, quantity decimal.Decimal) {
	s := slip{t.Name, a.symbol, Sell}
	taken := t.stocks[a.symbol].take(quantity)
	for _, l := range taken {
		a.soldAtLoss = a.soldAtLoss || l.taxed && (!l.gain.Valid || l.gain.Decimal.IsNegative())
	}
	d.lots[s] = append(d.lots[s], taken...)
	d.book(t, a, Sell, quantity)
}
