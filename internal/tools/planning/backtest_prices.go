package planning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/analytics/simulate"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// backtestPrices holds the past prices of a strategy and of its benchmark, which need not be among
// the strategy's symbols.
type backtestPrices struct {
	prices    simulate.Prices
	benchmark simulate.Prices
	interval  market.Interval // "" if neither daily nor monthly
	periods   float64         // per year
	currency  string          // "" if unknown or several
	warnings  []string
	origins   []toolkit.NamedOrigin
	source    string
}

const maxAssets = 20

func (d Deps) loadPrices(ctx context.Context, in backtestInput) (backtestPrices, error) {
	symbols := toolkit.ParseSymbols(in.Symbols, "")
	switch {
	case in.Prices != nil && (len(symbols) > 0 || in.Benchmark != "" || in.Range != "" || in.From != "" || in.To != ""):
		return backtestPrices{}, fmt.Errorf("%w: use either symbols or prices; with prices, the whole period is used and the first series is the benchmark", errInvalidBacktest)
	case in.Prices != nil:
		return suppliedBacktestPrices(*in.Prices)
	case len(symbols) < 1 || len(symbols) > maxAssets:
		return backtestPrices{}, fmt.Errorf("%w: %d symbols; use 1 to %d", errInvalidBacktest, len(symbols), maxAssets)
	}
	sp, err := toolkit.ParsePeriod(in.Range, in.From, in.To, "max")
	if err != nil {
		return backtestPrices{}, err
	}
	all, benchmark := symbols, 0
	if strings.TrimSpace(in.Benchmark) != "" {
		all, benchmark = toolkit.WithBenchmark(symbols, in.Benchmark)
	}
	series, err := toolkit.FetchSeries(ctx, d.Prices, all, sp)
	if err != nil {
		return backtestPrices{}, err
	}
	// Otherwise the weight of an instrument with two names would count twice.
	if err := toolkit.CheckDistinct(symbols, series); err != nil {
		return backtestPrices{}, fmt.Errorf("%w: %w", errInvalidBacktest, err)
	}
	l, err := toolkit.AlignSeries(series, sp)
	switch {
	case errors.Is(err, analytics.ErrNoOverlap):
		return backtestPrices{}, fmt.Errorf("%w; remove the symbol whose history does not overlap", err)
	case err != nil:
		return backtestPrices{}, err
	}
	return newBacktestPrices(l, len(symbols), benchmark), nil
}

// newBacktestPrices uses the first assets of aligned series for the strategy, and the series at
// index benchmark as its benchmark.
func newBacktestPrices(l toolkit.AlignedSeries, assets, benchmark int) backtestPrices {
	s := backtestPrices{prices: toPrices(l.Series[:assets]), benchmark: toPrices(l.Series[benchmark : benchmark+1]), interval: l.Interval, warnings: l.Warnings}
	if s.prices.Opens == nil || s.benchmark.Opens == nil {
		s.prices.Opens, s.benchmark.Opens = nil, nil // so that both trade at the same time
	}
	s.periods = toolkit.PeriodsPerYear(s.interval, s.prices.Dates)
	for _, limit := range l.Limits {
		s.warnings = append(s.warnings, limit+": only the common period is tested")
	}
	s.addWarnings(append(slices.Clone(l.Series[:assets]), l.Series[benchmark]), l.StartNote)
	return s
}

// toPrices converts aligned series to float64. Opens are kept if every bar has one.
func toPrices(series []market.Series) simulate.Prices {
	p := simulate.Prices{Dates: toolkit.SeriesDates(series[0])}
	opens := true
	for _, s := range series {
		var closes, open []float64
		for _, bar := range s.Bars {
			closes = append(closes, bar.Close.InexactFloat64())
			opens = opens && bar.Open.Valid && bar.Open.Decimal.IsPositive()
			open = append(open, bar.Open.Decimal.InexactFloat64())
		}
		p.Names, p.Closes, p.Opens = append(p.Names, string(s.Symbol)), append(p.Closes, closes), append(p.Opens, open)
	}
	if !opens {
		p.Opens = nil
	}
	return p
}

// addWarnings adds warnings about the prices, and their sources with a note on where they start.
func (s *backtestPrices) addWarnings(series []market.Series, startNote string) {
	s.origins = toolkit.SeriesOrigins(series, startNote)
	s.source = toolkit.JoinSources(s.origins)
	currencies := toolkit.SeriesCurrencies(series)
	switch isUnknown := func(one market.Series) bool { return one.Provenance.Currency == "" }; {
	case len(currencies) > 1:
		s.warnings = append(s.warnings, fmt.Sprintf("prices are in %s and are not converted, so returns exclude exchange rates", strings.Join(currencies, ", ")))
	case len(currencies) == 1 && !slices.ContainsFunc(series, isUnknown):
		s.currency = currencies[0]
	}
	for _, one := range series {
		s.warnings = append(s.warnings, dividendWarning(one)...)
	}
	if s.interval == market.Monthly {
		s.warnings = append(s.warnings, "monthly closes: moves within a month are not visible")
	}
	if text := toolkit.SparseWarning(s.prices.Dates, s.periods); text != "" {
		s.warnings = append(s.warnings, text)
	}
	slices.Sort(s.warnings)
	s.warnings = append(slices.Compact(s.warnings), "only instruments that are still listed are included; those that failed are missing")
}

const (
	maxDates      = 20_000
	maxSeriesName = 40
)

// suppliedBacktestPrices returns prices given in the call.
func suppliedBacktestPrices(in suppliedPrices) (backtestPrices, error) {
	s := backtestPrices{source: "given in the call"}
	switch {
	case len(in.Series) < 1 || len(in.Series) > maxAssets:
		return s, fmt.Errorf("%w: %d series; use 1 to %d", errInvalidBacktest, len(in.Series), maxAssets)
	case len(in.Dates) > maxDates:
		return s, fmt.Errorf("%w: %d dates; use at most %d", errInvalidBacktest, len(in.Dates), maxDates)
	case in.PerYear < 0 || in.PerYear > 366:
		return s, fmt.Errorf("%w: periods_per_year %v is out of range; use 252 for daily prices, 52 for weekly, 12 for monthly", errInvalidBacktest, in.PerYear)
	}
	var err error
	if s.prices.Dates, err = toolkit.ParseDays(in.Dates); err != nil {
		return s, fmt.Errorf("%w: %w", errInvalidBacktest, err)
	}
	for _, one := range in.Series {
		name := strings.Join(strings.Fields(one.Name), " ")
		same := func(have string) bool { return strings.EqualFold(have, name) }
		if name == "" || len(name) > maxSeriesName || slices.ContainsFunc(s.prices.Names, same) {
			return s, fmt.Errorf("%w: invalid series name %.40q; use a unique name of at most %d characters", errInvalidBacktest, name, maxSeriesName)
		}
		s.prices.Names, s.prices.Closes = append(s.prices.Names, name), append(s.prices.Closes, one.Closes)
	}
	s.benchmark = simulate.Prices{Dates: s.prices.Dates, Names: s.prices.Names[:1], Closes: s.prices.Closes[:1]}
	return s, s.setPeriods(in.PerYear)
}

// setPeriods sets the number of periods per year from the dates, unless the call does. A wrong
// number would distort every annualized figure unnoticed.
func (s *backtestPrices) setPeriods(periodsPerYear float64) error {
	if len(s.prices.Dates) < 2 {
		return fmt.Errorf("%w: %d dates; use at least 3", errInvalidBacktest, len(s.prices.Dates))
	}
	switch interval, days := toolkit.Spacing(s.prices.Dates); {
	case interval == market.Daily || interval == market.Monthly:
		s.interval, s.periods = interval, toolkit.PeriodsPerYear(interval, s.prices.Dates)
	case periodsPerYear == 0:
		return fmt.Errorf("%w: the dates are mostly %.0f days apart; for data that is neither daily nor monthly, set periods_per_year: 52 for weekly, 4 for quarterly", errInvalidBacktest, days)
	}
	s.periods = cmp.Or(periodsPerYear, s.periods)
	if text := toolkit.SparseWarning(s.prices.Dates, s.periods); text != "" {
		s.warnings = append(s.warnings, text)
	}
	return nil
}
