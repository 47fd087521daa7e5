package planning

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/analytics/backtest"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/lineup"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// stage is the past that a rule is played on; the benchmark's prices need not be
// among those of the rule.
type stage struct {
	prices    backtest.Prices
	benchmark backtest.Prices
	interval  market.Interval // "" where it is neither daily nor monthly
	periods   float64         // a year
	currency  string          // "" where it is not one, or not known
	warnings  []string
	origins   []present.Sourced
	source    string
}

const mostAssets = 20

func (d Deps) stage(ctx context.Context, in backtestInput) (stage, error) {
	asked := question.Symbols(in.Symbols, "")
	switch {
	case in.Prices != nil && (len(asked) > 0 || in.Benchmark != "" || in.Range != "" || in.From != "" || in.To != ""):
		return stage{}, fmt.Errorf("%w: give either symbols or prices; prices are played whole, and the first series is the benchmark", errStage)
	case in.Prices != nil:
		return givenStage(*in.Prices)
	case len(asked) < 1 || len(asked) > mostAssets:
		return stage{}, fmt.Errorf("%w: %d symbols; name 1 to %d", errStage, len(asked), mostAssets)
	}
	sp, err := question.ParseSpan(in.Range, in.From, in.To, "max")
	if err != nil {
		return stage{}, err
	}
	all, benchmark := asked, 0
	if strings.TrimSpace(in.Benchmark) != "" {
		all, benchmark = lineup.Beside(asked, in.Benchmark)
	}
	series, err := lineup.Fetch(ctx, d.Prices, all, sp)
	if err != nil {
		return stage{}, err
	}
	// The weight of an instrument with two names would be counted twice.
	if err := lineup.Twice(asked, series); err != nil {
		return stage{}, fmt.Errorf("%w: %w", errStage, err)
	}
	l, err := lineup.Align(series, sp)
	switch {
	case errors.Is(err, analytics.ErrNoOverlap):
		return stage{}, fmt.Errorf("%w; leave out the one that ended or began apart from the others", err)
	case err != nil:
		return stage{}, err
	}
	return staged(l, len(asked), benchmark), nil
}

// staged is a stage of the first assets of a lineup, beside the benchmark in it.
func staged(l lineup.Lineup, assets, benchmark int) stage {
	s := stage{prices: pricesOf(l.Series[:assets]), benchmark: pricesOf(l.Series[benchmark : benchmark+1]), interval: l.Interval, warnings: l.Warnings}
	if s.prices.Opens == nil || s.benchmark.Opens == nil {
		s.prices.Opens, s.benchmark.Opens = nil, nil // both trade at the same moment
	}
	s.periods = lineup.PeriodsPerYear(s.interval, s.prices.Dates)
	for _, limit := range l.Limits {
		s.warnings = append(s.warnings, limit+": only the common window is played")
	}
	s.cautions(append(slices.Clone(l.Series[:assets]), l.Series[benchmark]))
	return s
}

// pricesOf takes series that Align gave through the door to float64. Opens count
// where every bar has one.
func pricesOf(series []market.Series) backtest.Prices {
	p := backtest.Prices{Dates: lineup.Dates(series[0])}
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

// cautions are what to know of the prices, and where they are from.
func (s *stage) cautions(series []market.Series) {
	s.origins = lineup.Origins(series)
	s.source = lineup.Sources(s.origins)
	currencies := lineup.Currencies(series)
	switch isUnknown := func(one market.Series) bool { return one.Provenance.Currency == "" }; {
	case len(currencies) > 1:
		s.warnings = append(s.warnings, fmt.Sprintf("prices are in %s: nothing is converted, and exchange rates are missing from the returns", strings.Join(currencies, ", ")))
	case len(currencies) == 1 && !slices.ContainsFunc(series, isUnknown):
		s.currency = currencies[0]
	}
	for _, one := range series {
		s.warnings = append(s.warnings, withoutDividends(one)...)
	}
	if s.interval == market.Monthly {
		s.warnings = append(s.warnings, "monthly closes: what happens within a month is not seen")
	}
	if text := lineup.Sparse(s.prices.Dates, s.periods); text != "" {
		s.warnings = append(s.warnings, text)
	}
	slices.Sort(s.warnings)
	s.warnings = append(slices.Compact(s.warnings), "only instruments that are still listed are known: those that failed are missing")
}
