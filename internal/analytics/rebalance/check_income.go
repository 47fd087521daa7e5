package rebalance

import (
	"fmt"

	"github.com/shopspring/decimal"
)

const (
	defaultPayer = "0.5"
	reasonPayer  = "a convention: beyond half, income hangs on one decision of one payer"
)

// totalIncome is what was paid in the year, and the largest part of it.
func (b Portfolio) totalIncome() (sum decimal.Decimal, largest IncomeSource) {
	for _, p := range b.IncomeSources {
		sum = sum.Add(p.Share)
		if p.Share.GreaterThan(largest.Share) {
			largest = p
		}
	}
	return sum, largest
}

func (b Portfolio) checkIncomeSource(l Limits) CheckResult {
	row := CheckResult{Rule: RuleIncomeSource, Measures: "largest payer's part of the income", Unit: UnitFraction, Formula: "largest payer / all dividends and interest of twelve months, before tax"}.
		withThreshold(l.Payer.orDefault(defaultPayer, reasonPayer), AtMost)
	sum, largest := b.totalIncome()
	switch {
	case len(b.UnvaluedIncome) > 0:
		return row.notJudged("the worth of some income is not known: "+joinReasons(b.UnvaluedIncome), "")
	case !sum.IsPositive():
		return row.notJudged("no dividends or interest are recorded for the twelve months", "record them, or read the broker's file with nfa portfolio import")
	}
	part := largest.Share.DivRound(sum, 2*weightPlaces)
	row = row.judge(part)
	row.Inputs = []string{fmt.Sprintf("%s %s of the income", largest.Name, formatPercent(part)), fmt.Sprintf("%d payers", len(b.IncomeSources))}
	return row.explain(fmt.Sprintf("Without %s, income would have been lower by %s.", largest.Name, formatPercent(part)), "", "")
}

// checkYield has no standard: how much income is enough is for the user to say.
func (b Portfolio) checkYield(l Limits) CheckResult {
	row := CheckResult{Rule: RuleYield, Measures: "income yield", Unit: UnitFraction, Formula: "dividends and interest of twelve months, before tax / worth now"}.withThreshold(l.Yield, AtLeast)
	if len(b.UnvaluedIncome) > 0 {
		return row.notJudged("the worth of some income is not known: "+joinReasons(b.UnvaluedIncome), "")
	}
	sum, _ := b.totalIncome()
	row = row.judge(sum)
	if !l.Yield.isSet() {
		return row.notJudged("no least yield is set", "give one (min_yield)")
	}
	return row.explain(fmt.Sprintf("Income of twelve months was %s of the worth of today.", formatPercent(sum)), "", "")
}
