package ledger

import (
	"encoding/json"
	"fmt"

	"github.com/shopspring/decimal"
)

// Bounds of a number that a call gives: longer ones are no sum, and would be slow to
// read.
const (
	maxDigits   = 40
	maxExponent = 18 // of ten, of the last digit
)

// parseExact reads a number digit by digit; "" is invalid, which is not zero.
func parseExact(name string, text json.Number) (decimal.NullDecimal, error) {
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	if len(text) > maxDigits {
		return decimal.NullDecimal{}, fmt.Errorf("%s %.40s is too long a number; write 1500.50", name, text)
	}
	n, err := decimal.NewFromString(text.String())
	if err != nil || n.Exponent() < -maxExponent || n.Exponent() > maxExponent {
		return decimal.NullDecimal{}, fmt.Errorf("%s %.40s is no number; write 1500.50", name, text)
	}
	if n.IsNegative() {
		return decimal.NullDecimal{}, fmt.Errorf("%s %s is below zero; the kind says which way it goes", name, n)
	}
	return decimal.NewNullDecimal(n), nil
}
