package importer_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer/importertest"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
)

// A year's statement in an account that may not be overdrawn: cash is never negative, and the last
// balance is the broker's.
func TestDEGIRO_LedgerEndsWithTheBalanceOfTheStatement(t *testing.T) {
	s := readDEGIRO(t, degiroStatementHeaders...)
	ledger := portfolio.Ledger{Accounts: []portfolio.Account{portfolio.NewAccount(importertest.Account)}}
	for i, e := range s.Entries {
		e.Transaction.ID = "t" + strconv.Itoa(i)
		ledger.Transactions = append(ledger.Transactions, e.Transaction)
	}
	engine, err := lots.New(ledger)
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Advance(market.Date{}); err != nil {
		t.Fatal(err)
	}
	cash := map[string]string{}
	for _, b := range engine.Balances() {
		cash[b.Currency] = b.Amount.String()
	}
	if diff := cmp.Diff(map[string]string{"EUR": "634.77", "USD": "0"}, cash); diff != "" {
		t.Errorf("balances, want against got:\n%s", diff)
	}
	// Ten for 454.55 euros, of which six remain; four were sold for 187.50 less 2.
	held := engine.Positions()
	if len(held) != 1 || held[0].Quantity.String() != "6" || held[0].Cost.Decimal.String() != "272.73" {
		t.Errorf("positions = %+v, want 6 shares that cost 272.73", held)
	}
	if sold := engine.Disposals(); len(sold) != 1 || sold[0].Gain().Decimal.String() != "3.68" {
		t.Errorf("disposals = %+v, want a gain of 185.50 less 181.82", sold)
	}
}
