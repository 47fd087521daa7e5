package prices_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/prices"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type args = toolstest.Args

// deps are the tools' world in most tests: the embedded sample, on a fixed day.
func deps(t testing.TB) prices.Deps {
	t.Helper()
	s := feed.NewSampleSource()
	return prices.Deps{Prices: pricesOf(t, s), Quotes: s}
}

// depsOf are the tools over the given series alone.
func depsOf(t testing.TB, series ...market.Series) prices.Deps {
	t.Helper()
	s := markettest.NewSource(series...)
	return prices.Deps{Prices: pricesOf(t, s), Quotes: s}
}

func pricesOf(t testing.TB, s source) toolkit.Prices {
	t.Helper()
	return toolkit.Prices{Bars: s, Directory: s, Now: toolstest.Clock(t, "2026-11-20T10:30:00Z")}
}

type source interface {
	market.BarSource
	market.Directory
}

func open(t testing.TB, d prices.Deps) *tool.Router {
	t.Helper()
	return toolstest.Open(t, prices.Tools(d))
}

// call runs a tool as everyone does, through a Router with its usual limits.
func call(t testing.TB, d prices.Deps, name string, in args) tool.Result {
	t.Helper()
	return toolstest.Call(t, prices.Tools(d), name, in)
}

// callOK is a result that must not be an error, with the JSON that callers see.
func callOK(t testing.TB, d prices.Deps, name string, in args) (tool.Result, map[string]any) {
	t.Helper()
	return toolstest.CallOK(t, prices.Tools(d), name, in)
}
