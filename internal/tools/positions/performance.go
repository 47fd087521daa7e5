package positions

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// PerformanceDeps are the book and what it is priced with.
type PerformanceDeps struct {
	Deps
	// Benchmark is what the book is compared with where a call names nothing, or "".
	Benchmark string
}

// PerformanceTools lists the tools of the room, one line each.
func PerformanceTools(d PerformanceDeps) []tool.Tool {
	return []tool.Tool{
		newPerformance(d),
	}
}

// roundPercentFloat is a return in per cent with two digits, nil where it is absent.
func roundPercentFloat(v *float64) *decimal.Decimal {
	if v == nil {
		return nil
	}
	rounded := toolkit.RoundPercent(*v, 2)
	return &rounded
}
