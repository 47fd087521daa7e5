package toolkit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
)

// CommonWindow says over which observations series are set side by side, and what made
// it so.
type CommonWindow struct {
	From         string          `json:"from"`
	To           string          `json:"to"`
	Observations int             `json:"observations"`
	Interval     market.Interval `json:"interval,omitempty"`
	// Limits names the series that begin last and end first, where that is long
	// after or before the others. It is never null.
	Limits []string `json:"limits"`
}

// AlignedSeries are series brought to the observations that all of them have, in the
// order in which they were given.
type AlignedSeries struct {
	CommonWindow
	Series []market.Series
	Prices []analytics.Prices // of Series, one for each
	// Warnings say what was left out on the way, where the data do not reach the ends
	// of the span, and among which prices a split may hide.
	Warnings []string
}

// AlignSeries brings series, each with a bar, to the span of the observations that all
// have. A range counts back from the last of these. Where one of the series is
// monthly, the others are taken at the ends of their months. Nothing is filled in.
//
// Series that have nothing in common, or nothing within the span, yield a
// market.ErrNoData that says what each has; the former is an
// analytics.ErrNoOverlap as well. A price that no return can be taken of yields the
// error of analytics.NewPrices with the symbol.
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
		return AlignedSeries{}, fmt.Errorf("%w: all have closes from %s to %s only; %s", market.ErrNoData, FormatDate(first), FormatDate(last), describeCoverage(series))
	}
	cut, late := sp.Cut(common[0])
	l := AlignedSeries{Series: common, Warnings: append(warnings, late...)}
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
	l.CommonWindow = newCommonWindow(series, common[0], skipped == 0)
	l.Warnings = append(l.Warnings, droppedCloses(alike, common)...)
	return l, nil
}

// alignIntervals takes series at the ends of months where others are monthly.
func alignIntervals(series []market.Series) (alike []market.Series, warnings []string) {
	alike = slices.Clone(series)
	isMonthly := func(s market.Series) bool { return s.Interval == market.Monthly }
	if !slices.ContainsFunc(series, isMonthly) {
		return alike, nil
	}
	for i, s := range alike {
		if !isMonthly(s) {
			alike[i] = ToMonthEnds(s)
			warnings = append(warnings, fmt.Sprintf("daily closes of %s are taken at the ends of months, as others are monthly", s.Symbol))
		}
	}
	return alike, warnings
}

// newCommonWindow names what limits the window: a start only where the span reached back
// to it.
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
		w.Limits = append(w.Limits, fmt.Sprintf("%s begins last, on %s", latest.Symbol, FormatDate(begin(latest))))
	}
	if slices.ContainsFunc(series, func(s market.Series) bool { return lastDate(s).Sub(lastDate(earliest)) > slack }) {
		w.Limits = append(w.Limits, fmt.Sprintf("%s ends first, on %s", earliest.Symbol, FormatDate(lastDate(earliest))))
	}
	return w
}

// droppedCloses counts the closes within the window that the others do not have.
func droppedCloses(series, common []market.Series) []string {
	var out []string
	for i, s := range series {
		shared := common[i].Bars
		within := s.Within(market.Range{From: shared[0].Date, To: lastDate(common[i])})
		if n := len(within.Bars) - len(shared); n > 0 {
			out = append(out, fmt.Sprintf("%d closes of %s within the window are left out, as not all have one then", n, s.Symbol))
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

// earliestEnding is the series whose last bar is the earliest.
func earliestEnding(series []market.Series) market.Series {
	return slices.MinFunc(series, func(a, b market.Series) int { return lastDate(a).Compare(lastDate(b)) })
}
