package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
)

// deposits returns n transactions with few columns, from a broker's file.
func deposits(n int) []portfolio.Transaction {
	all := make([]portfolio.Transaction, n)
	for i := range all {
		t := portfoliotest.Purchase(fmt.Sprintf("d%d", i), "main")
		all[i] = portfolio.Transaction{
			ID: t.ID, Date: t.Date, Kind: portfolio.KindDeposit, Account: "main", Currency: "EUR", Amount: t.Amount,
			Source: "schwab", SourceID: fmt.Sprint(i),
		}
	}
	return all
}

func TestPortfolioStore_ManyRowsComeBackAsTheyWereGiven(t *testing.T) {
	all := deposits(300)
	for i := range 10 {
		for _, tr := range portfoliotest.EveryKind("main", "other") {
			tr.ID = fmt.Sprintf("%s-%d", tr.ID, i)
			if tr.Source != "" {
				tr.SourceID = tr.ID
			}
			all = append(all, tr)
		}
	}
	for i, tr := range deposits(200) {
		tr.ID, tr.SourceID = fmt.Sprint("later", i), fmt.Sprint("later", i)
		all = append(all, tr)
	}
	b := openPortfolio(t, portfolioPath(t))
	accounts := []portfolio.Account{portfolio.NewAccount("main"), portfolio.NewAccount("other")}
	if err := applyChange(t, b, portfolio.Change{Accounts: accounts, Add: all}); err != nil {
		t.Fatal(err)
	}
	l, err := b.Ledger(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(all, l.Transactions); diff != "" {
		t.Errorf("the portfolio is not what was added, in its order (-want +got):\n%s", diff)
	}
}

func TestPortfolioStore_OfManyRowsTheOneThatIsRefusedIsNamedAndNoneIsWritten(t *testing.T) {
	for name, tc := range map[string]struct {
		spoil func(*portfolio.Transaction)
		want  error
		says  string
	}{
		"the ID of another of them": {func(t *portfolio.Transaction) { t.ID = "d1" }, portfolio.ErrInvalid, "a transaction with this ID"},
		"an ID of the ledger":       {func(t *portfolio.Transaction) { t.ID = "before" }, portfolio.ErrInvalid, "a transaction with this ID"},
		"the same line twice":       {func(t *portfolio.Transaction) { t.SourceID = "1" }, portfolio.ErrInvalid, `line "1" of schwab`},
		"an account that is not":    {func(t *portfolio.Transaction) { t.Account = "none" }, portfolio.ErrUnknownAccount, `"none"`},
		"what makes no sense":       {func(t *portfolio.Transaction) { t.Currency = "" }, portfolio.ErrInvalid, "currency"},
		"what cannot be kept":       {func(t *portfolio.Transaction) { t.Note = "a\x1fb" }, portfolio.ErrInvalid, "note"},
	} {
		t.Run(name, func(t *testing.T) {
			const at = 150
			b := openPortfolio(t, portfolioPath(t))
			addTransactions(t, b, "before")
			all := deposits(200)
			tc.spoil(&all[at])
			err := applyChange(t, b, portfolio.Change{Add: all})
			if !errors.Is(err, tc.want) || !strings.Contains(fmt.Sprint(err), "add transaction "+all[at].ID+": ") || !strings.Contains(fmt.Sprint(err), tc.says) {
				t.Errorf("Update = %v, want %v of %s that says %q", err, tc.want, all[at].ID, tc.says)
			}
			if got := heldPositions(t, b); got != "before" {
				t.Errorf("the portfolio has %q, want what was there before", got)
			}
			addTransactions(t, b, "after")
			if got := heldPositions(t, b); got != "before after" {
				t.Errorf("the portfolio then has %q, want that it goes on", got)
			}
		})
	}
}

func TestPortfolioStore_AnImportThatIsGivenUpLeavesNothing(t *testing.T) {
	b := openPortfolio(t, portfolioPath(t))
	addTransactions(t, b, "before")
	ctx, stop := context.WithCancel(t.Context())
	err := b.Update(ctx, func(portfolio.Ledger) (portfolio.Change, error) {
		stop()
		return portfolio.Change{Add: deposits(6000)}, nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Update = %v, want that it was canceled", err)
	}
	addTransactions(t, b, "after")
	if got := heldPositions(t, b); got != "before after" {
		t.Errorf("the portfolio has %q, want what was added beside it", got)
	}
}
