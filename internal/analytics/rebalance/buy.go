package rebalance

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// purchaseBarred reports whether an asset must not be bought because of a wash sale, and until
// when.
func (d *planner) purchaseBarred(a *asset) (from market.Date, barred bool) {
	from = d.request.BuyFrom[a.symbol]
	if again := d.request.Jurisdiction.RepurchaseFrom(d.request.Day); a.soldAtLoss && again.After(from) {
		from = again
	}
	return from, d.request.Day.Before(from)
}

// buy spends idle cash on assets below their target. Whole steps leave a remainder, so it repeats until
// nothing more can be bought.
func (d *planner) buy() {
	for range maxRounds {
		bought := false
		for i, value := range d.divideCash() {
			if value.IsPositive() && d.buyAsset(d.assets[i], value) {
				bought = true
			}
		}
		if !bought {
			return
		}
	}
}

// divideCash divides idle cash. As long as a part is too small to buy anything, the asset that lacks most,
// relative to its smallest purchase, is dropped and the others share its part.
func (d *planner) divideCash() []decimal.Decimal {
	w := d.buyNeeds()
	for {
		parts := w.allocate()
		worst, least := -1, decimalOne()
		for i, part := range parts {
			if !part.IsPositive() || !part.LessThan(w.smallest[i]) {
				continue
			}
			if reached := part.DivRound(w.smallest[i], decimalPlaces); worst < 0 || reached.LessThan(least) {
				worst, least = i, reached
			}
		}
		if worst < 0 {
			return parts
		}
		w.edge[worst], w.target[worst] = decimal.Zero, decimal.Zero
	}
}

// buyNeeds holds what each asset needs, in whole steps, to reach the edge of its band and its target; its
// smallest purchase; and the cash available for the edges and, if idle, for everything.
type buyNeeds struct {
	edge, target, smallest []decimal.Decimal
	spare, idle            decimal.Decimal
	edgesOnly              bool // spend nothing beyond the edges
}

func (d *planner) buyNeeds() buyNeeds {
	n := len(d.assets)
	w := buyNeeds{make([]decimal.Decimal, n), make([]decimal.Decimal, n), make([]decimal.Decimal, n), d.spareCash(), d.idleCash(), false}
	for i, a := range d.assets {
		w.smallest[i] = a.step.Mul(a.price)
		if !a.traded {
			w.smallest[i] = decimal.Max(w.smallest[i], d.request.MinTrade)
		}
		if _, barred := d.purchaseBarred(a); !barred {
			w.edge[i], w.target[i] = d.shortfall(a), a.target.Sub(a.value)
		}
	}
	// Keep cash that is too little for one step of an asset outside its band. Otherwise that amount would
	// have to be raised by selling next time.
	w.edgesOnly = d.request.Aim == AimEdge && !d.request.OnlyBuy && d.shortage().GreaterThan(w.spare)
	return w
}

// allocate first moves assets outside their band to its edge, and then spends the rest on those
// furthest below target.
func (w buyNeeds) allocate() []decimal.Decimal {
	parts := fillLargestFirst(w.edge, w.spare)
	if w.edgesOnly {
		return parts
	}
	left, gaps := w.idle, make([]decimal.Decimal, len(parts))
	for i, p := range parts {
		left, gaps[i] = left.Sub(p), w.target[i].Sub(p)
	}
	for i, p := range fillLargestFirst(gaps, left) {
		parts[i] = parts[i].Add(p)
	}
	return parts
}

// buyAsset buys for a value in the accounts with the most cash, and reports whether it bought
// anything.
func (d *planner) buyAsset(a *asset, value decimal.Decimal) bool {
	bought := false
	accounts := slices.Clone(d.accounts)
	slices.SortStableFunc(accounts, func(x, y *cashAccount) int { return cmp.Or(y.cash.Cmp(x.cash)) })
	for _, account := range accounts {
		s := orderKey{account.Name, a.symbol, Buy}
		quantity := decimal.Min(wholeSteps(value, a.price, a.step), d.affordable(account, a))
		cost := quantity.Mul(a.price)
		if !quantity.IsPositive() {
			continue
		}
		if !d.worthTrading(s, cost) {
			a.tooSmall = true
			continue
		}
		d.recordTrade(account, a, Buy, quantity)
		value, bought = value.Sub(cost), true
	}
	return bought
}

// affordable returns the quantity of an asset that the account's cash can buy, with the fee.
func (d *planner) affordable(t *cashAccount, a *asset) decimal.Decimal {
	cash := t.cash
	if d.trades[orderKey{t.Name, a.symbol, Buy}] == nil {
		cash = cash.Sub(d.request.Fee.Fixed)
	}
	return wholeSteps(cash, a.price.Mul(decimalOne().Add(d.request.Fee.Rate)), a.step)
}
