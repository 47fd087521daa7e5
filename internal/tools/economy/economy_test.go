package economy_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/economy"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type args = toolstest.Args

// deps are the tools' world in most tests: the embedded sample, on a fixed day.
func deps(t testing.TB) economy.Deps {
	t.Helper()
	return economy.Deps{Series: feed.NewSampleSource(), Now: toolstest.Clock(t, "2026-11-20T10:30:00Z")}
}

func open(t testing.TB, d economy.Deps) *tool.Router {
	t.Helper()
	return toolstest.Open(t, economy.Tools(d))
}

// call runs a tool as everyone does, through a Router with its usual limits.
func call(t testing.TB, d economy.Deps, name string, in args) tool.Result {
	t.Helper()
	return toolstest.Call(t, economy.Tools(d), name, in)
}

// callOK is a result that must not be an error, with the JSON that callers see.
func callOK(t testing.TB, d economy.Deps, name string, in args) (tool.Result, map[string]any) {
	t.Helper()
	return toolstest.CallOK(t, economy.Tools(d), name, in)
}
