package tax_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

// randomEngine trades two symbols in three accounts of one owner at random prices, so that about
// half of the sales are at a loss.
func randomEngine(t testing.TB, seed uint64, n, days int) *lots.Engine {
	t.Helper()
	return openEngine(t, randomLedger(seed, n, days))
}

// openEngine returns the engine of a ledger after its last day.
func openEngine(t testing.TB, l portfolio.Ledger) *lots.Engine {
	t.Helper()
	b, err := lots.New(l)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Advance(market.Date{}); err != nil {
		t.Fatal(err)
	}
	return b
}

func randomLedger(seed uint64, n, days int) portfolio.Ledger {
	r := rand.New(rand.NewPCG(seed, 7))
	l := portfolio.Ledger{Accounts: accounts()}
	methods := portfolio.Methods()
	for i := range l.Accounts {
		l.Accounts[i].Method = methods[r.IntN(len(methods)-1)] // sales do not name lots
	}
	held := map[[2]string]int64{}
	first := time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)
	for i := range n {
		at := [2]string{[]string{"main", "second", "ira"}[r.IntN(3)], []string{"X", "Y"}[r.IntN(2)]}
		tr := portfolio.Transaction{ID: fmt.Sprintf("t%06d", i), Kind: portfolio.KindBuy, Account: at[0], Symbol: market.Symbol(at[1]), Currency: "USD"}
		tr.Date = first.AddDate(0, 0, i*days/n)
		tr.Time = tr.Date.Add(time.Duration(i) * time.Millisecond)
		quantity := 1 + r.Int64N(20)
		if held[at] > 0 && r.IntN(2) == 0 {
			tr.Kind, quantity = portfolio.KindSell, 1+r.Int64N(held[at])
			held[at] -= 2 * quantity
		}
		held[at] += quantity
		tr.Quantity = decimal.NewFromInt(quantity)
		tr.Amount = tr.Quantity.Mul(decimal.New(8000+r.Int64N(4000), -2))
		l.Transactions = append(l.Transactions, tr)
	}
	return l
}

// randomTransfers returns a random engine in which every third sale of main is a move to second
// instead, lot by lot, by a pair of transfers a few days apart in either order.
func randomTransfers(t testing.TB, seed uint64, n, days int) *lots.Engine {
	t.Helper()
	l := randomLedger(seed, n, days)
	for i := range l.Transactions {
		if tr := &l.Transactions[i]; tr.Kind == portfolio.KindSell && tr.Account == "main" && i%3 == 0 {
			tr.Kind, tr.Amount, tr.Currency = portfolio.KindTransferOut, decimal.Zero, ""
		}
	}
	r := rand.New(rand.NewPCG(seed, 11))
	for i, d := range openEngine(t, l).TransferredLots() {
		in := portfolio.Transaction{ID: fmt.Sprintf("m%06d", i), Kind: portfolio.KindTransferIn, Account: "second", Symbol: d.Symbol, Currency: "USD", Acquired: d.Acquired, Quantity: d.Quantity}
		in.Amount = d.Quantity.Mul(decimal.New(100, 0))
		if in.Date = d.Date.AddDate(0, 0, r.IntN(9)-3); !in.Date.After(d.Acquired) {
			in.Date = d.Acquired.AddDate(0, 0, 1)
		}
		in.Time = in.Date.Add(12 * time.Hour)
		l.Transactions = append(l.Transactions, in)
	}
	return openEngine(t, l)
}

// Pairs of transfers neither lose nor create anything: every disallowed loss is accounted for, all
// shares came back, and a bought share replaces at most one.
func TestAssess_MovesBetweenBrokersLoseNothing(t *testing.T) {
	moved, brought := 0, 0
	for seed := range uint64(40) {
		engine := randomTransfers(t, seed, 300, 400)
		a := us(t).Assess(engine, accounts(), tax.Options{})
		moved += len(engine.TransferredLots())
		if len(a.TransferredOut) != 0 {
			t.Fatalf("seed %d: %d of %d did not come back", seed, len(a.TransferredOut), len(engine.TransferredLots()))
		}
		open := decimal.Zero
		for _, s := range a.Sales {
			open = open.Add(s.Disallowed).Sub(s.AddedBasis).Sub(s.PermanentLoss)
		}
		for _, x := range a.AddedBasis {
			open = open.Sub(x.Amount)
		}
		if !open.IsZero() {
			t.Fatalf("seed %d: %s of what was disallowed is nowhere", seed, open)
		}
		unused := map[string]decimal.Decimal{}
		of := func(symbol market.Symbol, day market.Date) string { return string(symbol) + day.Format(time.DateOnly) }
		for _, p := range engine.OrderedTransactions() {
			if p.Kind == portfolio.KindBuy {
				unused[of(p.Symbol, p.Date)] = unused[of(p.Symbol, p.Date)].Add(p.Quantity)
			}
		}
		for _, w := range a.WashSales {
			key := of(w.ReplacementSymbol, w.ReplacementDate)
			if unused[key] = unused[key].Sub(w.ReplacementQuantity); unused[key].IsNegative() {
				t.Fatalf("seed %d: more shares bought on %s replaced others than were bought", seed, key)
			}
			if w.Transferred {
				brought++
			}
		}
	}
	if moved < 300 || brought < 50 {
		t.Errorf("%d moves, %d washes by what they brought: the property was hardly tried", moved, brought)
	}
}

// Nothing is lost: the parts of a disposal add up to it, and every disallowed loss was added to a
// cost, is still in a lot, or is permanent.
func TestAssess_EveryDisallowedLossIsSomewhere(t *testing.T) {
	washed := 0
	for seed := range uint64(40) {
		engine := randomEngine(t, seed, 300, 400)
		a := us(t).Assess(engine, accounts(), tax.Options{})
		washed += len(a.WashSales)
		disallowed, settled, byYear := decimal.Zero, decimal.Zero, decimal.Zero
		proceeds, cost, tracked := decimal.Zero, decimal.Zero, decimal.Zero
		for _, s := range a.Sales {
			disallowed, settled = disallowed.Add(s.Disallowed), settled.Add(s.AddedBasis).Add(s.PermanentLoss)
			proceeds, cost = proceeds.Add(s.Proceeds), cost.Add(s.Cost.Decimal)
			if gain := s.EconomicGain().Decimal; s.Disallowed.GreaterThan(decimal.Max(gain.Neg(), decimal.Zero)) || s.Untaxed && s.Disallowed.IsPositive() {
				t.Fatalf("seed %d: %s of a gain of %s disallowed, untaxed %v", seed, s.Disallowed, gain, s.Untaxed)
			}
			tracked = tracked.Add(s.Quantity)
		}
		for _, d := range engine.Disposals() {
			proceeds, cost, tracked = proceeds.Sub(d.Proceeds), cost.Sub(d.Cost.Decimal), tracked.Sub(d.Quantity)
		}
		for _, x := range a.AddedBasis {
			settled = settled.Add(x.Amount)
		}
		for _, y := range a.Years {
			byYear = byYear.Add(yearTotal(y).Disallowed)
		}
		if !proceeds.IsZero() || !cost.IsZero() || !tracked.IsZero() {
			t.Fatalf("seed %d: parts differ from disposals by %s proceeds, %s cost, %s shares; want nothing", seed, proceeds, cost, tracked)
		}
		if !disallowed.Equal(settled) || !disallowed.Equal(byYear) {
			t.Fatalf("seed %d: %s disallowed, %s by year, %s added, held and lost; want the same", seed, disallowed, byYear, settled)
		}
	}
	if washed < 500 {
		t.Errorf("%d washes in all books: the property was hardly tried", washed)
	}
}

// A brute-force check: nothing is matched outside its period or twice, and no purchase after a loss
// stays unused while the loss is deductible.
func TestAssess_MatchesAllThatTheRuleReaches(t *testing.T) {
	for seed := range uint64(40) {
		engine := randomEngine(t, seed, 200, 300)
		a := us(t).Assess(engine, accounts(), tax.Options{})
		used, matched := map[string]decimal.Decimal{}, map[[2]string]decimal.Decimal{}
		for _, w := range a.WashSales {
			if w.Days < -30 || w.Days > 30 || w.Lot == w.Replacement || w.Symbol != w.ReplacementSymbol {
				t.Fatalf("seed %d: wash %+v is not one", seed, w)
			}
			used[w.Replacement] = used[w.Replacement].Add(w.ReplacementQuantity)
			sale := [2]string{w.Sale, w.Lot}
			matched[sale] = matched[sale].Add(w.Quantity)
		}
		sold := map[[2]string]decimal.Decimal{}
		for _, s := range a.Sales {
			if g := s.EconomicGain(); !s.Untaxed && g.Decimal.IsNegative() {
				sale := [2]string{s.Transaction, s.Lot}
				sold[sale] = sold[sale].Add(s.Quantity)
			}
		}
		for _, p := range engine.OrderedTransactions() {
			if p.Kind != portfolio.KindBuy {
				continue
			}
			if used[p.ID].GreaterThan(p.Quantity) {
				t.Fatalf("seed %d: %s of %s shares of %s replaced others", seed, used[p.ID], p.Quantity, p.ID)
			}
			for _, d := range engine.Disposals() {
				sale := [2]string{d.Transaction, d.Lot}
				after := p.Date.Sub(d.Date).Hours() / 24
				if p.Symbol == d.Symbol && after >= 1 && after <= 30 && sold[sale].GreaterThan(matched[sale]) && used[p.ID].LessThan(p.Quantity) {
					t.Fatalf("seed %d: %s of %s is deductible though %s was bought %v days later and not used up", seed, d.Transaction, d.Lot, p.ID, after)
				}
			}
		}
	}
}

func BenchmarkAssess(b *testing.B) {
	for _, n := range []int{25_000, 50_000, 100_000} {
		for _, days := range []int{300, 7000} {
			b.Run(fmt.Sprintf("n=%d/days=%d", n, days), func(b *testing.B) {
				engine := randomEngine(b, 1, n, days)
				for b.Loop() {
					us(b).Assess(engine, accounts(), tax.Options{})
				}
			})
		}
	}
}

// One purchase closes very many short sales of a month; none of them is near another sale.
func TestAssess_ShortLotsClosedAtOnceDoNotReachEachOther(t *testing.T) {
	const n = 5_000
	l := portfolio.Ledger{Accounts: accounts()}
	for i := range n {
		s := read(t, "h 2023-05-20 sell X 1 50 main short")
		s.ID = fmt.Sprintf("h%d", i)
		l.Transactions = append(l.Transactions, s)
	}
	c := read(t, "c 2023-06-01 buy X 1 60")
	c.Quantity, c.Amount = decimal.NewFromInt(n), decimal.NewFromInt(60*n)
	l.Transactions = append(l.Transactions, c)
	engine, err := lots.New(l)
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Advance(c.Date); err != nil {
		t.Fatal(err)
	}
	a := us(t).Assess(engine, accounts(), tax.Options{})
	if len(a.ShortLosses) != n {
		t.Errorf("%d short losses, want %d", len(a.ShortLosses), n)
	}
	for _, s := range a.ShortLosses {
		if len(s.NearbySales) != 0 {
			t.Fatalf("%s: sold again by %v, want none but what opened the position", s.Lot, s.NearbySales)
		}
	}
}

// The table of tax years ties to the disposals of lots: proceeds, cost, tax withheld and gain of each
// year, and thus in sum, for every cost basis method and with tax withheld on sales.
func TestAssess_YearsTieToDisposals(t *testing.T) {
	type total struct{ proceeds, cost, withheld, gain decimal.Decimal }
	withheldIn := 0
	for seed := range uint64(40) {
		l := randomLedger(seed, 300, 1500)
		r := rand.New(rand.NewPCG(seed, 13))
		for i := range l.Transactions {
			if tr := &l.Transactions[i]; tr.Kind == portfolio.KindSell {
				tr.Fee = decimal.New(r.Int64N(300), -2)
				tr.Tax = decimal.New(r.Int64N(2)*r.Int64N(9000), -2)
			}
		}
		engine := openEngine(t, l)
		for _, rules := range []tax.Jurisdiction{us(t), {}} {
			a := rules.Assess(engine, accounts(), tax.Options{})
			want, got := map[int]total{}, map[int]total{}
			for _, d := range engine.Disposals() {
				w := want[d.Date.Year()]
				w.proceeds, w.cost, w.withheld = w.proceeds.Add(d.Proceeds), w.cost.Add(d.Cost.Decimal), w.withheld.Add(d.Withheld)
				w.gain = w.gain.Add(d.Gain().Decimal)
				want[d.Date.Year()] = w
			}
			// Wash sales move losses between years: they are added to costs and taken from gains.
			for _, s := range a.Sales {
				w := want[s.Date.Year()]
				w.cost, w.gain = w.cost.Add(s.AddedBasis), w.gain.Sub(s.AddedBasis).Add(s.Disallowed)
				want[s.Date.Year()] = w
			}
			for _, y := range a.Years {
				for _, s := range y.Terms {
					g := got[y.Year]
					g.proceeds, g.cost, g.withheld, g.gain = g.proceeds.Add(s.Proceeds), g.cost.Add(s.Cost), g.withheld.Add(s.Withheld), g.gain.Add(s.Gain)
					got[y.Year] = g
				}
			}
			if len(got) != len(want) {
				t.Fatalf("seed %d, rules %q: %d years, want %d", seed, rules.Name, len(got), len(want))
			}
			for year, w := range want {
				g := got[year]
				if !g.proceeds.Equal(w.proceeds) || !g.cost.Equal(w.cost) || !g.withheld.Equal(w.withheld) || !g.gain.Equal(w.gain) {
					t.Fatalf("seed %d, rules %q, year %d: proceeds %s, cost %s, withheld %s, gain %s; want %s, %s, %s, %s", seed, rules.Name, year,
						g.proceeds, g.cost, g.withheld, g.gain, w.proceeds, w.cost, w.withheld, w.gain)
				}
				if w.withheld.IsPositive() {
					withheldIn++
				}
			}
		}
	}
	if withheldIn < 100 {
		t.Errorf("tax withheld in %d years only: the property was hardly tried", withheldIn)
	}
}
