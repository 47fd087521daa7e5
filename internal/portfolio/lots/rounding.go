package lots

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// minBrokerPlaces is the smallest number of decimals in a fractional quantity from a broker.
const minBrokerPlaces = 3

// hasExcessDigits reports whether a quantity has more digits than brokers write: a third of ten
// shares is 3.333333333333 here, and 3.3333, 3.333 or 3.3334 in a broker file.
func hasExcessDigits(quantity decimal.Decimal) bool {
	return quantity.Exponent() < -minBrokerPlaces && !quantity.Equal(quantity.Truncate(minBrokerPlaces))
}

// actualQuantity returns the quantity that a sale or transfer takes, with its lots. It is the
// recorded quantity, unless a split or merger left a position with more digits than brokers write.
// Then a quantity that matches the whole position or lot within the rounding of its last digit
// takes all of it, because the difference is only a rounding error. The postings state the actual
// quantity.
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

// snapToHeld returns held if written differs from it by at most half a unit of its last digit, or
// half a thousandth of a share if written has fewer digits. Otherwise it returns written.
func snapToHeld(written, held decimal.Decimal) decimal.Decimal {
	places := max(minBrokerPlaces, -written.Exponent())
	if written.Sub(held).Abs().GreaterThan(decimal.New(5, -places-1)) {
		return written
	}
	return held
}
