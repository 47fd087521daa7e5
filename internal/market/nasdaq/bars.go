package nasdaq

import (
	"context"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	freshBars = 15 * time.Minute
	staleBars = 7 * 24 * time.Hour
	// reach is how many years back the server goes.
	reach = 10
	// most is the largest page, which is more than it has of any symbol.
	most = "9999"
	// settled is when the bar of the day no longer changes.
	settled = wire.Close + 20*time.Minute
)

// Bars returns the daily bars of sym in r, adjusted for splits; their dividends
// are not told. An open range begins ten years ago, which is as far as the server
// reaches. An unlisted symbol yields ErrUnknownSymbol, a range without trading
// ErrNoData.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	doing, now := "bars of "+string(sym), s.o.Now()
	today := now.In(wire.NewYork())
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
	found, class, answer, err := ask(ctx, s, sym, request, values, func(body []byte) (wire.History, error) { return parseBars(body, sym) })
	if err != nil {
		return market.Series{}, err
	}
	series := market.Series{Interval: market.Daily, Bars: found.Bars}
	series.Instrument, series.Provenance = described(sym, class, "historical", answer)
	if series = series.Within(r); len(series.Bars) == 0 {
		return market.Series{}, s.tap.Failed(doing, market.ErrNoData, "")
	}
	p := series.Provenance
	if wire.Unsettled(p.AsOf, now, settled) {
		p = p.With(market.FlagProvisional)
	}
	p.Note = "Dividends are not told: no total return can be made of this."
	if !r.From.IsZero() && r.From.Before(oldest(today)) {
		p.Note += " The server reaches back about ten years."
	}
	series.Provenance = found.Flagged(p)
	return series, nil
}

// oldest is the first day that the server has on a day.
func oldest(today time.Time) market.Date {
	return time.Date(today.Year()-reach, today.Month(), today.Day(), 0, 0, 0, 0, time.UTC)
}

// parseBars reads a history, oldest first. Days without a close are left out.
func parseBars(body []byte, sym market.Symbol) (wire.History, error) {
	var data struct {
		Symbol string `json:"symbol"`
		Table  struct {
			Rows []row `json:"rows"`
		} `json:"tradesTable"`
	}
	if err := opened(body, &data); err != nil {
		return wire.History{}, err
	}
	if !same(sym, data.Symbol) {
		return wire.History{}, wire.Malformed("%.20q in place of %s", data.Symbol, sym)
	}
	var h wire.History
	for _, one := range data.Table.Rows {
		bar, ok, err := one.bar()
		if err != nil {
			return wire.History{}, err
		}
		if !ok {
			continue
		}
		h.Add(bar)
	}
	return h, wire.Sort(h.Bars)
}

// row is a day as the page shows it.
type row struct{ Date, Open, High, Low, Close, Volume string }

// bar is false for a day without a close.
func (r row) bar() (market.Bar, bool, error) {
	day, err := time.Parse("01/02/2006", r.Date)
	if err != nil {
		return market.Bar{}, false, wire.Malformed("no date: %.20q", r.Date)
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
