package toolkit

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// ToMonthly gathers daily bars into one a month, dated by its last session: first
// open, highest high, lowest low, last close, summed volume. A price that one
// day lacks is missing from its month, never taken from the other days alone.
func ToMonthly(s market.Series) market.Series {
	var out []market.Bar
	for _, bar := range s.Bars {
		n := len(out)
		if n == 0 || out[n-1].Date.Year() != bar.Date.Year() || out[n-1].Date.Month() != bar.Date.Month() {
			out = append(out, bar)
			continue
		}
		month := &out[n-1]
		month.Date, month.Close = bar.Date, bar.Close
		month.High = combineKnown(month.High, bar.High, func(a, b decimal.Decimal) decimal.Decimal { return decimal.Max(a, b) })
		month.Low = combineKnown(month.Low, bar.Low, func(a, b decimal.Decimal) decimal.Decimal { return decimal.Min(a, b) })
		month.Volume = combineKnown(month.Volume, bar.Volume, decimal.Decimal.Add)
	}
	s.Bars, s.Interval = out, market.Monthly
	return s
}

func combineKnown(a, b decimal.NullDecimal, f func(a, b decimal.Decimal) decimal.Decimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(f(a.Decimal, b.Decimal))
}
