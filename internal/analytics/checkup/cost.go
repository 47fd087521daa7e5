package checkup

import (
	"fmt"

	"github.com/shopspring/decimal"
)

const (
	standardFee = "0.005"
	reasonFee   = "a convention: well above what an average dollar in funds of the United States paid in 2023, 0.36 % (Morningstar)"
	sayFee      = "say it: nfa portfolio facts SYMBOL with its fee"
)

// fee is that of funds alone: a share of a company has none. One that is not known
// counts for nothing in the average, and is at the least zero when judged.
func (b Book) fee(l Limits) Row {
	row := Row{Rule: RuleFee, Measures: "fees of funds a year", Unit: Fraction, Formula: "sum(|weight| * fee) / sum(|weight|), of funds whose fee is known"}.
		against(l.Fee.or(standardFee, reasonFee), AtMost)
	paid, known, all := decimal.Zero, decimal.Zero, decimal.Zero
	var unknown []string
	for _, h := range b.Holdings {
		weight := h.Weight.Abs()
		switch {
		case h.Fee.Valid:
			paid, known, all = paid.Add(weight.Mul(h.Fee.Decimal)), known.Add(weight), all.Add(weight)
			row.Inputs = append(row.Inputs, fmt.Sprintf("%s %s", h.Symbol, percent(h.Fee.Decimal)))
		case h.Form != FormSingle:
			all, unknown = all.Add(weight), append(unknown, string(h.Symbol))
		}
	}
	switch {
	case !all.IsPositive():
		row.Outcome, row.Inputs = Pass, []string{"no funds are held"}
		return row
	case !known.IsPositive():
		return row.unjudged("the fee of "+names(unknown)+" is not known", sayFee)
	}
	mean := paid.DivRound(known, 2*weightPlaces)
	row = row.at(mean)
	if len(unknown) > 0 {
		row = row.between(paid.DivRound(all, 2*weightPlaces), decimal.NewFromInt(1))
	}
	return row.explained(fmt.Sprintf("Funds take %s of what is in them each year, and about %s of it in ten years.", percent(mean), percent(overTen(mean))),
		"the fee of "+names(unknown)+" is not known", sayFee)
}

// overTen is what a yearly fee takes of a sum in ten years: 1 - (1 - fee)^10.
func overTen(fee decimal.Decimal) decimal.Decimal {
	one := decimal.NewFromInt(1)
	left, kept := one, one.Sub(fee.Round(weightPlaces))
	for range 10 {
		left = left.Mul(kept).Round(2 * weightPlaces)
	}
	return one.Sub(left)
}
