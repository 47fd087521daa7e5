package client

import (
	"strings"

	"github.com/shopspring/decimal"
)

// Bounds of a number. They prevent a hostile exponent from expanding to a million digits.
const (
	maxDecimalLen = 40
	maxExponent   = 20
)

// ParseDecimal parses a number of at most forty characters with an exponent from -20 to 20. Anything else,
// such as "N/A", is absent.
func ParseDecimal(text string) decimal.NullDecimal {
	if len(text) > maxDecimalLen {
		return decimal.NullDecimal{}
	}
	d, err := decimal.NewFromString(text)
	if err != nil || d.Exponent() < -maxExponent || d.Exponent() > maxExponent {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(d)
}

// ParsePrice parses a positive number; anything else is absent. Servers write zero for prices that they do
// not have.
func ParsePrice(text string) decimal.NullDecimal { return positiveOnly(ParseDecimal(text)) }

func positiveOnly(d decimal.NullDecimal) decimal.NullDecimal {
	if d.Valid && d.Decimal.IsPositive() {
		return d
	}
	return decimal.NullDecimal{}
}

// ParsePlainDecimal parses a number of at most maxLen characters without an exponent. It reports false for
// anything else.
func ParsePlainDecimal(text string, maxLen int) (decimal.Decimal, bool) {
	if len(text) > maxLen || strings.ContainsAny(text, "eE") {
		return decimal.Decimal{}, false
	}
	d, err := decimal.NewFromString(text)
	return d, err == nil
}

// LenientDecimal is a JSON number within the limits of ParseDecimal. Anything else, such as null or text, is
// absent, without an error.
type LenientDecimal struct{ decimal.NullDecimal }

// UnmarshalJSON never fails.
func (f *LenientDecimal) UnmarshalJSON(text []byte) error {
	f.NullDecimal = decimal.NullDecimal{}
	if len(text) <= maxDecimalLen {
		f.NullDecimal = ParseDecimal(string(text))
	}
	return nil
}

// Price returns the number if it is above zero, else absent.
func (f LenientDecimal) Price() decimal.NullDecimal { return positiveOnly(f.NullDecimal) }
