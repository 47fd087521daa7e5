package toolkit

import (
	"encoding/json"
	"fmt"

	"github.com/shopspring/decimal"
)

// ParseExact is a number of a call digit by digit as it was written, by the name of its
// argument. Digits beyond those that are kept are refused before anybody reckons with
// them: an exponent of a billion is a few bytes to write and gigabytes to add.
func ParseExact(name string, text json.Number) (decimal.Decimal, error) {
	const finest, largest, digits, longest = -18, 18, 38, 64
	if len(text) > longest {
		return decimal.Decimal{}, fmt.Errorf("%s %.40q is no number of at most %d digits", name, text.String(), digits)
	}
	n, err := decimal.NewFromString(text.String())
	if err != nil || n.Exponent() < finest || n.Exponent() > largest || n.NumDigits() > digits {
		return decimal.Decimal{}, fmt.Errorf("%s %.40q is no number of at most %d digits", name, text.String(), digits)
	}
	return n, nil
}
