package analysis_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/analysis"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type args = toolstest.Args

// deps are the tools' world in most tests: the embedded sample, on a fixed day.
func deps(t testing.TB) analysis.Deps {
	t.Helper()
	s := feed.NewSampleSource()
	return analysis.Deps{Prices: toolkit.Prices{Bars: s, Directory: s, Now: toolstest.Clock(t, "2026-11-20T10:30:00Z")}}
}

// depsWith are the tools over the given series alone.
func depsWith(t testing.TB, series ...market.Series) analysis.Deps {
	t.Helper()
	s := markettest.NewSource(series...)
	return analysis.Deps{Prices: toolkit.Prices{Bars: s, Directory: s, Now: toolstest.Clock(t, "2026-11-20T10:30:00Z")}}
}

func newRouter(t testing.TB, d analysis.Deps) *tool.Router {
	t.Helper()
	return toolstest.Open(t, analysis.Tools(d))
}

// call runs a tool as everyone does, through a Router with its usual limits.
func call(t testing.TB, d analysis.Deps, name string, in args) tool.Result {
	t.Helper()
	return toolstest.Call(t, analysis.Tools(d), name, in)
}

// answered is a result that must not be an error, with the JSON that callers see.
func answered(t testing.TB, d analysis.Deps, name string, in args) (tool.Result, map[string]any) {
	t.Helper()
	return toolstest.CallOK(t, analysis.Tools(d), name, in)
}
