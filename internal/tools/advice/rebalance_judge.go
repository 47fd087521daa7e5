package advice

import (
	"context"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// judge checks the whole portfolio against the limits, after and before the plan. Accounts and
// symbols outside the plan are unchanged.
func (p *planner) judge(ctx context.Context) {
	values, cash := map[market.Symbol]decimal.Decimal{}, decimal.Zero
	for _, l := range p.valuation.Lines {
		values[l.Symbol] = l.Base.Decimal
	}
	for _, c := range p.valuation.Cash {
		cash = cash.Add(c.Base.Decimal)
	}
	p.before = p.judgeSuggestion(p.suggestion(ctx, values, cash))
	cash = cash.Add(decimal.NewFromFloat(p.in.NewCash))
	for _, t := range p.plan.Trades {
		value := t.Value
		if t.Side == rebalance.Sell {
			value = value.Neg()
		}
		values[t.Symbol] = values[t.Symbol].Add(value)
		cash = cash.Sub(value).Sub(t.Fee)
	}
	p.after = p.judgeSuggestion(p.suggestion(ctx, values, cash))
}

// judgeSuggestion judges a suggestion. An account whose cash is not tracked may have more cash than
// is counted, which may change the outcome of some rules.
func (p *planner) judgeSuggestion(s investor.Suggestion) Judgment {
	j := p.person.judge(s)
	unkept := p.opened.UntrackedCash(nil)
	if len(unkept) == 0 {
		return j
	}
	for i := range j.Rows {
		if r := &j.Rows[i]; p.dependsOnUntrackedCash(*r) {
			r.Outcome, r.Sentence = investor.NotJudged, fmt.Sprintf("Total cash is unknown: the portfolio does not track cash in %s.", joinFew(unkept))
		}
	}
	return j
}

// dependsOnUntrackedCash reports whether more cash could change the outcome of a rule. More cash
// cannot break a minimum of cash and cannot satisfy a maximum.
func (p *planner) dependsOnUntrackedCash(r investor.RuleResult) bool {
	switch r.Rule {
	case investor.RuleCashAmount, investor.RuleCashShare:
		return r.Outcome == investor.Fail
	case investor.RuleClass + string(portfolio.ClassCash):
		return r.Outcome != investor.Fail || !r.Number.Decimal.GreaterThan(r.Threshold.Decimal)
	case investor.RuleExcludedClasses:
		return r.Outcome == investor.Pass && slices.Contains(p.person.Limits.ExcludedClasses, portfolio.ClassCash)
	}
	return false
}

// suggestion returns a portfolio of values and tracked cash. If no cash is tracked, everything is
// invested.
func (p *planner) suggestion(ctx context.Context, values map[market.Symbol]decimal.Decimal, cash decimal.Decimal) investor.Suggestion {
	s := investor.Suggestion{
		Kind: investor.SuggestRebalance, AsOf: p.opened.Day, Weights: map[market.Symbol]decimal.Decimal{}, Classes: map[market.Symbol]portfolio.Class{},
	}
	total := cash
	for _, value := range values {
		total = total.Add(value)
	}
	if !total.IsPositive() {
		return s
	}
	for sym, value := range values {
		s.Weights[sym] = value.DivRound(total, weightPlaces)
		if class := classOf(securityFactsOn(p.opened, sym), p.kinds[sym]); class != "" {
			s.Classes[sym] = class
		}
	}
	s.Cash = decimal.NewNullDecimal(cash.DivRound(total, weightPlaces))
	s.CashAmount = p.inProfileCurrency(ctx, cash)
	return s
}

// inProfileCurrency converts cash to the currency of the user's minimum cash.
func (p *planner) inProfileCurrency(ctx context.Context, cash decimal.Decimal) investor.Money {
	sum := investor.Money{Amount: cash.Round(toolkit.CurrencyPlaces(p.valuation.Base)), Currency: p.valuation.Base}
	theirs := p.person.Limits.CashAmount.Currency
	if theirs == "" || theirs == sum.Currency {
		return sum
	}
	rate, err := p.rates.On(ctx, sum.Currency, theirs, p.opened.Day)
	if err != nil {
		return sum // the rule then reports that a rate is missing
	}
	return investor.Money{Amount: cash.Mul(rate.Rate.Value).Round(toolkit.CurrencyPlaces(theirs)), Currency: theirs}
}
