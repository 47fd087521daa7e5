package toolkit

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Weekly is an interval that no source has, but a caller may.
const Weekly market.Interval = "weekly"

// MinSpacingDates is how many bars it takes to tell a week of five days from one of
// seven.
const MinSpacingDates = 30

// sevenDayBarsPerYear is how many bars a year are more than an exchange with weekends has.
const sevenDayBarsPerYear = 300

// PeriodsPerYear is the number of periods by which statistics of closes on these dates, oldest
// first, are annualised: the usual one of the market for their interval, 52 for weekly closes,
// but 365 for daily closes on every day of the week, as those of coins are. Fewer than
// MinSpacingDates dates are too few to recognize a coin.
func PeriodsPerYear(i market.Interval, dates []market.Date) float64 {
	switch {
	case i == Weekly:
		return 52
	case i == market.Daily && len(dates) >= MinSpacingDates && float64(len(dates)-1)/YearsSpanned(dates) > sevenDayBarsPerYear:
		return 365
	}
	return i.PeriodsPerYear()
}

// YearsSpanned is the span of dates, oldest first, in years of 365.25 days.
func YearsSpanned(dates []market.Date) float64 {
	if len(dates) == 0 {
		return 0
	}
	return dates[len(dates)-1].Sub(dates[0]).Hours() / 24 / 365.25
}

// sparseTolerance is how far the prices of a year may be from what they are annualised by.
const sparseTolerance = 0.15

// SparseWarning says that there are fewer closes a year on these dates, oldest first, than they
// are annualised by. It is "" if there are enough, or fewer than MinSpacingDates. A share that
// trades every other day has returns of two days, and a volatility that is overstated.
func SparseWarning(dates []market.Date, periods float64) string {
	n := len(dates)
	if n < MinSpacingDates {
		return ""
	}
	if actual := float64(n-1) / YearsSpanned(dates); math.Abs(actual/periods-1) > sparseTolerance {
		return fmt.Sprintf("%.0f prices a year on average, where %v are counted on: what is annualised is off", actual, periods)
	}
	return ""
}

// AnnualizationWarning says where the periods a year that a call asks for, or where it asks for none, 0,
// the usual ones are not those of closes on these dates; "" where they are.
func AnnualizationWarning(dates []market.Date, expected, requested float64) string {
	sparse, n := SparseWarning(dates, cmp.Or(requested, expected)), len(dates)
	if requested == 0 || math.Abs(requested/expected-1) <= sparseTolerance || sparse == "" && n >= MinSpacingDates {
		return sparse
	}
	actual := expected
	if n >= MinSpacingDates && SparseWarning(dates, expected) != "" {
		actual = float64(n-1) / YearsSpanned(dates)
	}
	return fmt.Sprintf("annualised by %v periods a year, as asked for, where these closes have about %.0f: what is a year's is off by that", requested, actual)
}

// SeriesDates are those of the bars of a series.
func SeriesDates(s market.Series) []market.Date {
	dates := make([]market.Date, len(s.Bars))
	for i, bar := range s.Bars {
		dates[i] = bar.Date
	}
	return dates
}

// Spacing tells from dates, oldest first, how far apart closes usually are: the
// interval, "" where it is no usual one, and the median gap in days, 0 of fewer
// than two dates.
func Spacing(dates []market.Date) (i market.Interval, days float64) {
	if len(dates) < 2 {
		return "", 0
	}
	gaps := make([]float64, len(dates)-1)
	for i := range gaps {
		gaps[i] = dates[i+1].Sub(dates[i]).Hours() / 24
	}
	slices.Sort(gaps)
	switch days = gaps[len(gaps)/2]; {
	case days >= 1 && days <= 4:
		return market.Daily, days
	case days >= 6 && days <= 8:
		return Weekly, days
	case days >= 27 && days <= 33:
		return market.Monthly, days
	}
	return "", days
}

// maxMonthEndGapDays is how many days may lie between the last session of a month and
// its last day.
const maxMonthEndGapDays = 5

// ToMonthEnds are the bars of a series gathered by months. A month that has not
// ended is left out: its return would count as that of a whole one. So of daily
// bars within one month there may be none left. A monthly series stays as it is.
func ToMonthEnds(s market.Series) market.Series {
	if s.Interval == market.Monthly {
		return s
	}
	s = ToMonthly(s)
	n := len(s.Bars)
	if n > 0 && s.Bars[n-1].Date.AddDate(0, 0, maxMonthEndGapDays).Month() == s.Bars[n-1].Date.Month() {
		s.Bars = s.Bars[:n-1]
	}
	return s
}

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
