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

// errInvalidSeries marks arguments that do not make several series.
var errInvalidSeries = toolkit.InvalidArgs(errors.New("not several series"))

// comparedAssets is what several assets are named by: symbols, or series of the
// caller's own.
type comparedAssets struct {
	symbols []string
	symbol  string
	series  map[string][]datedClose
	// annualized requires supplied series to be daily or monthly.
	annualized bool
}

// alignAssets brings the assets of a call to one window.
func (d Deps) alignAssets(ctx context.Context, in comparedAssets, sp toolkit.Period) (toolkit.AlignedSeries, error) {
	requested := toolkit.ParseSymbols(in.symbols, in.symbol)
	switch n := len(in.series); {
	case n == 0 && (len(requested) < minCompared || len(requested) > maxCompared):
		return toolkit.AlignedSeries{}, fmt.Errorf(`%w: %d symbols given; name %d to %d different ones: {"symbols": ["AAPL", "MSFT"]}`, errInvalidSeries, len(requested), minCompared, maxCompared)
	case n == 0:
		return d.fetchAssets(ctx, requested, sp)
	case len(requested) > 0:
		return toolkit.AlignedSeries{}, fmt.Errorf("%w: give either symbols or series, not both", errInvalidSeries)
	case n < minCompared || n > maxCompared:
		return toolkit.AlignedSeries{}, fmt.Errorf("%w: %d series given; %d to %d are compared", errInvalidSeries, n, minCompared, maxCompared)
	}
	var series []market.Series
	for _, name := range slices.Sorted(maps.Keys(in.series)) {
		s, err := suppliedSeries(name, in.series[name])
		if err != nil {
			return toolkit.AlignedSeries{}, fmt.Errorf("%w: series %s: %w", errInvalidSeries, name, err)
		}
		// Without an own range, to must cut here: there is no source to ask.
		if s = s.Within(market.Range{To: sp.To}); len(s.Bars) == 0 {
			return toolkit.AlignedSeries{}, fmt.Errorf("%w: series %s has no close until %s", errInvalidSeries, name, toolkit.FormatDate(sp.To))
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

// fetchAssets brings what is known of a span to one window. Two spellings of one
// instrument count once.
func (d Deps) fetchAssets(ctx context.Context, requested []string, sp toolkit.Period) (toolkit.AlignedSeries, error) {
	all, err := toolkit.FetchSeries(ctx, d.Prices, requested, sp)
	if err != nil {
		return toolkit.AlignedSeries{}, err
	}
	series := toolkit.DistinctSeries(all)
	if len(series) < minCompared {
		return toolkit.AlignedSeries{}, fmt.Errorf("%w: %s are one instrument, %s; name at least %d", errInvalidSeries, strings.Join(requested, ", "), series[0].Symbol, minCompared)
	}
	return toolkit.AlignSeries(series, sp)
}

// suppliedSeries is a series that came with the call.
func suppliedSeries(name string, closes []datedClose) (market.Series, error) {
	if len(closes) == 0 {
		return market.Series{}, errors.New("it is empty")
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

// detectInterval tells from their dates whether closes that came with a call are daily or
// monthly, so that they can be annualized. Others are refused: a wrong number of periods a
// year would pass unseen.
func detectInterval(s market.Series) (market.Series, error) {
	if len(s.Bars) < 2 {
		return s, nil
	}
	interval, days := toolkit.Spacing(toolkit.SeriesDates(s))
	if interval != market.Daily && interval != market.Monthly {
		return s, fmt.Errorf("%w: the closes of %s are mostly %.0f days apart; give daily or monthly ones", errInvalidSeries, s.Symbol, days)
	}
	s.Interval = interval
	return s, nil
}

// alignmentWarnings names closes that were dropped, and why the series are not like for like.
func alignmentWarnings(l toolkit.AlignedSeries) toolkit.Notes {
	var out toolkit.Notes
	out.WarnEach("prices", l.Warnings...)
	if in := toolkit.SeriesCurrencies(l.Series); len(in) > 1 {
		out.Warn("currency", "currencies differ (%s): each return is in its own, without exchange rates", strings.Join(in, ", "))
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
