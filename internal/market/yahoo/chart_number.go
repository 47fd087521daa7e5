package yahoo

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market/client"
)

// Number is a figure as Yahoo writes one: a JSON number, an object with the plain
// figure in "raw", or nothing.
type Number struct{ decimal.NullDecimal }

// maxNumberLen and the bounds of its size keep a hostile exponent from becoming
// a million digits.
const (
	maxNumberLen    = 40
	maxNumber       = 1e18
	singlePrecision = 1e-14 // how near a figure is to one of single precision that it is
	maxSingleDigits = 9     // more than single precision has
)

// UnmarshalJSON takes null, texts that are no figures ("Infinity") and objects
// without one as absent.
func (n *Number) UnmarshalJSON(text []byte) error {
	n.Valid = false
	switch text[0] {
	case 'n', '"':
		return nil
	case '{':
		var formatted struct {
			Raw *json.Number `json:"raw"`
		}
		if err := json.Unmarshal(text, &formatted); err != nil || formatted.Raw == nil {
			return err
		}
		text = []byte(*formatted.Raw)
	}
	if len(text) > maxNumberLen {
		return client.Malformedf("a figure of %d characters", len(text))
	}
	value, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.Abs(value) > maxNumber || value != 0 && math.Abs(value) < 1/maxNumber {
		return client.Malformedf("a figure out of bounds")
	}
	n.Decimal, err = shortestDecimal(string(text), value)
	if err != nil {
		return client.Malformedf("a figure that cannot be read")
	}
	n.Valid = true
	return nil
}

// shortestDecimal is the shortest decimal that is the same figure. Yahoo keeps prices in
// single precision, so 129.0399932861328 is how it writes 129.04; whole figures
// are left alone, for a count has as many digits as it needs.
func shortestDecimal(text string, value float64) (decimal.Decimal, error) {
	single := float64(float32(value))
	if strings.Contains(text, ".") && len(text) > maxSingleDigits && math.Abs(single-value) <= singlePrecision*math.Abs(value) {
		return decimal.NewFromString(strconv.FormatFloat(single, 'f', -1, 32))
	}
	return decimal.NewFromString(text)
}

// Positive reports whether there is a figure above zero: Yahoo writes zero for
// prices that it does not have.
func (n Number) Positive() bool { return n.Valid && n.Decimal.IsPositive() }

// times is the figure in another unit; absent stays absent.
func (n Number) times(factor decimal.Decimal) decimal.NullDecimal {
	if n.Valid {
		n.Decimal = n.Decimal.Mul(factor)
	}
	return n.NullDecimal
}

// Price is the figure in another unit, absent where it is not above zero.
func (n Number) Price(factor decimal.Decimal) decimal.NullDecimal {
	if !n.Positive() {
		return decimal.NullDecimal{}
	}
	return n.times(factor)
}
