package statistics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

const (
	fewestCompared = 2
	mostCompared   = 8
	fetchedAtOnce  = 4
)

// window says over which observations several series are set side by side, and
// what made it so.
type window struct {
	From         string          `json:"from"`
	To           string          `json:"to"`
	Observations int             `json:"observations"`
	Interval     market.Interval `json:"interval,omitempty"`
	// Limits names the series that begin last and end first.
	Limits []string `json:"limits"`
}

// lineup are series brought to the observations that all of them have.
type lineup struct {
	window
	series   []market.Series
	prices   []analytics.Prices
	warnings []string
}

// errGiven marks arguments that do not make several series.
var errGiven = errors.New("not several series")

// severalSymbols reads the symbols of a call, once each and in order.
func severalSymbols(list []string, text string) ([]string, error) {
	asked := question.Symbols(list, text)
	if len(asked) < fewestCompared || len(asked) > mostCompared {
		return nil, fmt.Errorf(`%w: %d symbols given; name %d to %d different ones: {"symbols": ["AAPL", "MSFT"]}`, errGiven, len(asked), fewestCompared, mostCompared)
	}
	return asked, nil
}

// lineUp fetches what is known until the span's end and brings it to one window.
// Two spellings of one instrument count once.
func (d Deps) lineUp(ctx context.Context, asked []string, sp question.Span) (lineup, error) {
	fetched := make([]market.Series, len(asked))
	causes := make([]error, len(asked))
	var group errgroup.Group
	group.SetLimit(fetchedAtOnce)
	for i, text := range asked {
		group.Go(func() error {
			// The whole series, since a range counts back from the common end.
			fetched[i], _, causes[i] = d.History(ctx, text, question.Span{To: sp.To})
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return lineup{}, fmt.Errorf("prices of %s: %w", strings.Join(asked, ", "), err)
	}
	if err := errors.Join(causes...); err != nil {
		return lineup{}, err
	}
	var series []market.Series
	for _, s := range fetched {
		if !slices.ContainsFunc(series, func(have market.Series) bool { return have.Symbol == s.Symbol }) {
			series = append(series, s)
		}
	}
	if len(series) < fewestCompared {
		return lineup{}, fmt.Errorf("%w: %s are one instrument, %s; name at least %d", errGiven, strings.Join(asked, ", "), series[0].Symbol, fewestCompared)
	}
	return lineUp(series, sp)
}

// lineUp brings series to the span of the observations that all have.
func lineUp(series []market.Series, sp question.Span) (lineup, error) {
	series, warnings := coarsest(series)
	common, err := analytics.Align(series...)
	if err != nil {
		return lineup{}, fmt.Errorf("%w: %w; %s", market.ErrNoData, err, coverage(series))
	}
	first, last := common[0].Bars[0].Date, common[0].Bars[len(common[0].Bars)-1].Date
	if sp.From.After(last) {
		return lineup{}, fmt.Errorf("%w: all have closes from %s to %s only; %s", market.ErrNoData, present.Dated(first), present.Dated(last), coverage(series))
	}
	cut, late := sp.Cut(common[0])
	l := lineup{series: common, warnings: append(warnings, late...)}
	skipped := len(common[0].Bars) - len(cut.Bars)
	for i := range common {
		common[i].Bars = common[i].Bars[skipped:]
		prices, err := analytics.NewPrices(common[i])
		if err != nil {
			return lineup{}, fmt.Errorf("%s: %w", common[i].Symbol, err)
		}
		l.prices = append(l.prices, prices)
	}
	l.window = windowOf(series, common[0], skipped == 0)
	l.warnings = append(l.warnings, leftOut(series, common)...)
	return l, nil
}

// coarsest turns daily series into monthly ones where others are monthly.
func coarsest(series []market.Series) ([]market.Series, []string) {
	isMonthly := func(s market.Series) bool { return s.Interval == market.Monthly }
	out, warnings := slices.Clone(series), []string(nil)
	if !slices.ContainsFunc(series, isMonthly) {
		return out, nil
	}
	for i, s := range out {
		if !isMonthly(s) {
			out[i] = question.Monthly(s)
			warnings = append(warnings, fmt.Sprintf("daily closes of %s are taken at the ends of months, as the others are monthly", s.Symbol))
		}
	}
	return out, warnings
}

// windowOf names what limits the window: a start only where the span reached back
// to it.
func windowOf(series []market.Series, common market.Series, whole bool) window {
	first, last := common.Bars[0].Date, common.Bars[len(common.Bars)-1].Date
	w := window{From: present.Dated(first), To: present.Dated(last), Observations: len(common.Bars), Interval: common.Interval, Limits: []string{}}
	begin := func(s market.Series) market.Date { return s.Bars[0].Date }
	end := func(s market.Series) market.Date { return s.Bars[len(s.Bars)-1].Date }
	latest := slices.MaxFunc(series, func(a, b market.Series) int { return begin(a).Compare(begin(b)) })
	earliest := slices.MinFunc(series, func(a, b market.Series) int { return end(a).Compare(end(b)) })
	slack := question.LongestGap(common.Interval)
	if whole && slices.ContainsFunc(series, func(s market.Series) bool { return begin(latest).Sub(begin(s)) > slack }) {
		w.Limits = append(w.Limits, fmt.Sprintf("%s begins last, on %s", latest.Symbol, present.Dated(begin(latest))))
	}
	if slices.ContainsFunc(series, func(s market.Series) bool { return end(s).Sub(end(earliest)) > slack }) {
		w.Limits = append(w.Limits, fmt.Sprintf("%s ends first, on %s", earliest.Symbol, present.Dated(end(earliest))))
	}
	return w
}

// leftOut counts the closes within the window that the others do not have.
func leftOut(series, common []market.Series) []string {
	var out []string
	for i, s := range series {
		kept := common[i].Bars
		within := s.Within(market.Range{From: kept[0].Date, To: kept[len(kept)-1].Date})
		if n := len(within.Bars) - len(kept); n > 0 {
			out = append(out, fmt.Sprintf("%d closes of %s within the window are left out, as not all have one then", n, s.Symbol))
		}
	}
	return out
}

func coverage(series []market.Series) string {
	parts := make([]string, len(series))
	for i, s := range series {
		parts[i] = fmt.Sprintf("%s has %s closes from %s to %s", s.Symbol, s.Interval, present.Dated(s.Bars[0].Date), present.Dated(s.Bars[len(s.Bars)-1].Date))
	}
	return strings.Join(parts, ", ")
}

// unlike says what keeps the series from being like for like.
func (l lineup) unlike() []string {
	var counts, units []string
	for _, s := range l.series {
		counts = append(counts, present.ReturnKind(s.Instrument, s.Provenance.Adjustment))
		if s.Provenance.Currency != "" {
			units = append(units, s.Provenance.Currency)
		}
	}
	var out []string
	if distinct := slices.Compact(slices.Sorted(slices.Values(units))); len(distinct) > 1 {
		out = append(out, fmt.Sprintf("currencies differ (%s): each return is in its own, and exchange rates are in none of them", strings.Join(distinct, ", ")))
	}
	if slices.ContainsFunc(counts, func(k string) bool { return k != counts[0] }) {
		said := make([]string, len(counts))
		for i, k := range counts {
			said[i] = fmt.Sprintf("%s: %s", l.series[i].Symbol, k)
		}
		out = append(out, "not like for like: "+strings.Join(said, "; "))
	}
	return out
}

func (l lineup) symbols() []string {
	out := make([]string, len(l.series))
	for i, s := range l.series {
		out[i] = string(s.Symbol)
	}
	return out
}

// heading is the line that says over what the comparison runs.
func (l lineup) heading() string {
	text := fmt.Sprintf("%s → %s · %s common closes", l.From, l.To, present.Counted(l.Observations))
	if l.Interval != "" {
		text = fmt.Sprintf("%s → %s · %s %s closes", l.From, l.To, present.Counted(l.Observations), l.Interval)
	}
	if len(l.Limits) > 0 {
		text += " · " + strings.Join(l.Limits, ", ")
	}
	return text
}

// origins says where all of the numbers are from, each origin once.
func (l lineup) origins() string {
	var lines []string
	for _, s := range l.series {
		if line := present.OriginOf(s.Provenance).Footer(); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n\n")
}

// loud are the flags of all series together.
func (l lineup) loud() string {
	var flags []market.Flag
	for _, s := range l.series {
		flags = append(flags, s.Provenance.Flags...)
	}
	slices.Sort(flags)
	return present.Origin{Flags: slices.Compact(flags)}.Loud()
}
