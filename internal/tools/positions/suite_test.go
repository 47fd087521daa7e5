package positions_test

import (
	"context"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func overviewToolsOf(t testing.TB, w *toolstest.PortfolioFixture) []tool.Tool {
	return positions.OverviewTools(w.Deps(t))
}

func performanceTools(d positions.Deps) []tool.Tool {
	return positions.PerformanceTools(d)
}

func performanceToolsOf(t testing.TB, w *toolstest.PortfolioFixture) []tool.Tool {
	return performanceTools(w.Deps(t))
}

// taxLotTools returns the tools of tax lots for a jurisdiction.
func taxLotTools(d positions.Deps, rules string) []tool.Tool {
	return positions.TaxLotTools(positions.TaxLotDeps{Deps: d, Jurisdiction: func(context.Context) (string, error) { return rules, nil }})
}

func taxLotToolsOf(t testing.TB, w *toolstest.PortfolioFixture) []tool.Tool {
	return taxLotTools(w.Deps(t), w.Rules)
}

func overviewCalls() []toolstest.SuiteCall {
	return []toolstest.SuiteCall{{Tool: "portfolio_positions"}, {Tool: "portfolio_allocation"}}
}

// suites returns the tools that show the portfolio, by name.
func suites() map[string]toolstest.PortfolioSuite {
	return map[string]toolstest.PortfolioSuite{
		"overview": {Tools: func(d positions.Deps, _ string) []tool.Tool { return positions.OverviewTools(d) }, Calls: overviewCalls()},
		"performance": {Tools: func(d positions.Deps, _ string) []tool.Tool { return performanceTools(d) }, Calls: []toolstest.SuiteCall{
			{Tool: "portfolio_performance", Args: toolstest.Args{"benchmark": "VTI"}}, {Tool: "portfolio_performance", Args: toolstest.Args{"range": "1m", "benchmark": "VTI"}},
		}},
		"income": {Tools: func(d positions.Deps, _ string) []tool.Tool {
			return positions.IncomeTools(positions.IncomeDeps{Deps: d})
		}, Calls: []toolstest.SuiteCall{{Tool: "income_calendar"}}},
		"tax lots": {Tools: taxLotTools, Calls: []toolstest.SuiteCall{
			{Tool: "tax_lots"}, {Tool: "tax_lots", Args: toolstest.Args{"kind": "closed"}}, {Tool: "tax_lots", Args: toolstest.Args{"kind": "harvest"}}, {Tool: "tax_lots", Args: toolstest.Args{"kind": "wash"}},
		}},
	}
}

func TestTools_KeepWhatAllPortfolioToolsPromise(t *testing.T) {
	for name, suite := range suites() {
		t.Run(name, suite.Run)
	}
}

func BenchmarkTools(b *testing.B) {
	for name, suite := range suites() {
		b.Run(name, suite.Bench)
	}
}
