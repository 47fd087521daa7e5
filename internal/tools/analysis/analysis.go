package analysis

import (
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Deps are the prices that the tools compute from.
type Deps struct {
	toolkit.Prices
}

// Tools returns the tools that compute statistics of prices and draw charts.
func Tools(d Deps) []tool.Tool {
	return []tool.Tool{
		newReturnsStats(d),
		newRiskMetrics(d),
		newCompareAssets(d),
		newCorrelation(d),
		newTechnicalIndicators(d),
		newChart(d),
	}
}
