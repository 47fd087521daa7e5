package rebalance

import (
	"fmt"

	"github.com/shopspring/decimal"
)

const (
	defaultFee = "0.005"
	reasonFee  = "a convention: well above what an average dollar in funds of the United States paid in 2023, 0.36% (Morningstar)"
	fixFee     = "say it: nfa portfolio facts SYMBOL with its fee"
)

// checkFee is that of funds alone: a share of a company has none. One that is not known
// counts for nothing in the average, and is at the least zero when judged.
func (b Portfolio) checkFee(l Limits) CheckResult {
	row := CheckResult{Rule: RuleFee, Measures: "fees of funds a year", Unit: UnitFraction, Formula: "sum(|weight| * fee) / sum(|weight|), of funds whose fee is known"}.
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
		row.Outcome, row.Inputs = Pass, []string{"no funds are held"}
		return row
	case !known.IsPositive():
		return row.notJudged("the fee of "+joinNames(unknown)+" is not known", fixFee)
	}
	mean := paid.DivRound(known, 2*weightPlaces)
	row = row.judge(mean)
	if len(unknown) > 0 {
		row = row.judgeRange(paid.DivRound(all, 2*weightPlaces), decimal.NewFromInt(1))
	}
	return row.explain(fmt.Sprintf("Funds take %s of what is in them each year, and about %s of it in ten years.", formatPercent(mean), formatPercent(feeOverTenYears(mean))),
		"the fee of "+joinNames(unknown)+" is not known", fixFee)
}

// feeOverTenYears is what a yearly fee takes of a sum in ten years: 1 - (1 - fee)^10.
func feeOverTenYears(fee decimal.Decimal) decimal.Decimal {
	one := decimal.NewFromInt(1)
	left, kept := one, one.Sub(fee.Round(weightPlaces))
	for range 10 {
		left = left.Mul(kept).Round(2 * weightPlaces)
	}
	return one.Sub(left)
}
