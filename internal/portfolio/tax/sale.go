package tax

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// costPlaces is the number of decimals to which a part of a cost or loss is rounded. The last part
// is the remainder, so that the parts add up exactly.
const costPlaces = 12

// Sale is a disposal, or a part of one with a separate basis and holding period, as a line of Form
// 8949.
type Sale struct {
	// Disposal has the quantity, proceeds and cost of this part. Its Acquired and Cost are from
	// package lots.
	portfolio.Disposal
	Owner   string `json:"owner,omitempty"`
	Untaxed bool   `json:"untaxed,omitempty"`
	Term    Term   `json:"term,omitempty"`
	// HeldFrom is the start of the holding period: Acquired, or earlier if the shares replaced
	// others. Zero if unknown.
	HeldFrom market.Date `json:"held_from,omitzero"`
	// AddedBasis is the disallowed loss of earlier sales that became part of the cost.
	AddedBasis decimal.Decimal `json:"added,omitzero"`
	// AddedBasisCurrency is the currency of AddedBasis if it is not Currency. The gain then
	// needs exchange rates and is unknown here.
	AddedBasisCurrency string `json:"added_currency,omitempty"`
	// Disallowed is the part of the loss that is not deductible, never negative. PermanentLoss is
	// the part of it that was not added to any basis.
	Disallowed    decimal.Decimal `json:"disallowed,omitzero"`
	PermanentLoss decimal.Decimal `json:"lost,omitzero"`
}

func (s *Sale) gainKnown() bool {
	return s.Cost.Valid && s.AddedBasisCurrency == "" && (s.CostCurrency == "" || s.CostCurrency == s.Currency)
}

// EconomicGain returns proceeds less cost and AddedBasis, before any loss is disallowed; invalid if
// the cost is unknown or in another currency.
func (s Sale) EconomicGain() decimal.NullDecimal {
	if s.AddedBasisCurrency != "" {
		return decimal.NullDecimal{}
	}
	gain := s.Disposal.Gain()
	if gain.Valid && !s.AddedBasis.IsZero() {
		gain.Decimal = gain.Decimal.Sub(s.AddedBasis)
	}
	return gain
}

// Gain returns the taxable gain: EconomicGain plus the disallowed loss, column h of Form 8949.
func (s Sale) Gain() decimal.NullDecimal {
	gain := s.EconomicGain()
	if gain.Valid {
		gain.Decimal = gain.Decimal.Add(s.Disallowed)
	}
	return gain
}

// loss returns the loss as a positive number, or false if there is none or it is unknown.
func (s *Sale) loss() (decimal.Decimal, bool) {
	if s.gainKnown() && s.AddedBasis.IsZero() && !s.Proceeds.LessThan(s.Cost.Decimal) {
		return decimal.Zero, false
	}
	gain := s.EconomicGain()
	if !gain.Valid || !gain.Decimal.IsNegative() {
		return decimal.Zero, false
	}
	return gain.Decimal.Neg(), true
}

// splitDisposal splits a disposal into a part with the given quantity and the rest.
func splitDisposal(d portfolio.Disposal, quantity decimal.Decimal) (part, rest portfolio.Disposal) {
	part, rest = d, d
	part.Quantity, rest.Quantity = quantity, d.Quantity.Sub(quantity)
	part.Proceeds = prorate(d.Proceeds, quantity, d.Quantity)
	rest.Proceeds = d.Proceeds.Sub(part.Proceeds)
	part.Withheld = prorate(d.Withheld, quantity, d.Quantity)
	rest.Withheld = d.Withheld.Sub(part.Withheld)
	if d.Cost.Valid {
		part.Cost.Decimal = prorate(d.Cost.Decimal, quantity, d.Quantity)
		rest.Cost.Decimal = d.Cost.Decimal.Sub(part.Cost.Decimal)
	}
	return part, rest
}

// prorate returns sum * part / whole.
func prorate(sum, part, whole decimal.Decimal) decimal.Decimal {
	if part.Equal(whole) {
		return sum
	}
	return sum.Mul(part).DivRound(whole, costPlaces)
}
