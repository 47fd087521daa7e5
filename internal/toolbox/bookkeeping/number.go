package bookkeeping

import (
	"encoding/json"
	"fmt"

	"github.com/shopspring/decimal"
)

// Bounds of a number that a call gives: longer ones are no sum, and would be slow to
// read.
const (
	mostDigits = 40
	mostPower  = 18 // of ten, of the last digit
)

// exact reads a number digit by digit; "" is invalid, which is not zero.
func exact(name string, text json.Number) (decimal.NullDecimal, error) {
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	if len(text) > mostDigits {
		return decimal.NullDecimal{}, fmt.Errorf("%s %.40s is too long a number; write 1500.50", name, text)
	}
	n, err := decimal.NewFromString(text.String())
	if err != nil || n.Exponent() < -mostPower || n.Exponent() > mostPower {
		return decimal.NullDecimal{}, fmt.Errorf("%s %.40s is no number; write 1500.50", name, text)
	}
	if n.IsNegative() {
		return decimal.NullDecimal{}, fmt.Errorf("%s %s is below zero; the kind says which way it goes", name, n)
	}
	return decimal.NewNullDecimal(n), nil
}
