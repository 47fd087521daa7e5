package planning

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/analytics/backtest"
	"github.com/nfa-cli/nfa/internal/market"
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
	origins   []present.Origin
	source    string
}

const (
	mostAssets    = 20
	fetchedAtOnce = 4
)

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
	benchmark := slices.IndexFunc(asked, func(s string) bool { return strings.EqualFold(s, strings.TrimSpace(in.Benchmark)) })
	all := asked
	switch {
	case strings.TrimSpace(in.Benchmark) == "":
		benchmark = 0
	case benchmark < 0:
		benchmark, all = len(asked), append(slices.Clone(asked), in.Benchmark)
	}
	var s stage
	series, err := s.fetch(ctx, d, all, sp)
	if err != nil {
		return s, err
	}
	if err := different(asked, series); err != nil {
		return s, err
	}
	return s, s.set(series[:len(asked)], series[benchmark])
}

// different refuses two names of one instrument: its weight would be counted twice.
func different(asked []string, series []market.Series) error {
	seen := map[market.Symbol]string{}
	for i, text := range asked {
		sym := series[i].Symbol
		if other, twice := seen[sym]; twice {
			return fmt.Errorf("%w: %s and %s are one instrument, %s; name it once", errStage, other, text, sym)
		}
		seen[sym] = text
	}
	return nil
}

// fetch brings what is asked to the dates that all of them have.
func (s *stage) fetch(ctx context.Context, d Deps, asked []string, sp question.Span) ([]market.Series, error) {
	fetched, told, causes := make([]market.Series, len(asked)), make([][]string, len(asked)), make([]error, len(asked))
	var group errgroup.Group
	group.SetLimit(fetchedAtOnce)
	for i, text := range asked {
		group.Go(func() error {
			fetched[i], told[i], causes[i] = d.returning(ctx, text, sp)
			return nil
		})
	}
	_ = group.Wait() // the causes are looked at below, in order
	for _, err := range causes {
		if err != nil {
			return nil, err
		}
	}
	monthly := slices.ContainsFunc(fetched, func(s market.Series) bool { return s.Interval == market.Monthly })
	for i, one := range fetched {
		if monthly && one.Interval != market.Monthly {
			fetched[i] = byMonths(one)
			s.warnings = append(s.warnings, fmt.Sprintf("daily prices of %s are taken at the ends of months, as others are monthly", one.Symbol))
		}
	}
	common, err := analytics.Align(fetched...)
	if errors.Is(err, analytics.ErrNoOverlap) {
		return nil, fmt.Errorf("%w: %w of %s; leave out the one that ended or began apart from the others", market.ErrNoData, err, strings.Join(asked, ", "))
	}
	if err != nil {
		return nil, err
	}
	s.warnings = append(s.warnings, slices.Concat(told...)...)
	s.warnings = append(s.warnings, lateness(fetched)...)
	return common, nil
}

// lateness names what begins long after the others, and so begins the backtest.
func lateness(series []market.Series) []string {
	begin := func(s market.Series) market.Date { return s.Bars[0].Date }
	byBegin := func(a, b market.Series) int { return begin(a).Compare(begin(b)) }
	first, last := slices.MinFunc(series, byBegin), slices.MaxFunc(series, byBegin)
	if begin(last).Sub(begin(first)) <= question.LongestGap(last.Interval) {
		return nil
	}
	return []string{fmt.Sprintf("%s begins last, on %s: nothing is played before", last.Symbol, present.Dated(begin(last)))}
}

// set makes series that Align gave the stage.
func (s *stage) set(series []market.Series, benchmark market.Series) error {
	var err error
	if s.prices, err = pricesOf(series); err != nil {
		return err
	}
	if s.benchmark, err = pricesOf([]market.Series{benchmark}); err != nil {
		return err
	}
	if s.prices.Opens == nil || s.benchmark.Opens == nil {
		s.prices.Opens, s.benchmark.Opens = nil, nil // both trade at the same moment
	}
	s.interval = series[0].Interval
	s.periods = s.interval.PeriodsPerYear()
	if s.interval == market.Daily {
		s.periods = dailyPeriods(s.prices.Dates)
	}
	s.cautions(append(slices.Clone(series), benchmark))
	return nil
}

// pricesOf takes series through the door to float64. Opens count where every bar
// has one.
func pricesOf(series []market.Series) (backtest.Prices, error) {
	p := backtest.Prices{}
	opens := true
	for _, s := range series {
		if _, err := analytics.NewPrices(s); err != nil {
			return p, fmt.Errorf("%s: %w", s.Symbol, err)
		}
		var closes, open []float64
		for _, bar := range s.Bars {
			closes = append(closes, bar.Close.InexactFloat64())
			opens = opens && bar.Open.Valid && bar.Open.Decimal.IsPositive()
			open = append(open, bar.Open.Decimal.InexactFloat64())
		}
		p.Names, p.Closes, p.Opens = append(p.Names, string(s.Symbol)), append(p.Closes, closes), append(p.Opens, open)
	}
	for _, bar := range series[0].Bars {
		p.Dates = append(p.Dates, bar.Date)
	}
	if !opens {
		p.Opens = nil
	}
	return p, nil
}

// cautions are what to know of the prices, and where they are from.
func (s *stage) cautions(series []market.Series) {
	var sources []string
	currencies := map[string]bool{}
	for _, one := range series {
		origin := present.OriginOf(one.Provenance, present.ReturnKind(one.Instrument, one.Provenance.Adjustment))
		s.origins, sources = append(s.origins, origin), append(sources, origin.Source)
		currencies[one.Provenance.Currency] = true
		s.currency = one.Provenance.Currency
	}
	slices.Sort(sources)
	s.source = strings.Join(slices.Compact(sources), "; ")
	if len(currencies) > 1 {
		s.currency = ""
	}
	delete(currencies, "")
	if len(currencies) > 1 {
		s.warnings = append(s.warnings, fmt.Sprintf("prices are in %s: nothing is converted, and exchange rates are missing from the returns", strings.Join(slices.Sorted(maps.Keys(currencies)), ", ")))
	}
	if s.interval == market.Monthly {
		s.warnings = append(s.warnings, "monthly closes: what happens within a month is not seen")
	}
	if text := sparse(s.prices.Dates, s.periods); text != "" {
		s.warnings = append(s.warnings, text)
	}
	slices.Sort(s.warnings)
	s.warnings = append(slices.Compact(s.warnings), "only instruments that are still listed are known: those that failed are missing")
}
