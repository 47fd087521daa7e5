package companies_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/companies"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type publicationArgs = toolstest.Args

// publicationDeps are the tools' world in most tests: the embedded sample, on a fixed day.
func publicationDeps(t testing.TB) companies.PublicationDeps {
	t.Helper()
	s := feed.NewSampleSource()
	return companies.PublicationDeps{Directory: s, Filings: s, Now: toolstest.Clock(t, "2026-11-20T10:30:00Z")}
}

// callPublication runs a tool as everyone does, through a Router with its usual limits.
func callPublication(t testing.TB, d companies.PublicationDeps, name string, in publicationArgs) tool.Result {
	t.Helper()
	return toolstest.Call(t, companies.PublicationTools(d), name, in)
}

// callPublicationOK is a result that must not be an error, with the JSON that callers see.
func callPublicationOK(t testing.TB, d companies.PublicationDeps, name string, in publicationArgs) (tool.Result, map[string]any) {
	t.Helper()
	return toolstest.CallOK(t, companies.PublicationTools(d), name, in)
}
