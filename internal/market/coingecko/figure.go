package coingecko

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market/wire"
)

// Bounds that keep a hostile exponent from becoming a million digits.
const (
	longestFigure = 60
	largest       = 1e21
	smallest      = 1e-21
	// latest is the end of the year 9999 in milliseconds: a later instant cannot be
	// written.
	latest = 253402300799999
)

// figure reads a number. Small prices are written with an exponent.
func figure(text json.Number) (decimal.Decimal, error) {
	if len(text) > longestFigure {
		return decimal.Decimal{}, wire.Malformed("a figure of %d characters", len(text))
	}
	value, err := strconv.ParseFloat(text.String(), 64)
	if size := math.Abs(value); err != nil || math.IsNaN(value) || size > largest || size != 0 && size < smallest {
		return decimal.Decimal{}, wire.Malformed("%.40q is no price", text)
	}
	return decimal.NewFromString(text.String())
}
