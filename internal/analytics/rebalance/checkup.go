package rebalance

import "fmt"

// Check judges the portfolio by every rule. There is a row for each, in the same order each
// time.
func (b Portfolio) Check(l Limits) []CheckResult {
	rows := []CheckResult{b.checkPriced(), b.checkPriceAge(l)}
	weighed := []CheckResult{b.checkLargest(l), b.checkTopFive(l), b.checkEffectiveNumber(l)}
	weighed = append(weighed, b.checkClasses(l)...)
	weighed = append(weighed, b.checkForeign(l), b.checkRegion(l), b.checkFee(l), b.checkReserve(), b.checkIdleCash(l), b.checkDrift(l))
	for i, r := range weighed {
		weighed[i] = b.withholdPartial(r)
	}
	rows = append(append(rows, weighed...), b.checkOverlap(l), b.withholdPartial(b.checkIncomeSource(l)), b.withholdPartial(b.checkYield(l)))
	for i := range rows {
		rows[i].Inputs = shortenInputs(rows[i].Inputs)
	}
	return rows
}

// maxInputs bounds what a row lists.
const maxInputs = 12

func shortenInputs(inputs []string) []string {
	if len(inputs) <= maxInputs {
		return inputs
	}
	return append(inputs[:maxInputs:maxInputs], fmt.Sprintf("and %d more", len(inputs)-maxInputs))
}

// withholdPartial withdraws a judgement if the weights cover only a part of the portfolio, or
// nothing.
func (b Portfolio) withholdPartial(r CheckResult) CheckResult {
	switch {
	case b.NoWeightsReason != "":
		r.Number.Valid = false
		return r.notJudged(b.NoWeightsReason, "")
	case len(b.Unpriced) > 0 && r.Outcome != NotJudged:
		return r.notJudged("the number is of a part of the book, as there is no worth of "+joinReasons(b.Unpriced), "see the rule "+string(RulePriced))
	}
	return r
}

// CountOutcome tells how many rows have an outcome.
func CountOutcome(rows []CheckResult, o Outcome) int {
	n := 0
	for _, r := range rows {
		if r.Outcome == o {
			n++
		}
	}
	return n
}
