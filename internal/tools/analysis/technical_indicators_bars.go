package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// indicatorBars is a series with the bars before the requested range.
type indicatorBars struct {
	series   market.Series // the range
	withLead market.Series // the range and the bars before it
	span     toolkit.Period
	warnings []string
}

// indicatorBars fetches the bars of a call and some before its range, or returns the bars in the call.
func (d Deps) indicatorBars(ctx context.Context, in technicalIndicatorsInput, before int) (indicatorBars, error) {
	standard := "1y"
	if len(in.Bars) > 0 {
		standard = "max"
	}
	sp, err := toolkit.ParsePeriod(in.Range, in.From, in.To, standard)
	if err != nil {
		return indicatorBars{}, err
	}
	switch symbol := strings.TrimSpace(in.Symbol); {
	case symbol == "" && len(in.Bars) == 0:
		return indicatorBars{}, fmt.Errorf(`%w: symbol is required, or bars such as [{"date": "2020-01-02", "close": 10}]`, errInvalidBars)
	case symbol != "" && len(in.Bars) > 0:
		return indicatorBars{}, fmt.Errorf("%w: use either symbol or bars, not both", errInvalidBars)
	case symbol == "":
		lead, err := suppliedBars(in.Bars)
		if err != nil {
			return indicatorBars{}, err
		}
		lead = lead.Within(market.Range{To: sp.To})
		if len(lead.Bars) == 0 {
			return indicatorBars{}, fmt.Errorf("%w: none on or before %s", errInvalidBars, toolkit.FormatDate(sp.To))
		}
		return newIndicatorBars(lead, sp)
	}
	lead, err := d.fetchWithLead(ctx, in.Symbol, sp, before)
	if err != nil {
		return indicatorBars{}, err
	}
	lead, warnings := undoSplits(lead)
	c, err := newIndicatorBars(lead, sp)
	c.warnings = append(c.warnings, warnings...)
	return c, err
}

// undoSplits adjusts traded prices for splits, because an average across a split mixes two kinds of
// shares. If the source does not report splits, it returns a warning.
func undoSplits(s market.Series) (market.Series, []string) {
	if s.Provenance.Adjustment != market.AdjustmentRaw {
		return s, nil
	}
	if adjusted, err := s.SplitAdjusted(); err == nil {
		return adjusted, nil
	}
	return s, []string{toolkit.SplitWarning(s)}
}

// maxLead limits the lead, in days, so that dates stay valid.
const maxLead = 36525

// fetchWithLead fetches the bars of a period and a number of bars before it. How many days those bars span
// depends on the interval, which only the first fetch shows.
func (d Deps) fetchWithLead(ctx context.Context, symbol string, sp toolkit.Period, before int) (market.Series, error) {
	// A year has at least 252 sessions.
	lead, _, err := d.Prices.History(ctx, symbol, sp.WithLead(min(before*3/2, maxLead)))
	if err != nil || lead.Interval != market.Monthly {
		return lead, err
	}
	lead, _, err = d.Prices.History(ctx, symbol, sp.WithLead(min(before*31, maxLead)))
	return lead, err
}

func newIndicatorBars(lead market.Series, sp toolkit.Period) (indicatorBars, error) {
	if last := lead.Bars[len(lead.Bars)-1].Date; sp.From.After(last) {
		return indicatorBars{}, fmt.Errorf("%w: no close from %s on; the last one is on %s", market.ErrNoData, toolkit.FormatDate(sp.From), toolkit.FormatDate(last))
	}
	series, warnings := sp.Cut(lead)
	if err := toolkit.CheckSteps(series); err != nil {
		return indicatorBars{}, err
	}
	for _, step := range lead.DoubtfulSteps() { // a doubtful step before the period: warm up after it
		lead = lead.Within(market.Range{From: step.Date})
	}
	return indicatorBars{series: series, withLead: lead, span: sp, warnings: warnings}, nil
}

// errInvalidBars marks unusable bars in a call.
var errInvalidBars = toolkit.InvalidArgs(errors.New("invalid bars"))

// suppliedBars returns the series from the bars in a call. It has no interval.
func suppliedBars(bars []suppliedBar) (market.Series, error) {
	s := market.Series{Provenance: market.Provenance{Source: "given in the call", Unit: "price", Adjustment: market.AdjustmentUnknown}}
	for i, b := range bars {
		day, last, err := toolkit.ParseDate(b.Date)
		switch {
		case err != nil || !day.Equal(last) || day.IsZero():
			return s, fmt.Errorf("%w: %q is not a date; use YYYY-MM-DD", errInvalidBars, b.Date)
		case i > 0 && !day.After(s.Bars[i-1].Date):
			return s, fmt.Errorf("%w: %s follows %s; list bars oldest first, one per day", errInvalidBars, b.Date, bars[i-1].Date)
		case b.High != nil && b.Low != nil && *b.High < *b.Low:
			return s, fmt.Errorf("%w: high %v below low %v on %s", errInvalidBars, *b.High, *b.Low, b.Date)
		case b.Volume != nil && *b.Volume < 0:
			return s, fmt.Errorf("%w: negative volume %v on %s", errInvalidBars, *b.Volume, b.Date)
		}
		s.Bars = append(s.Bars, market.Bar{
			Date: day, Open: optionalDecimal(b.Open), High: optionalDecimal(b.High), Low: optionalDecimal(b.Low), Close: decimal.NewFromFloat(b.Close), Volume: optionalDecimal(b.Volume),
		})
		s.Provenance.AsOf = day
	}
	return s, nil
}

func optionalDecimal(v *float64) decimal.NullDecimal {
	if v == nil || math.IsNaN(*v) {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(decimal.NewFromFloat(*v))
}

// addWarnings adds warnings that apply to all figures.
func (c indicatorBars) addWarnings(to *toolkit.Notes, specs []indicatorSpec) {
	if c.series.Interval == market.Monthly {
		to.Warn("monthly", "monthly bars: lengths count months, and changes within a month are not visible")
	}
	// Prices at or below zero have no returns, but they have indicators.
	if prices, err := analytics.NewPrices(c.series); err == nil && c.series.Interval != "" {
		if gaps := analytics.Gaps(prices); len(gaps) > 0 {
			to.Warn("gaps", "%s in the data, the first from %s to %s: the bars on both sides are treated as consecutive",
				humanize.Count(len(gaps), "gap", "gaps"), toolkit.FormatDate(gaps[0].From), toolkit.FormatDate(gaps[0].To))
		}
	}
	if n := c.incomplete(); n > 0 && slices.ContainsFunc(specs, func(s indicatorSpec) bool { return s.ranges || s.volumes }) {
		to.Warn("incomplete_bars", "%s without high, low or volume: indicators that need them restart after each gap", humanize.Count(n, "bar", "bars"))
	}
	if slices.ContainsFunc(specs, func(s indicatorSpec) bool { return s.name == "vwap" && s.missingInput(c.series.Bars) == "" }) {
		to.Warn("anchored", "vwap starts at the first bar, %s, and depends on it", toolkit.FormatDate(c.series.Bars[0].Date))
	}
}

// incomplete counts the bars without a value that other bars of the series have.
func (c indicatorBars) incomplete() int {
	var high, volume, noHigh, noVolume int
	for _, b := range c.withLead.Bars {
		if b.High.Valid && b.Low.Valid {
			high++
		} else {
			noHigh++
		}
		if b.Volume.Valid {
			volume++
		} else {
			noVolume++
		}
	}
	n := 0
	if high > 0 {
		n = noHigh
	}
	if volume > 0 {
		n = max(n, noVolume)
	}
	return n
}
