package guidance

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
)

// planner makes one plan.
type planner struct {
	in        rebalanceInput
	opened    book.Opened
	valuation book.Valuation
	person    person
	rates     *book.Rates
	accounts  []string

	request    rebalance.Request
	assessment *tax.Assessment
	kinds      map[market.Symbol]string
	origins    origins
	notes      []string

	plan          rebalance.Plan
	before, after Judgement
}

func (p *planner) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// pricePlaces are the most digits that a plan takes of a price.
const pricePlaces = 36

// prepare makes the request of the call and of the book.
func (p *planner) prepare(ctx context.Context, d Deps) error {
	var err error
	if p.accounts, err = p.opened.Accounts(p.in.Accounts); err != nil {
		return err
	}
	r := &p.request
	r.Day, r.OnlyBuy, r.Aim = p.opened.Day, p.in.OnlyBuy, rebalance.Aim(p.in.Aim)
	r.Smallest = decimal.NewFromFloat(p.in.MinTrade)
	r.Fee = rebalance.Fee{Fixed: decimal.NewFromFloat(p.in.Fee), Rate: decimal.NewFromFloat(p.in.FeeRate)}
	r.Band = p.in.band()
	if err := p.target(); err != nil {
		return err
	}
	if err := p.price(ctx, d); err != nil {
		return err
	}
	p.step()
	if err := p.taxed(); err != nil {
		return err
	}
	return p.hold(ctx)
}

func (in rebalanceInput) band() rebalance.Band {
	if in.Band == nil && in.Relative == nil {
		return rebalance.Band{Absolute: decimal.NewNullDecimal(decimal.New(5, -2)), Relative: decimal.NewNullDecimal(decimal.New(25, -2))}
	}
	return rebalance.Band{Absolute: given(in.Band), Relative: given(in.Relative)}
}

func given(v *float64) decimal.NullDecimal {
	if v == nil {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(decimal.NewFromFloat(*v))
}

// mostTargets bounds what a call may name.
const mostTargets = 200

// target takes the targets of the call, else those of the book.
func (p *planner) target() error {
	p.request.Leave = map[market.Symbol]bool{}
	if len(p.in.Targets) > mostTargets || len(p.in.Leave) > mostTargets {
		return fmt.Errorf("%w: more than %d symbols", errAsked, mostTargets)
	}
	for _, text := range p.in.Leave {
		sym, err := market.ParseSymbol(text)
		if err != nil {
			return fmt.Errorf("%w: leave: %w", errAsked, err)
		}
		p.request.Leave[sym] = true
	}
	if len(p.in.Targets) == 0 {
		if len(p.opened.Targets) == 0 {
			return fmt.Errorf("%w: there are no targets; give targets, or record them for the book with nfa portfolio targets", errAsked)
		}
		p.request.Targets = slices.DeleteFunc(slices.Clone(p.opened.Targets), func(t portfolio.Target) bool { return p.request.Leave[t.Symbol] })
		return nil
	}
	for _, text := range slices.Sorted(maps.Keys(p.in.Targets)) {
		sym, err := market.ParseSymbol(text)
		if err != nil {
			return fmt.Errorf("%w: targets: %w", errAsked, err)
		}
		if to, ok := p.opened.Aliases[sym]; ok {
			sym = to
		}
		p.request.Targets = append(p.request.Targets, portfolio.Target{Symbol: sym, Weight: decimal.NewFromFloat(p.in.Targets[text])})
	}
	return nil
}

// shownMonths is how far back closes are asked for of what is not held.
const shownMonths = 3

// price has that of everything held and wanted, in the currency of the plan.
func (p *planner) price(ctx context.Context, d Deps) error {
	p.request.Prices, p.kinds = map[market.Symbol]decimal.Decimal{}, map[market.Symbol]string{}
	for _, l := range p.valuation.Lines {
		p.priced(l.Symbol, l.Price, l.Rate)
	}
	var wanted []market.Symbol
	for _, t := range p.request.Targets {
		if _, held := p.request.Prices[t.Symbol]; !held && t.Weight.IsPositive() {
			wanted = append(wanted, t.Symbol)
		}
	}
	prices, err := d.PricesOf(ctx, wanted, p.opened.Day.AddDate(0, -shownMonths, 0))
	if err != nil {
		return err
	}
	var missing []string
	for _, sym := range wanted {
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
		p.priced(sym, price, rate)
		p.origins.add(string(sym), price.Provenance)
		p.origins.add(rate.Pair.String(), rate.Provenance)
	}
	if missing != nil {
		return fmt.Errorf("%w: no price of what is wanted: %s", errPart, joined(missing))
	}
	return nil
}

func (p *planner) priced(sym market.Symbol, price book.Price, rate book.Rate) {
	p.request.Prices[sym] = price.Value.Mul(rate.Rate.Value).Round(pricePlaces)
	p.kinds[sym] = kindOf(price)
	if why := unlike(price.Provenance); why != "" {
		p.note("the price of %s is %s: no order should rest on it", sym, strings.ToUpper(why))
	} else if days := int(p.opened.Day.Sub(price.Provenance.AsOf).Hours() / 24); days > oldestDays {
		p.note("the price of %s is %d days old", sym, days)
	}
}

// oldestDays is how old a price may be without a word.
const oldestDays = 5

// step is how finely each symbol is traded.
func (p *planner) step() {
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

// hold puts what the accounts have into the request.
func (p *planner) hold(ctx context.Context) error {
	flow := decimal.NewFromFloat(p.in.NewCash)
	into := strings.TrimSpace(p.in.CashAccount)
	switch {
	case flow.IsZero() && into != "":
		return fmt.Errorf("%w: cash_account is for new_cash", errAsked)
	case !flow.IsZero() && into == "" && len(p.accounts) > 1:
		return fmt.Errorf("%w: say in cash_account into which account new_cash comes: %s", errAsked, joined(p.accounts))
	case !flow.IsZero() && into == "":
		into = p.accounts[0]
	case into != "" && !slices.Contains(p.accounts, into):
		return fmt.Errorf("%w: cash_account %.60q does not take part; there is %s", errAsked, into, joined(p.accounts))
	}
	p.lookBack(ctx)
	for _, a := range p.opened.Ledger.Accounts {
		if !slices.Contains(p.accounts, a.Name) {
			continue
		}
		out := rebalance.Account{Name: a.Name, Untaxed: a.Untaxed, Method: a.Method, Cash: p.cash(a.Name)}
		if a.Name == into {
			out.Flow = flow
		}
		for _, pos := range p.opened.Book.Positions() {
			if pos.Account == a.Name {
				out.Holdings = append(out.Holdings, p.holding(ctx, pos))
			}
		}
		p.request.Accounts = append(p.request.Accounts, out)
		if a.Cash == portfolio.CashUntracked {
			p.note("the cash of %s is not in the book and takes no part", a.Name)
		}
	}
	slices.SortFunc(p.request.Accounts, func(a, b rebalance.Account) int { return cmp.Compare(a.Name, b.Name) })
	return ctx.Err()
}

// lookBack asks for the rates of all lots at once, from the oldest of them on. One
// that is missing shows where it is needed.
func (p *planner) lookBack(ctx context.Context) {
	oldest := map[string]market.Date{}
	for _, line := range p.valuation.Lines {
		for _, l := range line.Lots {
			if have, ok := oldest[l.Currency]; l.Currency != p.valuation.Base && !l.Acquired.IsZero() && (!ok || l.Acquired.Before(have)) {
				oldest[l.Currency] = l.Acquired
			}
		}
	}
	for currency, day := range oldest {
		_, _ = p.rates.Since(ctx, market.Pair{Base: currency, Quote: p.valuation.Base}, day)
	}
}

// cash is that of an account, all currencies together.
func (p *planner) cash(account string) decimal.Decimal {
	sum, others := decimal.Zero, []string{}
	for _, c := range p.valuation.Cash {
		if c.Account != account {
			continue
		}
		sum = sum.Add(c.Base.Decimal)
		if c.Currency != p.valuation.Base {
			others = append(others, c.Currency)
		}
	}
	if len(others) > 0 {
		p.note("cash of %s in %s counts at the rate of the day; exchanging it is in no cost", account, list(others))
	}
	return sum.Round(pricePlaces)
}

func (p *planner) holding(ctx context.Context, pos portfolio.Position) rebalance.Holding {
	h := rebalance.Holding{Symbol: pos.Symbol, Quantity: pos.Quantity}
	for _, l := range pos.Lots {
		h.Lots = append(h.Lots, p.lots(ctx, l)...)
	}
	return h
}
