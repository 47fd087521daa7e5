package portfolio_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
)

// Two people with an account of the same name, transactions of the same ID and contradicting aliases.
func TestCombine_KeepsTheOwnersApart(t *testing.T) {
	ledger := func(alias market.Symbol, holder string) portfolio.Ledger {
		account := portfolio.NewAccount("main")
		account.Cash, account.Owner = portfolio.CashUntracked, holder
		buy, sell := portfoliotest.Purchase("a", "main"), portfoliotest.Purchase("b", "main")
		buy.Symbol, sell.Symbol = "FUND", "FUND"
		sell.Kind, sell.Lots = portfolio.KindSell, []portfolio.LotPick{{Lot: "a", Quantity: sell.Quantity}}
		bought := portfoliotest.Purchase("c", "main")
		bought.Symbol = "FUND"
		return portfolio.Ledger{
			Accounts: []portfolio.Account{account}, Transactions: []portfolio.Transaction{buy, sell, bought},
			Aliases:    map[market.Symbol]market.Symbol{"FUND": alias},
			Securities: []portfolio.Security{{Symbol: alias, Region: holder}, {Symbol: "BOTH", Region: holder}},
			Targets:    []portfolio.Target{{Symbol: alias}},
		}
	}
	all, err := portfolio.Combine([]portfolio.OwnedLedger{{Owner: "anna", Ledger: ledger("VTI", "")}, {Owner: "ben", Ledger: ledger("VXUS", "child")}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := lots.New(all)
	if err == nil {
		err = e.Advance(market.Date{})
	}
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]string{}
	for _, p := range e.Positions() {
		held[p.Account] = string(p.Symbol) + " " + p.Lots[0].ID
	}
	if diff := cmp.Diff(map[string]string{"anna/main": "VTI anna/c", "ben/main": "VXUS ben/c"}, held); diff != "" {
		t.Errorf("positions: %s", diff)
	}
	var people [][2]string
	for _, a := range all.Accounts {
		people = append(people, [2]string{a.Holder, a.Owner})
	}
	if diff := cmp.Diff([][2]string{{"anna", "anna"}, {"ben", "ben/child"}}, people); diff != "" {
		t.Errorf("holders and taxpayers: %s", diff)
	}
	want := []portfolio.Security{{Symbol: "BOTH"}, {Symbol: "VTI"}, {Symbol: "VXUS", Region: "child"}}
	if diff := cmp.Diff(want, all.Securities); diff != "" || len(all.Targets) > 0 {
		t.Errorf("securities %s, targets %v", diff, all.Targets)
	}
}
