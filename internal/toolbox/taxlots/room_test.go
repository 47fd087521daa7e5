package taxlots_test

import (
	"context"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/holdings/holdingstest"
	"github.com/nfa-cli/nfa/internal/toolbox/taxlots"
)

// under are the tools of the room for a user under some tax rules.
func under(d book.Deps, rules string) []tool.Tool {
	return taxlots.Tools(taxlots.Deps{Deps: d, Jurisdiction: func(context.Context) (string, error) { return rules, nil }})
}

func toolsOf(t testing.TB, w *holdingstest.World) []tool.Tool { return under(w.Deps(t), w.Rules) }

func everyCall() []holdingstest.Call {
	return []holdingstest.Call{
		{Tool: "tax_lots"}, {Tool: "tax_lots", In: holdingstest.Args{"kind": "closed"}}, {Tool: "tax_lots", In: holdingstest.Args{"kind": "harvest"}}, {Tool: "tax_lots", In: holdingstest.Args{"kind": "wash"}},
	}
}

func TestRoom_KeepsWhatAllToolsOfTheBookPromise(t *testing.T) {
	holdingstest.Room{Tools: under, Calls: everyCall()}.Keeps(t)
}

func BenchmarkRoom(b *testing.B) { holdingstest.Room{Tools: under, Calls: everyCall()}.Bench(b) }
