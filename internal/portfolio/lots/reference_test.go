package lots_test

import (
	"cmp"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// reference is a second implementation of cost basis: a position is a list of single shares, each
// with its own cost, and a sale sorts the list and takes the first ones. Everything is exact.
type reference struct {
	method map[string]portfolio.Method // by account
	shares map[string][]share          // by account and symbol
	cash   map[string]*big.Rat         // by account and currency
	sales  []string
}

type share struct {
	bought int // order of purchases
	cost   *big.Rat
}

func (r *reference) pay(account, currency string, amount *big.Rat) {
	key := account + " " + currency
	if r.cash[key] == nil {
		r.cash[key] = new(big.Rat)
	}
	r.cash[key].Add(r.cash[key], amount)
}

// take removes n shares by the account's method.
func (r *reference) take(account, sym string, n int) []share {
	held := r.shares[account+sym]
	switch r.method[account] {
	case portfolio.MethodLIFO:
		slices.SortStableFunc(held, func(a, b share) int { return cmp.Compare(b.bought, a.bought) })
	case portfolio.MethodHighestCost:
		slices.SortStableFunc(held, func(a, b share) int { return cmp.Or(b.cost.Cmp(a.cost), cmp.Compare(a.bought, b.bought)) })
	default:
		slices.SortStableFunc(held, func(a, b share) int { return cmp.Compare(a.bought, b.bought) })
	}
	if r.method[account] == portfolio.MethodAverage {
		average := new(big.Rat).Quo(totalCost(held), big.NewRat(int64(len(held)), 1))
		for i := range held {
			held[i].cost = average
		}
	}
	taken := slices.Clone(held[:n])
	r.shares[account+sym] = slices.Clone(held[n:])
	return taken
}

func totalCost(shares []share) *big.Rat {
	sum := new(big.Rat)
	for _, s := range shares {
		sum.Add(sum, s.cost)
	}
	return sum
}

// C31: the gain of a sale, the tax withheld on it, cost basis and cash of random portfolios agree
// with an independent implementation for four methods.
func TestEngine_AgreesWithAListOfSingleShares(t *testing.T) {
	methods := []portfolio.Method{portfolio.MethodFIFO, portfolio.MethodLIFO, portfolio.MethodHighestCost, portfolio.MethodAverage}
	sales := 0
	for seed := range uint64(30) {
		t.Run(fmt.Sprintf("portfolio %d", seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 25))
			l := ledger(t)
			r := &reference{method: map[string]portfolio.Method{}, shares: map[string][]share{}, cash: map[string]*big.Rat{}}
			for i := range l.Accounts {
				l.Accounts[i].Method, l.Accounts[i].Cash = methods[random.IntN(4)], portfolio.CashMargin
				r.method[l.Accounts[i].Name] = l.Accounts[i].Method
			}
			cents := func(most int) *big.Rat { return big.NewRat(int64(1+random.IntN(most*100)), 100) }
			date := day("2023-01-02")
			for i := range 200 {
				date = date.AddDate(0, 0, random.IntN(3))
				account, sym := []string{"a", "b", "c"}[random.IntN(3)], []string{"XYZ", "ABC"}[random.IntN(2)]
				amount, fee, tax := cents(9000), cents(12), cents(90)
				n, held := 1+random.IntN(9), len(r.shares[account+sym])
				line := ""
				switch pick := random.IntN(12); {
				case pick < 4:
					cost := new(big.Rat).Add(amount, new(big.Rat).Add(fee, tax)) // a duty on a purchase is a cost
					line = fmt.Sprintf("buy %d %s %s USD fee=%s tax=%s", n, sym, amount.FloatString(2), fee.FloatString(2), tax.FloatString(2))
					for range n {
						r.shares[account+sym] = append(r.shares[account+sym], share{i, new(big.Rat).Quo(cost, big.NewRat(int64(n), 1))})
					}
					r.pay(account, "USD", cost.Neg(cost))
				case pick < 8 && held > 0:
					n = 1 + random.IntN(held)
					line = fmt.Sprintf("sell %d %s %s USD fee=%s tax=%s", n, sym, amount.FloatString(2), fee.FloatString(2), tax.FloatString(2))
					proceeds := new(big.Rat).Sub(amount, fee)
					r.sales = append(r.sales, fmt.Sprintf("t%d %d proceeds %s cost %s withheld %s", i, n, proceeds.FloatString(6), totalCost(r.take(account, sym, n)).FloatString(6), tax.FloatString(6)))
					r.pay(account, "USD", new(big.Rat).Sub(proceeds, tax))
				case pick == 8 && held > 0 && r.method[account] != portfolio.MethodAverage: // its shares cost the same, so that rounding chooses
					n = 1 + random.IntN(held)
					to := map[string]string{"a": "b", "b": "c", "c": "a"}[account]
					line = fmt.Sprintf("transfer_out %d %s to=%s", n, sym, to)
					r.shares[to+sym] = append(r.shares[to+sym], r.take(account, sym, n)...)
				case pick == 9 && len(r.shares["a"+sym])+len(r.shares["b"+sym])+len(r.shares["c"+sym]) < 100:
					for _, in := range []string{"a", "b", "c"} {
						held := r.shares[in+sym]
						r.shares[in+sym] = nil
						for _, s := range held {
							third := share{s.bought, new(big.Rat).Quo(s.cost, big.NewRat(3, 1))}
							r.shares[in+sym] = append(r.shares[in+sym], third, third, third)
						}
						if len(held) > 0 {
							tr := transaction(t, fmt.Sprintf("t%d%s", i, in), fmt.Sprintf("%s split %s ratio=3:1", date.Format("2006-01-02"), sym))
							tr.Account = in
							l.Transactions = append(l.Transactions, tr)
						}
					}
				case pick == 10:
					line = fmt.Sprintf("fee %s EUR", fee.FloatString(2)) // a cost in another currency
					r.pay(account, "EUR", new(big.Rat).Neg(fee))
				case pick == 11:
					line = fmt.Sprintf("dividend %s %s USD fee=%s tax=%s", sym, amount.FloatString(2), fee.FloatString(2), tax.FloatString(2))
					r.pay(account, "USD", new(big.Rat).Sub(amount, new(big.Rat).Add(fee, tax)))
				}
				if line == "" {
					continue
				}
				tr := transaction(t, fmt.Sprintf("t%d", i), date.Format("2006-01-02")+" "+line)
				tr.Account = account
				l.Transactions = append(l.Transactions, tr)
				date = date.AddDate(0, 0, 1) // the order within a day is another rule
			}
			sales += len(r.sales)
			r.compare(t, l)
		})
	}
	if sales < 500 {
		t.Errorf("compared %d sales, want at least 500", sales)
	}
}

func (r *reference) compare(t *testing.T, l portfolio.Ledger) {
	t.Helper()
	e := replayAll(t, l)
	type sale struct {
		n                        int64
		proceeds, cost, withheld *big.Rat
	}
	sums := map[string]*sale{}
	for _, d := range e.Disposals() {
		if sums[d.Transaction] == nil {
			sums[d.Transaction] = &sale{0, new(big.Rat), new(big.Rat), new(big.Rat)}
		}
		s := sums[d.Transaction]
		s.n += d.Quantity.IntPart()
		s.proceeds.Add(s.proceeds, d.Proceeds.Rat())
		s.cost.Add(s.cost, d.Cost.Decimal.Rat())
		s.withheld.Add(s.withheld, d.Withheld.Rat())
	}
	for _, want := range r.sales {
		var id string
		_, _ = fmt.Sscan(want, &id)
		s := sums[id]
		if s == nil {
			t.Fatalf("%s: no disposal", want)
		}
		if got := fmt.Sprintf("%s %d proceeds %s cost %s withheld %s", id, s.n, s.proceeds.FloatString(6), s.cost.FloatString(6), s.withheld.FloatString(6)); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	for _, p := range e.Positions() {
		shares := r.shares[p.Account+string(p.Symbol)]
		cost := new(big.Rat)
		for _, lot := range p.Lots {
			cost.Add(cost, lot.Cost.Decimal.Rat())
		}
		if p.Quantity.IntPart() != int64(len(shares)) || cost.FloatString(6) != totalCost(shares).FloatString(6) {
			t.Errorf("%s holds %s %s for %s, want %d for %s", p.Account, p.Quantity, p.Symbol, cost.FloatString(6), len(shares), totalCost(shares).FloatString(6))
		}
	}
	for _, b := range e.Balances() {
		if want := r.cash[b.Account+" "+b.Currency]; want != nil && b.Amount.Rat().Cmp(want) != 0 {
			t.Errorf("%s has %s %s, want %s", b.Account, b.Amount, b.Currency, want.FloatString(2))
		}
	}
}
