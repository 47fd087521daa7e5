package analysis

import (
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Deps are the price sources of the tools.
type Deps struct {
	toolkit.Prices
}

// Tools returns the tools for price statistics and charts.
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
