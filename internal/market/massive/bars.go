package massive

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
)

const (
	freshBars = 15 * time.Minute
	staleBars = 7 * 24 * time.Hour
	// reach is how many years back the free plan goes.
	reach = 2
	// most is the largest page: of days, two centuries.
	most = "50000"
)

// history is the daily bars of one symbol.
type history struct {
	bars []market.Bar
	odd  int // bars whose prices contradict each other
}

// Bars returns the daily bars of sym in r, adjusted for splits, and the dividends
// and splits of that time. An open range begins two years ago, which is as far as
// the free plan reaches; an earlier begin yields ErrAuth without a larger one. An
// unlisted symbol yields ErrUnknownSymbol, a range without trading ErrNoData.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	series, err := s.bars(ctx, sym, r)
	if err != nil {
		return market.Series{}, err
	}
	// Bars are worth having without what happened to the shares; a caller who gives
	// up is not.
	series.Actions, err = s.actions(ctx, sym, market.Range{From: series.Bars[0].Date, To: series.Bars[len(series.Bars)-1].Date})
	if err != nil && ctx.Err() != nil {
		return market.Series{}, err
	}
	return series, nil
}

// bars is the series without what happened to the shares.
func (s *Source) bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	doing, now := "bars of "+string(sym), s.o.Now()
	today := dayIn(now, newYork())
	from, to := today.AddDate(-reach, 0, 1), today
	if !r.From.IsZero() {
		from = r.From
	}
	if !r.To.IsZero() && r.To.Before(to) {
		to = r.To
	}
	if to.Before(from) && ctx.Err() == nil {
		return market.Series{}, s.tap.Failed(doing, market.ErrNoData, "the range ends before the bars that are kept begin")
	}
	path := "/v2/aggs/ticker/" + url.PathEscape(string(sym)) + "/range/1/day/" + from.Format(time.DateOnly) + "/" + to.Format(time.DateOnly)
	found, answer, err := get(ctx, s, sym, fetch.Request{Doing: doing, URL: path, Fresh: freshBars, Stale: staleBars},
		url.Values{"adjusted": {"true"}, "sort": {"asc"}, "limit": {most}}, func(body []byte) (history, error) { return parseBars(body, sym) })
	if errors.Is(err, market.ErrNoData) {
		// It answers the same for a symbol that it does not know.
		if _, unknown := s.Profile(ctx, sym); errors.Is(unknown, market.ErrUnknownSymbol) {
			return market.Series{}, s.tap.Failed(doing, market.ErrUnknownSymbol, "")
		}
	}
	if err != nil {
		return market.Series{}, err
	}
	series := market.Series{
		Instrument: market.Instrument{Symbol: sym, Name: string(sym), Kind: "equity"},
		Interval:   market.Daily, Bars: found.bars, Provenance: origin("v2 aggs", answer),
	}
	if series = series.Within(r); len(series.Bars) == 0 {
		return market.Series{}, s.tap.Failed(doing, market.ErrNoData, "")
	}
	p := series.Provenance
	p.Currency, p.Unit, p.Adjustment = "USD", "price", market.AdjustmentSplit
	if local := now.In(newYork()); !p.AsOf.Before(today) && local.Hour()*60+local.Minute() < 16*60+20 {
		p = p.With(market.FlagProvisional)
	}
	if r.From.IsZero() {
		p.Note = "The free plan reaches two years back."
	}
	if found.odd > 0 {
		p = p.With(market.FlagSuspect)
		p.Note += fmt.Sprintf(" Days whose prices contradict each other, which are given with their close alone: %d.", found.odd)
	}
	series.Provenance = p
	return series, nil
}

// parseBars reads bars, oldest first. Days without a close are left out.
func parseBars(body []byte, sym market.Symbol) (history, error) {
	var answer struct {
		Ticker   string
		Adjusted *bool
		NextURL  string `json:"next_url"`
		Results  []struct {
			Time          int64 `json:"t"`
			O, H, L, C, V figure
		}
	}
	if err := decode(body, &answer); err != nil {
		return history{}, err
	}
	switch {
	case answer.Ticker != string(sym):
		return history{}, malformed("%.20q in place of %s", answer.Ticker, sym)
	case answer.Adjusted == nil || !*answer.Adjusted:
		return history{}, malformed("bars that are not adjusted for splits")
	case answer.NextURL != "":
		return history{}, malformed("a part of the bars")
	}
	zone := newYork()
	var h history
	for _, r := range answer.Results {
		if r.Time <= 0 || r.Time > time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli() {
			return history{}, malformed("a bar without a time")
		}
		day := dayIn(time.UnixMilli(r.Time), zone)
		if n := len(h.bars); n > 0 && !day.After(h.bars[n-1].Date) {
			return history{}, malformed("days out of order at %s", day.Format(time.DateOnly))
		}
		last := r.C.price()
		if !last.Valid {
			continue
		}
		b := market.Bar{Date: day, Open: r.O.price(), High: r.H.price(), Low: r.L.price(), Close: last.Decimal}
		if r.V.Valid && !r.V.Decimal.IsNegative() {
			b.Volume = r.V.NullDecimal
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
