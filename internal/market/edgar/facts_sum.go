package edgar

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// reportGaps adds a warning to each fourth quarter whose fiscal year differs from the sum of its quarters.
// The cause is usually a later filing that restates the year but not its quarters. statements are quarters,
// newest first.
func (v *factsView) reportGaps(statements []market.Statement) {
	for i := range len(statements) - 3 {
		quarters := statements[i : i+4]
		if !isFiscalYear(quarters) {
			continue
		}
		last := &quarters[0]
		year, ok := v.statement(market.SpanAnnual, dayOf(last.PeriodEnd))
		if !ok {
			continue
		}
		var gaps []string
		for _, l := range v.lines {
			if gap := v.gap(l.statementLine, year, quarters); gap != "" {
				gaps = append(gaps, gap)
			}
		}
		if gap := v.gap(statementLine{item: market.ItemFreeCashFlow}, year, quarters); gap != "" {
			gaps = append(gaps, gap)
		}
		if len(gaps) > 0 {
			last.Warnings = append(last.Warnings, fmt.Sprintf("the four quarters do not add up to FY%d: %s", year.FiscalYear, strings.Join(gaps, "; ")))
		}
	}
}

// isFiscalYear reports whether statements are the four quarters of one fiscal year, newest first.
func isFiscalYear(statements []market.Statement) bool {
	for i, s := range statements {
		if s.FiscalYear != statements[0].FiscalYear || s.FiscalPeriod != fmt.Sprintf("Q%d", 4-i) {
			return false
		}
	}
	return true
}

// gap describes the difference between the sum of four quarters and the year. It returns "" if they agree
// within rounding, or if one is missing. Average share counts do not add up and are not compared.
func (v *factsView) gap(l statementLine, year market.Statement, quarters []market.Statement) string {
	whole, ok := year.Items[l.item]
	if !ok || l.balance || l.measure == measureShares {
		return ""
	}
	all := []market.Item{whole}
	basis := whole.Filed
	for _, q := range quarters {
		item, ok := q.Items[l.item]
		if !ok || item.Unit != whole.Unit {
			return ""
		}
		if all = append(all, item); item.Filed.After(basis) {
			basis = item.Filed
		}
	}
	var sum, slack decimal.Decimal
	for i, item := range all {
		value, ok := v.onBasis(l.measure, item.Value, dayOf(item.Filed), dayOf(basis))
		if !ok {
			return ""
		}
		if slack = slack.Add(roundingUnit(l.measure, item.Value).Div(decimal.NewFromInt(2))); i == 0 {
			whole.Value = value
			continue
		}
		sum = sum.Add(value)
	}
	if sum.Sub(whole.Value).Abs().LessThanOrEqual(slack) {
		return ""
	}
	return fmt.Sprintf("%s of %s instead of %s %s", l.item, sum, whole.Value, whole.Unit)
}

// roundingUnit returns the unit to which a figure is rounded: at most millions, and at most cents
// for figures per share.
func roundingUnit(m lineMeasure, value decimal.Decimal) decimal.Decimal {
	least := maxShareRounding
	if m == measurePerShare {
		least = 2
	}
	return decimal.New(1, -int32(max(decimalPlaces(value), least)))
}
