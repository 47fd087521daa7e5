package planning

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/simulate"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const (
	maxDates      = 20_000
	maxSeriesName = 40
)

// suppliedBacktestPrices is a past that came with the call.
func suppliedBacktestPrices(in suppliedPrices) (backtestPrices, error) {
	s := backtestPrices{source: "given in the call"}
	switch {
	case len(in.Series) < 1 || len(in.Series) > maxAssets:
		return s, fmt.Errorf("%w: %d series; give 1 to %d", errInvalidBacktest, len(in.Series), maxAssets)
	case len(in.Dates) > maxDates:
		return s, fmt.Errorf("%w: %d dates; give at most %d", errInvalidBacktest, len(in.Dates), maxDates)
	case in.PerYear < 0 || in.PerYear > 366:
		return s, fmt.Errorf("%w: periods_per_year %v; 252 for daily prices, 52 for weekly, 12 for monthly", errInvalidBacktest, in.PerYear)
	}
	var err error
	if s.prices.Dates, err = toolkit.ParseDays(in.Dates); err != nil {
		return s, fmt.Errorf("%w: %w", errInvalidBacktest, err)
	}
	for _, one := range in.Series {
		name := strings.Join(strings.Fields(one.Name), " ")
		same := func(have string) bool { return strings.EqualFold(have, name) }
		if name == "" || len(name) > maxSeriesName || slices.ContainsFunc(s.prices.Names, same) {
			return s, fmt.Errorf("%w: series %.40q; each needs a name of its own, of at most %d letters", errInvalidBacktest, name, maxSeriesName)
		}
		s.prices.Names, s.prices.Closes = append(s.prices.Names, name), append(s.prices.Closes, one.Closes)
	}
	s.benchmark = simulate.Prices{Dates: s.prices.Dates, Names: s.prices.Names[:1], Closes: s.prices.Closes[:1]}
	return s, s.setPeriods(in.PerYear)
}

// setPeriods tells from the dates how many of them make a year, unless the call does. A
// wrong number would pass unseen in all that is annualised.
func (s *backtestPrices) setPeriods(periodsPerYear float64) error {
	if len(s.prices.Dates) < 2 {
		return fmt.Errorf("%w: %d dates, of at least 3", errInvalidBacktest, len(s.prices.Dates))
	}
	switch interval, days := toolkit.Spacing(s.prices.Dates); {
	case interval == market.Daily || interval == market.Monthly:
		s.interval, s.periods = interval, toolkit.PeriodsPerYear(interval, s.prices.Dates)
	case periodsPerYear == 0:
		return fmt.Errorf("%w: the dates are mostly %.0f days apart; give periods_per_year where they are neither daily nor monthly: 52 for weekly, 4 for quarterly", errInvalidBacktest, days)
	}
	s.periods = cmp.Or(periodsPerYear, s.periods)
	if text := toolkit.SparseWarning(s.prices.Dates, s.periods); text != "" {
		s.warnings = append(s.warnings, text)
	}
	return nil
}
