package tax

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// costPlaces are those to which a part of a cost or a loss is rounded; the last part is
// what remains, so that the parts add up exactly.
const costPlaces = 12

// Sale is a disposal, or a part of one whose shares have a basis and a holding
// period of their own, as a line of Form 8949.
type Sale struct {
	// Disposal has the quantity, proceeds and cost of this part. Its Acquired and Cost are
	// those of package lots.
	portfolio.Disposal
	Owner   string `json:"owner,omitempty"`
	Untaxed bool   `json:"untaxed,omitempty"`
	Term    Term   `json:"term,omitempty"`
	// HeldFrom is the day from which the holding period counts: Acquired, or earlier
	// where the shares replaced others. Zero is not known.
	HeldFrom market.Date `json:"held_from,omitzero"`
	// AddedBasis is the disallowed loss of earlier sales that became part of the cost.
	AddedBasis decimal.Decimal `json:"added,omitzero"`
	// AddedBasisCurrency is the currency of AddedBasis if it is not Currency. The gain then
	// needs exchange rates and is unknown here.
	AddedBasisCurrency string `json:"added_currency,omitempty"`
	// Disallowed is the part of the loss that is not deductible, never below zero.
	// PermanentLoss is the part of it that no other basis got.
	Disallowed    decimal.Decimal `json:"disallowed,omitzero"`
	PermanentLoss decimal.Decimal `json:"lost,omitzero"`
}

// gainKnown reports whether the gain is known.
func (s *Sale) gainKnown() bool {
	return s.Cost.Valid && s.AddedBasisCurrency == "" && (s.CostCurrency == "" || s.CostCurrency == s.Currency)
}

// EconomicGain is proceeds less cost and what was added to the cost, before anything is
// disallowed; invalid where the cost is not known or in another currency.
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

// Gain is what counts for the tax: EconomicGain and the disallowed loss, which is column h of
// Form 8949.
func (s Sale) Gain() decimal.NullDecimal {
	gain := s.EconomicGain()
	if gain.Valid {
		gain.Decimal = gain.Decimal.Add(s.Disallowed)
	}
	return gain
}

// loss is what was lost, above zero, or false where nothing was or it is not known.
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

// splitDisposal takes so much of a disposal off it and returns that and the rest.
func splitDisposal(d portfolio.Disposal, quantity decimal.Decimal) (part, rest portfolio.Disposal) {
	part, rest = d, d
	part.Quantity, rest.Quantity = quantity, d.Quantity.Sub(quantity)
	part.Proceeds = prorate(d.Proceeds, quantity, d.Quantity)
	rest.Proceeds = d.Proceeds.Sub(part.Proceeds)
	if d.Cost.Valid {
		part.Cost.Decimal = prorate(d.Cost.Decimal, quantity, d.Quantity)
		rest.Cost.Decimal = d.Cost.Decimal.Sub(part.Cost.Decimal)
	}
	return part, rest
}

// prorate is sum * part / whole.
func prorate(sum, part, whole decimal.Decimal) decimal.Decimal {
	if part.Equal(whole) {
		return sum
	}
	return sum.Mul(part).DivRound(whole, costPlaces)
}
