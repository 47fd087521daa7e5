package indicator

import (
	"fmt"
	"math"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
)

// Bars are the columns of a price series, oldest first and of one length. A
// number that the source does not have is NaN. Opens are absent: no indicator
// here reads them.
type Bars struct {
	High, Low, Close, Volume []float64
}

// Len is the number of bars.
func (b Bars) Len() int { return len(b.Close) }

// NewBars converts the bars of a series to columns of float64. It refuses dates that do not
// increase (analytics.ErrDisordered), numbers that no float64 can hold
// (analytics.ErrOutOfRange), a high below its low and a negative volume. Prices may be
// negative, because those of futures have been.
func NewBars(bars []market.Bar) (Bars, error) {
	n := len(bars)
	out := Bars{High: undefinedColumn(n), Low: undefinedColumn(n), Close: undefinedColumn(n), Volume: undefinedColumn(n)}
	for i, bar := range bars {
		day := bar.Date.Format(time.DateOnly)
		if i > 0 && !bar.Date.After(bars[i-1].Date) {
			return Bars{}, fmt.Errorf("%s after %s: %w", day, bars[i-1].Date.Format(time.DateOnly), analytics.ErrDisordered)
		}
		out.Close[i] = bar.Close.InexactFloat64()
		out.High[i], out.Low[i], out.Volume[i] = orNaN(bar.High), orNaN(bar.Low), orNaN(bar.Volume)
		switch {
		case out.High[i] < out.Low[i]:
			return Bars{}, fmt.Errorf("high %s below low %s on %s", bar.High.Decimal, bar.Low.Decimal, day)
		case out.Volume[i] < 0:
			return Bars{}, fmt.Errorf("negative volume %s on %s", bar.Volume.Decimal, day)
		}
		for _, v := range [...]float64{out.High[i], out.Low[i], out.Close[i], out.Volume[i]} {
			if math.IsInf(v, 0) {
				return Bars{}, fmt.Errorf("bar of %s: %w", day, analytics.ErrOutOfRange)
			}
		}
	}
	return out, nil
}

func orNaN(d decimal.NullDecimal) float64 {
	if !d.Valid {
		return math.NaN()
	}
	return d.Decimal.InexactFloat64()
}

// typical is the mean of high, low and close.
func (b Bars) typical() []float64 {
	return combineColumns(func(v ...float64) float64 { return (v[0] + v[1] + v[2]) / 3 }, b.High, b.Low, b.Close)
}
