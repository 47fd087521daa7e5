package advice_test

import (
	"fmt"
	"testing"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// journalFixture has the journal tool, with prices of the week up to fridayEvening.
type journalFixture struct {
	*toolstest.InvestorStore
	advice.JournalDeps
	toolstest.ApprovingUser
}

func newJournalFixture(t testing.TB, more ...market.Series) *journalFixture {
	t.Helper()
	ids := 0
	w := &journalFixture{InvestorStore: &toolstest.InvestorStore{DecisionByID: map[string]investor.Decision{}}, ApprovingUser: toolstest.ApprovingUser{Allow: true}}
	w.JournalDeps = advice.JournalDeps{
		LatestPrices: weekPrices(t, more...), Journal: w.InvestorStore,
		NewID: func() (string, error) { ids++; return fmt.Sprintf("d%d", ids), nil },
	}
	return w
}

func (w *journalFixture) router(t testing.TB) *tool.Router {
	t.Helper()
	return w.Router(t, advice.JournalTools(w.JournalDeps))
}

func (w *journalFixture) call(t testing.TB, in args) tool.Result {
	t.Helper()
	return toolstest.CallRouter(t, w.router(t), "decision_journal", in)
}

// mustCall calls the tool for a result that must not be an error.
func (w *journalFixture) mustCall(t testing.TB, in args) (tool.Result, map[string]any) {
	t.Helper()
	res := w.call(t, in)
	if res.IsError {
		t.Fatalf("decision_journal %v = error: %s", in, res.ErrorText())
	}
	return res, toolstest.DecodeResult(t, res)
}
