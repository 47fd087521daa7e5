package rebalance_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/market"
)

// Of 1,000, A is 10 above the edge of its band, C is 20 below its own, and cash is 7% with a target of 10
// and an edge of 5: selling 20 of A is enough, and cash stays. Raising cash to its target would sell 30
// more though it is inside its band.
func TestPlan_EdgeWithCashBelowItsTarget(t *testing.T) {
	r := rebalance.Request{
		Day: day("2024-05-06"), Accounts: []rebalance.Account{account("main", "70", "A 360 B 340 C 230")},
		Prices: prices("A 1 B 1 C 1"), Targets: weights("A 0.3 B 0.3 C 0.3"), Aim: rebalance.AimEdge,
	}
	r.Band.Absolute = known("0.05")
	p := plan(t, r)
	if diff := cmp.Diff([]string{"sell main A 20", "buy main C 20"}, tradeLines(p)); diff != "" {
		t.Errorf("trades, -want +got:\n%s\n%+v", diff, p.Skipped)
	}
}

// 2,000 are owed, which takes 20 of A, and 7 more are sold to reach the target: out of one lot of 75 at 40,
// the 27 cost 1,080 and gain 1,620. The rest of the lot keeps the rest of the cost.
func TestPlan_ALotSoldTwiceGivesItsCostOnce(t *testing.T) {
	r := simple()
	r.Accounts[0].Flow, r.Accounts[0].Positions[0].Lots = dec("-2000"), []rebalance.Lot{lot("a1", "2020-01-02", "75", "3000")}
	p := plan(t, r)
	sale := p.Trades[0]
	cost := dec("0")
	for _, l := range sale.Lots {
		cost = cost.Add(l.Cost.Decimal)
	}
	if !sale.Quantity.Equal(dec("27")) || !cost.Equal(dec("1080")) || !sale.Gain.Decimal.Equal(dec("1620")) {
		t.Errorf("sold %s at a cost of %s, gain %s; want 27, 1080 and 1620", sale.Quantity, cost, sale.Gain.Decimal)
	}
}

// A short-term loss of 100, a long-term gain of 60 and a gain of 80 of unknown term, each taxed at a fifth:
// the loss is netted with the 60 and 40 of the 80, so that 40 are taxed.
func TestPlan_ALossIsSetAgainstGainsOnce(t *testing.T) {
	a := account("main", "0", "A 1 B 1 C 1 D 1")
	a.Positions[0].Lots = []rebalance.Lot{lot("a", "2024-05-01", "1", "200")}
	a.Positions[1].Lots = []rebalance.Lot{lot("b", "2020-05-01", "1", "40")}
	a.Positions[2].Lots = []rebalance.Lot{lot("c", "", "1", "20")}
	r := rebalance.Request{
		Day: day("2024-06-03"), Jurisdiction: us(t), Accounts: []rebalance.Account{a}, Targets: weights("A 0 B 0 C 0 D 1"),
		Prices: prices("A 100 B 100 C 100 D 100"), Rates: rebalance.TaxRates{Short: known("0.2"), Long: known("0.2")},
	}
	if p := plan(t, r); !p.Tax.Valid || !p.Tax.Decimal.Equal(dec("8")) {
		t.Errorf("tax = %v, want 8 of gains %+v", p.Tax, p.Gains)
	}
	// The same in an untaxed account: each lot is reported with a tax of zero.
	r.Accounts[0].Untaxed = true
	p := plan(t, r)
	for _, sale := range p.Trades[:3] {
		if !sale.Tax.Valid || !sale.Tax.Decimal.IsZero() || !sale.Lots[0].Tax.Valid || !sale.Lots[0].Tax.Decimal.IsZero() {
			t.Errorf("tax of %s in an untaxed account = %v, of its lot %v; want zero", sale.Symbol, sale.Tax, sale.Lots[0].Tax)
		}
	}
	if len(p.Gains) != 0 || !p.Tax.Decimal.IsZero() {
		t.Errorf("untaxed gains = %+v, tax %v; want none", p.Gains, p.Tax)
	}
}

// B lacks 150 to its edge, and one share of it costs 100; cash is 60 above its target, and C, which is too
// large, is kept because of its loss. A lacks 10 to its target and is inside its band: the 60 are kept for
// B.
func TestPlan_WhatIsOutsideDoesNotLoseItsCashToWhatIsInside(t *testing.T) {
	a := account("main", "160", "A 290 B 1 C 450")
	a.Positions[2].Lots = []rebalance.Lot{lot("c", "2020-05-01", "450", "900")}
	r := rebalance.Request{
		Day: day("2024-06-03"), Jurisdiction: us(t), Accounts: []rebalance.Account{a}, Targets: weights("A 0.3 B 0.3 C 0.3"),
		Prices: prices("A 1 B 100 C 1"), Aim: rebalance.AimEdge, KeepLosses: map[market.Symbol]bool{"C": true},
	}
	r.Band.Absolute = known("0.05")
	if p := plan(t, r); len(p.Trades) != 0 {
		t.Errorf("trades = %v, want none", tradeLines(p))
	}
}
