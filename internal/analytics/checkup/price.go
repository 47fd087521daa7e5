package checkup

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

const (
	standardDays = "5"
	reasonDays   = "a convention: exchanges are rarely closed for longer"
)

// priced counts what has no worth.
func (b Book) priced() Row {
	row := Row{Rule: RulePriced, Measures: "holdings without a worth", Unit: Holdings, Formula: "count", Inputs: b.Unpriced}.
		against(Limit{decimal.NewNullDecimal(decimal.Zero), "what has no worth has no weight"}, AtMost)
	return row.at(decimal.NewFromInt(int64(len(b.Unpriced)))).
		explained("All weights are of a part of the book, and no rule of weights is judged.", "", "")
}

// fresh counts prices that are old, or not of the market.
func (b Book) fresh(l Limits) Row {
	limit := l.PriceDays.or(standardDays, reasonDays)
	row := Row{Rule: RuleFresh, Measures: "prices that are old or not of the market", Unit: Holdings, Formula: fmt.Sprintf("count of prices older than %s days, or flagged", limit.Value.Decimal)}.
		against(Limit{decimal.NewNullDecimal(decimal.Zero), limit.Reason}, AtMost)
	for _, h := range b.Holdings {
		if why := h.doubt(b.Day, limit.Value.Decimal); why != "" {
			row.Inputs = append(row.Inputs, fmt.Sprintf("%s %s", h.Symbol, why))
		}
	}
	return row.at(decimal.NewFromInt(int64(len(row.Inputs)))).
		explained("The weights are not those of the market today: "+names(row.Inputs)+".", "", "")
}

// doubt says why a price is not to be trusted, "" where it is.
func (h Holding) doubt(day market.Date, most decimal.Decimal) string {
	const hours = 24
	switch {
	case h.Doubt != "":
		return h.Doubt
	case h.PricedOn.IsZero():
		return "of a day that is not known"
	}
	if age := int64(day.Sub(h.PricedOn).Hours()) / hours; decimal.NewFromInt(age).GreaterThan(most) {
		return fmt.Sprintf("%d days old", age)
	}
	return ""
}
