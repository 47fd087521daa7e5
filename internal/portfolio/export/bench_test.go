package export_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/export"
)

func BenchmarkWrite(b *testing.B) {
	for _, f := range export.Formats() {
		for _, n := range []int{25_000, 50_000, 100_000} {
			l := portfolio.Ledger{Accounts: []portfolio.Account{portfolio.NewAccount("a")}}
			l.Accounts[0].Cash = portfolio.CashMargin
			for i := range n {
				l.Transactions = append(l.Transactions, portfolio.Transaction{
					ID: fmt.Sprint("t", i), Date: date(1, 1).AddDate(0, 0, i/10), Kind: portfolio.KindBuy, Account: "a", Symbol: "VTI",
					Quantity: dec("1.5"), Currency: "USD", Amount: dec("300.25"), Fee: dec("1"), Note: "monthly",
				})
			}
			b.Run(fmt.Sprint(f, "/", n), func(b *testing.B) {
				for b.Loop() {
					if err := export.Write(io.Discard, l, f); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
