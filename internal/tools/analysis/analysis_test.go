package analysis_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/analysis"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type args = toolstest.Args

var group = toolstest.Group[analysis.Deps](analysis.Tools)

// deps returns the dependencies of most tests: the sample data, on a fixed day.
func deps(t testing.TB) analysis.Deps {
	t.Helper()
	return analysis.Deps{Prices: toolstest.SamplePrices(t)}
}

// depsWith returns dependencies that have only the given series.
func depsWith(t testing.TB, series ...market.Series) analysis.Deps {
	t.Helper()
	return analysis.Deps{Prices: toolstest.SeriesPrices(t, series...)}
}
