package statistics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/lineup"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// stretch is a series with the bars before the range that was asked for.
type stretch struct {
	series   market.Series // the range
	lead     market.Series // the same, and what came before
	span     question.Span
	warnings []string
}

// charted fetches the bars of a call with so many before its range, or takes those
// that came with it.
func (d Deps) charted(ctx context.Context, in technicalIndicatorsInput, before int) (stretch, error) {
	standard := "1y"
	if len(in.Bars) > 0 {
		standard = "max"
	}
	sp, err := question.ParseSpan(in.Range, in.From, in.To, standard)
	if err != nil {
		return stretch{}, err
	}
	switch symbol := strings.TrimSpace(in.Symbol); {
	case symbol == "" && len(in.Bars) == 0:
		return stretch{}, fmt.Errorf(`%w: give symbol, or bars as [{"date": "2020-01-02", "close": 10}]`, errBars)
	case symbol != "" && len(in.Bars) > 0:
		return stretch{}, fmt.Errorf("%w: give either symbol or bars, not both", errBars)
	case symbol == "":
		lead, err := givenBars(in.Bars)
		if err != nil {
			return stretch{}, err
		}
		lead = lead.Within(market.Range{To: sp.To})
		if len(lead.Bars) == 0 {
			return stretch{}, fmt.Errorf("%w: none until %s", errBars, present.Dated(sp.To))
		}
		return chartOf(lead, sp)
	}
	lead, err := d.leading(ctx, in.Symbol, sp, before)
	if err != nil {
		return stretch{}, err
	}
	lead, untold := oneScale(lead)
	c, err := chartOf(lead, sp)
	c.warnings = append(c.warnings, untold...)
	return c, err
}

// oneScale undoes splits in prices as they were traded: across one an average is of two
// kinds of share. Where the source does not tell of splits, a warning says what that means.
func oneScale(s market.Series) (market.Series, []string) {
	if s.Provenance.Adjustment != market.AdjustmentRaw {
		return s, nil
	}
	if adjusted, err := s.SplitAdjusted(); err == nil {
		return adjusted, nil
	}
	return s, []string{lineup.Untold(s)}
}

// longestLead is in days: what is asked for stays within the calendar.
const longestLead = 36525

// leading fetches the bars of a span and so many before it. How many days those
// are is known once the source has said what a bar is.
func (d Deps) leading(ctx context.Context, symbol string, sp question.Span, before int) (market.Series, error) {
	// A year has 252 sessions and more.
	lead, _, err := d.Prices.History(ctx, symbol, sp.Led(min(before*3/2, longestLead)))
	if err != nil || lead.Interval != market.Monthly {
		return lead, err
	}
	lead, _, err = d.Prices.History(ctx, symbol, sp.Led(min(before*31, longestLead)))
	return lead, err
}

func chartOf(lead market.Series, sp question.Span) (stretch, error) {
	if last := lead.Bars[len(lead.Bars)-1].Date; sp.From.After(last) {
		return stretch{}, fmt.Errorf("%w: no close from %s on; the last is that of %s", market.ErrNoData, present.Dated(sp.From), present.Dated(last))
	}
	series, warnings := sp.Cut(lead)
	return stretch{series: series, lead: lead, span: sp, warnings: warnings}, nil
}

// errBars marks bars that came with a call and cannot be used.
var errBars = errors.New("no bars")

// givenBars is the series that came with a call. Its interval stays open.
func givenBars(bars []givenBar) (market.Series, error) {
	s := market.Series{Provenance: market.Provenance{Source: "given in the call", Unit: "price", Adjustment: market.AdjustmentUnknown}}
	for i, b := range bars {
		day, last, err := question.ParseDate(b.Date)
		switch {
		case err != nil || !day.Equal(last) || day.IsZero():
			return s, fmt.Errorf("%w: %q is no day; write YYYY-MM-DD", errBars, b.Date)
		case i > 0 && !day.After(s.Bars[i-1].Date):
			return s, fmt.Errorf("%w: %s after %s; give them oldest first, one a day", errBars, b.Date, bars[i-1].Date)
		case b.High != nil && b.Low != nil && *b.High < *b.Low:
			return s, fmt.Errorf("%w: high %v below low %v on %s", errBars, *b.High, *b.Low, b.Date)
		case b.Volume != nil && *b.Volume < 0:
			return s, fmt.Errorf("%w: negative volume %v on %s", errBars, *b.Volume, b.Date)
		}
		s.Bars = append(s.Bars, market.Bar{
			Date: day, Open: given(b.Open), High: given(b.High), Low: given(b.Low), Close: decimal.NewFromFloat(b.Close), Volume: given(b.Volume),
		})
		s.Provenance.AsOf = day
	}
	return s, nil
}

func given(v *float64) decimal.NullDecimal {
	if v == nil || math.IsNaN(*v) {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(decimal.NewFromFloat(*v))
}

// cautions are what weakens the figures whatever they are.
func (c stretch) cautions(specs []spec) []string {
	var out []string
	if c.series.Interval == market.Monthly {
		out = append(out, "monthly bars: lengths count months, and what happened within a month is not seen")
	}
	// Prices at or below zero have no returns, but indicators they have.
	if prices, err := analytics.NewPrices(c.series); err == nil && c.series.Interval != "" {
		if gaps := analytics.Gaps(prices); len(gaps) > 0 {
			out = append(out, fmt.Sprintf("%d gaps in the data, the first %s to %s: the bars on both sides count as consecutive",
				len(gaps), present.Dated(gaps[0].From), present.Dated(gaps[0].To)))
		}
	}
	if n := c.incomplete(); n > 0 && slices.ContainsFunc(specs, func(s spec) bool { return s.ranges || s.volumes }) {
		out = append(out, fmt.Sprintf("%d bars lack a high, a low or a volume: indicators that need them start anew after each", n))
	}
	if slices.ContainsFunc(specs, func(s spec) bool { return s.name == "vwap" && s.lacks(c.series.Bars) == "" }) {
		out = append(out, "vwap is anchored at "+present.Dated(c.series.Bars[0].Date)+", the first bar, and depends on that choice")
	}
	return out
}

// incomplete counts the bars that lack what others of the series have.
func (c stretch) incomplete() int {
	var high, volume, noHigh, noVolume int
	for _, b := range c.lead.Bars {
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
