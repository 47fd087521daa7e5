package lots_test

import (
	"errors"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
)

func TestEngine_ARefusalNamesItsTransactionAndItsReason(t *testing.T) {
	sale := portfoliotest.Purchase("s", "main")
	sale.Kind = portfolio.KindSell
	err := lots.Check(portfolio.Ledger{Accounts: []portfolio.Account{portfolio.NewAccount("main")}, Transactions: []portfolio.Transaction{sale}})
	var refused *portfolio.TransactionError
	if !errors.As(err, &refused) || refused.Transaction.ID != "s" || !errors.Is(err, portfolio.ErrNotHeld) {
		t.Errorf("selling what is not held = %v, want a TransactionError of s that is ErrNotHeld", err)
	}
}

func TestNew_RefusesALedgerThatDoesNotHoldTogether(t *testing.T) {
	l := ledger(t, "2024-01-02 buy 5 XYZ 5 USD", "2024-01-03 sell 5 XYZ 5 USD id=t1")
	_, err := lots.New(l)
	if _, want := l.ResolvedTransactions(); err == nil || want == nil || err.Error() != want.Error() {
		t.Errorf("Open of an ID twice = %v, want what Resolved says: %v", err, want)
	}
}

// 2000 and a fee of 1 are paid from nothing.
func TestEngine_AnOverdrawnAccountIsNamedWithWhatIsMissing(t *testing.T) {
	l := portfolio.Ledger{Accounts: []portfolio.Account{portfolio.NewAccount("main")}, Transactions: []portfolio.Transaction{portfoliotest.Purchase("b", "main")}}
	b, err := lots.New(l)
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
