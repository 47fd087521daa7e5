package holdings

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// sparkWidth is how many characters a line of closes has at most.
const sparkWidth = 8

var sparks = []rune("▁▂▃▄▅▆▇█")

// sparkline draws closes, oldest first, from the lowest to the highest of them; one
// close or none is no line.
func sparkline(closes []decimal.Decimal) string {
	if len(closes) < 2 {
		return present.Absent
	}
	closes = thinned(closes, sparkWidth)
	low, high := closes[0], closes[0]
	for _, c := range closes {
		low, high = decimal.Min(low, c), decimal.Max(high, c)
	}
	span := high.Sub(low)
	line := make([]rune, len(closes))
	for i, c := range closes {
		step := len(sparks) / 2
		if span.IsPositive() {
			step = int(c.Sub(low).Mul(decimal.NewFromInt(int64(len(sparks)-1))).DivRound(span, 0).IntPart())
		}
		line[i] = sparks[step]
	}
	return string(line)
}

// thinned are at most n of the closes, evenly spaced, the first and the last among
// them.
func thinned(closes []decimal.Decimal, n int) []decimal.Decimal {
	if len(closes) <= n {
		return closes
	}
	out := make([]decimal.Decimal, n)
	for i := range out {
		out[i] = closes[i*(len(closes)-1)/(n-1)]
	}
	return out
}

var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// barOf is a bar of at most so many characters, nothing where the weight is not known.
func barOf(weight *decimal.Decimal, largest decimal.Decimal, width int) string {
	if weight == nil {
		return ""
	}
	return bar(*weight, largest, width)
}

// bar draws a weight against the largest one. Below zero there is none.
func bar(weight, largest decimal.Decimal, width int) string {
	if !weight.IsPositive() || !largest.IsPositive() {
		return ""
	}
	parts := max(int(weight.Mul(decimal.NewFromInt(int64(width)*8)).DivRound(largest, 0).IntPart()), 1)
	return strings.Repeat("█", parts/8) + eighths[parts%8]
}
