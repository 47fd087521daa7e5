package positions_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// performanceToolsFor returns the tools of the performance.
func performanceToolsFor(d positions.Deps, _ string) []tool.Tool {
	return positions.PerformanceTools(positions.PerformanceDeps{Deps: d})
}

func performanceToolsOf(t testing.TB, w *toolstest.PortfolioFixture) []tool.Tool {
	return performanceTools(w.Deps(t))
}

func performanceTools(d positions.Deps) []tool.Tool { return performanceToolsFor(d, "") }

func performanceCalls() []toolstest.SuiteCall {
	return []toolstest.SuiteCall{
		{Tool: "portfolio_performance", Args: toolstest.Args{"benchmark": "VTI"}}, {Tool: "portfolio_performance", Args: toolstest.Args{"range": "1m", "benchmark": "VTI"}},
	}
}

func TestPerformance_KeepsWhatAllPortfolioToolsPromise(t *testing.T) {
	toolstest.PortfolioSuite{Tools: performanceToolsFor, Calls: performanceCalls()}.Run(t)
}

func BenchmarkPerformanceTools(b *testing.B) {
	toolstest.PortfolioSuite{Tools: performanceToolsFor, Calls: performanceCalls()}.Bench(b)
}
