package yahoo

import (
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// sessionBar is a bar and what it was made from.
type sessionBar struct {
	market.Bar
	provisional bool
	adjusted    decimal.NullDecimal // Yahoo's own close for total return, scaled
}

// days reads the rows, oldest first, and says what is odd about them. A row
// without a close is no bar, but for today's: its close is the current price.
func (c Chart) days(sc priceScale, now time.Time) ([]sessionBar, []string) {
	out := make([]sessionBar, 0, len(c.stamps))
	var crossed, unordered []market.Date
	for i, stamp := range c.stamps {
		d, ok := c.row(i, sc, now)
		if !ok {
			continue
		}
		n := len(out)
		switch {
		case n == 0 || d.Date.After(out[n-1].Date):
		case d.Date.Equal(out[n-1].Date) && i == len(c.stamps)-1:
			// While an exchange trades, Yahoo may give the day's bar and the last trade
			// in a row each.
			out[n-1] = out[n-1].mergeTrade(d)
			continue
		default:
			unordered = append(unordered, c.day(stamp))
			continue
		}
		var consistent bool
		if d.Bar, consistent = dropInconsistent(d.Bar); !consistent {
			crossed = append(crossed, d.Date)
		}
		out = append(out, d)
	}
	var odd []string
	if len(crossed) > 0 {
		odd = append(odd, "High and low contradict the close on "+joinDates(crossed)+" and are left out.")
	}
	if len(unordered) > 0 {
		odd = append(odd, "Second bars for "+joinDates(unordered)+" are left out.")
	}
	return out, odd
}

func (c Chart) row(i int, sc priceScale, now time.Time) (sessionBar, bool) {
	at := func(column []Number) Number {
		if len(column) == 0 {
			return Number{}
		}
		return column[i]
	}
	d := sessionBar{Bar: market.Bar{
		Date: c.day(c.stamps[i]),
		Open: at(c.prices.Open).Price(sc.bars), High: at(c.prices.High).Price(sc.bars), Low: at(c.prices.Low).Price(sc.bars),
	}}
	today := c.day(c.RegularMarketTime).Equal(d.Date)
	switch {
	case c.prices.Close[i].Positive():
		d.Close = c.prices.Close[i].Decimal.Mul(sc.bars)
		d.provisional = today && now.Before(time.Unix(c.CurrentTradingPeriod.Regular.End, 0).Add(settlementDelay)) &&
			c.day(c.CurrentTradingPeriod.Regular.Start).Equal(d.Date)
	case today && i == len(c.stamps)-1 && c.RegularMarketPrice.Positive():
		d.Close, d.provisional = c.RegularMarketPrice.Decimal.Mul(sc.price), true
	default:
		return sessionBar{}, false
	}
	if volume := at(c.prices.Volume); volume.Positive() || c.hasVolume() && !volume.Decimal.IsNegative() {
		d.Volume = volume.NullDecimal
	}
	d.adjusted = at(c.adjusted).Price(sc.bars)
	return d, true
}

// mergeTrade is the day's bar with a later trade of the same day.
func (d sessionBar) mergeTrade(later sessionBar) sessionBar {
	d.Close, d.adjusted, d.provisional = later.Close, later.adjusted, d.provisional || later.provisional
	for _, p := range []decimal.NullDecimal{later.High, later.Low, {Decimal: later.Close, Valid: true}} {
		if p.Valid && d.High.Valid && p.Decimal.GreaterThan(d.High.Decimal) {
			d.High = p
		}
		if p.Valid && d.Low.Valid && p.Decimal.LessThan(d.Low.Decimal) {
			d.Low = p
		}
	}
	if later.Volume.Valid && (!d.Volume.Valid || later.Volume.Decimal.GreaterThan(d.Volume.Decimal)) {
		d.Volume = later.Volume
	}
	return d
}

// dropInconsistent leaves out open, high and low where they contradict each other or the
// close: then it is not known which of them is wrong. What differs by the last
// digit of single precision is the same price, and is brought in line.
func dropInconsistent(b market.Bar) (market.Bar, bool) {
	prices := []decimal.Decimal{b.Close}
	if b.Open.Valid {
		prices = append(prices, b.Open.Decimal)
	}
	top, bottom := decimal.Max(prices[0], prices[1:]...), decimal.Min(prices[0], prices[1:]...)
	noise := b.Close.Mul(decimal.New(2, -6))
	if b.High.Valid && b.High.Decimal.LessThan(top) {
		if top.Sub(b.High.Decimal).GreaterThan(noise) {
			return market.Bar{Date: b.Date, Close: b.Close, Volume: b.Volume}, false
		}
		b.High.Decimal = top
	}
	if b.Low.Valid && b.Low.Decimal.GreaterThan(bottom) {
		if b.Low.Decimal.Sub(bottom).GreaterThan(noise) {
			return market.Bar{Date: b.Date, Close: b.Close, Volume: b.Volume}, false
		}
		b.Low.Decimal = bottom
	}
	return b, true
}

// joinDates names the first few of some days.
func joinDates(all []market.Date) string {
	const limit = 3
	text := ""
	for i, d := range all[:min(len(all), limit)] {
		if i > 0 {
			text += ", "
		}
		text += d.Format("2006-01-02")
	}
	if more := len(all) - limit; more > 0 {
		text += fmt.Sprintf(" and %d more days", more)
	}
	return text
}
