package statistics

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/lineup"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

const (
	fewestCompared = 2
	mostCompared   = 8
)

// errGiven marks arguments that do not make several series.
var errGiven = errors.New("not several series")

// givenAssets is what several assets are named by: symbols, or series of the
// caller's own.
type givenAssets struct {
	symbols []string
	symbol  string
	series  map[string][]datedClose
	// annualised has it told how far apart the closes of own series are.
	annualised bool
}

// several brings the assets of a call to one window.
func (d Deps) several(ctx context.Context, in givenAssets, sp question.Span) (lineup.Lineup, error) {
	asked := question.Symbols(in.symbols, in.symbol)
	switch n := len(in.series); {
	case n == 0 && (len(asked) < fewestCompared || len(asked) > mostCompared):
		return lineup.Lineup{}, fmt.Errorf(`%w: %d symbols given; name %d to %d different ones: {"symbols": ["AAPL", "MSFT"]}`, errGiven, len(asked), fewestCompared, mostCompared)
	case n == 0:
		return d.fetched(ctx, asked, sp)
	case len(asked) > 0:
		return lineup.Lineup{}, fmt.Errorf("%w: give either symbols or series, not both", errGiven)
	case n < fewestCompared || n > mostCompared:
		return lineup.Lineup{}, fmt.Errorf("%w: %d series given; %d to %d are compared", errGiven, n, fewestCompared, mostCompared)
	}
	var series []market.Series
	for _, name := range slices.Sorted(maps.Keys(in.series)) {
		s, err := givenSeries(name, in.series[name])
		if err != nil {
			return lineup.Lineup{}, fmt.Errorf("%w: series %s: %w", errGiven, name, err)
		}
		// Without an own range, to must cut here: there is no source to ask.
		if s = s.Within(market.Range{To: sp.To}); len(s.Bars) == 0 {
			return lineup.Lineup{}, fmt.Errorf("%w: series %s has no close until %s", errGiven, name, present.Dated(sp.To))
		}
		if in.annualised {
			if s, err = spaced(s); err != nil {
				return lineup.Lineup{}, err
			}
		}
		series = append(series, s)
	}
	return lineup.Align(series, sp)
}

// fetched brings what is known of a span to one window. Two spellings of one
// instrument count once.
func (d Deps) fetched(ctx context.Context, asked []string, sp question.Span) (lineup.Lineup, error) {
	all, err := lineup.Fetch(ctx, d.Prices, asked, sp)
	if err != nil {
		return lineup.Lineup{}, err
	}
	series := lineup.Distinct(all)
	if len(series) < fewestCompared {
		return lineup.Lineup{}, fmt.Errorf("%w: %s are one instrument, %s; name at least %d", errGiven, strings.Join(asked, ", "), series[0].Symbol, fewestCompared)
	}
	return lineup.Align(series, sp)
}

// givenSeries is a series that came with the call.
func givenSeries(name string, closes []datedClose) (market.Series, error) {
	if len(closes) == 0 {
		return market.Series{}, errors.New("it is empty")
	}
	dates, values := make([]string, len(closes)), make([]float64, len(closes))
	for i, c := range closes {
		dates[i], values[i] = c.Date, c.Close
	}
	days, err := lineup.Days(dates)
	if err != nil {
		return market.Series{}, err
	}
	return lineup.Given(name, "", days, values)
}

// spaced tells from their dates whether closes that came with a call are daily or
// monthly, for what is annualised. Others are refused: a wrong number of periods a
// year would pass unseen.
func spaced(s market.Series) (market.Series, error) {
	if len(s.Bars) < 2 {
		return s, nil
	}
	interval, days := lineup.Spacing(lineup.Dates(s))
	if interval != market.Daily && interval != market.Monthly {
		return s, fmt.Errorf("%w: the closes of %s are mostly %.0f days apart; give daily or monthly ones", errGiven, s.Symbol, days)
	}
	s.Interval = interval
	return s, nil
}

// unlike says what keeps the series from being like for like.
func unlike(l lineup.Lineup) []string {
	var out []string
	if in := lineup.Currencies(l.Series); len(in) > 1 {
		out = append(out, fmt.Sprintf("currencies differ (%s): each return is in its own, and exchange rates are in none of them", strings.Join(in, ", ")))
	}
	if text := lineup.Unlike(l.Series); text != "" {
		out = append(out, text)
	}
	return out
}

func symbolsOf(l lineup.Lineup) []string {
	out := make([]string, len(l.Series))
	for i, s := range l.Series {
		out[i] = string(s.Symbol)
	}
	return out
}

// heading is the line that says over what the comparison runs.
func heading(w lineup.Window) string {
	text := fmt.Sprintf("%s → %s · %s common closes", w.From, w.To, present.Counted(w.Observations))
	if w.Interval != "" {
		text = fmt.Sprintf("%s → %s · %s %s closes", w.From, w.To, present.Counted(w.Observations), w.Interval)
	}
	if len(w.Limits) > 0 {
		text += " · " + strings.Join(w.Limits, ", ")
	}
	return text
}

// origins says where all of the numbers are from, each origin once; what a return
// of each counts stands in the warnings, where it differs.
func origins(l lineup.Lineup) string {
	plain := make([]present.Sourced, len(l.Series))
	for i, s := range l.Series {
		plain[i] = present.Sourced{Name: string(s.Symbol), Origin: present.OriginOf(s.Provenance)}
	}
	return strings.Join(present.Footers(plain), "\n\n")
}
