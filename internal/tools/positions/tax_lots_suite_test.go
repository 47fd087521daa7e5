package positions_test

import (
	"context"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// taxLotTools returns the tools of tax lots for a jurisdiction.
func taxLotTools(d positions.Deps, rules string) []tool.Tool {
	return positions.TaxLotTools(positions.TaxLotDeps{Deps: d, Jurisdiction: func(context.Context) (string, error) { return rules, nil }})
}

func taxLotToolsOf(t testing.TB, w *toolstest.PortfolioFixture) []tool.Tool {
	return taxLotTools(w.Deps(t), w.Rules)
}

func taxLotCalls() []toolstest.SuiteCall {
	return []toolstest.SuiteCall{
		{Tool: "tax_lots"}, {Tool: "tax_lots", Args: toolstest.Args{"kind": "closed"}}, {Tool: "tax_lots", Args: toolstest.Args{"kind": "harvest"}}, {Tool: "tax_lots", Args: toolstest.Args{"kind": "wash"}},
	}
}

func TestTaxLots_KeepsWhatAllPortfolioToolsPromise(t *testing.T) {
	toolstest.PortfolioSuite{Tools: taxLotTools, Calls: taxLotCalls()}.Run(t)
}

func BenchmarkTaxLotTools(b *testing.B) {
	toolstest.PortfolioSuite{Tools: taxLotTools, Calls: taxLotCalls()}.Bench(b)
}
