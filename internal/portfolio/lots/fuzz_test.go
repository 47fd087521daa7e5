package lots_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
)

// A ledger from any file is either rejected with an error or adds up.
func FuzzNew(f *testing.F) {
	every := ledger(f)
	every.Transactions = portfoliotest.EveryKind("a", "b")
	for _, l := range []portfolio.Ledger{ledger(f, sales()...), every, {}} {
		raw, err := json.Marshal(l)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	const account = `{"accounts":[{"name":"a","cost_basis":"average","cash":"margin"}],"transactions":[`
	for _, ts := range []string{
		`{"id":"1","date":"2024-01-02T00:00:00Z","kind":"buy","account":"a","symbol":"X","quantity":"1e9999","currency":"USD","amount":"1e-9999"}`,
		`{"id":"1","date":"2024-01-02T00:00:00Z","kind":"buy","account":"a","symbol":"X","quantity":"0.000000000000000001","currency":"USD","amount":"1"},
		 {"id":"2","date":"2024-01-03T00:00:00Z","kind":"buy","account":"a","symbol":"X","quantity":"5","currency":"USD","amount":"1"},
		 {"id":"3","date":"2024-01-04T00:00:00Z","kind":"reverse_split","account":"a","symbol":"X","new":"1","old":"1000000"},
		 {"id":"4","date":"2024-01-05T00:00:00Z","kind":"sell","account":"a","symbol":"X","quantity":"0.000005","currency":"USD","amount":"1"}`,
		`{"id":"1","date":"0000-00-00","kind":"buy"}`,
	} {
		f.Add([]byte(account + ts + `]}`))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var l portfolio.Ledger
		if json.Unmarshal(raw, &l) != nil || len(l.Transactions) > 200 {
			return
		}
		engine, err := lots.New(l)
		if err != nil {
			return
		}
		err = engine.Advance(market.Date{})
		if err != nil && !errors.Is(err, portfolio.ErrNotHeld) && !errors.Is(err, portfolio.ErrInvalid) && !errors.Is(err, portfolio.ErrOverdrawn) {
			t.Fatalf("Advance = %v, want one of the engine's errors", err)
		}
		checkBalanced(t, l, engine)
	})
}

// Any sequence of individually valid transactions, with extreme numbers.
func FuzzAdvance(f *testing.F) {
	f.Add([]byte("any text will do as the beginning of a long life of trades and of splits"))
	f.Add(bytes.Repeat([]byte{0, 1, 2, 3, 4, 5, 6, 7, 12, 200}, 40))
	numbers := []string{"0", "1", "7", "0.000000000000000001", "1.5", "99999999999999999999999999999999999999", "3", "1e18", "0.333333333333333333"}
	f.Fuzz(func(t *testing.T, raw []byte) {
		l := ledger(t)
		for i, method := range portfolio.Methods()[2:] {
			l.Accounts[i].Method = method
		}
		l.Accounts[1].Cash = portfolio.CashUntracked
		for ; len(raw) >= 9 && len(l.Transactions) < 300; raw = raw[9:] {
			number := func(i int) decimal.Decimal { return dec(numbers[int(raw[i])%len(numbers)]) }
			word := func(i int, of ...string) string { return of[int(raw[i])%len(of)] }
			tr := portfolio.Transaction{
				ID: fmt.Sprint("t", len(l.Transactions)), Date: day("2024-01-01").AddDate(0, 0, int(raw[0])%9), Account: word(1, "a", "b", "c"),
				Kind: portfolio.Kinds()[int(raw[2])%len(portfolio.Kinds())], Symbol: market.Symbol(word(3, "X", "Y", "Z", "")), Quantity: number(4),
				Currency: word(5, "USD", "USD", "EUR", ""), Amount: number(6), Fee: dec("0"), Short: raw[8]&1 != 0, CostUnknown: raw[8]&2 != 0,
				ToSymbol: market.Symbol(word(7, "", "X", "Y")), ToAccount: word(8, "", "", "a", "b"),
			}
			if raw[8]&4 != 0 {
				tr.New, tr.Old = number(5), number(7)
			}
			if raw[8]&8 != 0 {
				tr.CostPart = decimal.NewNullDecimal(dec("0.3"))
			}
			for _, simpler := range []func(){func() {}, func() { tr.Short, tr.CostUnknown = false, false }, func() { tr.ToSymbol, tr.ToAccount = "", "" }, func() { tr.Quantity = decimal.Zero }} {
				if simpler(); tr.Validate() == nil {
					l.Transactions = append(l.Transactions, tr)
					break
				}
			}
		}
		for range 300 { // a transaction that cannot be applied is removed, and the engine continues
			engine := openEngine(t, l)
			err := engine.Advance(market.Date{})
			checkBalanced(t, l, engine)
			if err == nil {
				return
			}
			refused := slices.IndexFunc(l.Transactions, func(tr portfolio.Transaction) bool { return strings.Contains(err.Error(), tr.Describe()) })
			if refused < 0 {
				t.Fatalf("Advance = %v, want an error that names a transaction", err)
			}
			l.Transactions = slices.Delete(l.Transactions, refused, refused+1)
		}
	})
}
