package marketdata_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/marketdata"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

type args = toolboxtest.Args

// deps are the tools' world in most tests: the embedded sample, on a fixed day.
func deps(t testing.TB) marketdata.Deps {
	t.Helper()
	s := sample.New()
	return marketdata.Deps{Prices: pricesOf(t, s), Quotes: s}
}

// depsOf are the tools over the given series alone.
func depsOf(t testing.TB, series ...market.Series) marketdata.Deps {
	t.Helper()
	s := markettest.NewSource(series...)
	return marketdata.Deps{Prices: pricesOf(t, s), Quotes: s}
}

func pricesOf(t testing.TB, s source) question.Prices {
	t.Helper()
	return question.Prices{Bars: s, Directory: s, Now: toolboxtest.Clock(t, "2026-11-20T10:30:00Z")}
}

type source interface {
	market.BarSource
	market.Directory
}

func open(t testing.TB, d marketdata.Deps) *tool.Router {
	t.Helper()
	return toolboxtest.Open(t, marketdata.Tools(d))
}

// call runs a tool as everyone does, through a Router with its usual limits.
func call(t testing.TB, d marketdata.Deps, name string, in args) tool.Result {
	t.Helper()
	return toolboxtest.Call(t, marketdata.Tools(d), name, in)
}

// answered is a result that must not be an error, with the JSON that callers see.
func answered(t testing.TB, d marketdata.Deps, name string, in args) (tool.Result, map[string]any) {
	t.Helper()
	return toolboxtest.Answered(t, marketdata.Tools(d), name, in)
}
