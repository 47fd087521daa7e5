package rebalance

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// barred tells whether an asset may not be bought, for it would wash a loss, and from
// when it may.
func (d *desk) barred(a *asset) (from market.Date, barred bool) {
	from = d.r.BuyFrom[a.symbol]
	if again := d.r.Jurisdiction.BuyAgain(d.r.Day); a.soldAtLoss && again.After(from) {
		from = again
	}
	return from, d.r.Day.Before(from)
}

// buy spends idle cash on what is below its target. Whole steps leave some over,
// which is spent again until nothing more can be had for it.
func (d *desk) buy() {
	for range mostRounds {
		bought := false
		for i, value := range d.shares() {
			if value.IsPositive() && d.buyAsset(d.assets[i], value) {
				bought = true
			}
		}
		if !bought {
			return
		}
	}
}

// shares divides idle cash. An asset whose share would not buy anything is left out,
// the one that is furthest from it first, and the others have it.
func (d *desk) shares() []decimal.Decimal {
	w := d.wants()
	for {
		parts := w.divide()
		worst, least := -1, one()
		for i, part := range parts {
			if !part.IsPositive() || !part.LessThan(w.smallest[i]) {
				continue
			}
			if reached := part.DivRound(w.smallest[i], places); worst < 0 || reached.LessThan(least) {
				worst, least = i, reached
			}
		}
		if worst < 0 {
			return parts
		}
		w.edge[worst], w.target[worst] = decimal.Zero, decimal.Zero
	}
}

// wants are what each asset lacks to the edge of its band, in whole steps, and to its
// target; the least that can be bought of it; and the cash that there is for the edges
// and, idle, for all.
type wants struct {
	edge, target, smallest []decimal.Decimal
	spare, idle            decimal.Decimal
	kept                   bool // nothing is spent beyond the edges
}

func (d *desk) wants() wants {
	n := len(d.assets)
	w := wants{make([]decimal.Decimal, n), make([]decimal.Decimal, n), make([]decimal.Decimal, n), d.spare(), d.idle(), false}
	for i, a := range d.assets {
		w.smallest[i] = a.step.Mul(a.price)
		if !a.traded {
			w.smallest[i] = decimal.Max(w.smallest[i], d.r.Smallest)
		}
		if _, barred := d.barred(a); !barred {
			w.edge[i], w.target[i] = d.lack(a), a.target.Sub(a.held)
		}
	}
	// What is too little for a step of what is outside its band is kept for it: spent
	// on something else, it would have to be raised by selling next time.
	w.kept = d.r.Aim == AimEdge && !d.r.OnlyBuy && d.shortage().GreaterThan(w.spare)
	return w
}

// divide brings what is outside its band to the edge first, and then spends what is
// left on what is furthest below its target.
func (w wants) divide() []decimal.Decimal {
	parts := level(w.edge, w.spare)
	if w.kept {
		return parts
	}
	left, rooms := w.idle, make([]decimal.Decimal, len(parts))
	for i, p := range parts {
		left, rooms[i] = left.Sub(p), w.target[i].Sub(p)
	}
	for i, p := range level(rooms, left) {
		parts[i] = parts[i].Add(p)
	}
	return parts
}

// buyAsset buys for a value in the accounts that have the most cash, and tells
// whether anything was bought.
func (d *desk) buyAsset(a *asset, value decimal.Decimal) bool {
	bought := false
	tills := slices.Clone(d.tills)
	slices.SortStableFunc(tills, func(x, y *till) int { return cmp.Or(y.cash.Cmp(x.cash)) })
	for _, t := range tills {
		s := slip{t.Name, a.symbol, Buy}
		quantity := decimal.Min(steps(value, a.price, a.step), d.affordable(t, a))
		cost := quantity.Mul(a.price)
		if !quantity.IsPositive() {
			continue
		}
		if !d.worth(s, cost) {
			a.refused = true
			continue
		}
		d.book(t, a, Buy, quantity)
		value, bought = value.Sub(cost), true
	}
	return bought
}

// affordable is how much of an asset an account has the cash for, fee and all.
func (d *desk) affordable(t *till, a *asset) decimal.Decimal {
	cash := t.cash
	if d.trades[slip{t.Name, a.symbol, Buy}] == nil {
		cash = cash.Sub(d.r.Fee.Fixed)
	}
	return steps(cash, a.price.Mul(one().Add(d.r.Fee.Rate)), a.step)
}
