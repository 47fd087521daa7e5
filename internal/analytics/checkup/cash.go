package checkup

import (
	"fmt"

	"github.com/shopspring/decimal"
)

const (
	standardCash = "0.1"
	reasonCash   = "a convention: what is not needed soon and not meant to be cash rarely is more"
	reasonNeeds  = "what you need within a year"
	reasonTarget = "what your targets leave for cash, with five points"
)

// reserve holds what is cash against what has to be at hand.
func (b Book) reserve() Row {
	row := Row{Rule: RuleReserve, Measures: "cash for needs within a year", Unit: Fraction, Formula: "cash and money market funds / worth, against needs / worth"}.
		against(Limit{b.Reserve, reasonNeeds}, AtLeast)
	known, possible, unknown := b.cash()
	row = row.at(known)
	if !b.Reserve.Valid {
		return row.unjudged("your needs are not known", "say them in your profile (liquidity_needs, cash_minimum): nfa profile")
	}
	row = row.between(known, known.Add(possible))
	short := fmt.Sprintf("Cash is %s of the book where %s is needed within a year: the rest would have to come of sales.", percent(known), percent(b.Reserve.Decimal))
	if row.Outcome != Pass && len(b.CashElsewhere) > 0 {
		return row.unjudged("the cash of "+names(b.CashElsewhere)+" is not in the book", sayCash)
	}
	return row.explained(short, "whether "+names(unknown)+" is held in place of cash is not known", sayClass)
}

const sayCash = "record the account's deposits and withdrawals, and set its cash to tracked"

// idle is cash beyond what is needed or meant.
func (b Book) idle(l Limits) Row {
	limit := l.CashMost.or(standardCash, reasonCash)
	if !l.CashMost.given() {
		if b.Reserve.Valid && b.Reserve.Decimal.GreaterThan(limit.Value.Decimal) {
			limit = Limit{b.Reserve, reasonNeeds}
		}
		if meant := b.meantCash().Add(decimal.New(5, -2)); len(b.Targets) > 0 && meant.GreaterThan(limit.Value.Decimal) {
			limit = Limit{decimal.NewNullDecimal(meant), reasonTarget}
		}
	}
	row := Row{Rule: RuleCash, Measures: "cash", Unit: Fraction, Formula: "cash and money market funds / worth"}.against(limit, AtMost)
	known, possible, unknown := b.cash()
	row = row.at(known).between(known, known.Add(possible))
	if row.Outcome == Pass && len(b.CashElsewhere) > 0 {
		return row.unjudged("the cash of "+names(b.CashElsewhere)+" is not in the book", sayCash)
	}
	return row.explained(fmt.Sprintf("%s of the book is cash, and takes no part in what markets do.", percent(known)),
		"whether "+names(unknown)+" is held in place of cash is not known", sayClass)
}

// meantCash is what targets leave.
func (b Book) meantCash() decimal.Decimal {
	left := decimal.NewFromInt(1)
	for _, t := range b.Targets {
		left = left.Sub(t.Weight)
	}
	return left
}
