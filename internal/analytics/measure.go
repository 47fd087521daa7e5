package analytics

import (
	"fmt"
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// FewObservations is the count below which a standard deviation is unreliable: at 30 its own
// standard error is still about 13% of it, 1/sqrt(2(n-1)).
const FewObservations = 30

// Performance is the performance over a series of prices, with everything needed to judge it:
// inputs, period, number of observations and warnings.
type Performance struct {
	From, To       time.Time
	Observations   int
	Interval       market.Interval
	PeriodsPerYear float64
	Years          float64 // of 365.25 days

	TotalReturn float64
	// AnnualReturn and AnnualVolatility are nil if the data cannot support them; a warning says why.
	AnnualReturn, AnnualVolatility *float64
	MaxDrawdown, CurrentDrawdown   Drawdown

	Warnings []string // sentences without a period at the end
}

// Measure computes all measures of a price series. Fewer than two observations are ErrTooFew.
func Measure(p Prices) (Performance, error) {
	total, err := TotalReturn(p)
	if err != nil {
		return Performance{}, err
	}
	worst, err := MaxDrawdown(p)
	if err != nil {
		return Performance{}, err
	}
	current, err := CurrentDrawdown(p)
	if err != nil {
		return Performance{}, err
	}
	perf := Performance{
		From: p.From(), To: p.To(), Observations: p.Len(),
		Interval: p.interval, PeriodsPerYear: p.interval.PeriodsPerYear(), Years: p.Years(),
		TotalReturn: total, MaxDrawdown: worst, CurrentDrawdown: current,
	}
	var absent []string
	perf.AnnualReturn, absent = measureOptional(AnnualReturn, p, absent)
	perf.AnnualVolatility, absent = measureOptional(AnnualVolatility, p, absent)
	perf.Warnings = append(absent, perf.dataWarnings(p)...)
	return perf, nil
}

// measureOptional returns a measure, or nil and the reason as an additional warning.
func measureOptional(measure func(Prices) (float64, error), p Prices, warnings []string) (*float64, []string) {
	v, err := measure(p)
	if err != nil {
		return nil, append(warnings, "not computed: "+err.Error())
	}
	return &v, warnings
}

// ShorterThanYear reports whether annual figures of a period are extrapolated. A calendar year does not
// count as shorter: its closes are at least 361 days, and at least 248 of 252 sessions, apart.
func ShorterThanYear(years float64) bool { return years < 0.98 }

func (perf Performance) dataWarnings(p Prices) []string {
	var out []string
	if ShorterThanYear(perf.Years) {
		out = append(out, "shorter than a year: the annual return is extrapolated")
	}
	if perf.Observations < FewObservations {
		out = append(out, fmt.Sprintf("only %d observations (fewer than %d): volatility is uncertain", perf.Observations, FewObservations))
	}
	if perf.Interval == market.Monthly {
		out = append(out, "monthly prices: volatility is annualized by sqrt(12), and drawdowns within a month are not visible")
	}
	if gaps := Gaps(p); len(gaps) > 0 {
		longest := slices.MaxFunc(gaps, func(a, b Gap) int { return a.Days() - b.Days() })
		out = append(out, fmt.Sprintf("%d gaps in the data; the longest is %d days, %s to %s",
			len(gaps), longest.Days(), longest.From.Format(time.DateOnly), longest.To.Format(time.DateOnly)))
	}
	return out
}

// Gap is a period without observations that is too long to be explained by holidays.
type Gap struct {
	From, To time.Time // the observations on both sides
}

// Days returns the length in calendar days.
func (g Gap) Days() int { return int(g.To.Sub(g.From).Hours() / 24) }

// Gaps returns the periods without observations, oldest first: more than 7 days between daily closes or 45
// between monthly ones; other intervals have none. Seven days is the longest period between two closes in
// New York since the bank holiday of 1933 (2001-09-10 to 2001-09-17), so no closure since then counts.
func Gaps(p Prices) []Gap {
	longest, known := map[market.Interval]int{market.Daily: 7, market.Monthly: 45}[p.interval]
	if !known {
		return nil
	}
	var out []Gap
	for i := 1; i < len(p.dates); i++ {
		if g := (Gap{From: p.dates[i-1], To: p.dates[i]}); g.Days() > longest {
			out = append(out, g)
		}
	}
	return out
}
