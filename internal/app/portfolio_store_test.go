package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

func fixedTime() time.Time { return time.Date(2026, time.November, 18, 15, 0, 0, 0, time.UTC) }

func portfolioIn(t *testing.T, home string) *app.PortfolioStore {
	t.Helper()
	b := app.NewPortfolioStore(home, fixedTime, func(text string) { t.Errorf("unexpected notice: %s", text) })
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func TestPortfolioStore_HoldsTheContract(t *testing.T) {
	portfoliotest.RunStore(t, func(t *testing.T) portfolio.Store { return portfolioIn(t, t.TempDir()) })
}

func TestPortfolioStore_ReadingCreatesNoFile(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	b := portfolioIn(t, home)
	ledger, err := b.Ledger(t.Context())
	if err != nil || len(ledger.Transactions)+len(ledger.Accounts) > 0 {
		t.Errorf("Ledger = %+v, %v, want an empty one", ledger, err)
	}
	if p, ok, err := b.Profile(t.Context()); err != nil || ok || len(p.Answers()) > 0 {
		t.Errorf("Profile = %+v, %t, %v, want none", p, ok, err)
	}
	if doc, ok, err := b.Mapping(t.Context(), "mine"); err != nil || ok || doc != nil {
		t.Errorf("Mapping = %s, %t, %v, want none", doc, ok, err)
	}
	names, err := b.Mappings(t.Context())
	watches, errW := b.Watches(t.Context())
	decisions, errD := b.Decisions(t.Context())
	if err := errors.Join(err, errW, errD); err != nil || len(names)+len(watches)+len(decisions) > 0 {
		t.Errorf("there are %v, %v, %v, %v; want nothing", names, watches, decisions, err)
	}
	if b.Fault() != nil {
		t.Errorf("Fault = %v of a missing file", b.Fault())
	}
	if _, err := os.Stat(home); !os.IsNotExist(err) {
		t.Errorf("the home is there: %v", err)
	}
}

func newDecision(id string) investor.Decision {
	return investor.Decision{
		ID: id, Date: portfoliotest.Day("2026-02-01"), Action: investor.ActionOther, Assets: []investor.PricedAsset{{Symbol: "VTI"}}, Thesis: "t", Invalidation: "d",
	}
}

// TestPortfolioStore_WhatIsKeptComesBack checks that another handle reads what was written, and so does the
// next run after Close.
func TestPortfolioStore_WhatIsKeptComesBack(t *testing.T) {
	home := t.TempDir()
	first := app.NewPortfolioStore(home, fixedTime, nil)
	err := errors.Join(
		first.SaveProfile(t.Context(), investor.Profile{BirthYear: 1980}),
		first.SaveMapping(t.Context(), "mine", []byte(`{"a":1}`)),
		first.PutWatch(t.Context(), investor.WatchedSymbol{Symbol: "VTI", Added: portfoliotest.Day("2026-11-02"), Note: "a note"}),
		first.PutWatch(t.Context(), investor.WatchedSymbol{Symbol: "VXUS", Added: portfoliotest.Day("2026-11-02")}),
		first.RemoveWatch(t.Context(), "VXUS"),
		first.PutDecision(t.Context(), newDecision("d1")),
		first.PutDecision(t.Context(), newDecision("d2")),
		first.RemoveDecision(t.Context(), "d2"),
		first.Close(),
	)
	if err != nil {
		t.Fatal(err)
	}
	b := portfolioIn(t, home)
	if p, ok, err := b.Profile(t.Context()); err != nil || !ok || p.BirthYear != 1980 {
		t.Errorf("Profile = %+v, %t, %v", p, ok, err)
	}
	if doc, ok, err := b.Mapping(t.Context(), "mine"); err != nil || !ok || string(doc) != `{"a":1}` {
		t.Errorf("Mapping = %s, %t, %v", doc, ok, err)
	}
	if names, err := b.Mappings(t.Context()); err != nil || len(names) != 1 || names[0] != "mine" {
		t.Errorf("Mappings = %v, %v", names, err)
	}
	if watches, err := b.Watches(t.Context()); err != nil || len(watches) != 1 || watches[0].Symbol != "VTI" || watches[0].Note != "a note" {
		t.Errorf("Watches = %+v, %v", watches, err)
	}
	if decisions, err := b.Decisions(t.Context()); err != nil || len(decisions) != 1 || decisions[0].ID != "d1" {
		t.Errorf("Decisions = %+v, %v", decisions, err)
	}
}

func TestPortfolioStore_ManyMayNeedItAtOnce(t *testing.T) {
	b := portfolioIn(t, t.TempDir())
	var wait sync.WaitGroup
	for _, symbol := range []market.Symbol{"A", "B", "C", "D", "E", "F", "G", "H"} {
		wait.Go(func() {
			if err := b.PutWatch(t.Context(), investor.WatchedSymbol{Symbol: symbol, Added: portfoliotest.Day("2026-11-02")}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if watches, err := b.Watches(t.Context()); err != nil || len(watches) != 8 {
		t.Errorf("Watches = %+v, %v, want all eight", watches, err)
	}
}

func TestPortfolioStore_FaultIsWhyItCannotBeUsed(t *testing.T) {
	t.Run("a file that does not read", func(t *testing.T) {
		home := t.TempDir()
		if err := os.WriteFile(app.PortfolioPath(home), make([]byte, 5000), 0o600); err != nil {
			t.Fatal(err)
		}
		b := portfolioIn(t, home)
		if b.Fault() != nil {
			t.Errorf("Fault = %v before anybody looked", b.Fault())
		}
		if _, err := b.Ledger(t.Context()); !errors.Is(err, sqlite.ErrPortfolioDamaged) || !errors.Is(b.Fault(), sqlite.ErrPortfolioDamaged) {
			t.Errorf("Ledger: %v, Fault: %v; want ErrDamagedBook of both", err, b.Fault())
		}
	})
	t.Run("entries that do not hold together", func(t *testing.T) {
		b := portfolioIn(t, t.TempDir())
		sale := portfoliotest.Purchase("t1", "main")
		sale.Kind = portfolio.KindSell
		if err := b.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
			return portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("main")}, Add: []portfolio.Transaction{sale}}, nil
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Ledger(t.Context()); err != nil || !errors.Is(b.Fault(), portfolio.ErrNotHeld) {
			t.Errorf("Ledger: %v, Fault: %v; want it read, and ErrNotHeld", err, b.Fault())
		}
	})
	t.Run("one that is sound", func(t *testing.T) {
		b := portfolioIn(t, t.TempDir())
		if err := b.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
			return portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("main")}}, nil
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Ledger(t.Context()); err != nil || b.Fault() != nil {
			t.Errorf("Ledger: %v, Fault: %v", err, b.Fault())
		}
	})
}
