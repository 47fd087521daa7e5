package advice

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// planner builds one plan.
type planner struct {
	in        rebalanceInput
	opened    positions.Portfolio
	valuation positions.Valuation
	person    investorProfile
	rates     *positions.RateCache
	costs     positions.CostConverter
	accounts  []string

	request    rebalance.Request
	assessment *tax.Assessment
	kinds      map[market.Symbol]string
	origins    []toolkit.NamedOrigin
	notes      toolkit.Notes
	pricedOn   map[market.Symbol]market.Date

	plan          rebalance.Plan
	before, after Judgment
}

// pricePlaces is the maximum number of decimals of a price in a plan.
const pricePlaces = 36

// prepare builds the request from the call and the portfolio.
func (p *planner) prepare(ctx context.Context, d SuitabilityDeps) error {
	var err error
	if p.accounts, err = p.opened.CheckAccounts(p.in.Accounts); err != nil {
		return err
	}
	r := &p.request
	r.Day, r.OnlyBuy, r.Aim = p.opened.Day, p.in.OnlyBuy, rebalance.Aim(p.in.Aim)
	r.MinTrade = decimal.NewFromFloat(p.in.MinTrade)
	r.Fee = rebalance.TradeFee{Fixed: decimal.NewFromFloat(p.in.Fee), Rate: decimal.NewFromFloat(p.in.FeeRate)}
	r.Band = p.in.band()
	if err := p.setTargets(); err != nil {
		return err
	}
	if err := p.loadPrices(ctx, d); err != nil {
		return err
	}
	p.setSteps()
	if err := p.addTaxes(); err != nil {
		return err
	}
	return p.addPositions(ctx)
}

func (in rebalanceInput) band() rebalance.Band {
	if in.Band == nil && in.Relative == nil {
		return rebalance.Band{Absolute: decimal.NewNullDecimal(decimal.New(5, -2)), Relative: decimal.NewNullDecimal(decimal.New(25, -2))}
	}
	return rebalance.Band{Absolute: optionalDecimal(in.Band), Relative: optionalDecimal(in.Relative)}
}

func optionalDecimal(v *float64) decimal.NullDecimal {
	if v == nil {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(decimal.NewFromFloat(*v))
}

// maxTargets limits the number of targets of a call.
const maxTargets = 200

// setTargets uses the targets of the call, else those recorded in the portfolio.
func (p *planner) setTargets() error {
	p.request.Excluded = map[market.Symbol]bool{}
	if len(p.in.Targets) > maxTargets || len(p.in.Leave) > maxTargets {
		return fmt.Errorf("%w: more than %d symbols", errInvalidRequest, maxTargets)
	}
	for _, text := range p.in.Leave {
		sym, err := market.ParseSymbol(text)
		if err != nil {
			return fmt.Errorf("%w: leave: %w", errInvalidRequest, err)
		}
		p.request.Excluded[sym] = true
	}
	if len(p.in.Targets) == 0 {
		if len(p.opened.Targets) == 0 {
			return fmt.Errorf("%w: no target weights; set targets, or save them with nfa portfolio targets", errInvalidRequest)
		}
		p.request.Targets = slices.Clone(p.opened.Targets)
		return p.excludeTargets()
	}
	for _, text := range slices.Sorted(maps.Keys(p.in.Targets)) {
		sym, err := market.ParseSymbol(text)
		if err != nil {
			return fmt.Errorf("%w: targets: %w", errInvalidRequest, err)
		}
		if to, ok := p.opened.Aliases[sym]; ok {
			sym = to
		}
		p.request.Targets = append(p.request.Targets, portfolio.Target{Symbol: sym, Weight: decimal.NewFromFloat(p.in.Targets[text])})
	}
	return p.excludeTargets()
}

// excludeTargets removes the targets of excluded symbols. The other targets, and cash, keep their
// proportions: with targets of 30, 30, 20 and 10 and the remaining 10 in cash, excluding the first leaves
// cash at 10 of 70.
func (p *planner) excludeTargets() error {
	rest := decimal.NewFromInt(1)
	for _, t := range p.request.Targets {
		if p.request.Excluded[t.Symbol] {
			rest = rest.Sub(t.Weight)
		}
	}
	p.request.Targets = slices.DeleteFunc(p.request.Targets, func(t portfolio.Target) bool { return p.request.Excluded[t.Symbol] })
	switch {
	case rest.Equal(decimal.NewFromInt(1)):
		return nil
	case !rest.IsPositive():
		return fmt.Errorf("%w: leave lists every target, so nothing remains to plan; remove one from leave", errInvalidRequest)
	}
	for i := range p.request.Targets {
		// Rounded down, so that the weights do not add up to more than 1.
		p.request.Targets[i].Weight = p.request.Targets[i].Weight.DivRound(rest, pricePlaces).Truncate(weightPlaces)
	}
	p.notes.Note("weights_of_the_rest", "Targets and weights apply to the portfolio without %s.", joinFew(symbolTexts(p.request.Excluded)))
	return nil
}

// symbolTexts lists symbols in order.
func symbolTexts(symbols map[market.Symbol]bool) []string {
	var out []string
	for _, sym := range slices.Sorted(maps.Keys(symbols)) {
		out = append(out, string(sym))
	}
	return out
}

// minHistoryMonths is the number of months of closes to fetch for symbols that are not held.
const minHistoryMonths = 3

// loadPrices loads the prices of all positions and targets, in the currency of the plan.
func (p *planner) loadPrices(ctx context.Context, d SuitabilityDeps) error {
	p.request.Prices, p.kinds, p.pricedOn = map[market.Symbol]decimal.Decimal{}, map[market.Symbol]string{}, map[market.Symbol]market.Date{}
	for _, l := range p.valuation.Lines {
		p.setPrice(l.Symbol, l.Price, l.Rate)
	}
	var needed []market.Symbol
	for _, t := range p.request.Targets {
		if _, held := p.request.Prices[t.Symbol]; !held && t.Weight.IsPositive() {
			needed = append(needed, t.Symbol)
		}
	}
	prices, err := d.FetchPrices(ctx, needed, p.opened.Day.AddDate(0, -minHistoryMonths, 0))
	if err != nil {
		return err
	}
	var missing []string
	for _, sym := range needed {
		price, ok := prices.Prices[sym]
		if !ok {
			missing = append(missing, fmt.Sprintf("%s: %v", sym, prices.Missing[sym]))
			continue
		}
		rate, err := p.rates.On(ctx, price.Provenance.Currency, p.valuation.Base, p.opened.Day)
		if err != nil {
			missing = append(missing, fmt.Sprintf("%s: %v", sym, err))
			continue
		}
		p.setPrice(sym, price, rate)
		p.origins = addOrigin(p.origins, string(sym), price.Provenance)
		p.origins = addOrigin(p.origins, rate.Pair.String(), rate.Provenance)
	}
	if missing != nil {
		return fmt.Errorf("%w: no price for a target: %s", errFraction, joinFew(missing))
	}
	return nil
}

func (p *planner) setPrice(sym market.Symbol, price positions.Price, rate positions.Rate) {
	p.request.Prices[sym] = price.Value.Mul(rate.Rate.Value).Round(pricePlaces)
	p.kinds[sym] = kindOf(price)
	p.pricedOn[sym] = toolkit.Today(price.Provenance.AsOf)
}

// maxPriceAgeDays is the maximum age of a price without a warning.
const maxPriceAgeDays = 5

// warnOfOldPrices adds one warning for all old prices, the oldest first. The warning about flagged
// prices covers those that are samples or stale.
func (p *planner) warnOfOldPrices(n *toolkit.Notes) {
	flagged := map[string]bool{}
	for _, o := range p.origins {
		flagged[o.Name] = flagged[o.Name] || o.FlagText() != ""
	}
	var old []string
	for _, sym := range slices.SortedFunc(maps.Keys(p.pricedOn), func(a, b market.Symbol) int {
		return cmp.Or(p.pricedOn[a].Compare(p.pricedOn[b]), cmp.Compare(a, b))
	}) {
		if days := int(p.opened.Day.Sub(p.pricedOn[sym]).Hours() / 24); days > maxPriceAgeDays && !flagged[string(sym)] {
			old = append(old, fmt.Sprintf("%s (%d days)", sym, days))
		}
	}
	if old != nil {
		n.Warn("old_prices", "Old prices: %s", joinFew(old))
	}
}

// setSteps sets the smallest tradable unit of each symbol.
func (p *planner) setSteps() {
	whole := p.in.Whole == nil || *p.in.Whole
	p.request.Steps = map[market.Symbol]decimal.Decimal{}
	for sym := range p.request.Prices {
		switch {
		case p.kinds[sym] == kindCrypto:
			p.request.Steps[sym] = decimal.New(1, -8)
		case !whole:
			p.request.Steps[sym] = decimal.New(1, -4)
		}
	}
}

// addPositions adds the positions of the accounts to the request.
func (p *planner) addPositions(ctx context.Context) error {
	flow := decimal.NewFromFloat(p.in.NewCash)
	into := strings.TrimSpace(p.in.CashAccount)
	switch {
	case flow.IsZero() && into != "":
		return fmt.Errorf("%w: cash_account is only for new_cash", errInvalidRequest)
	case !flow.IsZero() && into == "" && len(p.accounts) > 1:
		return fmt.Errorf("%w: set cash_account to the account for new_cash: %s", errInvalidRequest, joinFew(p.accounts))
	case !flow.IsZero() && into == "":
		into = p.accounts[0]
	case into != "" && !slices.Contains(p.accounts, into):
		return fmt.Errorf("%w: cash_account %.60q is not part of the plan; accounts: %s", errInvalidRequest, into, joinFew(p.accounts))
	}
	for _, a := range p.opened.Ledger.Accounts {
		if !slices.Contains(p.accounts, a.Name) {
			continue
		}
		out := rebalance.Account{Name: a.Name, Untaxed: a.Untaxed, Method: a.Method, Cash: p.accountCash(a.Name)}
		if a.Name == into {
			out.Flow = flow
		}
		for _, pos := range p.opened.Engine.Positions() {
			if pos.Account == a.Name {
				out.Positions = append(out.Positions, p.newPosition(ctx, pos))
			}
		}
		p.request.Accounts = append(p.request.Accounts, out)
		if a.Cash == portfolio.CashUntracked {
			p.notes.Warn("untracked_cash", "Cash in %s is not tracked, so it is not part of the plan.", a.Name)
		}
	}
	slices.SortFunc(p.request.Accounts, func(a, b rebalance.Account) int { return cmp.Compare(a.Name, b.Name) })
	return ctx.Err()
}

// accountCash returns the cash of an account, in all currencies together.
func (p *planner) accountCash(account string) decimal.Decimal {
	sum, unconverted := decimal.Zero, []string{}
	for _, c := range p.valuation.Cash {
		if c.Account != account {
			continue
		}
		sum = sum.Add(c.Base.Decimal)
		if c.Currency != p.valuation.Base {
			unconverted = append(unconverted, c.Currency)
		}
	}
	if len(unconverted) > 0 {
		p.notes.Warn("foreign_cash", "%[2]s cash in %[1]s is converted at the current rate; exchange costs are not included.", account, humanize.JoinAnd(unconverted))
	}
	return sum.Round(pricePlaces)
}

func (p *planner) newPosition(ctx context.Context, pos portfolio.Position) rebalance.Position {
	h := rebalance.Position{Symbol: pos.Symbol, Quantity: pos.Quantity}
	for _, l := range pos.Lots {
		h.Lots = append(h.Lots, p.splitLot(ctx, l)...)
	}
	return h
}
