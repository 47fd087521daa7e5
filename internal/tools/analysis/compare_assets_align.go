package analysis

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const (
	minCompared = 2
	maxCompared = 8
)

// errInvalidSeries marks arguments that are not several valid series.
var errInvalidSeries = toolkit.InvalidArgs(errors.New("invalid series"))

// comparedAssets are the assets of a call: symbols, or the caller's own series.
type comparedAssets struct {
	symbols []string
	symbol  string
	series  map[string][]datedClose
	// annualized requires supplied series to be daily or monthly.
	annualized bool
}

// alignAssets cuts the assets of a call to their common period.
func (d Deps) alignAssets(ctx context.Context, in comparedAssets, sp toolkit.Period) (toolkit.AlignedSeries, error) {
	requested := toolkit.ParseSymbols(in.symbols, in.symbol)
	switch n := len(in.series); {
	case n == 0 && (len(requested) < minCompared || len(requested) > maxCompared):
		return toolkit.AlignedSeries{}, fmt.Errorf(`%w: need %[3]d to %[4]d different symbols, got %[2]d; for example {"symbols": ["AAPL", "MSFT"]}`, errInvalidSeries, len(requested), minCompared, maxCompared)
	case n == 0:
		return d.fetchAssets(ctx, requested, sp)
	case len(requested) > 0:
		return toolkit.AlignedSeries{}, fmt.Errorf("%w: use either symbols or series, not both", errInvalidSeries)
	case n < minCompared || n > maxCompared:
		return toolkit.AlignedSeries{}, fmt.Errorf("%w: need %[3]d to %[4]d series, got %[2]d", errInvalidSeries, n, minCompared, maxCompared)
	}
	var series []market.Series
	for _, name := range slices.Sorted(maps.Keys(in.series)) {
		s, err := suppliedSeries(name, in.series[name])
		if err != nil {
			return toolkit.AlignedSeries{}, fmt.Errorf("%w: series %s: %w", errInvalidSeries, name, err)
		}
		// Apply to here, because no source does.
		if s = s.Within(market.Range{To: sp.To}); len(s.Bars) == 0 {
			return toolkit.AlignedSeries{}, fmt.Errorf("%w: series %s has no close on or before %s", errInvalidSeries, name, toolkit.FormatDate(sp.To))
		}
		if in.annualized {
			if s, err = detectInterval(s); err != nil {
				return toolkit.AlignedSeries{}, err
			}
		}
		series = append(series, s)
	}
	return toolkit.AlignSeries(series, sp)
}

// fetchAssets fetches several symbols and cuts them to their common period. Two names for one
// instrument count once.
func (d Deps) fetchAssets(ctx context.Context, requested []string, sp toolkit.Period) (toolkit.AlignedSeries, error) {
	all, err := toolkit.FetchSeries(ctx, d.Prices, requested, sp)
	if err != nil {
		return toolkit.AlignedSeries{}, err
	}
	series := toolkit.DistinctSeries(all)
	if len(series) < minCompared {
		return toolkit.AlignedSeries{}, fmt.Errorf("%w: %s are the same instrument, %s; use at least %d different ones", errInvalidSeries, strings.Join(requested, ", "), series[0].Symbol, minCompared)
	}
	return toolkit.AlignSeries(series, sp)
}

// suppliedSeries returns a series from the closes in the call.
func suppliedSeries(name string, closes []datedClose) (market.Series, error) {
	if len(closes) == 0 {
		return market.Series{}, errors.New("no closes")
	}
	dates, values := make([]string, len(closes)), make([]float64, len(closes))
	for i, c := range closes {
		dates[i], values[i] = c.Date, c.Close
	}
	days, err := toolkit.ParseDays(dates)
	if err != nil {
		return market.Series{}, err
	}
	return toolkit.CallerSeries(name, "", days, values)
}

// detectInterval sets the interval of supplied closes, daily or monthly, from their dates, so that they
// can be annualized. It refuses others, because a wrong number of periods a year would go unnoticed.
func detectInterval(s market.Series) (market.Series, error) {
	if len(s.Bars) < 2 {
		return s, nil
	}
	interval, days := toolkit.Spacing(toolkit.SeriesDates(s))
	if interval != market.Daily && interval != market.Monthly {
		return s, fmt.Errorf("%w: most closes of %s are %.0f days apart; use daily or monthly closes", errInvalidSeries, s.Symbol, days)
	}
	s.Interval = interval
	return s, nil
}

// alignmentWarnings reports dropped closes and why returns are not comparable.
func alignmentWarnings(l toolkit.AlignedSeries) toolkit.Notes {
	var out toolkit.Notes
	out.WarnEach("prices", l.Warnings...)
	if in := toolkit.SeriesCurrencies(l.Series); len(in) > 1 {
		out.Warn("currency", "currencies differ (%s): each return is in its own currency", strings.Join(in, ", "))
	}
	if text := toolkit.MixedReturnsWarning(l.Series); text != "" {
		out.Warn("mixed_returns", "%s", text)
	}
	return out
}

func symbolsOf(l toolkit.AlignedSeries) []string {
	out := make([]string, len(l.Series))
	for i, s := range l.Series {
		out[i] = string(s.Symbol)
	}
	return out
}
