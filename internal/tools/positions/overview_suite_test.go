package positions_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// overviewTools returns the tools of the positions and the allocation.
func overviewTools(d positions.Deps, _ string) []tool.Tool {
	return positions.OverviewTools(d)
}

func overviewToolsOf(t testing.TB, w *toolstest.PortfolioFixture) []tool.Tool {
	return overviewToolsFor(w.Deps(t))
}

func overviewToolsFor(d positions.Deps) []tool.Tool { return overviewTools(d, "") }

func overviewCalls() []toolstest.SuiteCall {
	return []toolstest.SuiteCall{
		{Tool: "portfolio_positions"}, {Tool: "portfolio_allocation"},
	}
}

func TestOverview_KeepsWhatAllPortfolioToolsPromise(t *testing.T) {
	toolstest.PortfolioSuite{Tools: overviewTools, Calls: overviewCalls()}.Run(t)
}

func BenchmarkOverviewTools(b *testing.B) {
	toolstest.PortfolioSuite{Tools: overviewTools, Calls: overviewCalls()}.Bench(b)
}
