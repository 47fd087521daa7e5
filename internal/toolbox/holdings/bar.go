package holdings

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart/plot"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// sparkWidth is how many characters a line of closes has at most.
const sparkWidth = 8

// sparkline draws closes, oldest first, from the lowest to the highest of them; one
// close or none is no line.
func sparkline(closes []decimal.Decimal) string {
	if len(closes) < 2 {
		return present.Absent
	}
	values := make([]float64, len(closes))
	for i, c := range closes {
		values[i] = c.InexactFloat64()
	}
	return plot.Sparkline(values, sparkWidth, plot.Block)
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
