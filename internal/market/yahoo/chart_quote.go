package yahoo

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Quote returns the chart's current price, with the close of the previous session and the
// exchange's phase at the time of fetching. from is the provenance of the response. A chart without
// a price yields ErrNoData.
func (c Chart) Quote(sym market.Symbol, from market.Provenance) (market.Quote, error) {
	sc := c.scale()
	q, err := c.quote(sym, from, sc)
	if err != nil {
		return market.Quote{}, err
	}
	session := c.day(c.RegularMarketTime)
	for i := len(c.stamps) - 1; i >= 0; i-- {
		d := c.day(c.stamps[i])
		if session.Sub(d) > maxClosure {
			break // the closes are not of consecutive sessions
		}
		if c.prices.Close[i].Positive() && d.Before(session) {
			q.Previous, q.PreviousAsOf = c.prices.Close[i].Price(sc.bars), d
			break
		}
	}
	q.Provenance.Phase = c.phase(from.FetchedAt)
	return q, nil
}

// maxClosure is the longest time between two sessions: Chinese New Year with the weekends around it.
const maxClosure = 12 * 24 * time.Hour

// Quote returns the price, with the previous close if the response covers one day. Without a price it yields
// ErrNoData, without a time or a currency ErrMalformed.
func (m Meta) Quote(sym market.Symbol, from market.Provenance) (market.Quote, error) {
	return m.quote(sym, from, m.scale())
}

func (m Meta) quote(sym market.Symbol, from market.Provenance, sc priceScale) (market.Quote, error) {
	at, ok := ParseUnix(m.RegularMarketTime)
	switch {
	case !m.RegularMarketPrice.Positive():
		return market.Quote{}, market.ErrNoData
	case m.RegularMarketTime <= 0 || !ok:
		return market.Quote{}, client.Malformedf("price has no timestamp")
	case m.Currency == "" && m.Kind() != "index":
		return market.Quote{}, client.Malformedf("price without a currency")
	}
	q := market.Quote{Instrument: m.Instrument(sym), Price: m.RegularMarketPrice.Decimal.Mul(sc.price)}
	q.Previous = m.PreviousClose.Price(sc.price)
	p := m.withPriceUnits(from, sc)
	p.AsOf = at
	minutes, delayed := quoteDelay(m.ExchangeName)
	if p.DelayMinutes = minutes; delayed {
		p = p.With(market.FlagDelayed)
	}
	if m.Kind() == "equity" && m.RegularMarketVolume.Valid && m.RegularMarketVolume.Decimal.IsZero() {
		p = p.With(market.FlagThin)
	}
	q.Provenance = p
	return q, nil
}

// PriceProvenance returns from with the currency, unit and warnings of prices, and the factor that
// converts Yahoo's figures to that currency.
func (m Meta) PriceProvenance(from market.Provenance) (market.Provenance, decimal.Decimal) {
	sc := m.scale()
	return m.withPriceUnits(from, sc), sc.price
}

// withPriceUnits fills in the currency and unit of prices, and any doubts about the scale.
func (m Meta) withPriceUnits(p market.Provenance, s priceScale) market.Provenance {
	p.Currency, p.Unit = s.currency, "price"
	if m.Kind() == "index" {
		p.Currency, p.Unit = "", "index points"
		return p
	}
	if s.converted() {
		p.QuotedCurrency = s.quoted
		p = p.With(market.FlagConverted)
	}
	if s.suspect {
		p = p.With(market.FlagSuspect)
	}
	return p.WithNote(s.note)
}

// scale returns the scale for a response with a previous close but no bars.
func (m Meta) scale() priceScale {
	s := detectScale(m.Currency, decimal.NullDecimal{}, decimal.NullDecimal{}, 0)
	if !s.converted() || !m.PreviousClose.Positive() || !m.RegularMarketPrice.Positive() {
		return s
	}
	ratio := m.RegularMarketPrice.Decimal.Div(m.PreviousClose.Decimal).InexactFloat64()
	if ratio > 3 || ratio < 1.0/3 {
		s.suspect, s.note = true, "The price and the previous close are too far apart to determine their unit."
	}
	return s
}

// MajorUnit returns the major unit of a currency that Yahoo quotes in a fraction of it, and how many parts
// make one major unit.
func MajorUnit(currency string) (major string, parts int64) {
	unit, places := market.MinorUnit(currency)
	if unit == "" {
		return currency, 1
	}
	return unit, decimal.New(1, places).IntPart()
}

// priceScale converts prices to the major unit. The current price and the bars have separate factors, because
// Yahoo has labeled pounds as pence in either one.
type priceScale struct {
	currency, quoted string
	price, bars      decimal.Decimal
	note             string
	suspect          bool
}

func (s priceScale) converted() bool { return s.currency != s.quoted }

// maxScaleGap is the maximum age of the last bar for comparing units: a share does not move a
// hundredfold in that time.
const maxScaleGap = 400 * 24 * time.Hour

// detectScale compares the current price with the last close, which is gap old. A ratio near 1
// means the same unit; near 100 (or 1/100), one of them is already in the major unit.
func detectScale(currency string, price, lastClose decimal.NullDecimal, gap time.Duration) priceScale {
	major, parts := MajorUnit(currency)
	one := decimal.NewFromInt(1)
	s := priceScale{currency: major, quoted: currency, price: one, bars: one}
	if parts == 1 {
		return s
	}
	fraction := one.DivRound(decimal.NewFromInt(parts), 4)
	s.price, s.bars = fraction, fraction
	if !price.Valid || !lastClose.Valid || !price.Decimal.IsPositive() || !lastClose.Decimal.IsPositive() {
		return s
	}
	ratio := price.Decimal.Div(lastClose.Decimal).InexactFloat64()
	factor := float64(parts)
	switch {
	case gap > maxScaleGap && (ratio > factor/2 || ratio < 2/factor):
		s.suspect, s.note = true, "Prices may already be in "+major+"; they are too old to compare with the current price."
	case ratio > factor/2 && ratio < factor*2:
		s.bars, s.note = one, "Yahoo labels the bars as "+currency+", but compared with the current price they are already in "+major+"."
	case ratio < 2/factor && ratio > 0.5/factor:
		s.price, s.note = one, "Yahoo labels the price as "+currency+", but compared with the bars it is already in "+major+"."
	case gap < 10*24*time.Hour && (ratio > 3 || ratio < 1.0/3):
		s.suspect, s.note = true, "The current price and the last close are too far apart to determine their unit."
	}
	return s
}
