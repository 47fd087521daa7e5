package toolstest

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
)

// Group builds the tools of a group from their dependencies: Group[prices.Deps](prices.Tools). Each
// method builds new tools, so that a test can change the dependencies between calls.
type Group[D any] func(D) []tool.Tool

// Open returns a Router over the tools, as Open does.
func (g Group[D]) Open(t testing.TB, deps D) *tool.Router {
	t.Helper()
	return Open(t, g(deps))
}

// Call calls one of the tools, as Call does.
func (g Group[D]) Call(t testing.TB, deps D, name string, in Args) tool.Result {
	t.Helper()
	return Call(t, g(deps), name, in)
}

// CallOK calls one of the tools for a result that must not be an error, as CallOK does.
func (g Group[D]) CallOK(t testing.TB, deps D, name string, in Args) (tool.Result, map[string]any) {
	t.Helper()
	return CallOK(t, g(deps), name, in)
}

// WantInvalid checks that one of the tools rejects its arguments, as WantInvalid does.
func (g Group[D]) WantInvalid(t testing.TB, deps D, name string, in Args, part string) {
	t.Helper()
	WantInvalid(t, g(deps), name, in, part)
}
