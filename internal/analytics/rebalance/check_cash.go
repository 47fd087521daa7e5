package rebalance

import (
	"fmt"

	"github.com/shopspring/decimal"
)

const (
	defaultCash  = "0.1"
	reasonCash   = "convention: cash not needed soon rarely exceeds this weight"
	reasonNeeds  = "your needs within one year"
	reasonTarget = "the cash weight of your targets, plus five points"
)

// checkReserve compares cash with the needs within a year.
func (b Portfolio) checkReserve() CheckResult {
	row := CheckResult{Rule: RuleReserve, Measures: "cash for needs within a year", Unit: UnitFraction, Formula: "cash and money market funds / market value, against needs / market value"}.
		withThreshold(Limit{b.Reserve, reasonNeeds}, AtLeast)
	known, possible, unknown := b.cash()
	row = row.judge(known)
	if !b.Reserve.Valid {
		return row.notJudged("your cash needs are unknown", "set liquidity_needs and cash_minimum: nfa profile")
	}
	row = row.judgeRange(known, known.Add(possible))
	short := fmt.Sprintf("Cash is %s of the portfolio, but %s is needed within a year; the difference would have to come from sales.", formatPercent(known), formatPercent(b.Reserve.Decimal))
	if row.Outcome != Pass && len(b.UntrackedCash) > 0 {
		return row.notJudged("the cash of "+joinNames(b.UntrackedCash)+" is not recorded", fixCash)
	}
	return row.explain(short, "it is unknown whether "+joinNames(unknown)+" counts as cash", fixClass)
}

const fixCash = "record the account's deposits and withdrawals, and set its cash to tracked"

// checkIdleCash checks cash beyond needs and targets.
func (b Portfolio) checkIdleCash(l Limits) CheckResult {
	limit := l.MaxCash.orDefault(defaultCash, reasonCash)
	if !l.MaxCash.isSet() {
		if b.Reserve.Valid && b.Reserve.Decimal.GreaterThan(limit.Value.Decimal) {
			limit = Limit{b.Reserve, reasonNeeds}
		}
		if targetCash := b.targetCash().Add(decimal.New(5, -2)); len(b.Targets) > 0 && targetCash.GreaterThan(limit.Value.Decimal) {
			limit = Limit{decimal.NewNullDecimal(targetCash), reasonTarget}
		}
	}
	row := CheckResult{Rule: RuleCash, Measures: "cash", Unit: UnitFraction, Formula: "cash and money market funds / market value"}.withThreshold(limit, AtMost)
	known, possible, unknown := b.cash()
	row = row.judge(known).judgeRange(known, known.Add(possible))
	if row.Outcome == Pass && len(b.UntrackedCash) > 0 {
		return row.notJudged("the cash of "+joinNames(b.UntrackedCash)+" is not recorded", fixCash)
	}
	return row.explain(fmt.Sprintf("%s of the portfolio is uninvested cash.", formatPercent(known)),
		"it is unknown whether "+joinNames(unknown)+" counts as cash", fixClass)
}

// targetCash returns the weight that targets leave for cash.
func (b Portfolio) targetCash() decimal.Decimal {
	left := decimal.NewFromInt(1)
	for _, t := range b.Targets {
		left = left.Sub(t.Weight)
	}
	return left
}
