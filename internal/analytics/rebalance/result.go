package rebalance

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

// mostGuesses bounds how often a plan is made again because its fees were not those
// that its targets were computed with. Each time the difference is smaller by the
// rate of the fee.
const mostGuesses = 12

// Plan works out the trades. The same request gives the same plan. What no plan can
// be made of yields ErrInput, an account that owes more than may be sold ErrCash.
func (r Request) Plan() (Plan, error) {
	if err := r.check(); err != nil {
		return Plan{}, err
	}
	fees, stocks := decimal.Zero, r.stocks()
	var d *desk
	for range mostGuesses {
		d = newDesk(&r, stocks)
		if !d.total.GreaterThan(fees) {
			return Plan{}, fmt.Errorf("%w: holdings and cash come to %s, and the fees of trading to %s", ErrInput, d.total, fees)
		}
		d.aim(fees)
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

func (d *desk) plan() Plan {
	p := Plan{Total: d.total, TotalAfter: d.total.Sub(d.fees), Fees: d.fees, Drift: d.drift(), LeftOut: d.leftOut()}
	for s, t := range d.trades {
		if s.side == Sell {
			d.fill(t, d.lots[s])
			p.Sold = p.Sold.Add(t.Value)
		} else {
			p.Bought = p.Bought.Add(t.Value)
		}
		p.Trades = append(p.Trades, *t)
	}
	slices.SortFunc(p.Trades, func(a, b Trade) int {
		return cmp.Or(compareFlags(a.Side == Buy, b.Side == Buy), cmp.Compare(a.Account, b.Account), cmp.Compare(a.Symbol, b.Symbol))
	})
	for _, t := range d.tills {
		p.Cash = append(p.Cash, Cash{Account: t.Name, Before: t.Cash.Add(t.Flow), After: t.cash})
	}
	p.Turnover = decimal.Min(p.Bought, p.Sold).DivRound(p.Total, places)
	p.tax(d.r.Rates)
	if len(p.Trades) == 0 {
		p.Why = p.why()
	}
	return p
}

func (p *Plan) why() string {
	switch {
	case len(p.LeftOut) > 0:
		return "nothing can be done now: see what was left out"
	case slices.ContainsFunc(p.Drift, func(d Drift) bool { return d.Outside }):
		return "what is outside its band cannot be brought nearer to its target"
	}
	return "nothing is outside its band, and no cash is above its target"
}

// fill says what a sale takes. Proceeds are after the fee, in proportion to quantity.
func (d *desk) fill(t *Trade, lots []lot) {
	t.Gain, t.Tax = decimal.NewNullDecimal(decimal.Zero), decimal.NewNullDecimal(decimal.Zero)
	net, left := t.Value.Sub(t.Fee), t.Quantity
	for _, l := range lots {
		use := LotUse{Lot: l.ID, Acquired: l.Acquired, Term: l.term, Quantity: l.Quantity, Cost: l.Cost, Proceeds: net}
		if !left.Equal(l.Quantity) {
			use.Proceeds = net.Mul(l.Quantity).DivRound(left, places)
		}
		net, left = net.Sub(use.Proceeds), left.Sub(l.Quantity)
		if l.Cost.Valid {
			use.Gain = decimal.NewNullDecimal(use.Proceeds.Sub(l.Cost.Decimal))
		}
		switch rate := d.r.Rates.of(l.term); {
		case t.Untaxed:
			use.Tax = decimal.NewNullDecimal(decimal.Zero)
		case rate.Valid && use.Gain.Valid:
			use.Tax = decimal.NewNullDecimal(use.Gain.Decimal.Mul(rate.Decimal))
		}
		t.Gain, t.Tax = plus(t.Gain, use.Gain), plus(t.Tax, use.Tax)
		t.Lots = append(t.Lots, use)
	}
}

// plus is not known where one of both is not.
func plus(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(a.Decimal.Add(b.Decimal))
}

// tax sums gains up by term and sets losses against gains.
func (p *Plan) tax(rates Rates) {
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
		p.Tax = decimal.NewNullDecimal(netted(p.Gains, rates))
	}
}

// netted sets each loss against the gains of the other terms.
func netted(gains []TermGain, rates Rates) decimal.Decimal {
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

func (d *desk) drift() []Drift {
	out := make([]Drift, 0, len(d.assets)+1)
	after := d.total.Sub(d.fees)
	cashAfter, cashBefore := after, d.total
	for _, a := range d.assets {
		out = append(out, d.row(a.weight, a.began, a.held))
		out[len(out)-1].Symbol = a.symbol
		cashAfter, cashBefore = cashAfter.Sub(a.held), cashBefore.Sub(a.began)
	}
	cash := d.row(d.cashWeight(), cashBefore, cashAfter)
	cash.Outside = cash.Outside && cash.Drift.IsNegative()
	cash.OutsideAfter = cash.OutsideAfter && cash.WeightAfter.LessThan(cash.Target)
	return append(out, cash)
}

func (d *desk) row(target, before, after decimal.Decimal) Drift {
	band := d.r.Band.of(target)
	left := d.total.Sub(d.fees)
	row := Drift{
		Value: before, Weight: before.DivRound(d.total, places), Target: target, Band: band,
		ValueAfter: after, WeightAfter: after.DivRound(left, places),
	}
	row.Drift = row.Weight.Sub(target)
	row.Outside = before.Sub(target.Mul(d.total)).Abs().GreaterThan(band.Mul(d.total))
	row.OutsideAfter = after.Sub(target.Mul(left)).Abs().GreaterThan(band.Mul(left))
	return row
}

// leftOut says why what is still outside its band is, and what was refused.
func (d *desk) leftOut() []LeftOut {
	var out []LeftOut
	for _, a := range d.assets {
		if l, left := d.left(a); left {
			out = append(out, l)
		}
	}
	return out
}

// left is what an asset still lacks or has too much of, and why nothing was done
// about it.
func (d *desk) left(a *asset) (LeftOut, bool) {
	gap := a.excess()
	outside := a.held.GreaterThan(a.high) || a.held.LessThan(a.low)
	small := gap.Abs().LessThan(a.step.Mul(a.price))
	l := LeftOut{Symbol: a.symbol, Side: Sell, Value: gap.Abs(), Reason: TooSmall}
	if !gap.IsNegative() {
		switch {
		case d.r.OnlyBuy:
			l.Reason = BuysOnly
		case !small && d.keeps(a):
			l.Reason = WouldWash
		}
		return l, gap.IsPositive() && (outside || a.refused && !a.traded)
	}
	l.Side = Buy
	from, barred := d.barred(a)
	switch {
	case barred:
		l.Reason, l.From = WouldWash, from
	case !small && !a.refused:
		l.Reason = NoCash
	}
	return l, outside || barred && !small || a.refused && !a.traded
}

// keeps tells whether an account keeps a lot of an asset for its loss.
func (d *desk) keeps(a *asset) bool {
	for _, t := range d.tills {
		if s := t.stocks[a.symbol]; s != nil && slices.ContainsFunc(s.lots, func(l lot) bool { return l.kept }) {
			return true
		}
	}
	return false
}
