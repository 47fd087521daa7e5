package positions

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// sparklineWidth is how many characters a line of closes has at most.
const sparklineWidth = 5

// sparkline draws closes, oldest first, from the lowest to the highest of them; one
// close or none is no line.
func sparkline(closes []decimal.Decimal) string {
	if len(closes) < 2 {
		return toolkit.NotAvailable
	}
	values := make([]float64, len(closes))
	for i, c := range closes {
		values[i] = c.InexactFloat64()
	}
	return chart.Sparkline(values, sparklineWidth, chart.CharsetBlock)
}

var barGlyphs = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// drawBar draws a weight against the largest one. Below zero there is none.
func drawBar(weight, largest decimal.Decimal, width int) string {
	if !weight.IsPositive() || !largest.IsPositive() {
		return ""
	}
	parts := max(int(weight.Mul(decimal.NewFromInt(int64(width)*8)).DivRound(largest, 0).IntPart()), 1)
	return strings.Repeat("█", parts/8) + barGlyphs[parts%8]
}
