package sqlite_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// newStoreOfSize creates a portfolio with n transactions of one broker, as after an import.
func newStoreOfSize(b *testing.B, n int) (path string, store *sqlite.PortfolioStore) {
	b.Helper()
	path = portfolioPath(b)
	store = openPortfolio(b, path)
	c := portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("main")}, Add: manyTransactions(n)}
	if err := applyChange(b, store, c); err != nil {
		b.Fatal(err)
	}
	return path, store
}

func manyTransactions(n int) []portfolio.Transaction {
	all := make([]portfolio.Transaction, n)
	for i := range all {
		t := portfoliotest.Purchase(fmt.Sprintf("1r6x8e2%08d", i), "main")
		t.Date = t.Date.AddDate(0, 0, -i%6000)
		t.ISIN, t.Name = "US9229087690", "VANGUARD TOTAL STOCK MARKET ETF"
		t.Source, t.SourceID = "schwab", fmt.Sprintf("%s#%d", t.Date.Format("2006-01-02"), i)
		all[i] = t
	}
	return all
}

func benchmarkSizes(b *testing.B, run func(*testing.B, int)) {
	for _, n := range []int{25_000, 50_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			run(b, n)
		})
	}
}

func BenchmarkBook_Ledger(b *testing.B) {
	benchmarkSizes(b, func(b *testing.B, n int) {
		_, store := newStoreOfSize(b, n)
		for b.Loop() {
			if l, err := store.Ledger(b.Context()); err != nil || len(l.Transactions) != n {
				b.Fatal(len(l.Transactions), err)
			}
		}
	})
}

func BenchmarkBook_UpdateOfOne(b *testing.B) {
	benchmarkSizes(b, func(b *testing.B, n int) {
		_, store := newStoreOfSize(b, n)
		addTransactions(b, store) // and the backup of the day
		i := 0
		for b.Loop() {
			i++
			if err := applyChange(b, store, portfolio.Change{Add: []portfolio.Transaction{portfoliotest.Purchase(fmt.Sprint("new", i), "main")}}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkBook_Import(b *testing.B) {
	benchmarkSizes(b, func(b *testing.B, n int) {
		c := portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("main")}, Add: manyTransactions(n)}
		for b.Loop() {
			if err := applyChange(b, openPortfolio(b, portfolioPath(b)), c); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkBook_Backup(b *testing.B) {
	benchmarkSizes(b, func(b *testing.B, n int) {
		path, store := newStoreOfSize(b, n)
		store.Close()
		day := 0
		for b.Loop() {
			b.StopTimer()
			day++
			store := openPortfolioAt(b, path, noon.AddDate(0, 0, day))
			b.StartTimer()
			if err := store.SaveMapping(b.Context(), "x", []byte("{}")); err != nil { // this loads no ledger
				b.Fatal(err)
			}
			b.StopTimer()
			store.Close()
			b.StartTimer()
		}
		if info, err := os.Stat(path); err == nil {
			b.ReportMetric(float64(info.Size())/1e6, "MB")
		}
	})
}

func BenchmarkOpenBook_Existing(b *testing.B) {
	path, store := newStoreOfSize(b, 100_000)
	store.Close()
	for b.Loop() {
		store, err := sqlite.OpenPortfolioStore(b.Context(), path, sqlite.Options{Now: func() time.Time { return noon }})
		if err != nil {
			b.Fatal(err)
		}
		store.Close()
	}
}
