package positions

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// PerformanceDeps holds the portfolio store, the price sources and the default benchmark.
type PerformanceDeps struct {
	Deps
	// Benchmark is what the portfolio is compared with if a call names nothing, or "".
	Benchmark string
}

// PerformanceTools returns the tool that measures the portfolio.
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
