package toolkit

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// MinSpacingDates is how many bars are needed to distinguish five trading days a week from seven.
const MinSpacingDates = 30

// sevenDayBarsPerYear is more bars a year than an exchange that closes on weekends has.
const sevenDayBarsPerYear = 300

// PeriodsPerYear returns the number of periods a year for annualizing closes on these dates, oldest
// first: the market's usual number for the interval, 52 for weekly closes, 365 for daily closes on
// all seven days, as coins have. With fewer than MinSpacingDates dates, coins are not recognized.
func PeriodsPerYear(i market.Interval, dates []market.Date) float64 {
	switch {
	case i == market.Daily && len(dates) >= MinSpacingDates && float64(len(dates)-1)/YearsSpanned(dates) > sevenDayBarsPerYear:
		return 365
	}
	return i.PeriodsPerYear()
}

// YearsSpanned returns the time between the first and last date in years of 365.25 days.
func YearsSpanned(dates []market.Date) float64 {
	if len(dates) == 0 {
		return 0
	}
	return dates[len(dates)-1].Sub(dates[0]).Hours() / 24 / 365.25
}

// sparseTolerance is how far the actual number of prices a year may differ from the annualization.
const sparseTolerance = 0.15

// SparseWarning warns if there are fewer closes a year on these dates, oldest first, than the
// annualization assumes: a share that trades every other day has two-day returns, and its volatility
// is overstated. It returns "" if there are enough, or fewer than MinSpacingDates.
func SparseWarning(dates []market.Date, periods float64) string {
	n := len(dates)
	if n < MinSpacingDates {
		return ""
	}
	if actual := float64(n-1) / YearsSpanned(dates); math.Abs(actual/periods-1) > sparseTolerance {
		return fmt.Sprintf("annualized figures are off: they assume %v prices a year, but the data have about %.0f", periods, actual)
	}
	return ""
}

// AnnualizationWarning warns if the requested periods a year, or the expected ones if requested is
// 0, do not match closes on these dates. Otherwise it returns "".
func AnnualizationWarning(dates []market.Date, expected, requested float64) string {
	sparse, n := SparseWarning(dates, cmp.Or(requested, expected)), len(dates)
	if requested == 0 || math.Abs(requested/expected-1) <= sparseTolerance || sparse == "" && n >= MinSpacingDates {
		return sparse
	}
	actual := expected
	if n >= MinSpacingDates && SparseWarning(dates, expected) != "" {
		actual = float64(n-1) / YearsSpanned(dates)
	}
	return fmt.Sprintf("annualized figures are off: %v periods a year were requested, but the data have about %.0f", requested, actual)
}

// SeriesDates returns the dates of the bars of a series.
func SeriesDates(s market.Series) []market.Date {
	dates := make([]market.Date, len(s.Bars))
	for i, bar := range s.Bars {
		dates[i] = bar.Date
	}
	return dates
}

// Spacing returns the usual interval between dates, oldest first, or "" if it is none of the known
// ones, and the median gap in days, 0 for fewer than two dates.
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
		return market.Weekly, days
	case days >= 27 && days <= 33:
		return market.Monthly, days
	}
	return "", days
}

// maxMonthEndGapDays is the most days between the last session of a month and its last day.
const maxMonthEndGapDays = 5

// ToMonthEnds returns a series with monthly bars. It drops an unfinished month, whose return would
// count as that of a full one, so the result may be empty. A monthly series is returned unchanged.
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

// ToMonthly combines daily bars into monthly ones, dated by their last session: first open, highest
// high, lowest low, last close, total volume. If a value is missing on one day, it is missing for
// the month.
func ToMonthly(s market.Series) market.Series {
	return combineBars(s, market.Monthly, func(d market.Date) [2]int { return [2]int{d.Year(), int(d.Month())} })
}

// ToWeekly works like ToMonthly for weeks from Monday to Sunday.
func ToWeekly(s market.Series) market.Series {
	return combineBars(s, market.Weekly, func(d market.Date) [2]int { year, week := d.ISOWeek(); return [2]int{year, week} })
}

// combineBars combines the bars of each period.
func combineBars(s market.Series, interval market.Interval, period func(market.Date) [2]int) market.Series {
	var out []market.Bar
	for _, bar := range s.Bars {
		n := len(out)
		if n == 0 || period(out[n-1].Date) != period(bar.Date) {
			out = append(out, bar)
			continue
		}
		longer := &out[n-1]
		longer.Date, longer.Close = bar.Date, bar.Close
		longer.High = combineKnown(longer.High, bar.High, func(a, b decimal.Decimal) decimal.Decimal { return decimal.Max(a, b) })
		longer.Low = combineKnown(longer.Low, bar.Low, func(a, b decimal.Decimal) decimal.Decimal { return decimal.Min(a, b) })
		longer.Volume = combineKnown(longer.Volume, bar.Volume, decimal.Decimal.Add)
	}
	s.Bars, s.Interval = out, interval
	return s
}

func combineKnown(a, b decimal.NullDecimal, f func(a, b decimal.Decimal) decimal.Decimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(f(a.Decimal, b.Decimal))
}
