package lots_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
)

// busyLedger returns a ledger of n trades over 20 years. Each symbol is bought twice as often as it
// is sold, so that lots accumulate.
func busyLedger(n int, method portfolio.Method, symbols int) portfolio.Ledger {
	random := rand.New(rand.NewPCG(1, 2))
	account := portfolio.NewAccount("a")
	account.Method, account.Cash = method, portfolio.CashMargin
	l := portfolio.Ledger{Accounts: []portfolio.Account{account}, Transactions: make([]portfolio.Transaction, n)}
	first := day("2006-01-02")
	for i := range l.Transactions {
		t := portfolio.Transaction{
			ID: fmt.Sprintf("t%06d", i), Account: "a", Symbol: market.Symbol(fmt.Sprintf("S%d", random.IntN(symbols))), Currency: "USD",
			Date: first.AddDate(0, 0, i*7300/n), Kind: portfolio.KindBuy, Quantity: dec("10"), Fee: dec("0.99"),
			Amount: dec(fmt.Sprintf("%d.%02d", 900+random.IntN(200), random.IntN(100))),
		}
		if i%3 == 2 && i > 20*symbols {
			t.Kind, t.Quantity = portfolio.KindSell, dec("7.5")
		}
		l.Transactions[i] = t
	}
	random.Shuffle(n, func(i, j int) { l.Transactions[i], l.Transactions[j] = l.Transactions[j], l.Transactions[i] })
	return l
}

func BenchmarkEngine(b *testing.B) {
	for _, method := range []portfolio.Method{portfolio.MethodFIFO, portfolio.MethodLIFO, portfolio.MethodHighestCost, portfolio.MethodAverage} {
		for _, n := range []int{25_000, 50_000, 100_000} {
			for _, symbols := range []int{5, 500} {
				l := busyLedger(n, method, symbols)
				b.Run(fmt.Sprintf("%s/%dsymbols/%d", method, symbols, n), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						engine, err := lots.New(l)
						if err == nil {
							err = engine.Advance(market.Date{})
						}
						if err != nil || len(engine.Positions()) != symbols {
							b.Fatalf("positions of %d trades = %d, %v", n, len(engine.Positions()), err)
						}
					}
				})
			}
		}
	}
}

// One position is never closed and its lots are read each day.
func BenchmarkEngine_DayByDay(b *testing.B) {
	for _, n := range []int{5_000, 10_000, 20_000} {
		l := busyLedger(n, portfolio.MethodFIFO, 200)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				engine, err := lots.New(l)
				if err != nil {
					b.Fatal(err)
				}
				held := 0
				for _, d := range engine.Days() {
					if err := engine.Advance(d); err != nil {
						b.Fatal(err)
					}
					for range engine.OpenPositions() {
						held++
					}
				}
				if held == 0 {
					b.Fatal("nothing held on any day")
				}
			}
		})
	}
}
