package guidance

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// judge holds the whole book, as it would be and as it is, against the limits:
// accounts and symbols that take no part in the plan count as they are.
func (p *planner) judge(ctx context.Context) {
	values, cash := map[market.Symbol]decimal.Decimal{}, decimal.Zero
	for _, l := range p.valuation.Lines {
		values[l.Symbol] = l.Base.Decimal
	}
	for _, c := range p.valuation.Cash {
		cash = cash.Add(c.Base.Decimal)
	}
	p.before = p.person.judge(p.suggestion(ctx, values, cash))
	cash = cash.Add(decimal.NewFromFloat(p.in.NewCash))
	for _, t := range p.plan.Trades {
		value := t.Value
		if t.Side == rebalance.Sell {
			value = value.Neg()
		}
		values[t.Symbol] = values[t.Symbol].Add(value)
		cash = cash.Sub(value).Sub(t.Fee)
	}
	p.after = p.person.judge(p.suggestion(ctx, values, cash))
}

// suggestion is a portfolio of values and cash. Where the cash of an account is not
// in the book, how much there is was not said.
func (p *planner) suggestion(ctx context.Context, values map[market.Symbol]decimal.Decimal, cash decimal.Decimal) investor.Suggestion {
	s := investor.Suggestion{
		Kind: investor.SuggestRebalance, AsOf: p.opened.Day, Weights: map[string]decimal.Decimal{}, Classes: map[string]investor.Class{},
	}
	total := cash
	for _, value := range values {
		total = total.Add(value)
	}
	if !total.IsPositive() {
		return s
	}
	for sym, value := range values {
		s.Weights[string(sym)] = value.DivRound(total, weightPlaces)
		if class := classOf(factsOn(p.opened, sym), p.kinds[sym]); class != "" {
			s.Classes[string(sym)] = investor.Class(class)
		}
	}
	for _, a := range p.opened.Ledger.Accounts {
		if a.Cash == portfolio.CashUntracked {
			return s
		}
	}
	s.Cash = decimal.NewNullDecimal(cash.DivRound(total, weightPlaces))
	s.CashAmount = p.inTheirs(ctx, cash)
	return s
}

// inTheirs is a sum in the currency in which the user set their least cash.
func (p *planner) inTheirs(ctx context.Context, cash decimal.Decimal) investor.Money {
	sum := investor.Money{Amount: money(cash, p.valuation.Base), Currency: p.valuation.Base}
	theirs := p.person.Limits.CashAmount.Currency
	if theirs == "" || theirs == sum.Currency {
		return sum
	}
	rate, err := p.rates.On(ctx, sum.Currency, theirs, p.opened.Day)
	if err != nil {
		return sum // the row then says that a rate is needed
	}
	return investor.Money{Amount: money(cash.Mul(rate.Rate.Value), theirs), Currency: theirs}
}
