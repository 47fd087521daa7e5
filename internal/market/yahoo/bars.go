package yahoo

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/yahoo/chart"
)

// longestSpan is what Yahoo gives daily bars of in one answer: below a hundred
// years.
const longestSpan = 99

// Bars returns the daily bars of sym in r, adjusted for splits, and the dividends
// and splits of that time. The bar of a session that is not settled is flagged
// provisional. An unlisted symbol yields ErrUnknownSymbol, a range without
// trading ErrNoData, a coin whose ticker Yahoo may have given to another
// ErrNotCovered. Yahoo is asked each time.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	doing := "bars of " + string(sym)
	if err := ctx.Err(); err != nil {
		return market.Series{}, err
	}
	if misleading(sym) {
		return market.Series{}, s.refused(doing)
	}
	if !r.From.IsZero() && !r.To.IsZero() && r.To.Before(r.From) {
		return market.Series{}, s.taps[0].Failed(doing, market.ErrNoData, "the range ends before it begins")
	}
	now := s.o.Now()
	asked := chart.Spelled(sym)
	// The answer is not kept: its address moves with the day and the range, so that
	// later questions would not find it. Package cached keeps bars as bars.
	c, answer, err := get(ctx, s, question{
		doing: doing, url: s.chartURL(asked, window(r, now)), kind: fetch.JSON,
	}, parser(asked))
	if err != nil {
		return market.Series{}, err
	}
	series, err := c.Series(sym, source("v8 chart", answer), now)
	if err != nil {
		return market.Series{}, s.taps[0].Failed(doing, err, "")
	}
	if series = within(series, r); len(series.Bars) == 0 {
		return market.Series{}, s.taps[0].Failed(doing, market.ErrNoData, "")
	}
	return series, nil
}

// parser reads a chart of the symbol that was asked for.
func parser(asked string) func([]byte) (chart.Chart, error) {
	return func(body []byte) (chart.Chart, error) { return chart.Parse(body, asked) }
}

func (s *Source) chartURL(asked string, values url.Values) string {
	values.Set("interval", "1d")
	values.Set("events", "div,splits")
	values.Set("includePrePost", "false")
	return s.at(hostData, "/v8/finance/chart/"+url.PathEscape(asked), values)
}

// window asks for a day more at each end, since a session belongs to a day of its
// exchange's and Yahoo is asked in universal time.
func window(r market.Range, now time.Time) url.Values {
	to := now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 2)
	if !r.To.IsZero() && r.To.Before(to) {
		to = r.To.AddDate(0, 0, 2)
	}
	from := time.Date(to.Year()-longestSpan, to.Month(), to.Day(), 0, 0, 0, 0, time.UTC)
	if first := r.From.AddDate(0, 0, -1); !r.From.IsZero() && first.After(from) {
		from = first
	}
	return url.Values{
		"period1": {strconv.FormatInt(from.Unix(), 10)},
		"period2": {strconv.FormatInt(to.Unix(), 10)},
	}
}

// within cuts the series and its actions at the ends of r. Nil actions stay nil:
// they are not known.
func within(s market.Series, r market.Range) market.Series {
	asOf, whole := s.Provenance.AsOf, len(s.Bars)
	last := market.Date{}
	if whole > 0 {
		last = s.Bars[whole-1].Date
	}
	s = s.Within(r)
	if n := len(s.Bars); n > 0 && s.Bars[n-1].Date.Equal(last) {
		s.Provenance.AsOf = asOf
	} else {
		s.Provenance = s.Provenance.Without(market.FlagProvisional)
	}
	if s.Actions == nil {
		return s
	}
	kept := make([]market.Action, 0, len(s.Actions))
	for _, a := range s.Actions {
		if r.Contains(a.Date) {
			kept = append(kept, a)
		}
	}
	s.Actions = kept
	return s
}

// source is where an answer comes from.
func source(endpoint string, answer fetch.Response) market.Provenance {
	return answer.Stamped(market.Provenance{Source: name, Endpoint: endpoint, Licence: licence, Adjustment: market.AdjustmentSplit})
}
