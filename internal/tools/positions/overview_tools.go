package positions

import (
	"github.com/nfa-cli/nfa/internal/tool"
)

// OverviewDeps holds the portfolio store and the price sources that value it.
type OverviewDeps struct{ Deps }

// OverviewTools returns the tools that show the positions and the allocation.
func OverviewTools(d OverviewDeps) []tool.Tool {
	return []tool.Tool{
		newPositions(d),
		newAllocation(d),
	}
}
