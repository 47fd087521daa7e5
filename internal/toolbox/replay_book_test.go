package toolbox_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

// memoryBook is the user's own things in memory.
type memoryBook struct {
	portfoliotest.Store
	profile   investor.Profile
	watches   []journal.Watch
	decisions []journal.Decision
}

func (b *memoryBook) Mapping(context.Context, string) (json.RawMessage, bool, error) {
	return nil, false, nil
}
func (b *memoryBook) SaveMapping(context.Context, string, json.RawMessage) error { return nil }
func (b *memoryBook) Mappings(context.Context) ([]string, error)                 { return nil, nil }
func (b *memoryBook) Profile(context.Context) (investor.Profile, bool, error) {
	return b.profile, true, nil
}
func (b *memoryBook) SaveProfile(_ context.Context, p investor.Profile) error {
	b.profile = p
	return nil
}
func (b *memoryBook) Watches(context.Context) ([]journal.Watch, error) {
	return slices.Clone(b.watches), nil
}
func (b *memoryBook) PutWatch(context.Context, journal.Watch) error       { return nil }
func (b *memoryBook) RemoveWatch(context.Context, market.Symbol) error    { return nil }
func (b *memoryBook) PutDecision(context.Context, journal.Decision) error { return nil }
func (b *memoryBook) RemoveDecision(context.Context, string) error        { return nil }
func (b *memoryBook) Decisions(context.Context) ([]journal.Decision, error) {
	return slices.Clone(b.decisions), nil
}

// replayBook holds ten VTI since 2023, and later buys and decides more.
func replayBook(t testing.TB, later bool) *memoryBook {
	t.Helper()
	number := decimal.RequireFromString
	buy := func(id, day, quantity string) portfolio.Transaction {
		return portfolio.Transaction{
			ID: id, Date: toolboxtest.Day(t, day), Kind: portfolio.KindBuy, Account: "main", Symbol: "VTI", Currency: "USD",
			Quantity: number(quantity), Amount: number("1000"), Note: "bought " + day,
		}
	}
	decided := func(id, day, thesis string) journal.Decision {
		mark := journal.Mark{Symbol: "VTI", Price: decimal.NewNullDecimal(number("100")), Currency: "USD", AsOf: toolboxtest.Day(t, day), Source: "markettest"}
		return journal.Decision{ID: id, Date: toolboxtest.Day(t, day), Action: journal.Buy, Marks: []journal.Mark{mark}, Thesis: thesis, Disproof: "it falls"}
	}
	b := &memoryBook{
		profile:   investor.Profile{UpdatedAt: toolboxtest.Day(t, "2024-01-02")},
		watches:   []journal.Watch{{Symbol: "VTI", Added: toolboxtest.Day(t, "2024-01-02"), Note: "a note of before"}},
		decisions: []journal.Decision{decided("d1", "2024-01-02", "a thesis of before")},
	}
	account := portfolio.NewAccount("main")
	account.Cash = portfolio.CashUntracked
	add := []portfolio.Transaction{buy("t1", "2023-06-01", "10")}
	if later {
		add = append(add, buy("t2", laterYear+"-03-03", canary))
		b.watches = append(b.watches, journal.Watch{Symbol: "BND", Added: toolboxtest.Day(t, laterYear+"-03-03"), Note: canaryWord})
		b.decisions = append(b.decisions, decided("d2", laterYear+"-03-03", canaryWord))
	}
	if err := b.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		return portfolio.Change{Accounts: []portfolio.Account{account}, Add: add}, nil
	}); err != nil {
		t.Fatal(err)
	}
	return b
}
