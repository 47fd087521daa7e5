package wire

import (
	"strings"

	"github.com/shopspring/decimal"
)

// Bounds of a figure. They keep a hostile exponent from becoming a million digits.
const (
	longestFigure   = 40
	largestExponent = 20
)

// Decimal reads a figure of at most forty characters, whose exponent is within
// twenty of zero; anything else, such as "N/A", is absent.
func Decimal(text string) decimal.NullDecimal {
	if len(text) > longestFigure {
		return decimal.NullDecimal{}
	}
	d, err := decimal.NewFromString(text)
	if err != nil || d.Exponent() < -largestExponent || d.Exponent() > largestExponent {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(d)
}

// Price reads a figure above zero; anything else is absent. Servers write zero for
// prices that they do not have.
func Price(text string) decimal.NullDecimal { return positive(Decimal(text)) }

func positive(d decimal.NullDecimal) decimal.NullDecimal {
	if d.Valid && d.Decimal.IsPositive() {
		return d
	}
	return decimal.NullDecimal{}
}

// Plain reads a figure of at most longest characters and without an exponent. It
// reports false for anything else: for where a figure is missing under another name,
// so that one that cannot be read is a mistake.
func Plain(text string, longest int) (decimal.Decimal, bool) {
	if len(text) > longest || strings.ContainsAny(text, "eE") {
		return decimal.Decimal{}, false
	}
	d, err := decimal.NewFromString(text)
	return d, err == nil
}

// Figure is a number in JSON, within the bounds of Decimal. What is no number, a
// null or a text, is absent and no error.
type Figure struct{ decimal.NullDecimal }

// UnmarshalJSON never fails.
func (f *Figure) UnmarshalJSON(text []byte) error {
	f.NullDecimal = decimal.NullDecimal{}
	if len(text) <= longestFigure {
		f.NullDecimal = Decimal(string(text))
	}
	return nil
}

// Price is the figure where it is above zero, absent elsewhere.
func (f Figure) Price() decimal.NullDecimal { return positive(f.NullDecimal) }
