package massive

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshBars = 15 * time.Minute
	staleBars = 7 * 24 * time.Hour
	// freePlanYears is the length of the free plan's history.
	freePlanYears = 2
	// maxPageSize is the largest allowed page, enough for two centuries of days.
	maxPageSize = "50000"
	// settledAfter is the New York time of day from which the day's bar no longer changes.
	settledAfter = client.NewYorkClose + 20*time.Minute
)

// Bars returns the daily bars of sym in r, adjusted for splits, with dividends and splits. An open
// range starts two years ago, the limit of the free plan; an earlier start yields ErrAuth without a
// paid plan. An unlisted symbol yields ErrUnknownSymbol, a range without trading ErrNoData.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	series, err := s.bars(ctx, sym, r)
	if err != nil {
		return market.Series{}, err
	}
	// Bars are useful even without actions, but a canceled call returns its error.
	series.Actions, err = s.actions(ctx, sym, market.Range{From: series.Bars[0].Date, To: series.Bars[len(series.Bars)-1].Date})
	if err != nil && ctx.Err() != nil {
		return market.Series{}, err
	}
	return series, nil
}

// bars returns the series without actions.
func (s *Source) bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	op, now := "bars of "+string(sym), s.client.Now()
	today := client.SessionDate(now, client.NewYork())
	from, to := today.AddDate(-freePlanYears, 0, 1), today
	if !r.From.IsZero() {
		from = r.From
	}
	if !r.To.IsZero() && r.To.Before(to) {
		to = r.To
	}
	if to.Before(from) && ctx.Err() == nil {
		return market.Series{}, s.client.NewError(op, market.ErrNoData, "the range ends before the first available bar")
	}
	path := "/v2/aggs/ticker/" + url.PathEscape(string(sym)) + "/range/1/day/" + from.Format(time.DateOnly) + "/" + to.Format(time.DateOnly)
	found, answer, err := get(ctx, s, sym, client.Request{Op: op, URL: path, Fresh: freshBars, Stale: staleBars},
		url.Values{"adjusted": {"true"}, "sort": {"asc"}, "limit": {maxPageSize}}, func(body []byte) (client.BarHistory, error) { return parseBars(body, sym) })
	if errors.Is(err, market.ErrNoData) {
		// The response is also empty for an unknown symbol.
		if _, unknown := s.Profile(ctx, sym); errors.Is(unknown, market.ErrUnknownSymbol) {
			return market.Series{}, s.client.NewError(op, market.ErrUnknownSymbol, "")
		}
	}
	if err != nil {
		return market.Series{}, err
	}
	series := market.Series{
		Instrument: client.NewShare(sym, ""), Interval: market.Daily, Bars: found.Bars,
		Provenance: s.client.NewPriceProvenance("v2 aggs", time.Time{}, market.AdjustmentSplit, answer),
	}
	if series = series.Within(r); len(series.Bars) == 0 {
		return market.Series{}, s.client.NewError(op, market.ErrNoData, "")
	}
	p := series.Provenance
	if client.BarUnsettled(p.AsOf, now, settledAfter) {
		p = p.With(market.FlagProvisional)
	}
	if r.From.IsZero() {
		p.Note = "The free plan covers the last two years."
	}
	series.Provenance = found.FlagInconsistent(p)
	return series, nil
}

// parseBars parses bars, oldest first. Days without a close are omitted.
func parseBars(body []byte, sym market.Symbol) (client.BarHistory, error) {
	var answer struct {
		Ticker   string
		Adjusted *bool
		NextURL  string `json:"next_url"`
		Results  []struct {
			Time          int64 `json:"t"`
			O, H, L, C, V client.LenientDecimal
		}
	}
	if err := decode(body, &answer); err != nil {
		return client.BarHistory{}, err
	}
	switch {
	case answer.Ticker != string(sym):
		return client.BarHistory{}, client.Malformedf("response is for %.20q instead of %s", answer.Ticker, sym)
	case answer.Adjusted == nil || !*answer.Adjusted:
		return client.BarHistory{}, client.Malformedf("bars not adjusted for splits")
	case answer.NextURL != "":
		return client.BarHistory{}, client.Malformedf("incomplete bars")
	}
	zone := client.NewYork()
	var h client.BarHistory
	for _, r := range answer.Results {
		at, ok := client.UnixTime(r.Time / 1000)
		if !ok {
			return client.BarHistory{}, client.Malformedf("bar without a time")
		}
		day := client.SessionDate(at, zone)
		if n := len(h.Bars); n > 0 && !day.After(h.Bars[n-1].Date) {
			return client.BarHistory{}, client.Malformedf("days out of order at %s", day.Format(time.DateOnly))
		}
		h.AddDay(day, r.O.Price(), r.H.Price(), r.L.Price(), r.C.Price(), r.V.NullDecimal)
	}
	if len(h.Bars) == 0 {
		return client.BarHistory{}, market.ErrNoData
	}
	return h, nil
}
