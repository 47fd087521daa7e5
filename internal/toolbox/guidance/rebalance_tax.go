package guidance

import (
	"context"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// taxed sets what taxes have to do with it: rates, terms, and the losses of which
// the past forbids a purchase.
func (p *planner) taxed() error {
	r, own := &p.request, p.person.Tax
	r.Rates = rebalance.Rates{Short: own.ShortGains, Long: own.LongGains}
	if p.in.ShortRate != nil {
		r.Rates.Short = given(p.in.ShortRate)
	}
	if p.in.LongRate != nil {
		r.Rates.Long = given(p.in.LongRate)
	}
	if own.Jurisdiction == "" {
		p.note("no jurisdiction of taxes is known: there are no terms, and wash sales are not looked for; say it in your profile (tax_jurisdiction)")
	} else {
		var err error
		if r.Jurisdiction, err = tax.Find(own.Jurisdiction); err != nil {
			return fmt.Errorf("taxes of the profile: %w", err)
		}
	}
	if !r.Rates.Short.Valid && !r.Rates.Long.Valid {
		p.note("no rates of tax are known, so that no tax is told; give tax_short and tax_long, or say them in your profile")
	}
	exempt := map[market.Symbol]bool{}
	for sym, kind := range p.kinds {
		exempt[sym] = kind == kindCrypto
	}
	p.assessment = r.Jurisdiction.Assess(p.opened.Book, p.opened.Ledger.Accounts, tax.Options{AsOf: p.opened.Day, Exempt: exempt})
	r.KeepLosses, r.BuyFrom = map[market.Symbol]bool{}, map[market.Symbol]market.Date{}
	for sym := range r.Prices {
		for _, account := range p.accounts {
			if from := p.assessment.BuyFrom(sym, account); from.After(r.BuyFrom[sym]) {
				r.BuyFrom[sym] = from
			}
		}
	}
	return nil
}

// lots are a lot of the book as the plan sells it: in parts where a wash sale added a
// loss to the cost of some of its shares, which go first.
func (p *planner) lots(ctx context.Context, l portfolio.Lot) []rebalance.Lot {
	cost := p.cost(ctx, l)
	whole := rebalance.Lot{ID: l.ID, Acquired: l.Acquired, Quantity: l.Quantity, Cost: cost}
	added, told := p.added(l)
	switch {
	case len(added) == 0:
		return []rebalance.Lot{whole}
	case !told || l.Currency != p.valuation.Base || !cost.Valid:
		p.note("a loss that was not deductible belongs to lot %s of %s in a way that is not told apart here: its cost is not known", l.ID, l.Symbol)
		whole.Cost = decimal.NullDecimal{}
		return []rebalance.Lot{whole}
	}
	out, left := []rebalance.Lot{}, l.Quantity
	rest := cost.Decimal
	for _, a := range added {
		part := cost.Decimal.Mul(a.Quantity).DivRound(l.Quantity, pricePlaces)
		out = append(out, rebalance.Lot{ID: l.ID, Acquired: l.Acquired, Quantity: a.Quantity, Cost: decimal.NewNullDecimal(part.Add(a.Amount))})
		left, rest = left.Sub(a.Quantity), rest.Sub(part)
		if r := p.request; r.Jurisdiction.Held(a.HeldFrom, r.Day) != r.Jurisdiction.Held(l.Acquired, r.Day) {
			p.note("lot %s of %s replaced shares held from %s, and its term counts from then: the plan has it by its own day, so tax may be less", l.ID, l.Symbol, present.Dated(a.HeldFrom))
		}
	}
	if left.IsPositive() {
		out = append(out, rebalance.Lot{ID: l.ID, Acquired: l.Acquired, Quantity: left, Cost: decimal.NewNullDecimal(rest)})
	}
	return out
}

// added are the losses that wash sales added to a lot, and whether it is clear to
// which of its shares: of one that several accounts hold parts of it is not.
func (p *planner) added(l portfolio.Lot) (out []tax.Added, told bool) {
	left, parts := l.Quantity, 0
	for _, a := range p.assessment.Added {
		if a.Lot == l.ID && a.Symbol == l.Symbol {
			out, left = append(out, a), left.Sub(a.Quantity)
		}
	}
	for _, line := range p.valuation.Lines {
		for _, other := range line.Lots {
			if other.ID == l.ID && other.Symbol == l.Symbol {
				parts++
			}
		}
	}
	same := !slices.ContainsFunc(out, func(a tax.Added) bool { return a.Currency != l.Currency || !a.Quantity.IsPositive() })
	return out, same && parts == 1 && !left.IsNegative()
}

// cost is that of a lot in the currency of the plan, at the rate of the day on which
// it was acquired. It is not known where that day or its rate is not.
func (p *planner) cost(ctx context.Context, l portfolio.Lot) decimal.NullDecimal {
	if !l.Cost.Valid || l.Currency != p.valuation.Base && l.Acquired.IsZero() {
		return decimal.NullDecimal{}
	}
	rate, err := p.rates.On(ctx, l.Currency, p.valuation.Base, l.Acquired)
	if err != nil {
		p.note("the cost of lot %s of %s is not known in %s: %v", l.ID, l.Symbol, p.valuation.Base, err)
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(l.Cost.Decimal.Mul(rate.Rate.Value).Round(pricePlaces))
}

// solve plans, looks for losses that the plan itself could not deduct, and plans
// again without them. Each time there is one symbol more at the least.
func (p *planner) solve() error {
	for {
		plan, err := p.request.Plan()
		if err != nil {
			return err
		}
		p.plan = plan
		if !p.keep() {
			return nil
		}
	}
}

// keep bars the sales at a loss that a purchase of the last weeks would wash, and
// reports whether there were any.
func (p *planner) keep() bool {
	sold := p.soldWhole()
	found := false
	for _, t := range p.plan.Trades {
		if t.Side != rebalance.Sell || t.Untaxed || p.request.KeepLosses[t.Symbol] {
			continue
		}
		if outlook, washed := p.washed(t, sold[t.Symbol]); washed {
			p.request.KeepLosses[t.Symbol], found = true, true
			p.note("losses of %s are kept: a purchase of %s would wash them; from %s they would not be", t.Symbol, outlook.Purchases[len(outlook.Purchases)-1].Date.Format("2006-01-02"), outlook.SellFrom.Format("2006-01-02"))
		}
	}
	return found
}

// washed looks for a purchase that would disallow what a sale loses, apart from those of
// which nothing is left.
func (p *planner) washed(t rebalance.Trade, gone []string) (tax.Outlook, bool) {
	if !slices.ContainsFunc(t.Lots, atLoss) {
		return tax.Outlook{}, false
	}
	around := p.assessment.WouldWash(t.Symbol, t.Account, p.request.Day).Except(gone...)
	for _, l := range t.Lots {
		// The rest of a purchase does not replace the part of it that is sold.
		if o := around.Except(l.Lot); atLoss(l) && o.Washes() {
			return o, true
		}
	}
	return tax.Outlook{}, false
}

func atLoss(l rebalance.LotUse) bool { return !l.Gain.Valid || l.Gain.Decimal.IsNegative() }

// soldWhole are the lots of which the plan leaves nothing in any account.
func (p *planner) soldWhole() map[market.Symbol][]string {
	left := map[market.Symbol]map[string]decimal.Decimal{}
	for _, line := range p.valuation.Lines {
		left[line.Symbol] = map[string]decimal.Decimal{}
		for _, l := range line.Lots {
			left[line.Symbol][l.ID] = left[line.Symbol][l.ID].Add(l.Quantity)
		}
	}
	out := map[market.Symbol][]string{}
	for _, t := range p.plan.Trades {
		for _, l := range t.Lots {
			left[t.Symbol][l.Lot] = left[t.Symbol][l.Lot].Sub(l.Quantity)
			if left[t.Symbol][l.Lot].IsZero() {
				out[t.Symbol] = append(out[t.Symbol], l.Lot)
			}
		}
	}
	return out
}
