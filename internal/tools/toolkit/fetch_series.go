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
	// leadDays is in days before the span: it begins with the last close that all have
	// on or before its first day, which is a month back where one of them is
	// monthly.
	leadDays = 92
	// leadToleranceDays is how far apart the begins of two spans may be while that lead
	// still reaches the earlier one.
	leadToleranceDays = leadDays - 2*31
)

// FetchReturnSeries fetches closes for returns: with dividends reinvested where the source
// tells them, else with splits undone where it tells those, else as they are, with a
// warning; what a return counts is then said of them. It is else as Prices has
// it.
func FetchReturnSeries(ctx context.Context, p Prices, text string, sp Period) (market.Series, []string, error) {
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

// FetchSeries fetches one series for each text, in order, as History does and all at once. They
// reach from before the period until its end, and AlignSeries cuts them: a range is counted
// back from the last close that all have, which may be years before that of a series that
// continues.
func FetchSeries(ctx context.Context, p Prices, names []string, sp Period) ([]market.Series, error) {
	fetched, err := fetchAll(ctx, p, names, sp.WithLead(leadDays))
	if errors.Is(err, market.ErrNoData) && !sp.From.IsZero() && len(names) > 1 {
		// Which window they do have in common can be said of whole series alone.
		fetched, err = fetchAll(ctx, p, names, Period{To: sp.To})
	}
	if err != nil {
		return nil, err
	}
	return extendBack(ctx, p, names, fetched, sp)
}

// extendBack fetches those series once more that begin too late for a range that
// counts back from the common end.
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

// fetchAll fetches a span of several series at once.
func fetchAll(ctx context.Context, p Prices, names []string, sp Period) ([]market.Series, error) {
	fetched, causes := make([]market.Series, len(names)), make([]error, len(names))
	var group crash.Group
	group.SetLimit(maxConcurrentSeries)
	for i, text := range names {
		group.Go(func() error {
			// AlignSeries repeats the warnings about the ends of one series for all of them.
			fetched[i], _, causes[i] = FetchReturnSeries(ctx, p, text, sp)
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("prices of %s: %w", strings.Join(names, ", "), err)
	}
	return fetched, errors.Join(causes...)
}

// WithBenchmark adds a benchmark to names, unless it is among them, and returns its index.
func WithBenchmark(names []string, benchmark string) (all []string, at int) {
	benchmark = strings.TrimSpace(benchmark)
	at = slices.IndexFunc(names, func(have string) bool { return strings.EqualFold(have, benchmark) })
	if at >= 0 {
		return names, at
	}
	return append(slices.Clone(names), benchmark), len(names)
}

// DistinctSeries are series with each symbol once, the first of it.
func DistinctSeries(series []market.Series) []market.Series {
	var out []market.Series
	for _, s := range series {
		if !slices.ContainsFunc(out, func(have market.Series) bool { return have.Symbol == s.Symbol }) {
			out = append(out, s)
		}
	}
	return out
}

// CheckDistinct is why two of the texts that were asked for are one instrument, nil where
// all differ. series has one for each text, and may have more.
func CheckDistinct(names []string, series []market.Series) error {
	named := map[market.Symbol]string{}
	for i, text := range names {
		sym := series[i].Symbol
		if previous, duplicate := named[sym]; duplicate {
			return fmt.Errorf("%s and %s are one instrument, %s; name it once", previous, text, sym)
		}
		named[sym] = text
	}
	return nil
}

// CallerSource is the source of closes that came with the call.
const CallerSource = "given in the call"

// CallerSeries is a series of closes, one for each day, that came with the call, in a
// currency or in none that is known. A close that is not above zero is an error.
// Its interval stays open: the dates alone say what belongs together.
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
			return s, fmt.Errorf("close %v on %s; returns need prices above zero", v, days[i].Format("2006-01-02"))
		}
		s.Bars = append(s.Bars, market.Bar{Date: days[i], Close: decimal.NewFromFloat(v)})
		s.Provenance.AsOf = days[i]
	}
	return s, nil
}
