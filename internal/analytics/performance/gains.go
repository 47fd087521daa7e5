package performance

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Formulas of gains by lot.
const (
	FormulaRealised   = "proceeds * rate on the day received - cost * rate on the day paid"
	FormulaUnrealised = "quantity * price * rate of the day - cost * rate on the day of acquisition"
)

// Gains are gains by lot, each in the base currency at the rates of its own days. They compare
// proceeds or value with cost, whenever it was paid, unlike the gain of a period, which starts from
// the value at its start.
type Gains struct {
	Realized   GainSum // of lots sold in the period
	Unrealized GainSum // of positions at the end of the history
}

// GainSum adds up the gains that are known.
type GainSum struct {
	Formula string
	Lots    int
	// Sum is over lots with a known gain; Unknown counts the others.
	Sum     decimal.Decimal
	Unknown int
}

// Gains lists gains realized after the close of from, and unrealized gains at the end of the
// history. An invalid period is ErrInvalidRequest.
func (h *History) Gains(from market.Date) (Gains, error) {
	if _, err := h.span(from, h.Last()); err != nil {
		return Gains{}, err
	}
	g := Gains{Realized: GainSum{Formula: FormulaRealised}, Unrealized: GainSum{Formula: FormulaUnrealised}}
	for _, d := range h.engine.Disposals() {
		if !h.scope.includesPosition(d.Account, d.Symbol) || !d.Date.After(from) {
			continue
		}
		// The proceeds of a short position came on the day it was opened, and its cost on the day it was
		// closed.
		received, paid := d.Date, d.Acquired
		if d.Quantity.IsNegative() {
			received, paid = paid, received
		}
		proceeds := h.convertOn(decimal.NewNullDecimal(d.Proceeds), d.Currency, received)
		g.Realized.add(proceeds, h.convertOn(d.Cost, cmp.Or(d.CostCurrency, d.Currency), paid))
	}
	for _, p := range h.openPositions() {
		if !h.scope.includesPosition(p.Account, p.Symbol) {
			continue
		}
		price := h.lastPrice(p.Symbol)
		for _, lot := range p.Lots {
			if lot.Quantity.IsNegative() { // the cost of a short lot is its proceeds
				lot.Cost.Decimal = lot.Cost.Decimal.Neg()
			}
			g.Unrealized.add(multiplyKnown(decimal.NewNullDecimal(lot.Quantity), price), h.convertOn(lot.Cost, lot.Currency, lot.Acquired))
		}
	}
	return g, nil
}

func (s scope) includesPosition(account string, symbol market.Symbol) bool {
	return s.includes(account) && !s.excluded[symbol]
}

// lastPrice returns the price of a security in the base currency at the end of the history.
func (h *History) lastPrice(symbol market.Symbol) decimal.NullDecimal {
	i := slices.IndexFunc(h.securities, func(s *security) bool { return s.symbol == symbol })
	if i < 0 || h.securities[i].prices == nil {
		return decimal.NullDecimal{}
	}
	price, ok := h.securities[i].prices.valueOn(h.grid.days - 1)
	if ok {
		price, ok = h.rates.convert(price, h.securities[i].currency, h.grid.days-1)
	}
	return decimal.NullDecimal{Decimal: price, Valid: ok}
}

// add adds a lot by its value and cost in the base currency.
func (g *GainSum) add(value, cost decimal.NullDecimal) {
	g.Lots++
	if !value.Valid || !cost.Valid {
		g.Unknown++
		return
	}
	g.Sum = g.Sum.Add(value.Decimal.Sub(cost.Decimal))
}

// convertOn converts an amount to the base currency at the rate of a day, which may be before the
// history.
func (h *History) convertOn(amount decimal.NullDecimal, currency string, d market.Date) decimal.NullDecimal {
	if currency == h.base || amount.Valid && amount.Decimal.IsZero() {
		return amount
	}
	pair := market.Pair{Base: currency, Quote: h.base}
	for _, p := range []market.Pair{pair, pair.Inverse()} {
		i := slices.IndexFunc(h.rateSeries, func(s market.RateSeries) bool { return s.Pair == p })
		if i < 0 {
			continue
		}
		rate, err := h.rateSeries[i].On(d)
		if err != nil {
			break
		}
		if p != pair {
			rate.Value = decimal.NewFromInt(1).DivRound(rate.Value, InversePlaces)
		}
		return multiplyKnown(amount, decimal.NewNullDecimal(rate.Value))
	}
	return decimal.NullDecimal{}
}
