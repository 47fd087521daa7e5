package prices_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/prices"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type args = toolstest.Args

var group = toolstest.Group[prices.Deps](prices.Tools)

// deps returns the dependencies of most tests: the sample data, on a fixed day.
func deps(t testing.TB) prices.Deps {
	t.Helper()
	s := feed.NewSampleSource()
	return prices.Deps{Prices: toolstest.Prices(t, s, toolstest.Now), Quotes: s}
}

// depsOf returns dependencies that have only the given series.
func depsOf(t testing.TB, series ...market.Series) prices.Deps {
	t.Helper()
	s := markettest.NewSource(series...)
	return prices.Deps{Prices: toolstest.Prices(t, s, toolstest.Now), Quotes: s}
}
