package toolkit

import (
	"fmt"
	"math"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/humanize"
)

// FormatCount is a count, zero or more, with thousands separators.
func FormatCount(n int) string { return humanize.Number(n) }

// RoundFraction rounds a fraction to a millionth.
func RoundFraction(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// RoundSignificant rounds a number to seven significant digits.
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

// RoundDecimal returns v with so many digits after the point, and zero for NaN and the infinities.
func RoundDecimal(v float64, places int32) decimal.Decimal {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return decimal.Zero
	}
	return decimal.NewFromFloat(v).Round(places)
}

// RoundPercent returns a fraction in percent with so many digits after the point.
func RoundPercent(v float64, places int32) decimal.Decimal { return RoundDecimal(v*100, places) }

// UnusualRateNote warns of an annual rate that is more likely a percentage than a fraction.
func UnusualRateNote(name string, rate float64) string {
	return fmt.Sprintf("a %s of %s a year: if %s was meant, give %v", name, Format(rate, Rate, ""), Format(rate/100, Rate, ""), RoundSignificant(rate/100))
}
