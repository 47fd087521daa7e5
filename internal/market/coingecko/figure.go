package coingecko

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market/client"
)

// Bounds that keep a hostile exponent from becoming a million digits.
const (
	maxNumberLen = 60
	maxValue     = 1e21
	minValue     = 1e-21
	// maxUnixMilli is the end of the year 9999 in milliseconds: a later instant cannot be
	// written.
	maxUnixMilli = 253402300799999
)

// parseNumber reads a number. Small prices are written with an exponent.
func parseNumber(text json.Number) (decimal.Decimal, error) {
	if len(text) > maxNumberLen {
		return decimal.Decimal{}, client.Malformedf("a figure of %d characters", len(text))
	}
	value, err := strconv.ParseFloat(text.String(), 64)
	if size := math.Abs(value); err != nil || math.IsNaN(value) || size > maxValue || size != 0 && size < minValue {
		return decimal.Decimal{}, client.Malformedf("%.40q is no price", text)
	}
	return decimal.NewFromString(text.String())
}
