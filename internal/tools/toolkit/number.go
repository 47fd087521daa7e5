package toolkit

import (
	"fmt"
	"math"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/humanize"
)

// FormatSigned is a number of a change with so many places and its sign; what rounds to
// zero has none. Colour may be missing, and "−" is as wide as "+".
func FormatSigned(d decimal.Decimal, places int32) string {
	text := d.Abs().StringFixed(places)
	switch {
	case d.Round(places).IsZero():
		return text
	case d.IsNegative():
		return "−" + text
	}
	return "+" + text
}

// FormatCount is a count, zero or more, with thousands separators.
func FormatCount(n int) string { return humanize.Number(n) }

// RoundFraction keeps a rate, 0.05 for 5 %, to a ten-thousandth of a per cent: more digits are noise
// that a model would copy.
func RoundFraction(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// FractionToPercent is a rate in percent, 5 for 0.05, exactly as rounded by RoundFraction.
func FractionToPercent(rate float64) decimal.Decimal { return decimal.NewFromFloat(rate).Shift(2) }

// FormatRate is a rate in per cent as people read it, with its sign.
func FormatRate(rate float64) string { return FormatSigned(FractionToPercent(rate), 2) + " %" }

// RoundSignificant keeps seven significant digits before or after the point: more are noise
// that a model would copy. What counts whole shares keeps all of its digits.
func RoundSignificant(v float64) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	places := 6 - int(math.Floor(math.Log10(math.Abs(v))))
	if places <= 0 {
		return math.Round(v)
	}
	scale := math.Pow10(min(places, 300))
	return math.Round(v*scale) / scale
}

// FormatBytes is a size as people read it: "512 bytes", "1.5 MiB".
func FormatBytes[N int | int64 | uint64](n N) string {
	for _, unit := range []struct {
		name string
		size uint64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if uint64(n) >= unit.size {
			return decimal.NewFromUint64(uint64(n)).DivRound(decimal.NewFromUint64(unit.size), 1).StringFixed(1) + " " + unit.name
		}
	}
	return fmt.Sprintf("%d bytes", n)
}
