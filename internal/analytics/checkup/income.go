package checkup

import (
	"fmt"

	"github.com/shopspring/decimal"
)

const (
	standardPayer = "0.5"
	reasonPayer   = "a convention: beyond half, income hangs on one decision of one payer"
)

// income is what was paid in the year, and the largest part of it.
func (b Book) income() (sum decimal.Decimal, largest Payer) {
	for _, p := range b.Payers {
		sum = sum.Add(p.Part)
		if p.Part.GreaterThan(largest.Part) {
			largest = p
		}
	}
	return sum, largest
}

func (b Book) payer(l Limits) Row {
	row := Row{Rule: RulePayer, Measures: "largest payer's part of the income", Unit: Fraction, Formula: "largest payer / all dividends and interest of twelve months, before tax"}.
		against(l.Payer.or(standardPayer, reasonPayer), AtMost)
	sum, largest := b.income()
	switch {
	case len(b.Unpaid) > 0:
		return row.unjudged("the worth of some income is not known: "+reasons(b.Unpaid), "")
	case !sum.IsPositive():
		return row.unjudged("no dividends or interest are recorded for the twelve months", "record them, or read the broker's file with nfa portfolio import")
	}
	part := largest.Part.DivRound(sum, 2*weightPlaces)
	row = row.at(part)
	row.Inputs = []string{fmt.Sprintf("%s %s of the income", largest.Name, percent(part)), fmt.Sprintf("%d payers", len(b.Payers))}
	return row.explained(fmt.Sprintf("Without %s, income would have been lower by %s.", largest.Name, percent(part)), "", "")
}

// yield has no standard: how much income is enough is for the user to say.
func (b Book) yield(l Limits) Row {
	row := Row{Rule: RuleYield, Measures: "income yield", Unit: Fraction, Formula: "dividends and interest of twelve months, before tax / worth now"}.against(l.Yield, AtLeast)
	if len(b.Unpaid) > 0 {
		return row.unjudged("the worth of some income is not known: "+reasons(b.Unpaid), "")
	}
	sum, _ := b.income()
	row = row.at(sum)
	if !l.Yield.given() {
		return row.unjudged("no least yield is set", "give one (min_yield)")
	}
	return row.explained(fmt.Sprintf("Income of twelve months was %s of the worth of today.", percent(sum)), "", "")
}
