package rebalance

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

const (
	defaultPriceDays = "5"
	reasonDays       = "a convention: exchanges are rarely closed for longer"
)

// checkPriced counts what has no worth.
func (b Portfolio) checkPriced() CheckResult {
	row := CheckResult{Rule: RulePriced, Measures: "holdings without a worth", Unit: UnitPositions, Formula: "count", Inputs: b.Unpriced}.
		withThreshold(Limit{decimal.NewNullDecimal(decimal.Zero), "what has no worth has no weight"}, AtMost)
	return row.judge(decimal.NewFromInt(int64(len(b.Unpriced)))).
		explain("All weights are of a part of the book, and no rule of weights is judged.", "", "")
}

// checkPriceAge counts prices that are old, or not of the market.
func (b Portfolio) checkPriceAge(l Limits) CheckResult {
	limit := l.PriceDays.orDefault(defaultPriceDays, reasonDays)
	row := CheckResult{Rule: RulePriceAge, Measures: "prices that are old or not of the market", Unit: UnitPositions, Formula: fmt.Sprintf("count of prices older than %s days, or flagged", limit.Value.Decimal)}.
		withThreshold(Limit{decimal.NewNullDecimal(decimal.Zero), limit.Reason}, AtMost)
	for _, h := range b.Positions {
		if why := h.priceWarning(b.Day, limit.Value.Decimal); why != "" {
			row.Inputs = append(row.Inputs, fmt.Sprintf("%s %s", h.Symbol, why))
		}
	}
	return row.judge(decimal.NewFromInt(int64(len(row.Inputs)))).
		explain("The weights are not those of the market today: "+joinNames(row.Inputs)+".", "", "")
}

// priceWarning says why a price is not to be trusted, "" where it is.
func (h CheckedPosition) priceWarning(day market.Date, maxDays decimal.Decimal) string {
	const hours = 24
	switch {
	case h.PriceWarning != "":
		return h.PriceWarning
	case h.PricedOn.IsZero():
		return "of a day that is not known"
	}
	if age := int64(day.Sub(h.PricedOn).Hours()) / hours; decimal.NewFromInt(age).GreaterThan(maxDays) {
		return fmt.Sprintf("%d days old", age)
	}
	return ""
}
