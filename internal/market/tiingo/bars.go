package tiingo

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshBars = 15 * time.Minute
	freshPast = 24 * time.Hour // past bars are sometimes corrected
	staleBars = 7 * 24 * time.Hour
	// settledAfter is the New York time of day until which Tiingo corrects the day's bar.
	settledAfter = 20 * time.Hour
	// oldestDate is before the first bar that Tiingo has.
	oldestDate = "1960-01-01"
)

// history holds the daily bars of one symbol with its actions.
type history struct {
	client.BarHistory
	actions []market.Action
}

// Bars returns the daily raw bars of sym in r, with the dividends and splits of those days. An unlisted
// symbol yields ErrUnknownSymbol, a range without trading ErrNoData.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	op, now := "bars of "+string(sym), s.client.Now()
	if !r.From.IsZero() && !r.To.IsZero() && r.To.Before(r.From) {
		return market.Series{}, s.client.NewError(op, market.ErrNoData, "the range ends before it starts")
	}
	values, fresh := url.Values{"startDate": {oldestDate}, "format": {"json"}, "resampleFreq": {"daily"}}, freshBars
	if !r.From.IsZero() {
		values.Set("startDate", r.From.Format(time.DateOnly))
	}
	if !r.To.IsZero() {
		values.Set("endDate", r.To.Format(time.DateOnly))
		if now.Sub(r.To) > staleBars {
			fresh = freshPast
		}
	}
	found, answer, err := client.GetUSListed(ctx, s.client, sym, client.Request{
		Op: op, URL: "/tiingo/daily/" + symbolPath(sym) + "/prices?" + values.Encode(), Fresh: fresh, Stale: staleBars,
	}, parseBars)
	if err != nil {
		return market.Series{}, err
	}
	series := market.Series{
		Instrument: client.NewShare(sym, ""), Interval: market.Daily, Bars: found.Bars,
		Provenance: s.client.NewPriceProvenance("daily prices", time.Time{}, market.AdjustmentRaw, answer),
	}
	if series = series.Within(r); len(series.Bars) == 0 {
		return market.Series{}, s.client.NewError(op, market.ErrNoData, "")
	}
	series.Actions = slices.DeleteFunc(found.actions, func(a market.Action) bool { return !r.Contains(a.Date) })
	if client.BarUnsettled(series.Provenance.AsOf, now, settledAfter) {
		series.Provenance = series.Provenance.With(market.FlagProvisional)
	}
	series.Provenance = found.FlagInconsistent(series.Provenance)
	return series, nil
}

// parseBars parses prices, oldest first. Days without a close are omitted, but not their actions.
// The actions are never nil, because Tiingo reports them all.
func parseBars(body []byte) (history, error) {
	var rows []struct {
		Date                           string
		Open, High, Low, Close, Volume client.LenientDecimal
		DivCash, SplitFactor           client.LenientDecimal
	}
	if err := decode(body, &rows); err != nil {
		return history{}, err
	}
	h := history{actions: []market.Action{}}
	for _, r := range rows {
		day, err := time.Parse(time.DateOnly, r.Date[:min(len(r.Date), len(time.DateOnly))])
		if err != nil {
			return history{}, client.Malformedf("invalid date %.20q", r.Date)
		}
		if n := len(h.Bars); n > 0 && !day.After(h.Bars[n-1].Date) {
			return history{}, client.Malformedf("days out of order at %s", r.Date)
		}
		if r.DivCash.Price().Valid {
			h.actions = append(h.actions, market.Action{Kind: market.ActionDividend, Date: day, Amount: r.DivCash.Decimal})
		}
		if f := r.SplitFactor.Price(); f.Valid && !f.Decimal.Equal(decimal.NewFromInt(1)) {
			h.actions = append(h.actions, splitFromFactor(day, f.Decimal))
		}
		h.AddDay(day, r.Open.Price(), r.High.Price(), r.Low.Price(), r.Close.Price(), r.Volume.NullDecimal)
	}
	if len(h.Bars) == 0 {
		return history{}, market.ErrNoData
	}
	return h, nil
}

// ratioTolerance is how far a factor, as Tiingo rounds it, may be from its ratio.
const ratioTolerance = 1e-5

// splitFromFactor converts a factor to a ratio: 0.333333 is one for three, 0.002 one for five
// hundred.
func splitFromFactor(day market.Date, factor decimal.Decimal) market.Action {
	return client.SplitFromFactor(day, factor, func(fresh, old decimal.Decimal) bool {
		times := factor.Mul(old)
		return fresh.Sub(times).Abs().LessThanOrEqual(times.Mul(decimal.NewFromFloat(ratioTolerance)))
	})
}
