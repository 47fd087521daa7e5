package lots_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
)

// randomLedger returns a random valid ledger with many kinds. A plain one has no short positions
// and no unknown costs.
func randomLedger(t *testing.T, random *rand.Rand, plain bool) portfolio.Ledger {
	t.Helper()
	l := ledger(t)
	for i := range l.Accounts {
		l.Accounts[i].Method = portfolio.Methods()[random.IntN(4)]
	}
	if !plain {
		l.Accounts[2].Cash = portfolio.CashUntracked
	}
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	for i := range 60 {
		sym, n := pick("XYZ", "ABC", "KID"), 1+random.IntN(30)
		lines := []string{
			fmt.Sprintf("buy %d.5 %s %d.37 USD fee=1 tax=0.11", n, sym, 100*n), fmt.Sprintf("buy %d %s %d.01 USD", n, sym, 90*n),
			fmt.Sprintf("sell %d.25 %s %d.53 USD fee=1 tax=0.07", n, sym, 110*n), fmt.Sprintf("sell %d %s %d USD", n, sym, 95*n),
			fmt.Sprintf("dividend %s %d USD tax=1 fee=0.5", sym, n), fmt.Sprintf("reinvested_dividend 0.%d %s %d USD tax=1", n, sym, 3+n),
			fmt.Sprintf("%s %s ratio=3:2", "split", sym), fmt.Sprintf("reverse_split %s ratio=1:3", sym),
			fmt.Sprintf("spin_off 0.%d %s tosymbol=KIDS part=0.1234567", n, sym), fmt.Sprintf("merger %s %d USD tosymbol=NEW ratio=3:7 part=0.07 fee=1", sym, n),
			fmt.Sprintf("return_of_capital %s %d USD", sym, 50*n), fmt.Sprintf("transfer_in %d %s %d USD acquired=2019-05-06", n, sym, 80*n),
			fmt.Sprintf("transfer_out %d.125 %s to=%s", n, sym, pick("b", "c")), fmt.Sprintf("currency_exchange %d USD toamount=%dEUR fee=1", n, n),
			fmt.Sprintf("deposit %d EUR", n), "fee 3 USD", fmt.Sprintf("fee_refund %d.5 USD", n), fmt.Sprintf("tax_refund %s %d USD", sym, n), fmt.Sprintf("merger %s %d USD", sym, 90*n),
		}
		if !plain {
			lines = append(lines, fmt.Sprintf("sell %d %s %d USD short=yes", n, sym, 100*n), fmt.Sprintf("transfer_in %d %s unknown=yes", n, sym),
				fmt.Sprintf("buy %d %s %d EUR", n, sym, 100*n), fmt.Sprintf("spin_off 1 %s tosymbol=KIDS", sym))
		}
		line := fmt.Sprintf("%s %s", day("2024-01-01").AddDate(0, 0, i/2).Format("2006-01-02"), lines[random.IntN(len(lines))])
		tr := transaction(t, fmt.Sprintf("t%d", i), line)
		tr.Account = pick("a", "a", "b", "c")
		l.Transactions = append(l.Transactions, tr)
		if lots.Check(l) != nil {
			l.Transactions = l.Transactions[:len(l.Transactions)-1]
		}
	}
	return l
}

// allPostings formats all results of a ledger.
func allPostings(b *lots.Engine) []string {
	return append(append(append(lotsOf(b), disposalsOf(b)...), postingsOf(b)...), cashOf(b)...)
}

func forRandomLedgers(t *testing.T, plain bool, check func(t *testing.T, l portfolio.Ledger, random *rand.Rand)) {
	t.Helper()
	for seed := range uint64(40) {
		t.Run(fmt.Sprintf("seed%d", seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 7))
			check(t, randomLedger(t, random, plain), random)
		})
	}
}

func TestEngine_OrderOfEntryDoesNotMatter(t *testing.T) {
	forRandomLedgers(t, false, func(t *testing.T, l portfolio.Ledger, random *rand.Rand) {
		want := allPostings(replayAll(t, l))
		random.Shuffle(len(l.Transactions), func(i, j int) {
			l.Transactions[i], l.Transactions[j] = l.Transactions[j], l.Transactions[i]
		})
		if diff := cmp.Diff(want, allPostings(replayAll(t, l))); diff != "" {
			t.Errorf("postings of shuffled transactions, -want +got:\n%s", diff)
		}
	})
}

func TestEngine_DayByDayIsTheSameAsAtOnce(t *testing.T) {
	forRandomLedgers(t, false, func(t *testing.T, l portfolio.Ledger, _ *rand.Rand) {
		engine := openEngine(t, l)
		for _, d := range engine.Days() {
			if err := engine.Advance(d); err != nil {
				t.Fatal(err)
			}
			checkBalanced(t, l, engine)
		}
		if diff := cmp.Diff(allPostings(replayAll(t, l)), allPostings(engine)); diff != "" {
			t.Errorf("postings of an engine read on each day, -at once +day by day:\n%s", diff)
		}
	})
}

// checkBalanced checks that postings add up to what is held, exactly.
func checkBalanced(t testing.TB, l portfolio.Ledger, engine *lots.Engine) {
	t.Helper()
	sums := map[string]decimal.Decimal{}
	for _, p := range engine.Postings() {
		if p.Currency != "" {
			sums[p.Account+" "+p.Currency] = sums[p.Account+" "+p.Currency].Add(p.Amount)
			continue
		}
		key := p.Account + "/" + string(p.Symbol)
		sums[key] = sums[key].Add(p.Quantity)
	}
	for _, p := range engine.Positions() {
		key, lotSum := p.Account+"/"+string(p.Symbol), decimal.Zero
		for _, lot := range p.Lots {
			lotSum = lotSum.Add(lot.Quantity)
		}
		if !sums[key].Equal(p.Quantity) || !lotSum.Equal(p.Quantity) {
			t.Errorf("%s: postings %s, lots %s, position %s: want the same", key, sums[key], lotSum, p.Quantity)
		}
		delete(sums, key)
	}
	for _, b := range engine.Balances() {
		key := b.Account + " " + b.Currency
		if !sums[key].Equal(b.Amount) {
			t.Errorf("%s: postings %s, balance %s: want the same", key, sums[key], b.Amount)
		}
		delete(sums, key)
	}
	for key, sum := range sums {
		if !sum.IsZero() {
			t.Errorf("%s: postings leave %s of what is not held", key, sum)
		}
	}
}

// What was paid for lots is in the lots, was set against proceeds, or was paid back.
func TestEngine_NoCostIsLostOrMade(t *testing.T) {
	forRandomLedgers(t, true, func(t *testing.T, l portfolio.Ledger, _ *rand.Rand) {
		engine := replayAll(t, l)
		var in, out decimal.Decimal
		for _, tr := range l.Transactions {
			switch tr.Kind {
			case portfolio.KindBuy:
				in = in.Add(tr.Amount).Add(tr.Fee).Add(tr.Tax)
			case portfolio.KindReinvest:
				in = in.Add(tr.Amount).Sub(tr.Tax)
			case portfolio.KindTransferIn:
				in = in.Add(tr.Amount)
			case portfolio.KindReturnOfCapital:
				out = out.Add(tr.Amount)
			}
		}
		for _, d := range engine.Disposals() {
			out = out.Add(d.Cost.Decimal)
			if d.Kind == portfolio.KindReturnOfCapital {
				out = out.Sub(d.Proceeds) // the part that lowered no cost
			}
		}
		for _, p := range engine.Positions() {
			out = out.Add(p.Cost.Decimal)
		}
		if !in.Equal(out) {
			t.Errorf("costs in %s, costs out and left %s: difference %s, want none", in, out, in.Sub(out))
		}
	})
}

func TestEngine_ProceedsOfASaleAreThoseOfItsParts(t *testing.T) {
	forRandomLedgers(t, true, func(t *testing.T, l portfolio.Ledger, _ *rand.Rand) {
		sums := map[string]decimal.Decimal{}
		for _, d := range replayAll(t, l).Disposals() {
			sums[d.Transaction] = sums[d.Transaction].Add(d.Proceeds)
		}
		for _, tr := range l.Transactions {
			if tr.Kind == portfolio.KindSell || tr.Kind == portfolio.KindMerger {
				if want := tr.Amount.Sub(tr.Fee); !sums[tr.ID].Equal(want) {
					t.Errorf("%s: proceeds of all parts %s, want %s", tr.Describe(), sums[tr.ID], want)
				}
			}
		}
	})
}

// Entering a purchase as two halves on the same day changes no total beyond the 12th decimal, to
// which parts are rounded.
func TestEngine_PurchaseInTwoHalvesIsTheSame(t *testing.T) {
	forRandomLedgers(t, true, func(t *testing.T, l portfolio.Ledger, _ *rand.Rand) {
		halved := l
		halved.Transactions = nil
		half := decimal.New(5, -1)
		for _, tr := range l.Transactions {
			if tr.Kind == portfolio.KindBuy {
				tr.Quantity, tr.Amount, tr.Fee, tr.Tax = tr.Quantity.Mul(half), tr.Amount.Mul(half), tr.Fee.Mul(half), tr.Tax.Mul(half)
				other := tr
				other.ID += "x"
				halved.Transactions = append(halved.Transactions, other)
			}
			halved.Transactions = append(halved.Transactions, tr)
		}
		if diff := cmp.Diff(totals(replayAll(t, l)), totals(replayAll(t, halved))); diff != "" {
			t.Errorf("positions of whole purchases and of halves, -whole +halves:\n%s", diff)
		}
	})
}

func totals(b *lots.Engine) []string {
	var lines []string
	for _, p := range b.Positions() {
		lines = append(lines, fmt.Sprintf("%s %s %s for %s", p.Account, p.Symbol, p.Quantity, p.Cost.Decimal.Round(8)))
	}
	return append(lines, cashOf(b)...)
}
