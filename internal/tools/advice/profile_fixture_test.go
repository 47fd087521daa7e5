package advice_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type args = toolstest.Args

// fridayEvening is the time of the tests.
const fridayEvening = "2024-06-28T20:00:00Z"

// weekPrices returns the prices of toolstest.WeekSeries and more.
func weekPrices(t testing.TB, more ...market.Series) toolkit.LatestPrices {
	t.Helper()
	source := markettest.NewSource(append(toolstest.WeekSeries(), more...)...)
	return toolkit.LatestPrices{Prices: toolstest.Prices(t, source, fridayEvening), Quotes: source}
}

// profileFixture has the tools of the profile and the watchlist, with prices of the week up
// to fridayEvening.
type profileFixture struct {
	*toolstest.InvestorStore
	advice.ProfileDeps
	toolstest.ApprovingUser
}

func newProfileFixture(t testing.TB, more ...market.Series) *profileFixture {
	t.Helper()
	w := &profileFixture{InvestorStore: &toolstest.InvestorStore{WatchBySymbol: map[market.Symbol]investor.WatchedSymbol{}}, ApprovingUser: toolstest.ApprovingUser{Allow: true}}
	w.ProfileDeps = advice.ProfileDeps{LatestPrices: weekPrices(t, more...), Investor: w.InvestorStore, Watchlist: w.InvestorStore}
	return w
}

func (w *profileFixture) router(t testing.TB, scope tool.Scope) *tool.Router {
	t.Helper()
	w.Scope = scope
	return w.Router(t, advice.ProfileTools(w.ProfileDeps))
}

func (w *profileFixture) call(t testing.TB, name string, in args) tool.Result {
	t.Helper()
	return toolstest.CallRouter(t, w.router(t, tool.Once), name, in)
}

// mustCall calls a tool for a result that must not be an error.
func (w *profileFixture) mustCall(t testing.TB, name string, in args) (tool.Result, map[string]any) {
	t.Helper()
	res := w.call(t, name, in)
	if res.IsError {
		t.Fatalf("%s %v = error: %s", name, in, res.ErrorText())
	}
	return res, toolstest.DecodeResult(t, res)
}

// answer saves answers in the profile.
func answer(t testing.TB, w *profileFixture, answers args) (tool.Result, map[string]any) {
	t.Helper()
	return w.mustCall(t, "investor_profile", args{"action": "answer", "answers": answers})
}
