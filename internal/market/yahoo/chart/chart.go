package chart

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

// Chart is the answer of the chart service: what it says of the instrument, and a
// row for each session.
type Chart struct {
	Meta
	zone      *time.Location
	stamps    []int64
	prices    columns
	adjusted  []Number
	dividends map[string]dividend
	splits    map[string]split
}

type columns struct{ Open, High, Low, Close, Volume []Number }

type dividend struct {
	Date     int64
	Amount   Number
	Currency string // that it was paid in; that of the prices where empty
}

type split struct {
	Date                   int64
	Numerator, Denominator Number
}

type body struct {
	Chart *struct {
		Result []struct {
			Meta      Meta
			Timestamp []int64
			Events    struct {
				Dividends map[string]dividend
				Splits    map[string]split
			}
			Indicators struct {
				Quote    []columns
				AdjClose []struct{ AdjClose []Number }
			}
		}
		Error *Complaint
	}
}

// mostRows is more than a century of sessions.
const mostRows = 60_000

// Parse reads a chart of the symbol that was asked for, in Yahoo's spelling. An
// answer about another one, or a part of one, yields ErrMalformed; an empty answer
// ErrNoData; a refusal what it means.
func Parse(text []byte, asked string) (Chart, error) {
	var b body
	if err := wire.Decode(text, &b); err != nil {
		return Chart{}, err
	}
	switch {
	case b.Chart == nil:
		return Chart{}, wire.Malformed("no chart")
	case b.Chart.Error != nil:
		return Chart{}, b.Chart.Error.Meaning(0)
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
	return c, c.check(asked)
}

// check refuses what is another answer than was asked for, or a part of one.
func (c Chart) check(asked string) error {
	if !SameSymbol(asked, c.Symbol) {
		return wire.Malformed("the answer is about %q", wire.Line(c.Symbol, 30))
	}
	if len(c.stamps) > mostRows {
		return wire.Malformed("%d rows", len(c.stamps))
	}
	for _, at := range append(c.stamps[:len(c.stamps):len(c.stamps)], c.RegularMarketTime) {
		if !plausible(at) {
			return wire.Malformed("a time out of bounds")
		}
	}
	if len(c.stamps) == 0 {
		return nil
	}
	if len(c.prices.Close) != len(c.stamps) {
		return wire.Malformed("%d closes for %d sessions", len(c.prices.Close), len(c.stamps))
	}
	for _, column := range [][]Number{c.prices.Open, c.prices.High, c.prices.Low, c.prices.Volume, c.adjusted} {
		if len(column) != 0 && len(column) != len(c.stamps) {
			return wire.Malformed("columns of different length")
		}
	}
	return nil
}

// Zone is the time zone by which rows are put into days; universal time where the
// answer does not tell it.
func (c Chart) Zone() *time.Location { return c.zone }

// day is the session that an instant belongs to.
func (c Chart) day(unix int64) market.Date { return wire.Day(time.Unix(unix, 0), c.zone) }

// last is the newest close, unscaled, and its instant.
func (c Chart) last() (decimal.NullDecimal, int64) {
	for i := len(c.stamps) - 1; i >= 0; i-- {
		if c.prices.Close[i].Positive() {
			return c.prices.Close[i].NullDecimal, c.stamps[i]
		}
	}
	return decimal.NullDecimal{}, 0
}

func (c Chart) scale() scale {
	lastClose, at := c.last()
	return scaleOf(c.Currency, c.RegularMarketPrice.NullDecimal, lastClose, time.Duration(max(c.RegularMarketTime-at, 0))*time.Second)
}
