package performance

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Valuation is the value of the portfolio at the close of a day, by FormulaValue.
type Valuation struct {
	Date      market.Date
	Value     decimal.NullDecimal // invalid if one of Positions or Cash has none
	Reason    string              // that is so
	Positions []PositionValue     // by symbol
	Cash      []CashValue         // by currency, of all accounts together
}

// PositionValue is one security in a valuation.
type PositionValue struct {
	Symbol    market.Symbol
	Quantity  decimal.Decimal
	Price     decimal.NullDecimal // as traded, in Currency
	PriceDate market.Date         // of the close that Price is
	Currency  string
	Rate      decimal.NullDecimal // of Currency in the base; one for the base itself
	RateDate  market.Date
	Value     decimal.NullDecimal // in the base
}

// CashValue is one currency in a valuation.
type CashValue struct {
	Currency string
	Amount   decimal.Decimal
	Rate     decimal.NullDecimal
	RateDate market.Date
	Value    decimal.NullDecimal // in the base
}

func (h *History) valuation(i int) Valuation {
	v := Valuation{Date: h.grid.date(i), Value: h.values[i]}
	if !v.Value.Valid {
		v.Reason = h.unvaluedReason(i)
	}
	for _, s := range h.securities {
		if quantity := quantityAt(s.steps, i); !quantity.IsZero() {
			v.Positions = append(v.Positions, h.positionValue(s, quantity, i))
		}
	}
	slices.SortFunc(v.Positions, func(a, b PositionValue) int { return cmp.Compare(a.Symbol, b.Symbol) })
	for _, p := range h.cashBalances {
		amount := quantityAt(p.steps, i)
		if amount.IsZero() {
			continue
		}
		c := CashValue{Currency: p.currency, Amount: amount}
		c.Rate, c.RateDate = h.rateOn(p.currency, i)
		c.Value = multiplyKnown(decimal.NewNullDecimal(amount), c.Rate)
		v.Cash = append(v.Cash, c)
	}
	slices.SortFunc(v.Cash, func(a, b CashValue) int { return cmp.Compare(a.Currency, b.Currency) })
	return v
}

func (h *History) positionValue(s *security, quantity decimal.Decimal, i int) PositionValue {
	out := PositionValue{Symbol: s.symbol, Quantity: quantity, Currency: s.currency}
	if s.prices == nil {
		return out
	}
	if price, known, ok := s.prices.valueOn(i); ok {
		out.Price, out.PriceDate = decimal.NewNullDecimal(price), h.grid.date(known)
	}
	out.Rate, out.RateDate = h.rateOn(s.currency, i)
	out.Value = multiplyKnown(multiplyKnown(decimal.NewNullDecimal(quantity), out.Price), out.Rate)
	return out
}

func (h *History) rateOn(currency string, i int) (decimal.NullDecimal, market.Date) {
	rate, known, ok := h.rates.rateOn(currency, i)
	if !ok {
		return decimal.NullDecimal{}, market.Date{}
	}
	return decimal.NewNullDecimal(rate), h.grid.date(known)
}

func multiplyKnown(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(a.Decimal.Mul(b.Decimal))
}
