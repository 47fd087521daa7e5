package nasdaq

import (
	"context"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshBars = 15 * time.Minute
	staleBars = 7 * 24 * time.Hour
	// historyYears is the length of the server's history.
	historyYears = 10
	// maxPageSize is the largest allowed page, which is more than the history of any symbol.
	maxPageSize = "9999"
	// settledAfter is the New York time of day from which the day's bar no longer changes.
	settledAfter = client.NewYorkClose + 20*time.Minute
)

// Bars returns the daily bars of sym in r, adjusted for splits, without dividends. An open range
// starts ten years ago, the limit of the server. An unlisted symbol yields ErrUnknownSymbol, a
// range without trading ErrNoData.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	op, now := "bars of "+string(sym), s.o.Now()
	today := now.In(client.NewYork())
	from, to := oldestDate(today), today
	if !r.From.IsZero() {
		from = r.From
	}
	if !r.To.IsZero() && r.To.Before(today) {
		to = r.To
	}
	values := url.Values{"fromdate": {from.Format(time.DateOnly)}, "todate": {to.Format(time.DateOnly)}, "limit": {maxPageSize}}
	if ctx.Err() == nil && values.Get("todate") < values.Get("fromdate") {
		return market.Series{}, s.client.NewError(op, market.ErrNoData, "the range ends before the first available bar")
	}
	request := client.Request{Op: op, URL: "/historical", Fresh: freshBars, Stale: staleBars}
	found, class, answer, err := getByClass(ctx, s, sym, request, values, func(body []byte) (client.BarHistory, error) { return parseBars(body, sym) })
	if err != nil {
		return market.Series{}, err
	}
	series := market.Series{Interval: market.Daily, Bars: found.Bars}
	series.Instrument, series.Provenance = newInstrument(sym, class, "historical", answer)
	if series = series.Within(r); len(series.Bars) == 0 {
		return market.Series{}, s.client.NewError(op, market.ErrNoData, "")
	}
	p := series.Provenance
	if client.BarUnsettled(p.AsOf, now, settledAfter) {
		p = p.With(market.FlagProvisional)
	}
	p.Note = "Dividends are unavailable, so the total return is unknown."
	if !r.From.IsZero() && r.From.Before(oldestDate(today)) {
		p.Note += " Nasdaq has about ten years of history."
	}
	series.Provenance = found.FlagInconsistent(p)
	return series, nil
}

// oldestDate returns the first day that the server has as of today.
func oldestDate(today time.Time) market.Date {
	return time.Date(today.Year()-historyYears, today.Month(), today.Day(), 0, 0, 0, 0, time.UTC)
}

// parseBars parses a history, oldest first. Days without a close are omitted.
func parseBars(body []byte, sym market.Symbol) (client.BarHistory, error) {
	var data struct {
		Symbol string `json:"symbol"`
		Table  struct {
			Rows []struct{ Date, Open, High, Low, Close, Volume string } `json:"rows"`
		} `json:"tradesTable"`
	}
	if err := decodeEnvelope(body, &data); err != nil {
		return client.BarHistory{}, err
	}
	if !sameSymbol(sym, data.Symbol) {
		return client.BarHistory{}, client.Malformedf("response is for %.20q instead of %s", data.Symbol, sym)
	}
	var h client.BarHistory
	for _, one := range data.Table.Rows {
		day, err := time.Parse("01/02/2006", one.Date)
		if err != nil {
			return client.BarHistory{}, client.Malformedf("invalid date %.20q", one.Date)
		}
		h.AddDay(day, parsePrice(one.Open), parsePrice(one.High), parsePrice(one.Low), parsePrice(one.Close), parseNumber(one.Volume))
	}
	return h, client.SortBars(h.Bars)
}
