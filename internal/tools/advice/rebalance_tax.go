package advice

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// addTaxes sets tax rates, terms, and the losses that would be wash sales because of past
// purchases.
func (p *planner) addTaxes() error {
	r, taxes := &p.request, p.person.Tax
	r.Rates = rebalance.TaxRates{Short: taxes.ShortGains, Long: taxes.LongGains}
	if p.in.ShortRate != nil {
		r.Rates.Short = optionalDecimal(p.in.ShortRate)
	}
	if p.in.LongRate != nil {
		r.Rates.Long = optionalDecimal(p.in.LongRate)
	}
	if taxes.Jurisdiction == "" {
		p.notes.Warn("no_jurisdiction", "No tax jurisdiction is set; holding periods and wash sales are ignored. Set it: nfa profile")
	} else {
		var err error
		if r.Jurisdiction, err = tax.FindJurisdiction(taxes.Jurisdiction); err != nil {
			return fmt.Errorf("tax jurisdiction in the profile: %w", err)
		}
	}
	if !r.Rates.Short.Valid && !r.Rates.Long.Valid {
		p.notes.Warn("no_tax_rates", "No tax rates are known, so no tax is estimated. Set tax_short and tax_long, or your profile's rates.")
	}
	exempt := map[market.Symbol]bool{}
	for sym, kind := range p.kinds {
		exempt[sym] = kind == kindCrypto
	}
	p.assessment = r.Jurisdiction.Assess(p.opened.Engine, p.opened.Ledger.Accounts, tax.Options{AsOf: p.opened.Day, Exempt: exempt})
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

// splitLot returns a lot as the plan sells it. If a wash sale added a loss to the cost of some of
// its shares, the lot is split and those shares are sold first.
func (p *planner) splitLot(ctx context.Context, l portfolio.Lot) []rebalance.Lot {
	cost := p.lotCost(ctx, l)
	lot := rebalance.Lot{ID: l.ID, Acquired: l.Acquired, Quantity: l.Quantity, Cost: cost}
	added, known := p.addedLosses(l)
	switch {
	case len(added) == 0:
		return []rebalance.Lot{lot}
	case !known || l.Currency != p.valuation.Base || !cost.Valid:
		p.notes.Warn("unknown_lot_cost", "The cost basis of lot %s of %s is unknown: its share of a disallowed loss cannot be computed", l.ID, l.Symbol)
		lot.Cost = decimal.NullDecimal{}
		return []rebalance.Lot{lot}
	}
	out, remaining := []rebalance.Lot{}, l.Quantity
	remainingCost := cost.Decimal
	for _, a := range added {
		part := cost.Decimal.Mul(a.Quantity).DivRound(l.Quantity, pricePlaces)
		out = append(out, rebalance.Lot{ID: l.ID, Acquired: l.Acquired, Quantity: a.Quantity, Cost: decimal.NewNullDecimal(part.Add(a.Amount))})
		remaining, remainingCost = remaining.Sub(a.Quantity), remainingCost.Sub(part)
		if r := p.request; r.Jurisdiction.HoldingTerm(a.HeldFrom, r.Day) != r.Jurisdiction.HoldingTerm(l.Acquired, r.Day) {
			p.notes.Warn("longer_term", "Lot %s of %s replaced shares held since %s: its holding period is longer, so the tax may be lower", l.ID, l.Symbol, toolkit.FormatDate(a.HeldFrom))
		}
	}
	if remaining.IsPositive() {
		out = append(out, rebalance.Lot{ID: l.ID, Acquired: l.Acquired, Quantity: remaining, Cost: decimal.NewNullDecimal(remainingCost)})
	}
	return out
}

// addedLosses returns the losses that wash sales added to a lot. known is false if parts of the lot
// are in several accounts, because the affected shares cannot be identified.
func (p *planner) addedLosses(l portfolio.Lot) (out []tax.AddedBasis, known bool) {
	remaining, parts := l.Quantity, 0
	for _, a := range p.assessment.AddedBasis {
		if a.Lot == l.ID && a.Symbol == l.Symbol {
			out, remaining = append(out, a), remaining.Sub(a.Quantity)
		}
	}
	for _, lot := range p.valuation.Lots() {
		if lot.ID == l.ID && lot.Symbol == l.Symbol {
			parts++
		}
	}
	same := !slices.ContainsFunc(out, func(a tax.AddedBasis) bool { return a.Currency != l.Currency || !a.Quantity.IsPositive() })
	return out, same && parts == 1 && !remaining.IsNegative()
}

// lotCost returns the cost of a lot in the currency of the plan, at the rate of its acquisition
// date. It is unknown if the date or the rate is.
func (p *planner) lotCost(ctx context.Context, l portfolio.Lot) decimal.NullDecimal {
	if !l.Cost.Valid || l.Currency != p.valuation.Base && l.Acquired.IsZero() {
		return decimal.NullDecimal{}
	}
	cost, why := p.costs.Convert(ctx, l.Cost, l.Currency, l.Acquired)
	if why != "" {
		p.notes.Warn("unknown_lot_cost", "The cost basis of lot %s of %s in %s is unknown: %s", l.ID, l.Symbol, p.valuation.Base, why)
		return decimal.NullDecimal{}
	}
	cost.Decimal = cost.Decimal.Round(pricePlaces)
	return cost
}

// chosenLotsTax returns the tax of the same targets if the user named the lots of each sale to the
// broker, if it is known and less than that of the plan.
func (p *planner) chosenLotsTax() (decimal.Decimal, bool) {
	chosen := p.request
	chosen.Accounts = slices.Clone(chosen.Accounts)
	for i := range chosen.Accounts {
		chosen.Accounts[i].Method = portfolio.MethodSpecific
	}
	plan, err := chosen.Plan()
	if err != nil || !p.plan.Tax.Valid || !plan.Tax.Valid || !plan.Tax.Decimal.LessThan(p.plan.Tax.Decimal) {
		return decimal.Zero, false
	}
	return plan.Tax.Decimal, true
}

// methods returns the cost basis methods of the accounts, each once.
func (p *planner) methods() []string {
	var all []string
	for _, a := range p.request.Accounts {
		if method := string(cmp.Or(a.Method, portfolio.MethodSpecific)); !slices.Contains(all, method) {
			all = append(all, method)
		}
	}
	return all
}

// solve plans, bars sales whose loss would be disallowed because of the plan itself, and plans again. Each
// round bars at least one more symbol, so it terminates.
func (p *planner) solve() error {
	for {
		plan, err := p.request.Plan()
		if err != nil {
			return err
		}
		p.plan = plan
		if !p.barWashSales() {
			return nil
		}
	}
}

// barWashSales bars sales at a loss that a recent purchase would make a wash sale. It reports
// whether there were any.
func (p *planner) barWashSales() bool {
	sold := p.fullySoldLots()
	found := false
	for _, t := range p.plan.Trades {
		if t.Side != rebalance.Sell || t.Untaxed || p.request.KeepLosses[t.Symbol] {
			continue
		}
		if outlook, washed := p.findWashSale(t, sold[t.Symbol]); washed {
			p.request.KeepLosses[t.Symbol], found = true, true
			p.notes.Warn("losses_kept", "Lots of %s at a loss are not sold: after the purchase of %s, a sale until %s would be a wash sale", t.Symbol,
				outlook.Purchases[len(outlook.Purchases)-1].Date.Format("2006-01-02"), outlook.SellFrom.AddDate(0, 0, -1).Format("2006-01-02"))
		}
	}
	return found
}

// findWashSale returns a purchase that would disallow the loss of a sale, except purchases that are
// completely sold.
func (p *planner) findWashSale(t rebalance.Trade, sold []string) (tax.Outlook, bool) {
	if !slices.ContainsFunc(t.Lots, atLoss) {
		return tax.Outlook{}, false
	}
	around := p.assessment.WashSaleOutlook(t.Symbol, t.Account, p.request.Day).Except(sold...)
	for _, l := range t.Lots {
		// The rest of a lot does not replace the part of it that is sold.
		if o := around.Except(l.Lot); atLoss(l) && o.HasReplacements() {
			return o, true
		}
	}
	return tax.Outlook{}, false
}

func atLoss(l rebalance.LotUse) bool { return !l.Gain.Valid || l.Gain.Decimal.IsNegative() }

// fullySoldLots returns the lots that the plan sells completely in all accounts.
func (p *planner) fullySoldLots() map[market.Symbol][]string {
	remaining := map[market.Symbol]map[string]decimal.Decimal{}
	for _, line := range p.valuation.Lines {
		remaining[line.Symbol] = map[string]decimal.Decimal{}
		for _, l := range line.Lots {
			remaining[line.Symbol][l.ID] = remaining[line.Symbol][l.ID].Add(l.Quantity)
		}
	}
	out := map[market.Symbol][]string{}
	for _, t := range p.plan.Trades {
		for _, l := range t.Lots {
			remaining[t.Symbol][l.Lot] = remaining[t.Symbol][l.Lot].Sub(l.Quantity)
			if remaining[t.Symbol][l.Lot].IsZero() {
				out[t.Symbol] = append(out[t.Symbol], l.Lot)
			}
		}
	}
	return out
}
