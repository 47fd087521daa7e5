package publication_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/publication"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

type args = toolboxtest.Args

// deps are the tools' world in most tests: the embedded sample, on a fixed day.
func deps(t testing.TB) publication.Deps {
	t.Helper()
	s := sample.New()
	return publication.Deps{Directory: s, Filings: s, Now: toolboxtest.Clock(t, "2026-11-20T10:30:00Z")}
}

// call runs a tool as everyone does, through a Router with its usual limits.
func call(t testing.TB, d publication.Deps, name string, in args) tool.Result {
	t.Helper()
	return toolboxtest.Call(t, publication.Tools(d), name, in)
}

// answered is a result that must not be an error, with the JSON that callers see.
func answered(t testing.TB, d publication.Deps, name string, in args) (tool.Result, map[string]any) {
	t.Helper()
	return toolboxtest.Answered(t, publication.Tools(d), name, in)
}
