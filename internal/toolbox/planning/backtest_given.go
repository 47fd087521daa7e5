package planning

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/backtest"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/lineup"
)

const (
	mostDates   = 20_000
	longestName = 40
)

// givenStage is a past that came with the call.
func givenStage(in givenPrices) (stage, error) {
	s := stage{source: "given in the call"}
	switch {
	case len(in.Series) < 1 || len(in.Series) > mostAssets:
		return s, fmt.Errorf("%w: %d series; give 1 to %d", errStage, len(in.Series), mostAssets)
	case len(in.Dates) > mostDates:
		return s, fmt.Errorf("%w: %d dates; give at most %d", errStage, len(in.Dates), mostDates)
	case in.PerYear < 0 || in.PerYear > 366:
		return s, fmt.Errorf("%w: periods_per_year %v; 252 for daily prices, 52 for weekly, 12 for monthly", errStage, in.PerYear)
	}
	var err error
	if s.prices.Dates, err = lineup.Days(in.Dates); err != nil {
		return s, fmt.Errorf("%w: %w", errStage, err)
	}
	for _, one := range in.Series {
		name := strings.Join(strings.Fields(one.Name), " ")
		same := func(have string) bool { return strings.EqualFold(have, name) }
		if name == "" || len(name) > longestName || slices.ContainsFunc(s.prices.Names, same) {
			return s, fmt.Errorf("%w: series %.40q; each needs a name of its own, of at most %d letters", errStage, name, longestName)
		}
		s.prices.Names, s.prices.Closes = append(s.prices.Names, name), append(s.prices.Closes, one.Closes)
	}
	s.benchmark = backtest.Prices{Dates: s.prices.Dates, Names: s.prices.Names[:1], Closes: s.prices.Closes[:1]}
	return s, s.space(in.PerYear)
}

// space tells from the dates how many of them make a year, unless the call does. A
// wrong number would pass unseen in all that is annualised.
func (s *stage) space(given float64) error {
	if len(s.prices.Dates) < 2 {
		return fmt.Errorf("%w: %d dates, of at least 3", errStage, len(s.prices.Dates))
	}
	switch interval, days := lineup.Spacing(s.prices.Dates); {
	case interval == market.Daily || interval == market.Monthly:
		s.interval, s.periods = interval, lineup.PeriodsPerYear(interval, s.prices.Dates)
	case given == 0:
		return fmt.Errorf("%w: the dates are mostly %.0f days apart; give periods_per_year where they are neither daily nor monthly: 52 for weekly, 4 for quarterly", errStage, days)
	}
	s.periods = cmp.Or(given, s.periods)
	if text := lineup.Sparse(s.prices.Dates, s.periods); text != "" {
		s.warnings = append(s.warnings, text)
	}
	return nil
}
