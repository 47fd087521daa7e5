package toolkit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market"
)

const (
	maxConcurrentSeries = 4
	// leadDays is how many days before the period to fetch: the period starts with the last common
	// close on or before its first day, which is up to a month earlier for monthly series.
	leadDays = 92
	// leadToleranceDays is the maximum distance between the starts of two periods so that one lead covers
	// both.
	leadToleranceDays = leadDays - 2*31
)

// FetchReturnSeries fetches closes for returns: adjusted for splits and dividends if the source
// reports both, otherwise for splits, otherwise as traded with a warning. The returned series states
// what its returns include. Errors are those of Prices.History and CheckSteps.
func FetchReturnSeries(ctx context.Context, p Prices, text string, sp Period) (market.Series, []string, error) {
	series, warnings, err := p.returnSeries(ctx, text, sp)
	if err == nil {
		err = CheckSteps(series)
	}
	return series, warnings, err
}

// CheckSteps returns an error that names the first jump between closes that is too large to be real.
// Returns, risk and drawdown must not be computed across it.
func CheckSteps(s market.Series) error {
	steps := s.DoubtfulSteps()
	if len(steps) == 0 || s.Provenance.Source == CallerSource {
		return nil
	}
	d := steps[0]
	return Unusablef("prices of %s jump on %s, because %s; returns, risk and drawdown are not computed across that day; choose a period before or after it", s.Symbol, FormatDate(d.Date), d.Reason)
}

// returnSeries works like FetchReturnSeries without CheckSteps, because the days before the period may contain a
// doubtful step.
func (p Prices) returnSeries(ctx context.Context, text string, sp Period) (market.Series, []string, error) {
	series, warnings, err := p.History(ctx, text, sp)
	if err != nil {
		return series, warnings, err
	}
	if total, err := series.TotalReturn(); err == nil {
		return total, warnings, nil
	}
	if adjusted, err := series.SplitAdjusted(); err == nil {
		series = adjusted
	}
	if text := SplitWarning(series); text != "" {
		warnings = append(warnings, text)
	}
	return series, warnings, nil
}

// FetchSeries fetches one series for each name, in order and in parallel, with the errors of
// Prices.History. They start before the period, and AlignSeries cuts them: a range counts back from
// the last common close, which may be years before the last close of some series.
func FetchSeries(ctx context.Context, p Prices, names []string, sp Period) ([]market.Series, error) {
	fetched, err := fetchAll(ctx, p, names, sp.WithLead(leadDays))
	if errors.Is(err, market.ErrNoData) && !sp.From.IsZero() && len(names) > 1 {
		// Fetch the complete series, because the error names the window they share.
		fetched, err = fetchAll(ctx, p, names, Period{To: sp.To})
	}
	if err != nil {
		return nil, err
	}
	return extendBack(ctx, p, names, fetched, sp)
}

// extendBack fetches series again that start too late for a range that counts back from the
// common end.
func extendBack(ctx context.Context, p Prices, names []string, fetched []market.Series, sp Period) ([]market.Series, error) {
	if len(fetched) == 0 {
		return nil, nil
	}
	first := sp.EndingOn(lastDate(earliestEnding(fetched))).From
	var late []int
	var retry []string
	for i, s := range fetched {
		if sp.EndingOn(lastDate(s)).From.Sub(first) > leadToleranceDays*24*time.Hour {
			late, retry = append(late, i), append(retry, names[i])
		}
	}
	extended, err := fetchAll(ctx, p, retry, Period{From: first, To: sp.To}.WithLead(leadDays))
	if err != nil {
		return nil, err
	}
	for n, i := range late {
		fetched[i] = extended[n]
	}
	return fetched, nil
}

// fetchAll fetches several series in parallel.
func fetchAll(ctx context.Context, p Prices, names []string, sp Period) ([]market.Series, error) {
	fetched, causes := make([]market.Series, len(names)), make([]error, len(names))
	var group crash.Group
	group.SetLimit(maxConcurrentSeries)
	for i, text := range names {
		group.Go(func() error {
			// Drop the warnings about the ends of the data: AlignSeries gives them for all series.
			fetched[i], _, causes[i] = p.returnSeries(ctx, text, sp)
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("prices of %s: %w", strings.Join(names, ", "), err)
	}
	return fetched, errors.Join(causes...)
}

// WithBenchmark appends a benchmark to names unless they include it, and returns its index.
func WithBenchmark(names []string, benchmark string) (all []string, at int) {
	benchmark = strings.TrimSpace(benchmark)
	at = slices.IndexFunc(names, func(have string) bool { return strings.EqualFold(have, benchmark) })
	if at >= 0 {
		return names, at
	}
	return append(slices.Clone(names), benchmark), len(names)
}

// DistinctSeries returns the first series of each symbol.
func DistinctSeries(series []market.Series) []market.Series {
	var out []market.Series
	for _, s := range series {
		if !slices.ContainsFunc(out, func(have market.Series) bool { return have.Symbol == s.Symbol }) {
			out = append(out, s)
		}
	}
	return out
}

// CheckDistinct returns an error if two names mean the same instrument. series starts with one
// series per name and may have more.
func CheckDistinct(names []string, series []market.Series) error {
	named := map[market.Symbol]string{}
	for i, text := range names {
		sym := series[i].Symbol
		if previous, duplicate := named[sym]; duplicate {
			return fmt.Errorf("%s and %s are the same instrument, %s; list it once", previous, text, sym)
		}
		named[sym] = text
	}
	return nil
}

// CallerSource is the source of closes that were passed as arguments.
const CallerSource = "given in the call"

// CallerSeries returns a series of closes that were passed as arguments, one for each day. currency
// may be empty. A close that is not above zero is an error. The series has no interval: it is
// aligned by its dates.
func CallerSeries(name, currency string, days []market.Date, closes []float64) (market.Series, error) {
	s := market.Series{
		Instrument: market.Instrument{Symbol: market.Symbol(name)},
		Provenance: market.Provenance{Source: CallerSource, Currency: currency, Unit: "price", Adjustment: market.AdjustmentUnknown},
	}
	if len(closes) != len(days) {
		return s, fmt.Errorf("%d closes for %d dates", len(closes), len(days))
	}
	for i, v := range closes {
		if !(v > 0) || math.IsInf(v, 0) {
			return s, fmt.Errorf("close %v on %s: prices must be above zero", v, days[i].Format("2006-01-02"))
		}
		s.Bars = append(s.Bars, market.Bar{Date: days[i], Close: decimal.NewFromFloat(v)})
		s.Provenance.AsOf = days[i]
	}
	return s, nil
}
