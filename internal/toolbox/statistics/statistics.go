// Package statistics holds the tools that work out of prices what they amount to:
// return, risk, how assets move together, indicators. They fetch the prices
// themselves; the mathematics are those of package analytics. A new one is a file
// of its own and a line in Tools.
package statistics

import (
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// Deps are the prices that the tools compute from.
type Deps struct {
	question.Prices
}

// Tools lists the tools of the room, one line each.
func Tools(d Deps) []tool.Tool {
	return []tool.Tool{
		newReturnsStats(d),
		newCompareAssets(d),
		newCorrelation(d),
		newTechnicalIndicators(d),
	}
}
