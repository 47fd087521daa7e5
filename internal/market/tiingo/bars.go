package tiingo

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
)

const (
	freshBars = 15 * time.Minute
	freshPast = 24 * time.Hour // corrections change the past
	staleBars = 7 * 24 * time.Hour
	// oldest is before the first bar that Tiingo has.
	oldest = "1960-01-01"
)

// history is the daily bars of one symbol, and what happened to the share.
type history struct {
	bars    []market.Bar
	actions []market.Action
	odd     int // bars whose prices contradict each other
}

// Bars returns the daily bars of sym in r as they were traded, and the dividends
// and splits of those days. An unlisted symbol yields ErrUnknownSymbol, a range
// without trading ErrNoData.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	doing, now := "bars of "+string(sym), s.o.Now()
	spelled, ok := path(sym)
	if !ok && ctx.Err() == nil {
		return market.Series{}, s.tap.Failed(doing, market.ErrUnknownSymbol, "listings of the United States alone")
	}
	if !r.From.IsZero() && !r.To.IsZero() && r.To.Before(r.From) {
		return market.Series{}, s.tap.Failed(doing, market.ErrNoData, "the range ends before it begins")
	}
	values, fresh := url.Values{"startDate": {oldest}, "format": {"json"}, "resampleFreq": {"daily"}}, freshBars
	if !r.From.IsZero() {
		values.Set("startDate", r.From.Format(time.DateOnly))
	}
	if !r.To.IsZero() {
		values.Set("endDate", r.To.Format(time.DateOnly))
		if now.Sub(r.To) > staleBars {
			fresh = freshPast
		}
	}
	found, answer, err := get(ctx, s, fetch.Request{
		Doing: doing, URL: "/tiingo/daily/" + spelled + "/prices?" + values.Encode(), Fresh: fresh, Stale: staleBars,
	}, parseBars)
	if err != nil {
		return market.Series{}, err
	}
	series := market.Series{
		Instrument: market.Instrument{Symbol: sym, Name: string(sym), Kind: "equity"},
		Interval:   market.Daily, Bars: found.bars, Provenance: origin("daily prices", answer),
	}
	if series = series.Within(r); len(series.Bars) == 0 {
		return market.Series{}, s.tap.Failed(doing, market.ErrNoData, "")
	}
	series.Actions = slices.DeleteFunc(found.actions, func(a market.Action) bool { return !r.Contains(a.Date) })
	if unsettled(series.Provenance.AsOf, now) {
		series.Provenance = series.Provenance.With(market.FlagProvisional)
	}
	if found.odd > 0 {
		series.Provenance = series.Provenance.With(market.FlagSuspect)
		series.Provenance.Note = fmt.Sprintf("Days whose prices contradict each other, which are given with their close alone: %d.", found.odd)
	}
	return series, nil
}

// parseBars reads prices, oldest first. Days without a close are left out; what
// happened on them is not. The actions are never nil: Tiingo tells them all.
func parseBars(body []byte) (history, error) {
	var rows []struct {
		Date                           string
		Open, High, Low, Close, Volume figure
		DivCash, SplitFactor           figure
	}
	if err := decode(body, &rows); err != nil {
		return history{}, err
	}
	h := history{actions: []market.Action{}}
	for _, r := range rows {
		day, err := time.Parse(time.DateOnly, r.Date[:min(len(r.Date), len(time.DateOnly))])
		if err != nil {
			return history{}, malformed("no date: %.20q", r.Date)
		}
		if n := len(h.bars); n > 0 && !day.After(h.bars[n-1].Date) {
			return history{}, malformed("days out of order at %s", r.Date)
		}
		if r.DivCash.price().Valid {
			h.actions = append(h.actions, market.Action{Kind: market.ActionDividend, Date: day, Amount: r.DivCash.Decimal})
		}
		if f := r.SplitFactor.price(); f.Valid && !f.Decimal.Equal(decimal.NewFromInt(1)) {
			h.actions = append(h.actions, split(day, f.Decimal))
		}
		last := r.Close.price()
		if !last.Valid {
			continue
		}
		b := market.Bar{Date: day, Open: r.Open.price(), High: r.High.price(), Low: r.Low.price(), Close: last.Decimal}
		if r.Volume.Valid && !r.Volume.Decimal.IsNegative() {
			b.Volume = r.Volume.NullDecimal
		}
		if !enclosed(b) {
			b.Open, b.High, b.Low = decimal.NullDecimal{}, decimal.NullDecimal{}, decimal.NullDecimal{}
			h.odd++
		}
		h.bars = append(h.bars, b)
	}
	if len(h.bars) == 0 {
		return history{}, market.ErrNoData
	}
	return h, nil
}

// enclosed reports whether high and low lie around the other prices.
func enclosed(b market.Bar) bool {
	for _, p := range []decimal.NullDecimal{b.Open, decimal.NewNullDecimal(b.Close), b.High, b.Low} {
		if p.Valid && (b.High.Valid && p.Decimal.GreaterThan(b.High.Decimal) || b.Low.Valid && p.Decimal.LessThan(b.Low.Decimal)) {
			return false
		}
	}
	return true
}

// written is how near to a ratio its factor is with the digits that are written.
const written = 1e-5

// split makes a ratio of a factor: 0.333333 is one for three. Companies split by
// small numbers, and so many for twenty, fifty or a hundred; with any others most
// factors would be near to some ratio. A factor of none of them is the change of
// price in a spin-off, or a mistake; that is a guess, and flagged as one.
func split(day market.Date, factor decimal.Decimal) market.Action {
	a := market.Action{Kind: market.ActionSplit, Date: day, New: factor, Old: decimal.NewFromInt(1)}
	near := func(n decimal.Decimal, of decimal.Decimal) bool {
		return n.IsPositive() && n.Sub(of).Abs().LessThanOrEqual(of.Mul(decimal.NewFromFloat(written)))
	}
	for _, parts := range []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 50, 100} {
		times := factor.Mul(decimal.NewFromInt(parts))
		if n := times.Round(0); near(n, times) {
			a.New, a.Old = n, decimal.NewFromInt(parts)
			return a
		}
	}
	const digits = 20
	if inverse := decimal.NewFromInt(1).DivRound(factor, digits); near(inverse.Round(0), inverse) {
		a.New, a.Old = decimal.NewFromInt(1), inverse.Round(0)
		return a
	}
	a.Flags = []market.Flag{market.FlagSuspect}
	if factor.GreaterThan(decimal.NewFromInt(1)) {
		a.Kind = market.ActionSpinOff
	}
	return a
}
