package lots

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// minBrokerPlaces are the digits after the point that a broker writes of a quantity at
// least, where it writes any.
const minBrokerPlaces = 3

// hasExcessDigits tells whether a quantity has digits that a broker may not write: a third of
// ten shares is 3.333333333333 here, and 3.3333, 3.333 or 3.3334 there.
func hasExcessDigits(quantity decimal.Decimal) bool {
	return quantity.Exponent() < -minBrokerPlaces && !quantity.Equal(quantity.Truncate(minBrokerPlaces))
}

// actualQuantity is what a sale or transfer takes, with the lots it names. It is what the
// transaction says, save where a split or merger left a quantity with more digits
// than brokers write. There one that is all of a holding, or all of a lot, but for
// less than the last digit written can tell takes all: what would be left, or lacking,
// are no shares but the digits of a quotient. The postings say what was taken.
func (h *position) actualQuantity(t *portfolio.Transaction) (decimal.Decimal, []portfolio.LotPick) {
	if !h.needsRounding || h.short {
		return t.Quantity, t.Lots
	}
	if len(t.Lots) == 0 {
		return snapToHeld(t.Quantity, h.quantity), nil
	}
	var sum decimal.Decimal
	picks := slices.Clone(t.Lots)
	for i, p := range picks {
		if l := h.lot(p.Lot); l != nil {
			picks[i].Quantity = snapToHeld(p.Quantity, l.quantity)
		}
		sum = sum.Add(picks[i].Quantity)
	}
	return sum, picks
}

// snapToHeld is held, where written differs from it by half a unit of its last digit at
// most, and by half a thousandth of a share where it has fewer digits; else written.
func snapToHeld(written, held decimal.Decimal) decimal.Decimal {
	places := max(minBrokerPlaces, -written.Exponent())
	if written.Sub(held).Abs().GreaterThan(decimal.New(5, -places-1)) {
		return written
	}
	return held
}
