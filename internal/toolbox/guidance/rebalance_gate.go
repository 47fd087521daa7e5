package guidance

import (
	"context"
	"fmt"
	"slices"

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
	p.before = p.judged(p.suggestion(ctx, values, cash))
	cash = cash.Add(decimal.NewFromFloat(p.in.NewCash))
	for _, t := range p.plan.Trades {
		value := t.Value
		if t.Side == rebalance.Sell {
			value = value.Neg()
		}
		values[t.Symbol] = values[t.Symbol].Add(value)
		cash = cash.Sub(value).Sub(t.Fee)
	}
	p.after = p.judged(p.suggestion(ctx, values, cash))
}

// judged is the judgement of a suggestion. Where the cash of an account is not in the
// book there may be more of it than is counted, which can break no rule of a least sum
// and keep none of a most.
func (p *planner) judged(s investor.Suggestion) Judgement {
	j := p.person.judge(s)
	unkept := p.unkept()
	if len(unkept) == 0 {
		return j
	}
	for i := range j.Rows {
		if r := &j.Rows[i]; p.hangsOnMoreCash(*r) {
			r.Outcome, r.Sentence = investor.NotJudged, fmt.Sprintf("How much cash there is besides is not known: the book does not keep that of %s.", joined(unkept))
		}
	}
	return j
}

// hangsOnMoreCash reports whether the outcome of a rule may be another one where there
// is more cash than was counted.
func (p *planner) hangsOnMoreCash(r investor.Row) bool {
	switch r.Rule {
	case investor.RuleCashAmount, investor.RuleCashPart:
		return r.Outcome == investor.Fail
	case investor.RuleClass + string(investor.ClassCash):
		return r.Outcome != investor.Fail || !r.Number.Decimal.GreaterThan(r.Threshold.Decimal)
	case investor.RuleExcludedClasses:
		return r.Outcome == investor.Pass && slices.Contains(p.person.Limits.NoClasses, investor.ClassCash)
	}
	return false
}

// unkept are the accounts whose cash is not in the book.
func (p *planner) unkept() []string {
	var out []string
	for _, a := range p.opened.Ledger.Accounts {
		if a.Cash == portfolio.CashUntracked {
			out = append(out, a.Name)
		}
	}
	return out
}

// suggestion is a portfolio of values and of the cash that the book keeps: where it
// keeps none, all is invested.
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
