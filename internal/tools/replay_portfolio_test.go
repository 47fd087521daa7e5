package tools_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// memoryStore is the user's own things in memory.
type memoryStore struct {
	portfoliotest.Store
	profile   investor.Profile
	watches   []investor.WatchedSymbol
	decisions []investor.Decision
}

func (b *memoryStore) Mapping(context.Context, string) (json.RawMessage, bool, error) {
	return nil, false, nil
}
func (b *memoryStore) SaveMapping(context.Context, string, json.RawMessage) error { return nil }
func (b *memoryStore) Mappings(context.Context) ([]string, error)                 { return nil, nil }
func (b *memoryStore) Profile(context.Context) (investor.Profile, bool, error) {
	return b.profile, true, nil
}
func (b *memoryStore) SaveProfile(_ context.Context, p investor.Profile) error {
	b.profile = p
	return nil
}
func (b *memoryStore) Watches(context.Context) ([]investor.WatchedSymbol, error) {
	return slices.Clone(b.watches), nil
}
func (b *memoryStore) PutWatch(context.Context, investor.WatchedSymbol) error { return nil }
func (b *memoryStore) RemoveWatch(context.Context, market.Symbol) error       { return nil }
func (b *memoryStore) PutDecision(context.Context, investor.Decision) error   { return nil }
func (b *memoryStore) RemoveDecision(context.Context, string) error           { return nil }
func (b *memoryStore) Decisions(context.Context) ([]investor.Decision, error) {
	return slices.Clone(b.decisions), nil
}

// replayStore holds ten VTI since 2023, and later buys and decides more.
func replayStore(t testing.TB, later bool) *memoryStore {
	t.Helper()
	number := decimal.RequireFromString
	buy := func(id, day, quantity string) portfolio.Transaction {
		return portfolio.Transaction{
			ID: id, Date: toolstest.Day(t, day), Kind: portfolio.KindBuy, Account: "main", Symbol: "VTI", Currency: "USD",
			Quantity: number(quantity), Amount: number("1000"), Note: "bought " + day,
		}
	}
	decided := func(id, day, thesis string) investor.Decision {
		mark := investor.PricedAsset{Symbol: "VTI", Price: decimal.NewNullDecimal(number("100")), Currency: "USD", AsOf: toolstest.Day(t, day), Source: "markettest"}
		return investor.Decision{ID: id, Date: toolstest.Day(t, day), Action: investor.ActionBuy, Assets: []investor.PricedAsset{mark}, Thesis: thesis, Invalidation: "it falls"}
	}
	b := &memoryStore{
		profile:   investor.Profile{UpdatedAt: toolstest.Day(t, "2024-01-02")},
		watches:   []investor.WatchedSymbol{{Symbol: "VTI", Added: toolstest.Day(t, "2024-01-02"), Note: "a note of before"}},
		decisions: []investor.Decision{decided("d1", "2024-01-02", "a thesis of before")},
	}
	account := portfolio.NewAccount("main")
	account.Cash = portfolio.CashUntracked
	add := []portfolio.Transaction{buy("t1", "2023-06-01", "10")}
	if later {
		add = append(add, buy("t2", laterYear+"-03-03", canary))
		b.watches = append(b.watches, investor.WatchedSymbol{Symbol: "BND", Added: toolstest.Day(t, laterYear+"-03-03"), Note: canaryWord})
		b.decisions = append(b.decisions, decided("d2", laterYear+"-03-03", canaryWord))
	}
	if err := b.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		return portfolio.Change{Accounts: []portfolio.Account{account}, Add: add}, nil
	}); err != nil {
		t.Fatal(err)
	}
	return b
}
