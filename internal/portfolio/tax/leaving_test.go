package tax_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

// A transfer is no purchase, but what it brings was bought once, and what it takes away
// is not held any more.
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
		{"the book begins with two lots", []string{
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
		// One purchase, moved to another broker: the pair is in the files of both.
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
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := assess(t, "2024-12-31", tc.lines...)
			if diff := cmp.Diff(tc.want, told(a)); diff != "" {
				t.Errorf("washes (-want +got):\n%s", diff)
			}
			var left []string
			for _, d := range a.Left {
				left = append(left, d.Transaction+" "+d.Lot+" "+d.Quantity.String())
			}
			if diff := cmp.Diff(tc.left, left); diff != "" {
				t.Errorf("left (-want +got):\n%s", diff)
			}
		})
	}
}

// What left the book took its added cost along: nothing that is held has it.
func TestAssess_WhatLeavesTakesItsAddedCostAlong(t *testing.T) {
	lines := []string{"b1 2023-01-03 buy X 10 1000", "s1 2023-06-01 sell X 10 900", "b2 2023-06-02 buy X 10 900", "o1 2023-08-01 transfer_out X 4 outside"}
	if a := assess(t, "2023-07-31", lines...); len(a.Added) != 1 || !a.Added[0].Amount.Equal(dec("100")) {
		t.Errorf("added before = %+v, want 100", a.Added)
	}
	if a := assess(t, "", lines...); len(a.Added) != 1 || !a.Added[0].Amount.Equal(dec("60")) || !a.Added[0].Quantity.Equal(dec("6")) {
		t.Errorf("added after = %+v, want 60 on the six that are left", a.Added)
	}
}

func TestWouldWash_SeesWhatATransferBrought(t *testing.T) {
	a := assess(t, "2023-06-30", "b1 2023-01-03 buy X 100 5000", "t1 2023-06-25 transfer_in X 10 450 second acquired=2023-06-20", "b2 2023-06-21 buy X 5 200", "o1 2023-06-22 transfer_out X 5 outside b2=5")
	o := a.WouldWash("X", "main", day(t, "2023-06-30"))
	want := []tax.Purchase{{Transaction: "t1", Account: "second", Symbol: "X", Date: day(t, "2023-06-20"), Quantity: dec("10"), Brought: true}}
	if diff := cmp.Diff(want, o.Purchases, cmp.Comparer(time.Time.Equal)); diff != "" || !o.SellFrom.Equal(day(t, "2023-07-21")) {
		t.Errorf("free from %s, purchases (-want +got):\n%s", o.SellFrom.Format(time.DateOnly), diff)
	}
}
