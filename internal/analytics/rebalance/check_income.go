package rebalance

import (
	"fmt"

	"github.com/shopspring/decimal"
)

const (
	defaultPayer = "0.5"
	reasonPayer  = "convention: above half, income depends on one payer"
)

// totalIncome returns the income of the year and its largest source.
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
	row := CheckResult{Rule: RuleIncomeSource, Measures: "largest payer's share of the income", Unit: UnitFraction, Formula: "largest payer / all dividends and interest of twelve months, before tax"}.
		withThreshold(l.Payer.orDefault(defaultPayer, reasonPayer), AtMost)
	sum, largest := b.totalIncome()
	switch {
	case len(b.UnvaluedIncome) > 0:
		return row.notJudged("the value of some income is unknown: "+joinReasons(b.UnvaluedIncome), "")
	case !sum.IsPositive():
		return row.notJudged("no dividends or interest are recorded for the last twelve months", "record them, or import the broker file: nfa portfolio import")
	}
	part := largest.Share.DivRound(sum, 2*weightPlaces)
	row = row.judge(part)
	row.Inputs = []string{fmt.Sprintf("%s %s of the income", largest.Name, formatPercent(part)), fmt.Sprintf("%d payers", len(b.IncomeSources))}
	return row.explain(fmt.Sprintf("Without %s, income would have been %s lower.", largest.Name, formatPercent(part)), "", "")
}

// checkYield has no default threshold: only the user knows how much income is enough.
func (b Portfolio) checkYield(l Limits) CheckResult {
	row := CheckResult{Rule: RuleYield, Measures: "income yield", Unit: UnitFraction, Formula: "dividends and interest of twelve months, before tax / market value now"}.withThreshold(l.Yield, AtLeast)
	if len(b.UnvaluedIncome) > 0 {
		return row.notJudged("the value of some income is unknown: "+joinReasons(b.UnvaluedIncome), "")
	}
	sum, _ := b.totalIncome()
	row = row.judge(sum)
	if !l.Yield.isSet() {
		return row.notJudged("no minimum yield is set", "set min_yield")
	}
	return row.explain(fmt.Sprintf("Income of the last twelve months was %s of the current market value.", formatPercent(sum)), "", "")
}

const (
	defaultFee = "0.005"
	reasonFee  = "convention: well above the asset-weighted average fee of US funds in 2023, 0.36% (Morningstar)"
	fixFee     = "set its fee: nfa portfolio classify SYMBOL"
)

// checkFee covers only funds, because shares of companies have no fee. An unknown fee is left out of the
// average; for the outcome it may be anything from zero up.
func (b Portfolio) checkFee(l Limits) CheckResult {
	row := CheckResult{Rule: RuleFee, Measures: "annual fund fees", Unit: UnitFraction, Formula: "sum(|weight| * fee) / sum(|weight|), over funds with a known fee"}.
		withThreshold(l.Fee.orDefault(defaultFee, reasonFee), AtMost)
	paid, known, all := decimal.Zero, decimal.Zero, decimal.Zero
	var unknown []string
	for _, h := range b.Positions {
		weight := h.Weight.Abs()
		switch {
		case h.Fee.Valid:
			paid, known, all = paid.Add(weight.Mul(h.Fee.Decimal)), known.Add(weight), all.Add(weight)
			row.Inputs = append(row.Inputs, fmt.Sprintf("%s %s", h.Symbol, formatPercent(h.Fee.Decimal)))
		case h.Form != FormSingle:
			all, unknown = all.Add(weight), append(unknown, string(h.Symbol))
		}
	}
	switch {
	case !all.IsPositive():
		row.Outcome, row.Inputs = Pass, []string{"there are no funds"}
		return row
	case !known.IsPositive():
		return row.notJudged("the fee of "+joinNames(unknown)+" is unknown", fixFee)
	}
	mean := paid.DivRound(known, 2*weightPlaces)
	row = row.judge(mean)
	if len(unknown) > 0 {
		row = row.judgeRange(paid.DivRound(all, 2*weightPlaces), decimal.NewFromInt(1))
	}
	return row.explain(fmt.Sprintf("Funds cost %s of their value each year, about %s over ten years.", formatPercent(mean), formatPercent(feeOverTenYears(mean))),
		"the fee of "+joinNames(unknown)+" is unknown", fixFee)
}

// feeOverTenYears returns the part of an investment that an annual fee takes over ten years: 1 - (1 -
// fee)^10.
func feeOverTenYears(fee decimal.Decimal) decimal.Decimal {
	one := decimal.NewFromInt(1)
	left, kept := one, one.Sub(fee.Round(weightPlaces))
	for range 10 {
		left = left.Mul(kept).Round(2 * weightPlaces)
	}
	return one.Sub(left)
}
