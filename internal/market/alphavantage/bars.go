package alphavantage

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

const (
	freshBars = time.Hour // of twenty-five questions a day
	staleBars = 7 * 24 * time.Hour
	// compact is how many bars the free plan gives.
	compact = 100
	// aWeek is more than exchanges are closed at a time: where bars begin later than
	// that after the day that was asked for, earlier ones are not told.
	aWeek = 7 * 24 * time.Hour
)

// history is the daily bars of one symbol.
type history struct {
	bars []market.Bar
	odd  int // bars whose prices contradict each other
}

// Bars returns the daily bars of sym in r as they were traded, and the dividends
// and splits of that time. There are a hundred: a range that begins before them
// yields ErrNoData rather than a part of it, unless its begin is open. An unlisted
// symbol yields ErrUnknownSymbol.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	doing := "bars of " + string(sym)
	found, answer, err := get(ctx, s, question{
		doing: doing, function: "TIME_SERIES_DAILY", format: "csv", sym: sym, more: url.Values{"outputsize": {"compact"}}, fresh: freshBars, stale: staleBars,
	}, parseBars)
	if err != nil {
		return market.Series{}, err
	}
	series := market.Series{
		Instrument: market.Instrument{Symbol: sym, Name: string(sym), Kind: "equity"},
		Interval:   market.Daily, Bars: found.bars, Provenance: origin("TIME_SERIES_DAILY", answer),
	}
	first := series.Bars[0].Date
	if !r.From.IsZero() && len(series.Bars) >= compact && first.Sub(r.From) > aWeek {
		return market.Series{}, s.tap.Failed(doing, market.ErrNoData, "the free plan tells no days before "+first.Format(time.DateOnly))
	}
	if series = series.Within(r); len(series.Bars) == 0 {
		return market.Series{}, s.tap.Failed(doing, market.ErrNoData, "")
	}
	if r.From.IsZero() && len(found.bars) >= compact {
		series.Provenance.Note = "The free plan tells the last hundred days."
	}
	if unsettled(series.Provenance.AsOf, s.o.Now()) {
		series.Provenance = series.Provenance.With(market.FlagProvisional)
	}
	if found.odd > 0 {
		series.Provenance = series.Provenance.With(market.FlagSuspect)
		series.Provenance.Note += fmt.Sprintf(" Days whose prices contradict each other, which are given with their close alone: %d.", found.odd)
	}
	// Bars are worth having without what happened to the shares; a caller who gives
	// up is not.
	series.Actions, err = s.actions(ctx, sym, market.Range{From: series.Bars[0].Date, To: series.Provenance.AsOf})
	if err != nil && ctx.Err() != nil {
		return market.Series{}, err
	}
	return series, nil
}

// parseBars reads a table of days, oldest first. Days without a close are left out.
func parseBars(body []byte) (history, error) {
	rows, err := table(body, "timestamp", "open", "high", "low", "close", "volume")
	if err != nil {
		return history{}, err
	}
	var h history
	for _, r := range rows {
		day, err := time.Parse(time.DateOnly, r["timestamp"])
		if err != nil {
			return history{}, malformed("no date: %.20q", r["timestamp"])
		}
		last := price(r["close"])
		if !last.Valid {
			continue
		}
		b := market.Bar{Date: day, Open: price(r["open"]), High: price(r["high"]), Low: price(r["low"]), Close: last.Decimal}
		if v := figure(r["volume"]); v.Valid && !v.Decimal.IsNegative() {
			b.Volume = v
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
	slices.SortStableFunc(h.bars, func(a, b market.Bar) int { return a.Date.Compare(b.Date) })
	for i := 1; i < len(h.bars); i++ {
		if h.bars[i].Date.Equal(h.bars[i-1].Date) {
			return history{}, malformed("two bars of %s", h.bars[i].Date.Format(time.DateOnly))
		}
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

// actions are the dividends and splits of sym in r, oldest first; nil where they
// cannot be told.
func (s *Source) actions(ctx context.Context, sym market.Symbol, r market.Range) ([]market.Action, error) {
	all := []market.Action{}
	for _, one := range []struct {
		function string
		parse    func([]byte) ([]market.Action, error)
	}{{"DIVIDENDS", parseDividends}, {"SPLITS", parseSplits}} {
		found, _, err := get(ctx, s, question{
			doing: "dividends and splits of " + string(sym), function: one.function, format: "csv", sym: sym, fresh: 24 * time.Hour,
		}, one.parse)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	all = slices.DeleteFunc(all, func(a market.Action) bool { return !r.Contains(a.Date) })
	slices.SortStableFunc(all, func(a, b market.Action) int {
		if c := a.Date.Compare(b.Date); c != 0 {
			return c
		}
		if a.Kind < b.Kind {
			return -1
		}
		return 1
	})
	return all, nil
}

func parseDividends(body []byte) ([]market.Action, error) {
	rows, err := table(body, "ex_dividend_date", "amount")
	if err != nil {
		return nil, err
	}
	var out []market.Action
	for _, r := range rows {
		day, dayErr := time.Parse(time.DateOnly, r["ex_dividend_date"])
		amount := price(r["amount"])
		if dayErr != nil || !amount.Valid {
			// One that is left out would make a total return too small.
			return nil, malformed("a dividend without a day or an amount")
		}
		out = append(out, market.Action{Kind: market.ActionDividend, Date: day, Amount: amount.Decimal})
	}
	return out, nil
}

func parseSplits(body []byte) ([]market.Action, error) {
	rows, err := table(body, "effective_date", "split_factor")
	if err != nil {
		return nil, err
	}
	var out []market.Action
	for _, r := range rows {
		day, dayErr := time.Parse(time.DateOnly, r["effective_date"])
		factor := price(r["split_factor"])
		if dayErr != nil || !factor.Valid {
			return nil, malformed("a split without a day or a factor")
		}
		out = append(out, split(day, factor.Decimal))
	}
	return out, nil
}

// split makes a ratio of a factor with four digits: 1.5 is three for two. A factor
// that no split has is the change of price in a spin-off, or a mistake; that is a
// guess, and flagged as one.
func split(day market.Date, factor decimal.Decimal) market.Action {
	a := market.Action{Kind: market.ActionSplit, Date: day, New: factor, Old: decimal.NewFromInt(1)}
	if n, o, ok := ratio(factor); ok {
		a.New, a.Old = n, o
		return a
	}
	a.Flags = []market.Flag{market.FlagSuspect}
	if factor.GreaterThan(decimal.NewFromInt(1)) {
		a.Kind = market.ActionSpinOff
	}
	return a
}

// ratio is the one that is written as the factor, among those that companies split
// by: small numbers, and so many for twenty, fifty or a hundred. With any others
// most factors would be near to some ratio. It is false where none is.
func ratio(factor decimal.Decimal) (fresh, old decimal.Decimal, ok bool) {
	const digits = 4
	for _, parts := range []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 50, 100} {
		old = decimal.NewFromInt(parts)
		fresh = factor.Mul(old).Round(0)
		if fresh.IsPositive() && fresh.DivRound(old, digits).Equal(factor.Round(digits)) {
			return fresh, old, true
		}
	}
	return decimal.Decimal{}, decimal.Decimal{}, false
}
