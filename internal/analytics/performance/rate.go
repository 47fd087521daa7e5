package performance

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// InversePlaces is the number of decimals of an inverted rate.
const InversePlaces = 12

// rates are the prices of one unit of each currency in the base currency, by day. A currency
// without a column has no rate.
type rates struct {
	base    string
	columns map[string]*dailyColumn
}

func newRates(g grid, base string, series []market.RateSeries) (rates, error) {
	r := rates{base: base, columns: map[string]*dailyColumn{}}
	seen := map[market.Pair]bool{}
	for _, s := range series {
		if seen[s.Pair] {
			return rates{}, fmt.Errorf("%w: duplicate series of rates for %s", ErrInvalidRequest, s.Pair)
		}
		seen[s.Pair] = true
		currency, inverse := s.Base, false
		if s.Base == base && s.Quote != base {
			currency, inverse = s.Quote, true
		} else if s.Quote != base {
			continue
		}
		// The quoted direction is more exact than an inverse.
		if _, known := r.columns[currency]; known && inverse {
			continue
		}
		points, err := ratePoints(g, s, inverse)
		if err != nil {
			return rates{}, err
		}
		r.columns[currency] = newDailyColumn(g.days, points)
	}
	return r, nil
}

func ratePoints(g grid, s market.RateSeries, inverse bool) ([]point, error) {
	points := make([]point, 0, len(s.Rates))
	one := decimal.NewFromInt(1)
	for i, rate := range s.Rates {
		if i > 0 && !rate.Date.After(s.Rates[i-1].Date) || !isPlausible(rate.Value) {
			return nil, fmt.Errorf("rates for %s: %w: %s on %s", s.Pair, market.ErrMalformed, rate.Value, formatDate(rate.Date))
		}
		d := g.index(rate.Date)
		if d < -staleness || d >= g.days {
			continue
		}
		value := rate.Value
		if inverse {
			value = one.DivRound(value, InversePlaces)
		}
		points = append(points, point{d, value})
	}
	return points, nil
}

// convert converts an amount to the base currency at the rate of a day.
func (r rates) convert(amount decimal.Decimal, currency string, i int) (decimal.Decimal, bool) {
	if currency == r.base || amount.IsZero() {
		return amount, true
	}
	c, ok := r.columns[currency]
	if !ok {
		return decimal.Decimal{}, false
	}
	rate, ok := c.valueOn(i)
	return amount.Mul(rate), ok
}

func formatDate(d market.Date) string { return d.Format("2006-01-02") }
