package tools_test

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// userStore keeps all user data in memory.
type userStore struct {
	portfoliotest.Store
	toolstest.MappingStore
	toolstest.InvestorStore
}

// replayStore returns a store with ten VTI since 2023; later adds a purchase, a watchlist entry and a
// decision.
func replayStore(t testing.TB, later bool) *userStore {
	t.Helper()
	buy := func(id, day, quantity string) portfolio.Transaction {
		bought := toolstest.Buy(id, "main", "VTI", quantity, "1000", "USD", day)
		bought.Note = "bought " + day
		return bought
	}
	decided := func(id, day, thesis string) investor.Decision {
		mark := investor.PricedAsset{Symbol: "VTI", Price: decimal.NewNullDecimal(toolstest.MustDecimal("100")), Currency: "USD", AsOf: toolstest.MustDay(day), Source: "markettest"}
		return investor.Decision{ID: id, Date: toolstest.MustDay(day), Action: investor.ActionBuy, Assets: []investor.PricedAsset{mark}, Thesis: thesis, Invalidation: "it falls"}
	}
	b := &userStore{}
	b.ProfileJSON = []byte(toolstest.JSON(t, investor.Profile{UpdatedAt: toolstest.MustDay("2024-01-02")}))
	b.WatchBySymbol = map[market.Symbol]investor.WatchedSymbol{"VTI": {Symbol: "VTI", Added: toolstest.MustDay("2024-01-02"), Note: "a note of before"}}
	b.DecisionByID = map[string]investor.Decision{"d1": decided("d1", "2024-01-02", "a thesis of before")}
	add := []portfolio.Transaction{buy("t1", "2023-06-01", "10")}
	if later {
		add = append(add, buy("t2", laterYear+"-03-03", canary))
		b.WatchBySymbol["BND"] = investor.WatchedSymbol{Symbol: "BND", Added: toolstest.MustDay(laterYear + "-03-03"), Note: canaryWord}
		b.DecisionByID["d2"] = decided("d2", laterYear+"-03-03", canaryWord)
	}
	if err := b.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		return portfolio.Change{Accounts: []portfolio.Account{toolstest.UntrackedAccount("main")}, Add: add}, nil
	}); err != nil {
		t.Fatal(err)
	}
	return b
}
