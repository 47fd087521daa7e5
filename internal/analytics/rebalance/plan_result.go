package rebalance

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

// maxFeePasses limits how often a plan is repeated because its fees differ from those that its
// targets assumed. Each pass reduces the difference by the fee rate.
const maxFeePasses = 12

// Plan computes the trades. The same request gives the same plan. An invalid request yields
// ErrInvalidRequest; an account that owes more than can be raised by selling yields ErrNotEnoughCash.
func (r Request) Plan() (Plan, error) {
	if err := r.check(); err != nil {
		return Plan{}, err
	}
	fees, queues := decimal.Zero, r.lotQueues()
	var d *planner
	for range maxFeePasses {
		d = newPlanner(&r, queues)
		if !d.total.GreaterThan(fees) {
			return Plan{}, fmt.Errorf("%w: positions and cash are worth %s, trading fees are %s", ErrInvalidRequest, d.total, fees)
		}
		d.setTargets(fees)
		if err := d.run(); err != nil {
			return Plan{}, err
		}
		if d.fees.Equal(fees) {
			break
		}
		fees = d.fees
	}
	return d.plan(), nil
}

func (d *planner) plan() Plan {
	p := Plan{Total: d.total, Fees: d.fees, Drift: d.drift(), Skipped: d.skippedTrades()}
	for s, t := range d.trades {
		if s.side == Sell {
			d.fillLots(t, joinLots(d.lots[s]))
			p.Sold = p.Sold.Add(t.Value)
		} else {
			p.Bought = p.Bought.Add(t.Value)
		}
		p.Trades = append(p.Trades, *t)
	}
	slices.SortFunc(p.Trades, func(a, b Trade) int {
		return cmp.Or(compareFlags(a.Side == Buy, b.Side == Buy), cmp.Compare(a.Account, b.Account), cmp.Compare(a.Symbol, b.Symbol))
	})
	for _, t := range d.accounts {
		p.Cash = append(p.Cash, AccountCash{Account: t.Name, Before: t.Cash.Add(t.Flow), After: t.cash})
	}
	p.Turnover = decimal.Min(p.Bought, p.Sold).DivRound(p.Total, decimalPlaces)
	p.tax(d.request.Rates)
	if len(p.Trades) == 0 {
		p.Reason = p.reason()
	}
	return p
}

func (p *Plan) reason() string {
	switch {
	case len(p.Skipped) > 0:
		return "nothing can be traded now; see the skipped trades"
	case slices.ContainsFunc(p.Drift, func(d Drift) bool { return d.Outside }):
		return "positions outside their band cannot be moved closer to the target"
	}
	return "everything is within its band, and cash is not above its target"
}

// fillLots sets the lots of a sale. Proceeds are after the fee, in proportion to quantity.
func (d *planner) fillLots(t *Trade, lots []saleLot) {
	t.Gain, t.Tax = decimal.NewNullDecimal(decimal.Zero), decimal.NewNullDecimal(decimal.Zero)
	net, left := t.Value.Sub(t.Fee), t.Quantity
	for _, l := range lots {
		use := LotUse{Lot: l.ID, Acquired: l.Acquired, Term: l.term, Quantity: l.Quantity, Cost: l.Cost, Proceeds: net}
		if !left.Equal(l.Quantity) {
			use.Proceeds = net.Mul(l.Quantity).DivRound(left, decimalPlaces)
		}
		net, left = net.Sub(use.Proceeds), left.Sub(l.Quantity)
		if l.Cost.Valid {
			use.Gain = decimal.NewNullDecimal(use.Proceeds.Sub(l.Cost.Decimal))
		}
		switch rate := d.request.Rates.of(l.term); {
		case t.Untaxed:
			use.Tax = decimal.NewNullDecimal(decimal.Zero)
		case rate.Valid && use.Gain.Valid:
			use.Tax = decimal.NewNullDecimal(use.Gain.Decimal.Mul(rate.Decimal))
		}
		t.Gain, t.Tax = addKnown(t.Gain, use.Gain), addKnown(t.Tax, use.Tax)
		t.Lots = append(t.Lots, use)
	}
}

// addKnown returns the sum, which is invalid if either value is.
func addKnown(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(a.Decimal.Add(b.Decimal))
}

// tax adds up gains by term and offsets losses against gains.
func (p *Plan) tax(rates TaxRates) {
	sums := map[tax.Term]decimal.Decimal{}
	known := true
	for _, t := range p.Trades {
		for _, l := range t.Lots {
			switch {
			case t.Untaxed:
			case !l.Gain.Valid:
				p.Unknown, known = p.Unknown.Add(l.Proceeds), false
			default:
				sums[l.Term] = sums[l.Term].Add(l.Gain.Decimal)
				known = known && rates.of(l.Term).Valid
			}
		}
	}
	for _, term := range []tax.Term{tax.TermNone, tax.TermShort, tax.TermLong, tax.TermUnknown} {
		if gain, ok := sums[term]; ok {
			p.Gains = append(p.Gains, TermGain{term, gain})
		}
	}
	if known && (rates.Short.Valid || rates.Long.Valid) {
		p.Tax = decimal.NewNullDecimal(offsetGains(p.Gains, rates))
	}
}

// offsetGains returns the tax after offsetting losses against the gains of other terms.
func offsetGains(gains []TermGain, rates TaxRates) decimal.Decimal {
	lost, due := decimal.Zero, decimal.Zero
	for _, g := range gains {
		lost = lost.Sub(decimal.Min(g.Gain, decimal.Zero))
	}
	for _, g := range gains {
		gain := decimal.Max(g.Gain, decimal.Zero)
		against := decimal.Min(gain, lost)
		lost = lost.Sub(against)
		due = due.Add(gain.Sub(against).Mul(rates.of(g.Term).Decimal))
	}
	return due
}

func (d *planner) drift() []Drift {
	out := make([]Drift, 0, len(d.assets)+1)
	after := d.total.Sub(d.fees)
	cashAfter, cashBefore := after, d.total
	for _, a := range d.assets {
		out = append(out, d.driftRow(a.weight, a.valueBefore, a.value))
		out[len(out)-1].Symbol = a.symbol
		cashAfter, cashBefore = cashAfter.Sub(a.value), cashBefore.Sub(a.valueBefore)
	}
	cash := d.driftRow(d.cashWeight(), cashBefore, cashAfter)
	cash.Outside = cash.Outside && cash.Drift.IsNegative()
	cash.OutsideAfter = cash.OutsideAfter && cash.WeightAfter.LessThan(cash.Target)
	return append(out, cash)
}

func (d *planner) driftRow(target, before, after decimal.Decimal) Drift {
	band := d.request.Band.of(target)
	left := d.total.Sub(d.fees)
	row := Drift{
		Value: before, Weight: before.DivRound(d.total, decimalPlaces), Target: target, Band: band,
		ValueAfter: after, WeightAfter: after.DivRound(left, decimalPlaces),
	}
	row.Drift = row.Weight.Sub(target)
	row.Outside = before.Sub(target.Mul(d.total)).Abs().GreaterThan(band.Mul(d.total))
	row.OutsideAfter = after.Sub(target.Mul(left)).Abs().GreaterThan(band.Mul(left))
	return row
}

// skippedTrades explains positions that remain outside their band, and trades that were skipped.
func (d *planner) skippedTrades() []SkippedTrade {
	var out []SkippedTrade
	for _, a := range d.assets {
		if l, left := d.remainingGap(a); left {
			out = append(out, l)
		}
	}
	return out
}

// remainingGap returns the trade that an asset still needs to be within its band, with the reason why it
// was skipped.
func (d *planner) remainingGap(a *asset) (SkippedTrade, bool) {
	gap := a.excess()
	outside := a.value.GreaterThan(a.high) || a.value.LessThan(a.low)
	small := gap.Abs().LessThan(a.step.Mul(a.price))
	l := SkippedTrade{Symbol: a.symbol, Side: Sell, Value: gap.Abs(), Reason: TooSmall}
	if !gap.IsNegative() {
		switch {
		case d.request.OnlyBuy:
			l.Reason = PurchasesOnly
		case !small && d.keepsLoss(a):
			l.Reason = WashSale
		}
		return l, gap.IsPositive() && (outside || a.tooSmall && !a.traded)
	}
	l.Side = Buy
	from, barred := d.purchaseBarred(a)
	switch {
	case barred:
		l.Reason, l.From = WashSale, from
	case !small && !a.tooSmall && d.cash().GreaterThanOrEqual(a.step.Mul(a.price)):
		l.Reason = CashKept
	case !small && !a.tooSmall:
		l.Reason = NoCash
	}
	return l, outside || barred && !small || a.tooSmall && !a.traded
}

// keepsLoss reports whether an account keeps a lot of an asset because of its loss.
func (d *planner) keepsLoss(a *asset) bool {
	for _, t := range d.accounts {
		if s := t.positions[a.symbol]; s != nil && slices.ContainsFunc(s.lots, func(l saleLot) bool { return l.keepLoss }) {
			return true
		}
	}
	return false
}
