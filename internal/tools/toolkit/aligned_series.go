package toolkit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
)

// CommonWindow describes the dates that all series share, and which series limit them.
type CommonWindow struct {
	From         string          `json:"from"`
	To           string          `json:"to"`
	Observations int             `json:"observations"`
	Interval     market.Interval `json:"interval,omitempty"`
	// Limits names the series that starts latest and the one that ends earliest, if they are far
	// from the others. It is never null.
	Limits []string `json:"limits"`
}

// AlignedSeries holds series cut to the dates that all of them have, in the order of the input.
type AlignedSeries struct {
	CommonWindow
	Series []market.Series
	Prices []analytics.Prices // one for each of Series
	// StartNote states where the period starts or ends, if that is not obvious.
	StartNote string
	// Warnings report dropped closes, data that do not cover the period, and prices that may
	// contain an unadjusted split.
	Warnings []string
}

// AlignSeries cuts series, each with at least one bar, to the dates that all of them have. A range
// counts back from the last of these dates. If one series is monthly, the others are reduced to
// month-end closes. No gaps are filled.
//
// Without common dates, or without any in the period, the error is a market.ErrNoData that lists
// what each series covers; the former is also an analytics.ErrNoOverlap. A price that allows no
// return yields the error of analytics.NewPrices with the symbol, and a doubtful step within the
// period that of CheckSteps.
func AlignSeries(series []market.Series, sp Period) (AlignedSeries, error) {
	if len(series) == 0 {
		return AlignedSeries{}, fmt.Errorf("%w: no series", market.ErrNoData)
	}
	alike, warnings := alignIntervals(series)
	common, err := analytics.Align(alike...)
	if err != nil {
		return AlignedSeries{}, fmt.Errorf("%w: %w; %s", market.ErrNoData, err, describeCoverage(series))
	}
	first, last := common[0].Bars[0].Date, lastDate(common[0])
	if sp.From.After(last) {
		return AlignedSeries{}, fmt.Errorf("%w: the series share closes only from %s to %s; %s", market.ErrNoData, FormatDate(first), FormatDate(last), describeCoverage(series))
	}
	window := common[0]
	if len(common) > 1 {
		window.Symbol = ""
	}
	cut, late := sp.Cut(window)
	l := AlignedSeries{Series: common, StartNote: sp.StartNote(cut), Warnings: append(warnings, late...)}
	skipped := len(common[0].Bars) - len(cut.Bars)
	for i := range common {
		common[i].Bars = common[i].Bars[skipped:]
		prices, err := analytics.NewPrices(common[i])
		if err != nil {
			return AlignedSeries{}, fmt.Errorf("%s: %w", common[i].Symbol, err)
		}
		l.Prices = append(l.Prices, prices)
	}
	for _, s := range common {
		if text := SplitWarning(s); text != "" {
			l.Warnings = append(l.Warnings, fmt.Sprintf("%s: %s", s.Symbol, text))
		}
	}
	for _, s := range series {
		if err := CheckSteps(s.Within(market.Range{From: common[0].Bars[0].Date, To: last})); err != nil {
			return AlignedSeries{}, err
		}
	}
	l.CommonWindow = newCommonWindow(series, common[0], skipped == 0)
	l.Warnings = append(l.Warnings, droppedCloses(alike, common)...)
	return l, nil
}

// alignIntervals reduces daily series to month-end closes if others are monthly.
func alignIntervals(series []market.Series) (alike []market.Series, warnings []string) {
	alike = slices.Clone(series)
	isMonthly := func(s market.Series) bool { return s.Interval == market.Monthly }
	if !slices.ContainsFunc(series, isMonthly) {
		return alike, nil
	}
	for i, s := range alike {
		if !isMonthly(s) {
			alike[i] = ToMonthEnds(s)
			warnings = append(warnings, fmt.Sprintf("%s uses month-end closes, because other series are monthly", s.Symbol))
		}
	}
	return alike, warnings
}

// newCommonWindow returns the window with its limits; a late start counts only if the period
// reaches back to it.
func newCommonWindow(series []market.Series, common market.Series, fromStart bool) CommonWindow {
	w := CommonWindow{
		From: FormatDate(common.Bars[0].Date), To: FormatDate(lastDate(common)), Observations: len(common.Bars),
		Interval: common.Interval, Limits: []string{},
	}
	begin := func(s market.Series) market.Date { return s.Bars[0].Date }
	latest := slices.MaxFunc(series, func(a, b market.Series) int { return begin(a).Compare(begin(b)) })
	earliest := earliestEnding(series)
	slack := MaxBarGap(common.Interval)
	if fromStart && slices.ContainsFunc(series, func(s market.Series) bool { return begin(latest).Sub(begin(s)) > slack }) {
		w.Limits = append(w.Limits, fmt.Sprintf("%s starts latest, on %s", latest.Symbol, FormatDate(begin(latest))))
	}
	if slices.ContainsFunc(series, func(s market.Series) bool { return lastDate(s).Sub(lastDate(earliest)) > slack }) {
		w.Limits = append(w.Limits, fmt.Sprintf("%s ends earliest, on %s", earliest.Symbol, FormatDate(lastDate(earliest))))
	}
	return w
}

// droppedCloses reports how many closes of each series were dropped within the window because
// another series has none on that date.
func droppedCloses(series, common []market.Series) []string {
	var out []string
	for i, s := range series {
		shared := common[i].Bars
		within := s.Within(market.Range{From: shared[0].Date, To: lastDate(common[i])})
		if n := len(within.Bars) - len(shared); n > 0 {
			out = append(out, fmt.Sprintf("dropped %s of %s on dates that not all series have", humanize.Count(n, "close", "closes"), s.Symbol))
		}
	}
	return out
}

func describeCoverage(series []market.Series) string {
	parts := make([]string, len(series))
	for i, s := range series {
		closes := strings.TrimSpace(string(s.Interval) + " closes")
		parts[i] = fmt.Sprintf("%s has %s from %s to %s", s.Symbol, closes, FormatDate(s.Bars[0].Date), FormatDate(lastDate(s)))
	}
	return strings.Join(parts, ", ")
}

func lastDate(s market.Series) market.Date { return s.Bars[len(s.Bars)-1].Date }

// earliestEnding returns the series whose last bar is the earliest.
func earliestEnding(series []market.Series) market.Series {
	return slices.MinFunc(series, func(a, b market.Series) int { return lastDate(a).Compare(lastDate(b)) })
}
