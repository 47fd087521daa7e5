package nasdaq

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
	staleBars = 7 * 24 * time.Hour
	// reach is how many years back the server goes.
	reach = 10
	// most is the largest page, which is more than it has of any symbol.
	most = "9999"
)

// history is the daily bars of one symbol.
type history struct {
	bars []market.Bar
	odd  int // bars whose prices contradict each other
}

// Bars returns the daily bars of sym in r, adjusted for splits; their dividends
// are not told. An open range begins ten years ago, which is as far as the server
// reaches. An unlisted symbol yields ErrUnknownSymbol, a range without trading
// ErrNoData.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	doing, now := "bars of "+string(sym), s.o.Now()
	today := now.In(newYork())
	from, to := oldest(today), today
	if !r.From.IsZero() {
		from = r.From
	}
	if !r.To.IsZero() && r.To.Before(today) {
		to = r.To
	}
	values := url.Values{"fromdate": {from.Format(time.DateOnly)}, "todate": {to.Format(time.DateOnly)}, "limit": {most}}
	if ctx.Err() == nil && values.Get("todate") < values.Get("fromdate") {
		return market.Series{}, s.tap.Failed(doing, market.ErrNoData, "the range ends before the bars that are kept begin")
	}
	request := fetch.Request{Doing: doing, URL: "/historical", Fresh: freshBars, Stale: staleBars}
	found, class, answer, err := ask(ctx, s, sym, request, values, func(body []byte) (history, error) { return parseBars(body, sym) })
	if err != nil {
		return market.Series{}, err
	}
	series := market.Series{Interval: market.Daily, Bars: found.bars}
	series.Instrument, series.Provenance = described(sym, class, "historical", answer)
	if series = series.Within(r); len(series.Bars) == 0 {
		return market.Series{}, s.tap.Failed(doing, market.ErrNoData, "")
	}
	p := series.Provenance
	if unsettled(p.AsOf, now) {
		p = p.With(market.FlagProvisional)
	}
	p.Note = "Dividends are not told: no total return can be made of this."
	if !r.From.IsZero() && r.From.Before(oldest(today)) {
		p.Note += " The server reaches back about ten years."
	}
	if found.odd > 0 {
		p = p.With(market.FlagSuspect)
		p.Note += fmt.Sprintf(" Days whose prices contradict each other, which are given with their close alone: %d.", found.odd)
	}
	series.Provenance = p
	return series, nil
}

// oldest is the first day that the server has on a day.
func oldest(today time.Time) market.Date {
	return time.Date(today.Year()-reach, today.Month(), today.Day(), 0, 0, 0, 0, time.UTC)
}

// parseBars reads a history, oldest first. Days without a close are left out.
func parseBars(body []byte, sym market.Symbol) (history, error) {
	var data struct {
		Symbol string `json:"symbol"`
		Table  struct {
			Rows []row `json:"rows"`
		} `json:"tradesTable"`
	}
	if err := opened(body, &data); err != nil {
		return history{}, err
	}
	if !same(sym, data.Symbol) {
		return history{}, malformed("%.20q in place of %s", data.Symbol, sym)
	}
	var h history
	for _, one := range data.Table.Rows {
		bar, ok, err := one.bar()
		if err != nil {
			return history{}, err
		}
		if !ok {
			continue
		}
		if !enclosed(bar) {
			bar.Open, bar.High, bar.Low = decimal.NullDecimal{}, decimal.NullDecimal{}, decimal.NullDecimal{}
			h.odd++
		}
		h.bars = append(h.bars, bar)
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

// row is a day as the page shows it.
type row struct{ Date, Open, High, Low, Close, Volume string }

// bar is false for a day without a close.
func (r row) bar() (market.Bar, bool, error) {
	day, err := time.Parse("01/02/2006", r.Date)
	if err != nil {
		return market.Bar{}, false, malformed("no date: %.20q", r.Date)
	}
	last := price(r.Close)
	if !last.Valid {
		return market.Bar{}, false, nil
	}
	b := market.Bar{Date: day, Open: price(r.Open), High: price(r.High), Low: price(r.Low), Close: last.Decimal}
	if v := figure(r.Volume); v.Valid && !v.Decimal.IsNegative() {
		b.Volume = v
	}
	return b, true, nil
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
