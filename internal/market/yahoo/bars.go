package yahoo

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// maxYears is the maximum length of a range of daily bars in one request, which must be under a hundred
// years.
const maxYears = 99

// Bars returns the daily bars of sym in r, adjusted for splits, with dividends and splits. The bar of an
// unsettled session is flagged provisional. An unlisted symbol yields ErrUnknownSymbol, a range without
// trading ErrNoData, and a coin whose ticker Yahoo may use for another coin ErrNotCovered. Each call sends a
// request.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	return s.bars(ctx, sym, market.Daily, r, 0)
}

// Intraday works like Bars for an interval shorter than a day. Yahoo has five-minute bars of the last 60 days and
// hourly bars of the last 730. The range is limited to that; a range that ends before it yields ErrNoData.
func (s *Source) Intraday(ctx context.Context, sym market.Symbol, i market.Interval, r market.Range) (market.Series, error) {
	days := map[market.Interval]int{market.FiveMinutes: 60, market.Hourly: 730}[i]
	if days == 0 {
		return market.Series{}, s.dataClients[0].NewError("bars of "+string(sym), market.ErrNotCovered, "")
	}
	today := s.o.Now().UTC().Truncate(24 * time.Hour)
	// Subtract two days, because periodParams adds one and Yahoo counts to the second.
	if kept := today.AddDate(0, 0, 2-days); r.From.Before(kept) && !(!r.To.IsZero() && r.To.Before(kept)) {
		r.From = kept
	}
	return s.bars(ctx, sym, i, r, s.freshQuote(sym))
}

func (s *Source) bars(ctx context.Context, sym market.Symbol, interval market.Interval, r market.Range, fresh time.Duration) (market.Series, error) {
	op := "bars of " + string(sym)
	if err := ctx.Err(); err != nil {
		return market.Series{}, err
	}
	if isAmbiguousCoin(sym) {
		return market.Series{}, s.coinNotCovered(op)
	}
	if !r.From.IsZero() && !r.To.IsZero() && r.To.Before(r.From) {
		return market.Series{}, s.dataClients[0].NewError(op, market.ErrNoData, "the range ends before it starts")
	}
	now := s.o.Now()
	yahooSymbol := YahooSymbol(sym)
	// Daily bars are not cached here, because the URL changes with the day and the range. Package feed
	// stores them.
	c, answer, err := get(ctx, s, apiRequest{
		op: op, url: s.chartURL(yahooSymbol, interval, periodParams(r, now)), kind: client.JSON, fresh: fresh,
	}, func(body []byte) (Chart, error) { return ParseChart(body, yahooSymbol) })
	if err != nil {
		return market.Series{}, err
	}
	series, err := c.Series(sym, interval, newProvenance("v8 chart", answer), now)
	if err != nil {
		return market.Series{}, s.dataClients[0].NewError(op, err, "")
	}
	if series = clipSeries(series, r); len(series.Bars) == 0 {
		return market.Series{}, s.dataClients[0].NewError(op, market.ErrNoData, "")
	}
	return series, nil
}

func (s *Source) chartURL(yahooSymbol string, interval market.Interval, values url.Values) string {
	values.Set("interval", granularity(interval))
	values.Set("events", "div,splits")
	values.Set("includePrePost", "false")
	return s.at(hostData, "/v8/finance/chart/"+url.PathEscape(yahooSymbol), values)
}

// periodParams adds a day at each end, because a session belongs to a local day and Yahoo uses UTC.
func periodParams(r market.Range, now time.Time) url.Values {
	to := now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 2)
	if !r.To.IsZero() && r.To.Before(to) {
		to = r.To.AddDate(0, 0, 2)
	}
	from := time.Date(to.Year()-maxYears, to.Month(), to.Day(), 0, 0, 0, 0, time.UTC)
	if first := r.From.AddDate(0, 0, -1); !r.From.IsZero() && first.After(from) {
		from = first
	}
	return url.Values{
		"period1": {strconv.FormatInt(from.Unix(), 10)},
		"period2": {strconv.FormatInt(to.Unix(), 10)},
	}
}

// clipSeries limits a series that has bars, and its actions, to r.
func clipSeries(s market.Series, r market.Range) market.Series {
	asOf, end := s.Provenance.AsOf, s.Bars[len(s.Bars)-1].Date
	s = s.Within(r)
	if n := len(s.Bars); n > 0 && s.Bars[n-1].Date.Equal(end) {
		s.Provenance.AsOf = asOf
	} else {
		s.Provenance = s.Provenance.Without(market.FlagProvisional)
	}
	s.Actions = slices.DeleteFunc(s.Actions, func(a market.Action) bool { return !r.Contains(a.Date) })
	return s
}

// newProvenance returns the provenance of a response.
func newProvenance(endpoint string, answer client.Response) market.Provenance {
	return answer.Stamp(market.Provenance{Source: name, Endpoint: endpoint, License: license, Adjustment: market.AdjustmentSplit})
}
