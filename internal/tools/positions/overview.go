package positions

import (
	"github.com/nfa-cli/nfa/internal/tool"
)

// OverviewDeps are the book and what it is priced with.
type OverviewDeps struct{ Deps }

// OverviewTools lists the tools of the room, one line each.
func OverviewTools(d OverviewDeps) []tool.Tool {
	return []tool.Tool{
		newPositions(d),
		newAllocation(d),
	}
}
