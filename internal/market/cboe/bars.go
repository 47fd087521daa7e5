package cboe

import (
	"context"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshBars = 15 * time.Minute
	staleBars = 7 * 24 * time.Hour
	// settledAfter is the New York time of day from which the day's bar no longer changes. All data is delayed.
	settledAfter = client.NewYorkClose + 20*time.Minute + delayMinutes*time.Minute
)

// history holds the daily bars of one symbol.
type history struct {
	bars []market.Bar
	odd  int // days omitted for impossible prices
}

// Bars returns the daily bars of sym in r, with unknown adjustment. Cboe sends the whole history at once. An
// unlisted symbol yields ErrUnknownSymbol, a range without trading ErrNoData.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	op := "bars of " + string(sym)
	request := client.Request{Op: op, URL: "charts/historical/", Fresh: freshBars, Stale: staleBars}
	found, answer, err := get(ctx, s, sym, request, func(body []byte) (history, error) { return parseBars(body, sym) })
	if err != nil {
		return market.Series{}, err
	}
	series := market.Series{Interval: market.Daily, Bars: found.bars}
	series.Instrument, series.Provenance = newInstrument(sym, "", "charts/historical", answer)
	if series = series.Within(r); len(series.Bars) == 0 {
		return market.Series{}, s.client.NewError(op, market.ErrNoData, "")
	}
	p := series.Provenance
	if client.BarUnsettled(p.AsOf, s.o.Now(), settledAfter) {
		p = p.With(market.FlagProvisional)
	}
	p.Note = "It is unknown whether these prices are adjusted for splits or dividends; do not compute returns from them."
	if found.odd > 0 {
		p = p.With(market.FlagSuspect)
		p.Note += fmt.Sprintf(" Days omitted for impossible prices: %d.", found.odd)
	}
	series.Provenance = p
	return series, nil
}

// parseBars parses a history, oldest first. It omits days with a missing or zero price, or with one outside
// high and low; Cboe has some.
func parseBars(body []byte, sym market.Symbol) (history, error) {
	var file struct {
		Symbol string `json:"symbol"`
		Data   []struct {
			Date                           string
			Open, High, Low, Close, Volume price
		} `json:"data"`
	}
	if err := client.DecodeJSON(body, &file); err != nil {
		return history{}, err
	}
	if !sameSymbol(sym, file.Symbol) {
		return history{}, client.Malformedf("response is for %.20q instead of %s", file.Symbol, sym)
	}
	var h history
	for _, d := range file.Data {
		date, err := time.Parse(time.DateOnly, d.Date[:min(len(d.Date), len(time.DateOnly))])
		if err != nil {
			return history{}, client.Malformedf("invalid date %.20q", d.Date)
		}
		b := market.Bar{Date: date, Open: d.Open.NullDecimal, High: d.High.NullDecimal, Low: d.Low.NullDecimal, Close: d.Close.Decimal, Volume: d.Volume.NullDecimal}
		if !highLowEnclose(b) {
			h.odd++
			continue
		}
		h.bars = append(h.bars, b)
	}
	return h, client.SortBars(h.bars)
}

// highLowEnclose reports whether all prices are present, and open and close lie between low and high.
func highLowEnclose(b market.Bar) bool {
	if !b.Open.Valid || !b.High.Valid || !b.Low.Valid || !b.Close.IsPositive() {
		return false
	}
	top, bottom := decimal.Max(b.Open.Decimal, b.Close), decimal.Min(b.Open.Decimal, b.Close)
	return !b.High.Decimal.LessThan(top) && !b.Low.Decimal.GreaterThan(bottom)
}
