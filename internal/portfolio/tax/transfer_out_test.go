package tax_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

// A transfer is not a purchase, but transferred shares were bought once, and shares moved away are
// no longer held.
func TestAssess_TransfersFromOutsideAndBack(t *testing.T) {
	held := "b1 2023-01-03 buy X 100 5000"
	sold := "s1 2023-06-01 sell X 100 4000 b1=100"
	for _, tc := range []struct {
		name  string
		lines []string
		want  []string
		left  []string
	}{
		{"brought, and bought within the days", []string{held, sold, "t1 2023-08-01 transfer_in X 40 1600 second acquired=2023-06-20"}, []string{"s1<-t1 40 400 brought"}, nil},
		{"the ledger begins with two lots", []string{
			"b1 2023-01-01 transfer_in X 100 5000 acquired=2022-03-01", "t1 2023-01-01 transfer_in X 30 1200 acquired=2022-12-20", "s1 2023-01-15 sell X 100 4000 b1=100",
		}, []string{"s1<-t1 30 300 brought"}, nil},
		{"brought within the days, bought long before", []string{held, sold, "t1 2023-06-10 transfer_in X 40 1600 second acquired=2021-06-20"}, nil, nil},
		{"brought, and nobody knows when it was bought", []string{held, sold, "t1 2023-06-10 transfer_in X 40 1600 second"}, nil, nil},
		{"brought to an account that is not taxed", []string{held, sold, "t1 2023-08-01 transfer_in X 40 1600 ira acquired=2023-06-20"}, []string{"s1<-t1 40 400 brought lost"}, nil},
		{"the rest of what was brought", []string{"t1 2023-06-05 transfer_in X 100 5000 acquired=2023-06-01", "s1 2023-06-10 sell X 60 2400"}, nil, nil},
		{"in the order of purchase, not of coming", []string{
			held, sold, "b2 2023-06-12 buy X 80 3200", "t1 2023-08-01 transfer_in X 40 1600 second acquired=2023-06-05",
		}, []string{"s1<-t1 40 400 brought", "s1<-b2 60 600"}, nil},
		{"split before it came", []string{
			held, "s1 2023-06-01 sell X 50 2000 b1=50", "p1 2023-06-25 split X 2 1", "t1 2023-08-01 transfer_in X 40 800 second acquired=2023-06-20",
		}, []string{"s1<-t1 20 200 brought"}, nil},
		{"gone before the loss", []string{held, "b2 2023-05-20 buy X 10 400", "o1 2023-05-25 transfer_out X 10 outside b2=10", sold}, nil, []string{"o1 b2 10"}},
		{"gone after the loss", []string{held, "b2 2023-05-20 buy X 10 400", sold, "o1 2023-06-02 transfer_out X 10 outside b2=10"}, []string{"s1<-b2 10 100"}, []string{"o1 b2 10"}},
		{"gone long after it was bought", []string{held, "o1 2023-05-25 transfer_out X 10 outside b1=10", "s1 2023-06-01 sell X 90 3600"}, nil, nil},
		{"a part of it gone", []string{held, "b2 2023-05-20 buy X 10 400", "o1 2023-05-25 transfer_out X 4 outside b2=4", sold}, []string{"s1<-b2 6 60"}, []string{"o1 b2 4"}},
		// One purchase, moved to another broker: each broker's file has one transfer.
		{"moved by two transfers and sold there", []string{
			"b1 2023-06-01 buy X 100 5000", "o1 2023-06-05 transfer_out X 100 outside", "t1 2023-06-06 transfer_in X 100 5000 second acquired=2023-06-01", "s1 2023-06-20 sell X 100 4000 second",
		}, nil, nil},
		{"moved by two transfers after the loss", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "s1 2023-06-03 sell X 200 8000 b0=200", "o1 2023-06-05 transfer_out X 100 outside", "t1 2023-06-06 transfer_in X 100 5000 second acquired=2023-06-01",
		}, []string{"s1<-b1 100 1000"}, nil},
		{"moved by two transfers before the loss", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "o1 2023-06-05 transfer_out X 100 outside b1=100", "t1 2023-06-06 transfer_in X 100 5000 second acquired=2023-06-01", "s1 2023-06-20 sell X 200 8000",
		}, []string{"s1<-t1 100 1000 brought"}, nil},
		{"on its way between them at the loss", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "o1 2023-06-05 transfer_out X 100 outside b1=100", "s1 2023-06-06 sell X 200 8000", "t1 2023-06-07 transfer_in X 100 5000 second acquired=2023-06-01",
		}, []string{"s1<-b1 100 1000"}, nil},
		{"a part of it came back", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "o1 2023-06-05 transfer_out X 100 outside b1=100", "t1 2023-06-06 transfer_in X 30 1500 second acquired=2023-06-01", "s1 2023-06-20 sell X 200 8000",
		}, []string{"s1<-t1 30 300 brought"}, []string{"o1 b1 70"}},
		{"moved after a loss, and a loss after that", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "s1 2023-06-03 sell X 60 2400 b0=60", "o1 2023-06-05 transfer_out X 100 outside b1=100",
			"t1 2023-06-06 transfer_in X 100 5000 second acquired=2023-06-01", "s2 2023-06-20 sell X 140 5600 b0=140",
		}, []string{"s1<-b1 60 600", "s2<-t1 40 400 brought"}, nil},
		{"a loss on the way, and one after it", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "o1 2023-06-05 transfer_out X 100 outside b1=100", "s0 2023-06-06 sell X 50 2000 b0=50",
			"t1 2023-06-07 transfer_in X 100 5000 second acquired=2023-06-01", "s1 2023-06-20 sell X 150 6000 b0=150",
		}, []string{"s0<-b1 50 500", "s1<-t1 50 500 brought"}, nil},
		{"more came than had left, after a loss", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 30 1500", "o1 2023-06-02 transfer_out X 30 outside b1=30", "s1 2023-06-03 sell X 200 8000 b0=200", "t1 2023-06-05 transfer_in X 100 5000 second acquired=2023-06-01",
		}, []string{"s1<-b1 30 300", "s1<-t1 70 700 brought"}, nil},
		{"the other broker dates by settlement", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "o1 2023-06-05 transfer_out X 100 outside b1=100", "t1 2023-06-06 transfer_in X 100 5000 second acquired=2023-06-05", "s1 2023-06-20 sell X 200 8000 b0=200",
		}, []string{"s1<-t1 100 1000 brought"}, nil},
		{"dated by settlement, on its way at the loss", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "o1 2023-06-05 transfer_out X 100 outside b1=100", "s1 2023-06-06 sell X 200 8000 b0=200", "t1 2023-06-07 transfer_in X 100 5000 second acquired=2023-06-05",
		}, []string{"s1<-b1 100 1000"}, nil},
		{"dated by settlement, it counts from the day of the trade", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "o1 2023-06-05 transfer_out X 100 outside b1=100", "t1 2023-06-06 transfer_in X 100 5000 second acquired=2023-06-05", "s1 2023-07-02 sell X 200 8000 b0=200",
		}, nil, nil},
		{"acquired too far apart to be the same", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "o1 2023-06-05 transfer_out X 100 outside b1=100", "t1 2023-06-09 transfer_in X 100 5000 second acquired=2023-06-09", "s1 2023-06-20 sell X 200 8000 b0=200",
		}, []string{"s1<-t1 100 1000 brought"}, []string{"o1 b1 100"}},
		{"of two purchases each comes back as itself", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 40 2000", "b2 2023-06-03 buy X 60 3000", "o1 2023-06-05 transfer_out X 100 outside b1=40 b2=60",
			"t2 2023-06-06 transfer_in X 60 3000 second acquired=2023-06-03", "t1 2023-06-07 transfer_in X 40 2000 second acquired=2023-06-01", "s1 2023-07-02 sell X 200 8000 b0=200",
		}, []string{"s1<-t2 60 600 brought"}, nil},
		{"a reverse split on the way", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "o1 2023-06-05 transfer_out X 100 outside b1=100", "p1 2023-06-06 reverse_split X 1 2",
			"t1 2023-06-07 transfer_in X 50 5000 second acquired=2023-06-01", "s1 2023-06-20 sell X 100 8000 b0=100",
		}, []string{"s1<-t1 50 1000 brought"}, nil},
		{"a split on the way, between two losses", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "s1 2023-06-03 sell X 60 2400 b0=60", "o1 2023-06-05 transfer_out X 100 outside b1=100", "p1 2023-06-06 split X 2 1",
			"t1 2023-06-07 transfer_in X 200 5000 second acquired=2023-06-01", "s2 2023-06-20 sell X 280 5600 b0=280",
		}, []string{"s1<-b1 60 600", "s2<-t1 80 400 brought"}, nil},
		{"it came before it left", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "t1 2023-06-04 transfer_in X 100 5000 second acquired=2023-06-01", "s1 2023-06-05 sell X 200 8000 b0=200", "o1 2023-06-06 transfer_out X 100 outside b1=100",
		}, []string{"s1<-t1 100 1000 brought"}, nil},
		{"it came long before it left", []string{
			"b1 2023-06-01 buy X 100 5000", "t1 2023-06-04 transfer_in X 100 5000 second acquired=2023-06-01", "o1 2023-06-12 transfer_out X 100 outside b1=100",
		}, nil, []string{"o1 b1 100"}},
		{"there and back", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "s0 2023-06-02 sell X 30 1200 b0=30", "o1 2023-06-05 transfer_out X 100 outside b1=100", "t1 2023-06-06 transfer_in X 100 5000 second acquired=2023-06-01",
			"o2 2023-06-07 transfer_out X 100 outside second", "t2 2023-06-08 transfer_in X 100 5000 acquired=2023-06-01", "s1 2023-06-20 sell X 170 6800 b0=170",
		}, []string{"s0<-b1 30 300", "s1<-t2 70 700 brought"}, nil},
		{"it came, and left again at once", []string{
			"b0 2023-01-03 buy X 200 10000", "t1 2023-06-05 transfer_in X 100 5000 second acquired=2023-06-01", "o1 2023-06-06 transfer_out X 100 outside second", "s1 2023-06-20 sell X 200 8000 b0=200",
		}, nil, []string{"o1 t1 100"}},
		{"of two that left the nearer one came back", []string{
			"b1 2023-06-01 buy X 100 5000", "o1 2023-06-03 transfer_out X 50 outside b1=50", "t1 2023-06-12 transfer_in X 50 2500 second acquired=2023-06-01", "o2 2023-06-13 transfer_out X 50 outside b1=50",
		}, nil, []string{"o1 b1 50"}},
		{"dated by settlement, before what was bought after it", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "b2 2023-06-03 buy X 100 5000", "o1 2023-06-05 transfer_out X 100 outside b1=100", "t1 2023-06-06 transfer_in X 100 5000 second acquired=2023-06-05", "s1 2023-06-20 sell X 100 4000 b0=100",
		}, []string{"s1<-t1 100 1000 brought"}, nil},
		// Rev. Rul. 56-602 again: t1 is part of the purchase that is sold.
		{"the rest of the purchase is sold", []string{
			"b1 2023-06-01 buy X 100 5000", "o1 2023-06-05 transfer_out X 50 outside b1=50", "t1 2023-06-06 transfer_in X 50 2500 second acquired=2023-06-01", "s1 2023-06-20 sell X 50 2000",
		}, nil, nil},
		{"to another owner in the ledger", []string{
			"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "o1 2023-06-05 transfer_out X 100 outside b1=100", "t1 2023-06-06 transfer_in X 100 5000 spouse acquired=2023-06-01", "s1 2023-06-20 sell X 200 8000 b0=200",
		}, nil, []string{"o1 b1 100"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := assess(t, "2024-12-31", tc.lines...)
			if diff := cmp.Diff(tc.want, washLines(a)); diff != "" {
				t.Errorf("washes (-want +got):\n%s", diff)
			}
			var left []string
			for _, d := range a.TransferredOut {
				left = append(left, d.Transaction+" "+d.Lot+" "+d.Quantity.String())
			}
			if diff := cmp.Diff(tc.left, left); diff != "" {
				t.Errorf("left (-want +got):\n%s", diff)
			}
		})
	}
}

// Shares that left the ledger took their added basis with them, so no remaining position has it.
func TestAssess_WhatLeavesTakesItsAddedCostAlong(t *testing.T) {
	lines := []string{"b1 2023-01-03 buy X 10 1000", "s1 2023-06-01 sell X 10 900", "b2 2023-06-02 buy X 10 900", "o1 2023-08-01 transfer_out X 4 outside"}
	if a := assess(t, "2023-07-31", lines...); len(a.AddedBasis) != 1 || !a.AddedBasis[0].Amount.Equal(dec("100")) {
		t.Errorf("added before = %+v, want 100", a.AddedBasis)
	}
	if a := assess(t, "", lines...); len(a.AddedBasis) != 1 || !a.AddedBasis[0].Amount.Equal(dec("60")) || !a.AddedBasis[0].Quantity.Equal(dec("6")) {
		t.Errorf("added after = %+v, want 60 on the six that are left", a.AddedBasis)
	}
}

// A loss added to the basis stays with the shares in a pair of transfers, as it does in a move between two
// accounts of the ledger: 100 of b1 replace 100 that were sold at a loss of 1,000 after 151 days.
func TestAssess_AnAddedLossMovesWithItsShares(t *testing.T) {
	before := []string{"b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "s1 2023-06-03 sell X 100 4000 b0=100"}
	for _, tc := range []struct {
		name  string
		moves []string
		lot   string // the lot it belongs to afterwards
	}{
		{"in the ledger", []string{"o1 2023-06-05 transfer_out X 100 second b1=100"}, "b1"},
		{"by two transfers", []string{"o1 2023-06-05 transfer_out X 100 outside b1=100", "t1 2023-06-06 transfer_in X 100 5000 second acquired=2023-06-01"}, "t1"},
		{"the second dated by settlement", []string{"o1 2023-06-05 transfer_out X 100 outside b1=100", "t1 2023-06-06 transfer_in X 100 5000 second acquired=2023-06-05"}, "t1"},
		{"the second before the first", []string{"t1 2023-06-04 transfer_in X 100 5000 second acquired=2023-06-01", "o1 2023-06-05 transfer_out X 100 outside b1=100"}, "t1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			lines := append(slices.Clone(before), tc.moves...)
			a := assess(t, "", lines...)
			want := []tax.AddedBasis{{Lot: tc.lot, Symbol: "X", Quantity: dec("100"), Amount: dec("1000"), Currency: "USD", HeldFrom: day(t, "2023-01-01")}}
			if diff := cmp.Diff(want, a.AddedBasis, cmp.Comparer(time.Time.Equal)); diff != "" || len(a.TransferredOut) != 0 {
				t.Errorf("left %v, added (-want +got):\n%s", a.TransferredOut, diff)
			}
			a = assess(t, "", append(lines, "s2 2023-08-01 sell X 100 4500 second")...)
			last := a.Sales[len(a.Sales)-1]
			if !last.AddedBasis.Equal(dec("1000")) || !last.HeldFrom.Equal(day(t, "2023-01-01")) || !last.Gain().Decimal.Equal(dec("-1500")) || len(a.AddedBasis) != 0 {
				t.Errorf("sale %+v, added %v; want 1000 added, held from 2023-01-01, 1500 lost, and nothing added elsewhere", last, a.AddedBasis)
			}
		})
	}
}

// 1,000 were added to 100 shares. 40 of them are moved, with 400.
func TestAssess_APartThatMovesTakesItsPartOfAnAddedLoss(t *testing.T) {
	a := assess(t, "", "b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "s1 2023-06-03 sell X 100 4000 b0=100",
		"o1 2023-06-05 transfer_out X 40 outside b1=40", "t1 2023-06-06 transfer_in X 40 2000 second acquired=2023-06-01")
	var got []string
	for _, x := range a.AddedBasis {
		got = append(got, x.Lot+" "+x.Quantity.String()+" "+x.Amount.String())
	}
	if diff := cmp.Diff([]string{"b1 60 600", "t1 40 400"}, got); diff != "" {
		t.Errorf("added (-want +got):\n%s", diff)
	}
}

// The first broker recorded the 2-for-1 split before the shares reached the second, which recorded it a day
// later: 60 of 100 replacement shares are 120 of 200.
func TestAssess_AnAddedLossMovesAcrossASplitThatTwoBrokersDateApart(t *testing.T) {
	a := assess(t, "", "b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "s1 2023-06-03 sell X 60 2400 b0=60", "o1 2023-06-05 transfer_out X 100 outside b1=100",
		"p1 2023-06-06 split X 2 1", "t1 2023-06-07 transfer_in X 100 5000 second acquired=2023-06-01", "p2 2023-06-08 split X 2 1 second", "s2 2023-08-01 sell X 200 5000 second")
	var got []string
	for _, s := range a.Sales[1:] {
		got = append(got, s.Lot+" "+s.Quantity.String()+" "+s.AddedBasis.String())
	}
	if diff := cmp.Diff([]string{"t1 120 600", "t1 80 0"}, got); diff != "" {
		t.Errorf("sold (-want +got):\n%s", diff)
	}
}

// Shares that were used as a replacement before they moved cannot replace others.
func TestWouldWash_WhatReplacedOthersBeforeItMovedBlocksNothing(t *testing.T) {
	a := assess(t, "", "b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "s1 2023-06-03 sell X 100 4000 b0=100",
		"o1 2023-06-05 transfer_out X 100 outside b1=100", "t1 2023-06-06 transfer_in X 100 5000 second acquired=2023-06-01")
	if o := a.WashSaleOutlook("X", "main", day(t, "2023-06-20")); o.HasReplacements() {
		t.Errorf("purchases %+v, want none", o.Purchases)
	}
}

// A lot held in two accounts is one purchase.
func TestWouldWash_APurchaseInTwoPlacesIsOne(t *testing.T) {
	a := assess(t, "", "b1 2023-06-01 buy X 100 5000", "o1 2023-06-05 transfer_out X 50 outside b1=50", "t1 2023-06-06 transfer_in X 50 2500 second acquired=2023-06-01")
	for _, lot := range []string{"b1", "t1"} {
		if o := a.WashSaleOutlook("X", "main", day(t, "2023-06-20")); len(o.Purchases) != 2 || o.Except(lot).HasReplacements() {
			t.Errorf("purchases %+v, but for %s %+v; want two, and none", o.Purchases, lot, o.Except(lot).Purchases)
		}
	}
}

// Transferred-out shares are listed only for sales that they could replace.
func TestAssess_TransfersOutAreListedForTheSalesTheyMayReplace(t *testing.T) {
	a := assess(t, "", "b0 2023-01-03 buy X 200 10000", "b1 2023-06-01 buy X 100 5000", "o1 2023-06-05 transfer_out X 40 outside b1=40")
	for _, tc := range []struct {
		name, symbol, account, lot, on string
		want                           int
	}{
		{"thirty days later", "X", "main", "b0", "2023-07-01", 1},
		{"thirty-one days later", "X", "main", "b0", "2023-07-02", 0},
		{"thirty days earlier", "X", "second", "", "2023-05-02", 1},
		{"thirty-one days earlier", "X", "second", "", "2023-05-01", 0},
		{"the same purchase", "X", "main", "b1", "2023-06-20", 0},
		{"another security", "Y", "main", "b0", "2023-06-20", 0},
		{"another owner", "X", "spouse", "b0", "2023-06-20", 0},
		{"an account that is not taxed", "X", "ira", "b0", "2023-06-20", 0},
	} {
		if got := a.TransferredOutFor(market.Symbol(tc.symbol), tc.account, tc.lot, day(t, tc.on)); len(got) != tc.want {
			t.Errorf("%s: LeftFor(%s, %s, %s, %s) = %v, want %d", tc.name, tc.symbol, tc.account, tc.lot, tc.on, got, tc.want)
		}
	}
}

func TestWouldWash_SeesWhatATransferBrought(t *testing.T) {
	a := assess(t, "2023-06-30", "b1 2023-01-03 buy X 100 5000", "t1 2023-06-25 transfer_in X 10 450 second acquired=2023-06-20", "b2 2023-06-21 buy X 5 200", "o1 2023-06-22 transfer_out X 5 outside b2=5")
	o := a.WashSaleOutlook("X", "main", day(t, "2023-06-30"))
	want := []tax.Purchase{{Transaction: "t1", Account: "second", Date: day(t, "2023-06-20"), Quantity: dec("10")}}
	if diff := cmp.Diff(want, o.Purchases, cmp.Comparer(time.Time.Equal)); diff != "" || !o.SellFrom.Equal(day(t, "2023-07-21")) {
		t.Errorf("free from %s, purchases (-want +got):\n%s", o.SellFrom.Format(time.DateOnly), diff)
	}
}
