package yahoo

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// MajorUnit is the major unit of a currency that Yahoo quotes in a fraction of it, and
// how many of the one make the other.
func MajorUnit(currency string) (major string, parts int64) {
	unit, places := market.MinorUnit(currency)
	if unit == "" {
		return currency, 1
	}
	return unit, decimal.New(1, places).IntPart()
}

// priceScale brings the prices of an answer into the major unit. The price of the meta
// data and those of the bars have a factor each: Yahoo has sent pounds with the
// label of pence in either place.
type priceScale struct {
	currency, quoted string
	price, bars      decimal.Decimal
	note             string
	suspect          bool
}

func (s priceScale) converted() bool { return s.currency != s.quoted }

// maxScaleGap is how old the last bar may be for its price to say in which unit the
// current one is: a share does not move a hundredfold in that time.
const maxScaleGap = 400 * 24 * time.Hour

// detectScale compares the current price with the last close, of which gap is the
// age: near one they are in the same unit, near a hundred (or a hundredth) one of
// them is in the major unit already.
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
		s.suspect, s.note = true, "Prices may be in "+major+" already: they are too old to compare with today's."
	case ratio > factor/2 && ratio < factor*2:
		s.bars, s.note = one, "Yahoo labels the bars "+currency+", but against the current price they are in "+major+" already."
	case ratio < 2/factor && ratio > 0.5/factor:
		s.price, s.note = one, "Yahoo labels the price "+currency+", but against the bars it is in "+major+" already."
	case gap < 10*24*time.Hour && (ratio > 3 || ratio < 1.0/3):
		s.suspect, s.note = true, "The current price and the last close are too far apart to be sure of their unit."
	}
	return s
}
