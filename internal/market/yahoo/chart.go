package yahoo

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Chart is a response of the chart service: data about the instrument, and a row per session.
type Chart struct {
	Meta
	zone      *time.Location
	interval  market.Interval // of the rows, set by Series
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
	Currency string // currency of the payment; that of the prices if empty
}

type chartSplit struct {
	Date                   int64
	Numerator, Denominator Number
}

type chartResult struct {
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

// maxRows is more than a century of sessions.
const maxRows = 60_000

// ParseChart parses a chart of the requested symbol, in Yahoo's spelling. A response that is incomplete or
// for another symbol yields ErrMalformed, an empty one ErrNoData, and a refusal the corresponding error.
func ParseChart(text []byte, requested string) (Chart, error) {
	results, err := decodeService[[]chartResult](text, "chart")
	if err != nil {
		return Chart{}, err
	}
	if len(results) == 0 {
		return Chart{}, market.ErrNoData
	}
	r := results[0]
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

// check returns an error if the response is incomplete or for another symbol.
func (c Chart) check(requested string) error {
	if err := checkAnswered(requested, c.Symbol); err != nil {
		return err
	}
	if len(c.stamps) > maxRows {
		return client.Malformedf("%d rows", len(c.stamps))
	}
	for _, at := range append(c.stamps[:len(c.stamps):len(c.stamps)], c.RegularMarketTime) {
		if !isPlausibleTime(at) {
			return client.Malformedf("time out of range")
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
			return client.Malformedf("columns of unequal length")
		}
	}
	return nil
}

// Zone returns the time zone that assigns rows to days; UTC if unknown.
func (c Chart) Zone() *time.Location { return c.zone }

// day returns the session that an instant belongs to.
func (c Chart) day(unix int64) market.Date { return client.SessionDate(time.Unix(unix, 0), c.zone) }

// last returns the newest close, unscaled, and its time.
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

// Meta is Yahoo's data about an instrument, with the field names of the chart service.
type Meta struct {
	Currency             string
	Symbol               string
	ExchangeName         string
	FullExchangeName     string
	InstrumentType       string
	LongName, ShortName  string
	RegularMarketTime    int64
	GMTOffset            int
	ExchangeTimezoneName string
	RegularMarketPrice   Number
	RegularMarketDayHigh Number
	RegularMarketVolume  Number
	PreviousClose        Number // only in responses for one day
	DataGranularity      any    // "1d", or seconds in v8 spark
	CurrentTradingPeriod struct{ Pre, Regular, Post tradingPeriod }
}

type tradingPeriod struct{ Start, End int64 }

// location returns the exchange's time zone. It prefers the name to the offset, which is only the current
// one: old bars may have another.
func (m Meta) location() *time.Location {
	if name := m.ExchangeTimezoneName; name != "" && len(name) < 40 {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return time.FixedZone("exchange", min(max(m.GMTOffset, -14*3600), 14*3600))
}

// Zone returns the exchange's time zone, or nil if unknown.
func (m Meta) Zone() *time.Location {
	if m.ExchangeTimezoneName == "" && m.GMTOffset == 0 {
		return nil
	}
	return m.location()
}

// Instrument returns sym with Yahoo's description. Without a name, the symbol is used as the name.
func (m Meta) Instrument(sym market.Symbol) market.Instrument {
	name := m.LongName
	if name == "" {
		name = m.ShortName
	}
	exchange := m.FullExchangeName
	if exchange == "" {
		exchange = m.ExchangeName
	}
	one := market.Instrument{Symbol: sym, Name: client.SingleLine(name, 120), Kind: m.Kind(), Listing: ListingOf(m.ExchangeName, exchange)}
	if one.Name == "" {
		one.Name = string(sym)
	}
	return one
}

// Kind returns the kind of instrument in nfa's terms. It does not trust "mutual fund" if there is a daily
// range: a fund is priced once a day and has none, but Yahoo labels some listed shares that way.
func (m Meta) Kind() string {
	if m.InstrumentType == "MUTUALFUND" && m.RegularMarketDayHigh.Valid {
		return "equity"
	}
	return InstrumentKind(m.InstrumentType)
}

// hasVolume reports whether volume is meaningful: it is all zeros if the instrument does not trade on an
// exchange.
func (m Meta) hasVolume() bool {
	switch m.Kind() {
	case "currency", "index", "fund":
		return m.RegularMarketVolume.Positive()
	}
	return true
}

// phase returns the trading phase according to the trading periods of the day.
func (m Meta) phase(at time.Time) market.Phase {
	periods, now := m.CurrentTradingPeriod, at.Unix()
	during := func(h tradingPeriod) bool { return h.Start <= now && now < h.End }
	switch {
	case periods.Regular.End == 0:
		return market.PhaseUnknown
	case during(periods.Regular):
		return market.PhaseRegular
	case during(periods.Pre):
		return market.PhasePre
	case during(periods.Post):
		return market.PhasePost
	}
	return market.PhaseClosed
}
