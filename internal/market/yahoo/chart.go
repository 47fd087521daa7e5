package yahoo

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Chart is the answer of the chart service: what it says of the instrument, and a
// row for each session.
type Chart struct {
	Meta
	zone      *time.Location
	stamps    []int64
	prices    chartColumns
	adjusted  []Number
	dividends map[string]chartDividend
	splits    map[string]chartSplit
}

type chartColumns struct{ Open, High, Low, Close, Volume []Number }

type chartDividend struct {
	Date     int64
	Amount   Number
	Currency string // that it was paid in; that of the prices where empty
}

type chartSplit struct {
	Date                   int64
	Numerator, Denominator Number
}

type chartBody struct {
	Chart *struct {
		Result []struct {
			Meta      Meta
			Timestamp []int64
			Events    struct {
				Dividends map[string]chartDividend
				Splits    map[string]chartSplit
			}
			Indicators struct {
				Quote    []chartColumns
				AdjClose []struct{ AdjClose []Number }
			}
		}
		Error *ServiceError
	}
}

// maxRows is more than a century of sessions.
const maxRows = 60_000

// ParseChart reads a chart of the symbol that was asked for, in Yahoo's spelling. An
// answer about another one, or a part of one, yields ErrMalformed; an empty answer
// ErrNoData; a refusal what it means.
func ParseChart(text []byte, requested string) (Chart, error) {
	var b chartBody
	if err := client.DecodeJSON(text, &b); err != nil {
		return Chart{}, err
	}
	switch {
	case b.Chart == nil:
		return Chart{}, client.Malformedf("no chart")
	case b.Chart.Error != nil:
		return Chart{}, b.Chart.Error.Sentinel(0)
	case len(b.Chart.Result) == 0:
		return Chart{}, market.ErrNoData
	}
	r := b.Chart.Result[0]
	c := Chart{Meta: r.Meta, stamps: r.Timestamp, dividends: r.Events.Dividends, splits: r.Events.Splits}
	if len(r.Indicators.Quote) > 0 {
		c.prices = r.Indicators.Quote[0]
	}
	if len(r.Indicators.AdjClose) > 0 {
		c.adjusted = r.Indicators.AdjClose[0].AdjClose
	}
	c.zone = c.location()
	return c, c.check(requested)
}

// check refuses what is another answer than was asked for, or a part of one.
func (c Chart) check(requested string) error {
	if !SameYahooSymbol(requested, c.Symbol) {
		return client.Malformedf("the answer is about %q", client.SingleLine(c.Symbol, 30))
	}
	if len(c.stamps) > maxRows {
		return client.Malformedf("%d rows", len(c.stamps))
	}
	for _, at := range append(c.stamps[:len(c.stamps):len(c.stamps)], c.RegularMarketTime) {
		if !isPlausibleTime(at) {
			return client.Malformedf("a time out of bounds")
		}
	}
	if len(c.stamps) == 0 {
		return nil
	}
	if len(c.prices.Close) != len(c.stamps) {
		return client.Malformedf("%d closes for %d sessions", len(c.prices.Close), len(c.stamps))
	}
	for _, column := range [][]Number{c.prices.Open, c.prices.High, c.prices.Low, c.prices.Volume, c.adjusted} {
		if len(column) != 0 && len(column) != len(c.stamps) {
			return client.Malformedf("columns of different length")
		}
	}
	return nil
}

// Zone is the time zone by which rows are put into days; universal time where the
// answer does not tell it.
func (c Chart) Zone() *time.Location { return c.zone }

// day is the session that an instant belongs to.
func (c Chart) day(unix int64) market.Date { return client.SessionDate(time.Unix(unix, 0), c.zone) }

// last is the newest close, unscaled, and its instant.
func (c Chart) last() (decimal.NullDecimal, int64) {
	for i := len(c.stamps) - 1; i >= 0; i-- {
		if c.prices.Close[i].Positive() {
			return c.prices.Close[i].NullDecimal, c.stamps[i]
		}
	}
	return decimal.NullDecimal{}, 0
}

func (c Chart) scale() priceScale {
	lastClose, at := c.last()
	return detectScale(c.Currency, c.RegularMarketPrice.NullDecimal, lastClose, time.Duration(max(c.RegularMarketTime-at, 0))*time.Second)
}
