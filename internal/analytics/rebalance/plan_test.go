package rebalance_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/market"
)

// 75 A at 100 and 50 B at 50 are 7,500 and 2,500: 75 and 25% of 10,000. At 60 and 40% they are 6,000 and
// 4,000: 15 A are sold and 30 B bought.
func simple() rebalance.Request {
	return rebalance.Request{
		Day: day("2024-06-03"), Prices: prices("A 100 B 50"), Targets: weights("A 0.6 B 0.4"),
		Accounts: []rebalance.Account{account("main", "0", "A 75 B 50")},
	}
}

func TestPlan_BringsThreeQuartersToSixty(t *testing.T) {
	p := plan(t, simple())
	if diff := cmp.Diff([]string{"sell main A 15", "buy main B 30"}, tradeLines(p)); diff != "" {
		t.Fatalf("trades (-want +got):\n%s", diff)
	}
	if a := p.Drift[0]; !a.Drift.Equal(dec("0.15")) || !a.Outside || !a.WeightAfter.Equal(dec("0.6")) || a.OutsideAfter {
		t.Errorf("drift of A = %+v, want 15 points above, then none", a)
	}
	if !p.Turnover.Equal(dec("0.15")) || !p.Sold.Equal(dec("1500")) || !p.Cash[0].After.IsZero() || p.Tax.Valid {
		t.Errorf("turnover %s, sold %s, cash %s, tax %v; want 0.15, 1500, 0 and no tax", p.Turnover, p.Sold, p.Cash[0].After, p.Tax)
	}
}

func TestPlan_CasesWorkedByHand(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*rebalance.Request)
		want   []string
	}{
		// 0.75 is inside 0.6 +- 0.2.
		{"inside its band", func(r *rebalance.Request) { r.Band.Absolute = known("0.2") }, nil},
		// A quarter of 0.6 is 0.15, of 0.4 is 0.1, and B is 0.15 below: outside.
		{"a quarter of the target", func(r *rebalance.Request) { r.Band.Relative = known("0.25") }, []string{"sell main A 15", "buy main B 30"}},
		{"exactly at the edge", func(r *rebalance.Request) { r.Band.Absolute = known("0.15") }, nil},
		{"the smaller band holds", func(r *rebalance.Request) {
			r.Band = rebalance.Band{Absolute: known("0.2"), Relative: known("0.25")}
		}, []string{"sell main A 15", "buy main B 30"}},
		// C35: A should be 6,120 of 10,200, so 15.8 are too many: 16 are nearer than 15, and pay for the
		// missing B.
		{"whole shares, nearest to the targets", func(r *rebalance.Request) { r.Accounts[0] = account("main", "0", "A 77 B 50") }, []string{"sell main A 16", "buy main B 31"}},
		// To 0.65 and 0.35: 10 A for 20 B.
		{"to the edge", func(r *rebalance.Request) { r.Band.Absolute, r.Aim = known("0.05"), rebalance.AimEdge }, []string{"sell main A 10", "buy main B 20"}},
		// 2,500 more make 12,500: 7,500 and 5,000. A is at its target, B lacks 2,500.
		{"new cash is enough", func(r *rebalance.Request) { r.Accounts[0].Flow = dec("2500") }, []string{"buy main B 50"}},
		// 1,000 more make 11,000: 6,600 and 4,400: 9 A are sold, and 1,900 buy 38 B.
		{"new cash is not enough", func(r *rebalance.Request) { r.Accounts[0].Flow = dec("1000") }, []string{"sell main A 9", "buy main B 38"}},
		{"only purchases", func(r *rebalance.Request) { r.Accounts[0].Flow, r.OnlyBuy = dec("1000"), true }, []string{"buy main B 20"}},
		// With 1,000 B is 3,500 of 11,000, which is 0.318: inside 0.4 +- 0.1; A is 0.682,
		// inside 0.6 +- 0.1. Nothing is sold.
		{"cash brings it inside", func(r *rebalance.Request) { r.Accounts[0].Flow, r.Band.Absolute = dec("1000"), known("0.1") }, []string{"buy main B 20"}},
		// 2,000 out of 10,000 leave 8,000: 4,800 and 3,200. 2,700 of A are sold, and 700 of B bought.
		{"cash is taken out", func(r *rebalance.Request) { r.Accounts[0].Flow = dec("-2000") }, []string{"sell main A 27", "buy main B 14"}},
		{"inside its band cash is still raised", func(r *rebalance.Request) { r.Accounts[0].Flow, r.Band.Absolute = dec("-150"), known("0.2") }, []string{"sell main A 2", "buy main B 1"}},
		// A tenth stays cash: 5,000 and 4,000 of 10,000.
		{"cash has a target", func(r *rebalance.Request) { r.Targets = weights("A 0.5 B 0.4") }, []string{"sell main A 25", "buy main B 30"}},
		// 7,500 and 4,500 are 12,000: at 0.6 and 0.4, A is 300 above its target, which is 3 shares, and B
		// 300 below, which is 3.3 shares at 90.
		{"whole shares", func(r *rebalance.Request) { r.Prices = prices("A 100 B 90") }, []string{"sell main A 3", "buy main B 3"}},
		{"all of what has a target of zero", func(r *rebalance.Request) {
			r.Targets = weights("A 0 B 1")
			r.Accounts[0].Positions[0].Quantity = dec("75.5")
		}, []string{"sell main A 75.5", "buy main B 151"}},
		{"left alone", func(r *rebalance.Request) {
			r.Targets, r.Excluded, r.Accounts[0].Cash = weights("B 1"), map[market.Symbol]bool{"A": true}, dec("120")
		}, []string{"buy main B 2"}},
		// 2,000 A and 2,000 B are 4,000 and 2,000 below their targets in 10,000 at 0.6 and 0.4; of 3,000, A
		// gets the first 2,000, after which both are 2,000 below, and then each gets 500.
		{"what is furthest below comes first", func(r *rebalance.Request) {
			r.Targets, r.Accounts[0] = weights("A 0.6 B 0.4 C 0"), account("main", "3000", "A 20 B 40 C 30")
			r.Prices, r.OnlyBuy = prices("A 100 B 50 C 100"), true
		}, []string{"buy main A 25", "buy main B 10"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := simple()
			tc.change(&r)
			p := plan(t, r)
			if diff := cmp.Diff(tc.want, tradeLines(p)); diff != "" {
				t.Errorf("trades (-want +got):\n%s\ndrift %+v", diff, p.Drift)
			}
			if (p.Reason == "") != (len(p.Trades) > 0) {
				t.Errorf("Why = %q with %d trades, want it where there are none", p.Reason, len(p.Trades))
			}
		})
	}
}

// Untaxed 40 A, taxed 35 A and 50 B: the 15 A are sold in the untaxed account, and the proceeds are spent
// there, because cash is not moved between accounts.
func TestPlan_SellsWhereNothingIsTaxed(t *testing.T) {
	r := simple()
	r.Accounts = []rebalance.Account{account("broker", "0", "A 35 B 50"), account("ira", "0", "A 40")}
	r.Accounts[1].Untaxed = true
	if diff := cmp.Diff([]string{"sell ira A 15", "buy ira B 30"}, tradeLines(plan(t, r))); diff != "" {
		t.Errorf("trades (-want +got):\n%s", diff)
	}
	// The untaxed account has 5 A, so 10 more are sold in the taxed one, and each account spends its own
	// cash.
	r.Accounts = []rebalance.Account{account("broker", "0", "A 70 B 50"), account("ira", "0", "A 5")}
	r.Accounts[1].Untaxed = true
	if diff := cmp.Diff([]string{"sell broker A 10", "sell ira A 5", "buy broker B 20", "buy ira B 10"}, tradeLines(plan(t, r))); diff != "" {
		t.Errorf("trades (-want +got):\n%s", diff)
	}
}

// An account that owes cash sells its own positions, though the other has A too.
func TestPlan_AnAccountThatOwesSellsItself(t *testing.T) {
	r := simple()
	r.Accounts = []rebalance.Account{account("one", "-950", "A 40"), account("two", "0", "A 35 B 50")}
	p := plan(t, r)
	for _, c := range p.Cash {
		if c.After.IsNegative() {
			t.Errorf("cash of %s after = %s, want none to owe", c.Account, c.After)
		}
	}
	if first := tradeLines(p)[0]; !strings.HasPrefix(first, "sell one A ") {
		t.Errorf("first trade = %q, want a sale in the account that owes", first)
	}
	r.OnlyBuy = true
	if _, err := r.Plan(); !errors.Is(err, rebalance.ErrNotEnoughCash) || !strings.Contains(err.Error(), "one is short by 950") {
		t.Errorf("only purchases: %v, want ErrCash with the account and the sum", err)
	}
	r.OnlyBuy, r.Accounts[0].Cash = false, dec("-5000")
	if _, err := r.Plan(); !errors.Is(err, rebalance.ErrNotEnoughCash) {
		t.Errorf("owing more than is held: %v, want ErrCash", err)
	}
}

func TestPlan_WhatIsLeftOutIsSaidWithItsReason(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*rebalance.Request)
		want   rebalance.SkippedTrade
		trades int
	}{
		{"a purchase that would wash", func(r *rebalance.Request) { r.BuyFrom = map[market.Symbol]market.Date{"B": day("2024-06-20")} },
			rebalance.SkippedTrade{Symbol: "B", Side: rebalance.Buy, Value: dec("1500"), Reason: rebalance.WashSale, From: day("2024-06-20")}, 1},
		{"only purchases", func(r *rebalance.Request) { r.OnlyBuy = true },
			rebalance.SkippedTrade{Symbol: "A", Side: rebalance.Sell, Value: dec("1500"), Reason: rebalance.PurchasesOnly}, 0},
		{"no cash", func(r *rebalance.Request) { r.OnlyBuy = true },
			rebalance.SkippedTrade{Symbol: "B", Side: rebalance.Buy, Value: dec("1500"), Reason: rebalance.NoCash}, 0},
		{"smaller than the smallest", func(r *rebalance.Request) { r.MinTrade = dec("1501") },
			rebalance.SkippedTrade{Symbol: "A", Side: rebalance.Sell, Value: dec("1500"), Reason: rebalance.TooSmall}, 0},
		{"less than a round lot", func(r *rebalance.Request) { r.Steps = prices("A 100 B 1") },
			rebalance.SkippedTrade{Symbol: "A", Side: rebalance.Sell, Value: dec("1500"), Reason: rebalance.TooSmall}, 0},
		{"a fee larger than the trade", func(r *rebalance.Request) { r.Fee.Fixed = dec("1500") },
			rebalance.SkippedTrade{Symbol: "A", Side: rebalance.Sell, Value: dec("1500"), Reason: rebalance.TooSmall}, 0},
		{"a loss that would be washed", func(r *rebalance.Request) {
			r.KeepLosses = map[market.Symbol]bool{"A": true}
			r.Accounts[0].Positions[0].Lots = []rebalance.Lot{lot("l1", "2024-01-02", "75", "9000")}
		}, rebalance.SkippedTrade{Symbol: "A", Side: rebalance.Sell, Value: dec("1500"), Reason: rebalance.WashSale}, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := simple()
			tc.change(&r)
			p := plan(t, r)
			found := false
			for _, l := range p.Skipped {
				found = found || cmp.Equal(l, tc.want)
			}
			if !found || len(p.Trades) != tc.trades {
				t.Errorf("left out %+v with %d trades; want %+v among them with %d", p.Skipped, len(p.Trades), tc.want, tc.trades)
			}
		})
	}
}

// 1 a trade and 0.1%: of 10,000 at 60 and 40% in steps of a millionth.
func TestPlan_FeesAreTakenOffTheWhole(t *testing.T) {
	r := simple()
	r.Fee = rebalance.TradeFee{Fixed: dec("1"), Rate: dec("0.001")}
	r.Steps = prices("A 0.000001 B 0.000001")
	p := plan(t, r)
	fees := dec("2").Add(p.Sold.Add(p.Bought).Mul(dec("0.001")))
	if !p.Fees.Equal(fees) || !p.Total.Equal(dec("10000")) {
		t.Errorf("fees = %s of sold %s and bought %s, want %s", p.Fees, p.Sold, p.Bought, fees)
	}
	for _, d := range p.Drift[:2] {
		if d.WeightAfter.Sub(d.Target).Abs().GreaterThan(dec("0.0000001")) {
			t.Errorf("weight of %s = %s, want %s", d.Symbol, d.WeightAfter, d.Target)
		}
	}
}

func TestPlan_ImpossibleRequestsAreRefused(t *testing.T) {
	for _, tc := range []struct {
		name, says string
		change     func(*rebalance.Request)
	}{
		{"more than everything", "add up to 1.1", func(r *rebalance.Request) { r.Targets = weights("A 0.6 B 0.5") }},
		{"per cent for a fraction", "write 60%", func(r *rebalance.Request) { r.Targets = weights("A 60 B 40") }},
		{"held without a target", "B in main has no target", func(r *rebalance.Request) { r.Targets = weights("A 0.6") }},
		{"no price", "no price for B", func(r *rebalance.Request) { r.Prices = prices("A 100") }},
		{"a price of nothing", "invalid price 0", func(r *rebalance.Request) { r.Prices = prices("A 100 B 0") }},
		{"two targets", "duplicate target for A", func(r *rebalance.Request) { r.Targets = weights("A 0.3 A 0.3 B 0.4") }},
		{"a short position", "short position", func(r *rebalance.Request) { r.Accounts[0].Positions[0].Quantity = dec("-1") }},
		{"a fee of everything", "invalid fee rate 1", func(r *rebalance.Request) { r.Fee.Rate = dec("1") }},
		{"an absurd number", "too many digits", func(r *rebalance.Request) { r.Accounts[0].Flow = decimal.New(1, 999999) }},
		{"nothing at all", "are worth 0", func(r *rebalance.Request) { r.Accounts = nil }},
		{"the date is missing", "the date is missing", func(r *rebalance.Request) { r.Day = market.Date{} }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := simple()
			tc.change(&r)
			if _, err := r.Plan(); !errors.Is(err, rebalance.ErrInvalidRequest) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("Plan = %v, want ErrInput saying %q", err, tc.says)
			}
		})
	}
}
