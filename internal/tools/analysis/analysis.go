package analysis

import (
	"context"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Deps are the prices that the tools compute from.
type Deps struct {
	toolkit.Prices
}

// History fetches closes for returns: with dividends reinvested where the source
// tells them, else as toolkit.FetchReturnSeries has them, and what the return counts is then said.
func (d Deps) History(ctx context.Context, text string, sp toolkit.Period) (market.Series, []string, error) {
	return toolkit.FetchReturnSeries(ctx, d.Prices, text, sp)
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
