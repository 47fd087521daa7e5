package portfolio_test

import (
	"errors"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
)

func TestBook_ARefusalNamesItsTransactionAndItsReason(t *testing.T) {
	sale := portfoliotest.Bought("s", "main")
	sale.Kind = portfolio.KindSell
	err := portfolio.Ledger{Accounts: []portfolio.Account{portfolio.NewAccount("main")}, Transactions: []portfolio.Transaction{sale}}.Check()
	var refused *portfolio.TransactionError
	if !errors.As(err, &refused) || refused.Transaction.ID != "s" || !errors.Is(err, portfolio.ErrNotHeld) {
		t.Errorf("selling what is not held = %v, want a TransactionError of s that is ErrNotHeld", err)
	}
}

// 2000 and a fee of 1 are paid from nothing.
func TestBook_AnOverdrawnAccountIsNamedWithWhatIsMissing(t *testing.T) {
	l := portfolio.Ledger{Accounts: []portfolio.Account{portfolio.NewAccount("main")}, Transactions: []portfolio.Transaction{portfoliotest.Bought("b", "main")}}
	b, err := portfolio.Open(l)
	if err != nil {
		t.Fatal(err)
	}
	err = b.Advance(market.Date{})
	var overdrawn *portfolio.OverdrawnError
	if !errors.As(err, &overdrawn) || !errors.Is(err, portfolio.ErrOverdrawn) {
		t.Fatalf("buying without cash = %v, want an OverdrawnError", err)
	}
	if overdrawn.Account != "main" || overdrawn.Currency != "USD" || overdrawn.Amount.String() != "-2001" || !overdrawn.Date.Equal(portfoliotest.Day("2026-03-02")) {
		t.Errorf("overdrawn = %+v, want main at -2001 USD on 2026-03-02", overdrawn)
	}
}
