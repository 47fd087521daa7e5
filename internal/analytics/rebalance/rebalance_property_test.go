package rebalance_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

// randomRequest returns a random request: some symbols, taxed and untaxed accounts, lots with gains and
// losses, deposits and withdrawals.
func randomRequest(r *rand.Rand, j tax.Jurisdiction) rebalance.Request {
	n := 2 + r.IntN(6)
	req := rebalance.Request{Day: day("2024-06-03"), Jurisdiction: j, Prices: map[market.Symbol]decimal.Decimal{}, Steps: map[market.Symbol]decimal.Decimal{}}
	left := int64(1000)
	for i := range n {
		sym := market.Symbol(fmt.Sprintf("S%d", i))
		req.Prices[sym] = decimal.New(500+r.Int64N(30000), -2)
		weight := r.Int64N(left + 1)
		if i == n-1 && r.IntN(2) == 0 {
			weight = left
		}
		left -= weight
		req.Targets = append(req.Targets, portfolio.Target{Symbol: sym, Weight: decimal.New(weight, -3)})
	}
	for a := range 1 + r.IntN(3) {
		acc := rebalance.Account{Name: fmt.Sprintf("acc%d", a), Untaxed: r.IntN(3) == 0, Cash: decimal.New(r.Int64N(2_000_000), -2)}
		for _, t := range req.Targets {
			if r.IntN(3) == 0 {
				continue
			}
			h := rebalance.Position{Symbol: t.Symbol}
			for k := range 1 + r.IntN(4) {
				q := decimal.NewFromInt(1 + r.Int64N(80))
				cost := q.Mul(req.Prices[t.Symbol]).Mul(decimal.New(50+r.Int64N(100), -2))
				h.Quantity = h.Quantity.Add(q)
				h.Lots = append(h.Lots, rebalance.Lot{ID: fmt.Sprintf("l%d", k), Acquired: day("2024-06-03").AddDate(0, 0, -r.IntN(1500)), Quantity: q, Cost: decimal.NewNullDecimal(cost)})
			}
			acc.Positions = append(acc.Positions, h)
		}
		acc.Flow = decimal.New(r.Int64N(1_000_000)-300_000, -2)
		req.Accounts = append(req.Accounts, acc)
	}
	if r.IntN(2) == 0 {
		req.Fee = rebalance.TradeFee{Fixed: decimal.New(r.Int64N(500), -2), Rate: decimal.New(r.Int64N(30), -4)}
	}
	if r.IntN(2) == 0 {
		req.Band.Absolute = decimal.NewNullDecimal(decimal.New(r.Int64N(100), -3))
	}
	if r.IntN(2) == 0 {
		req.Band.Relative = decimal.NewNullDecimal(decimal.New(r.Int64N(50), -2))
	}
	if r.IntN(3) == 0 {
		req.Aim = rebalance.AimEdge
	}
	if r.IntN(3) == 0 {
		req.MinTrade = decimal.NewFromInt(r.Int64N(500))
	}
	req.OnlyBuy = r.IntN(6) == 0
	req.Rates = rebalance.TaxRates{Short: known("0.37"), Long: known("0.2")}
	return req
}

func fractional(req rebalance.Request) rebalance.Request {
	for _, t := range req.Targets {
		req.Steps[t.Symbol] = dec("0.000001")
	}
	return req
}

// forRandomRequests checks a property for many random requests. It skips those in which an account owes
// more than it has, and fails if too few remain.
func forRandomRequests(t *testing.T, requests int, check func(t *testing.T, seed int, req rebalance.Request, p rebalance.Plan), prepare func(rebalance.Request) rebalance.Request) {
	t.Helper()
	tried := 0
	for seed := range requests {
		req := prepare(randomRequest(rand.New(rand.NewPCG(uint64(seed), 3)), us(t)))
		p, err := req.Plan()
		if err != nil {
			continue
		}
		tried++
		check(t, seed, req, p)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if tried < requests/2 {
		t.Errorf("only %d of %d requests had a plan: the property was hardly tried", tried, requests)
	}
}

func unchanged(r rebalance.Request) rebalance.Request { return r }

func TestPlan_CashAndQuantitiesBalance(t *testing.T) {
	forRandomRequests(t, 600, func(t *testing.T, seed int, req rebalance.Request, p rebalance.Plan) {
		cash, held := map[string]decimal.Decimal{}, map[[2]string]decimal.Decimal{}
		total := decimal.Zero
		for _, a := range req.Accounts {
			cash[a.Name] = a.Cash.Add(a.Flow)
			total = total.Add(cash[a.Name])
			for _, h := range a.Positions {
				held[[2]string{a.Name, string(h.Symbol)}] = h.Quantity
				total = total.Add(h.Quantity.Mul(req.Prices[h.Symbol]))
			}
		}
		for _, tr := range p.Trades {
			at, sum, sign := [2]string{tr.Account, string(tr.Symbol)}, decimal.Zero, decimal.NewFromInt(1)
			if tr.Side == rebalance.Sell {
				sign = sign.Neg()
				gain := decimal.Zero
				for _, l := range tr.Lots {
					sum, gain = sum.Add(l.Quantity), gain.Add(l.Proceeds).Sub(l.Cost.Decimal)
				}
				if !sum.Equal(tr.Quantity) || !gain.Equal(tr.Gain.Decimal) || req.OnlyBuy && len(p.Trades) == 0 {
					t.Errorf("lots of %+v add up to %s with a gain of %s", tr, sum, gain)
				}
			}
			held[at] = held[at].Add(tr.Quantity.Mul(sign))
			cash[tr.Account] = cash[tr.Account].Sub(tr.Value.Mul(sign)).Sub(tr.Fee)
			if held[at].IsNegative() || !tr.Quantity.IsPositive() || req.OnlyBuy && tr.Side == rebalance.Sell {
				t.Errorf("trade %+v leaves %s", tr, held[at])
			}
		}
		sum := p.Fees
		for _, c := range p.Cash {
			if !c.After.Equal(cash[c.Account]) || c.After.IsNegative() {
				t.Errorf("cash of %s = %s, want %s and none to owe", c.Account, c.After, cash[c.Account])
			}
			sum = sum.Add(c.After)
		}
		for at, q := range held {
			sum = sum.Add(q.Mul(req.Prices[market.Symbol(at[1])]))
		}
		values := decimal.Zero
		for _, d := range p.Drift {
			values = values.Add(d.ValueAfter)
		}
		if !sum.Equal(total) || !p.Total.Equal(total) || !values.Equal(p.Total.Sub(p.Fees)) {
			t.Errorf("holdings, cash and fees = %s, want %s with no difference; drift adds up to %s of %s", sum, total, values, p.Total.Sub(p.Fees))
		}
	}, unchanged)
}

func TestPlan_ReachesTheTargetsWithFractions(t *testing.T) {
	forRandomRequests(t, 400, func(t *testing.T, seed int, req rebalance.Request, p rebalance.Plan) {
		for _, d := range p.Drift {
			if gap := d.WeightAfter.Sub(d.Target).Abs(); gap.GreaterThan(dec("0.00001")) {
				t.Errorf("%s has %s after, want %s; fees %s of %s, left out %+v", d.Symbol, d.WeightAfter, d.Target, p.Fees, p.Total, p.Skipped)
			}
		}
	}, func(r rebalance.Request) rebalance.Request {
		r.Band, r.OnlyBuy, r.MinTrade, r.Aim, r.Fee.Fixed = rebalance.Band{}, false, decimal.Zero, "", decimal.Zero
		for i := range r.Accounts {
			r.Accounts[i].Flow = r.Accounts[i].Flow.Abs() // no account owes: it could not buy back what it sold
		}
		return fractional(r)
	})
}

func TestPlan_OfItsResultIsEmpty(t *testing.T) {
	for name, prepare := range map[string]func(rebalance.Request) rebalance.Request{"whole": unchanged, "fractional": fractional} {
		t.Run(name, func(t *testing.T) {
			forRandomRequests(t, 400, func(t *testing.T, seed int, req rebalance.Request, p rebalance.Plan) {
				again, err := requestAfter(req, p).Plan()
				if err != nil || len(again.Trades) > 0 {
					t.Errorf("plan of the result = %v, %v; want none after %v\nfees %s\n%+v\n%+v", tradeLines(again), err, tradeLines(p), p.Fees, p.Drift, req)
				}
			}, prepare)
		})
	}
}

func TestPlan_AWiderBandTradesNoMore(t *testing.T) {
	forRandomRequests(t, 400, func(t *testing.T, seed int, req rebalance.Request, p rebalance.Plan) {
		last := p.Sold
		for _, wider := range []string{"0.01", "0.03", "0.1", "1"} {
			req.Band = rebalance.Band{Absolute: known(wider)}
			sold := plan(t, req).Sold
			if sold.GreaterThan(last) {
				t.Errorf("a band of %s sells %s, a narrower one %s; want no more", wider, sold, last)
			}
			last = sold
		}
	}, func(r rebalance.Request) rebalance.Request {
		r.Band, r.Fee, r.MinTrade = rebalance.Band{}, rebalance.TradeFee{}, decimal.Zero
		return fractional(r)
	})
}

func TestPlan_DoesNotDependOnTheOrderOfTheRequest(t *testing.T) {
	forRandomRequests(t, 200, func(t *testing.T, seed int, req rebalance.Request, p rebalance.Plan) {
		r := rand.New(rand.NewPCG(uint64(seed), 9))
		r.Shuffle(len(req.Accounts), func(i, j int) { req.Accounts[i], req.Accounts[j] = req.Accounts[j], req.Accounts[i] })
		r.Shuffle(len(req.Targets), func(i, j int) { req.Targets[i], req.Targets[j] = req.Targets[j], req.Targets[i] })
		for _, a := range req.Accounts {
			r.Shuffle(len(a.Positions), func(i, j int) { a.Positions[i], a.Positions[j] = a.Positions[j], a.Positions[i] })
			for _, h := range a.Positions {
				r.Shuffle(len(h.Lots), func(i, j int) { h.Lots[i], h.Lots[j] = h.Lots[j], h.Lots[i] })
			}
		}
		if diff := cmp.Diff(p, plan(t, req)); diff != "" {
			t.Errorf("plan of the same in another order:\n%s", diff)
		}
	}, unchanged)
}

func BenchmarkPlan(b *testing.B) {
	for _, size := range []struct{ symbols, lots int }{{50, 1000}, {50, 2000}, {50, 4000}, {125, 20}, {250, 20}, {500, 20}} {
		b.Run(fmt.Sprintf("symbols=%d/lots=%d", size.symbols, size.lots), func(b *testing.B) {
			req := large(rand.New(rand.NewPCG(1, 1)), us(b), size.symbols, size.lots)
			for b.Loop() {
				if _, err := req.Plan(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// large returns four accounts with many symbols of many lots each, far from their targets, in whole shares
// and with fees.
func large(r *rand.Rand, j tax.Jurisdiction, symbols, lots int) rebalance.Request {
	req := rebalance.Request{
		Day: day("2024-06-03"), Jurisdiction: j, Prices: map[market.Symbol]decimal.Decimal{},
		Rates: rebalance.TaxRates{Short: known("0.3"), Long: known("0.15")}, Fee: rebalance.TradeFee{Fixed: dec("1"), Rate: dec("0.0005")},
		Accounts: make([]rebalance.Account, 4),
	}
	for s := range symbols {
		sym := market.Symbol(fmt.Sprintf("S%03d", s))
		req.Prices[sym] = decimal.New(1000+r.Int64N(30000), -2)
		req.Targets = append(req.Targets, portfolio.Target{Symbol: sym, Weight: decimal.NewFromInt(1 + r.Int64N(9)).Div(decimal.NewFromInt(int64(10 * symbols)))})
		a := &req.Accounts[s%4]
		a.Name, a.Cash = fmt.Sprint("acc", s%4), dec("10000")
		h := rebalance.Position{Symbol: sym}
		for k := range lots {
			q := decimal.NewFromInt(1 + r.Int64N(20))
			h.Quantity = h.Quantity.Add(q)
			h.Lots = append(h.Lots, rebalance.Lot{ID: fmt.Sprint(k), Acquired: day("2020-01-02").AddDate(0, 0, k%1500), Quantity: q, Cost: decimal.NewNullDecimal(q.Mul(decimal.NewFromInt(10 + r.Int64N(300))))})
		}
		a.Positions = append(a.Positions, h)
	}
	return req
}
