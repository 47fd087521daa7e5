package planning

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/analytics/backtest"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
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
	for _, text := range in.Dates {
		date, err := question.Day("date", text)
		if err != nil {
			return s, fmt.Errorf("%w: %w", errStage, err)
		}
		s.prices.Dates = append(s.prices.Dates, date)
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
	switch days := typicalGap(s.prices.Dates); {
	case days >= 1 && days <= 4:
		s.interval, s.periods = market.Daily, dailyPeriods(s.prices.Dates)
	case days >= 27 && days <= 33:
		s.interval, s.periods = market.Monthly, market.Monthly.PeriodsPerYear()
	case given == 0:
		return fmt.Errorf("%w: the dates are mostly %.0f days apart; give periods_per_year where they are neither daily nor monthly: 52 for weekly, 4 for quarterly", errStage, days)
	}
	s.periods = cmp.Or(given, s.periods)
	if text := sparse(s.prices.Dates, s.periods); text != "" {
		s.warnings = append(s.warnings, text)
	}
	return nil
}

func typicalGap(dates []time.Time) float64 {
	gaps := make([]float64, len(dates)-1)
	for i := range gaps {
		gaps[i] = dates[i+1].Sub(dates[i]).Hours() / 24
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

// yearsOf is the span of dates in years of 365.25 days.
func yearsOf(dates []time.Time) float64 {
	return dates[len(dates)-1].Sub(dates[0]).Hours() / 24 / 365.25
}

// countable is how many bars it takes to tell a week of five days from one of seven.
const countable = 30

// dailyPeriods is 252 a year, or 365 for what trades on every day.
func dailyPeriods(dates []time.Time) float64 {
	if n := len(dates); n >= countable && float64(n-1)/yearsOf(dates) > 300 {
		return 365
	}
	return market.Daily.PeriodsPerYear()
}

// sparse says that there are not as many bars as are counted on.
func sparse(dates []time.Time, periods float64) string {
	n := len(dates)
	if n < countable {
		return ""
	}
	if have := float64(n-1) / yearsOf(dates); have < 0.85*periods || have > 1.15*periods {
		return fmt.Sprintf("%.0f prices a year on average, where %v are counted on: what is annualised is off", have, periods)
	}
	return ""
}
