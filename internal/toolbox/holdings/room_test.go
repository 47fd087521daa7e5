package holdings_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/holdings"
	"github.com/nfa-cli/nfa/internal/toolbox/holdings/holdingstest"
)

// under are the tools of the room for a user under some tax rules.
func under(d book.Deps, _ string) []tool.Tool {
	return holdings.Tools(holdings.Deps{Deps: d})
}

func toolsOf(t testing.TB, w *holdingstest.World) []tool.Tool { return over(w.Deps(t)) }

func over(d book.Deps) []tool.Tool { return under(d, "") }

func everyCall() []holdingstest.Call {
	return []holdingstest.Call{
		{Tool: "portfolio_positions"}, {Tool: "portfolio_allocation"},
	}
}

func TestRoom_KeepsWhatAllToolsOfTheBookPromise(t *testing.T) {
	holdingstest.Room{Tools: under, Calls: everyCall()}.Keeps(t)
}

func BenchmarkRoom(b *testing.B) { holdingstest.Room{Tools: under, Calls: everyCall()}.Bench(b) }
