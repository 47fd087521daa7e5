package tax_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

// The examples of 26 CFR 1.1091-1(h), of 1.1091-2 and of Pub. 550, with later years in place of those
// before 1955. Purchases are b1, b2, ..., sales s1, s2, ...
func TestAssess_WashesAsThePublishedExamplesDo(t *testing.T) {
	for _, tc := range []struct {
		name  string
		lines []string
		want  []string
	}{
		// 1.1091-1(h) Example 1: bought for 10,000, then for 9,000, the first sold for
		// 9,000 nineteen days after the second purchase: nothing is deductible.
		{"bought before the sale", []string{
			"b1 2014-12-01 buy X 100 10000", "b2 2014-12-15 buy X 100 9000", "s1 2015-01-03 sell X 100 9000",
		}, []string{"s1<-b2 100 1000"}},
		// Example 2: 100 shares of 5,000 sold for 4,000; 50 and 25 were bought within 30
		// days: 75/100 of the loss of 1,000 is not deductible, 250 is.
		{"fewer bought than sold", []string{
			"b1 2014-09-21 buy X 100 5000", "b2 2014-12-21 buy X 50 2750", "b3 2014-12-27 buy X 25 1125", "s1 2015-01-03 sell X 100 4000",
		}, []string{"s1<-b2 50 500", "s1<-b3 25 250"}},
		// Example 3: 50 shares on each of four days after the sale of 100: the first two
		// purchases replace them.
		{"more bought than sold", []string{
			"b1 2015-09-15 buy X 100 5000", "s1 2016-02-01 sell X 100 4000",
			"b2 2016-02-15 buy X 50 2000", "b3 2016-02-16 buy X 50 2000", "b4 2016-02-17 buy X 50 2000", "b5 2016-02-18 buy X 50 2000",
		}, []string{"s1<-b2 50 500", "s1<-b3 50 500"}},
		// Pub. 550, Wash Sales: 100 for 1,000, sold for 750, bought again for 800.
		{"bought after the sale", []string{
			"b1 2023-05-01 buy X 100 1000", "s1 2023-06-01 sell X 100 750", "b2 2023-06-20 buy X 100 800",
		}, []string{"s1<-b2 100 250"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, washLines(assess(t, "", tc.lines...))); diff != "" {
				t.Errorf("washes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAssess_WhatReplacesAndWhatDoesNot(t *testing.T) {
	held := "b1 2023-01-03 buy X 100 5000"
	sold := "s1 2023-06-01 sell X 100 4000"
	for _, tc := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"thirty days after", []string{held, sold, "b2 2023-07-01 buy X 100 4000"}, []string{"s1<-b2 100 1000"}},
		{"thirty-one days after", []string{held, sold, "b2 2023-07-02 buy X 100 4000"}, nil},
		{"thirty days before", []string{held, "b2 2023-05-02 buy X 100 4000", sold}, []string{"s1<-b2 100 1000"}},
		{"thirty-one days before", []string{held, "b2 2023-05-01 buy X 100 4000", sold}, nil},
		{"a dividend reinvested", []string{held, sold, "b2 2023-06-10 reinvested_dividend X 2 80 second"}, []string{"s1<-b2 2 20"}},
		{"another account", []string{held, sold, "b2 2023-06-10 buy X 40 1600 second"}, []string{"s1<-b2 40 400"}},
		{"an account that is not taxed", []string{held, sold, "b2 2023-06-10 buy X 40 1600 ira"}, []string{"s1<-b2 40 400 lost"}},
		{"a spouse of whom nothing was said", []string{held, sold, "b2 2023-06-10 buy X 40 1600 spouse"}, nil},
		{"another security", []string{held, sold, "b2 2023-06-10 buy Y 100 4000"}, nil},
		{"a gain", []string{held, "s1 2023-06-01 sell X 100 6000", "b2 2023-06-10 buy X 100 6000"}, nil},
		{"a loss in an account that is not taxed", []string{"b1 2023-01-03 buy X 100 5000 ira", "s1 2023-06-01 sell X 100 4000 ira", "b2 2023-06-10 buy X 100 4000"}, nil},
		{"a move between accounts", []string{held, "b2 2023-01-03 buy X 50 2500 second", sold, "m1 2023-06-10 transfer_out X 50 main second"}, nil},
		{"the rest of one purchase", []string{"b1 2023-06-01 buy X 100 5000", "s1 2023-06-10 sell X 60 2400"}, nil},
		{"all of two purchases at once", []string{"b1 2023-06-01 buy X 100 5000", "b2 2023-06-05 buy X 100 4500", "s1 2023-06-10 sell X 200 8000"}, nil},
		{"a purchase that is gone before the loss", []string{held, "b2 2023-05-20 buy X 10 400", "s0 2023-05-25 sell X 10 410 b2=10", "s1 2023-06-01 sell X 100 4000"}, nil},
		{"a share replaces one share only", []string{
			held, "b2 2023-01-04 buy X 100 5000", "s1 2023-06-01 sell X 100 4000", "s2 2023-06-02 sell X 100 3000", "b3 2023-06-10 buy X 150 4500",
		}, []string{"s1<-b3 100 1000", "s2<-b3 50 1000"}},
		{"bought to close a short position", []string{
			held, sold, "h1 2023-05-25 sell X 100 4100 second short", "b2 2023-06-10 buy X 130 5200 second",
		}, []string{"s1<-b2 30 300"}},
		{"the parts of a loss add up", []string{
			"b1 2023-01-03 buy X 3 10", sold[:len("s1 2023-06-01 sell X ")] + "3 9", "b2 2023-06-02 buy X 1 3", "b3 2023-06-03 buy X 1 3", "b4 2023-06-04 buy X 1 3",
		}, []string{"s1<-b2 1 0.333333333333", "s1<-b3 1 0.333333333334", "s1<-b4 1 0.333333333333"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := assess(t, "2024-12-31", tc.lines...)
			if diff := cmp.Diff(tc.want, washLines(a)); diff != "" {
				t.Errorf("washes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAssess_CoinsAndOtherOwnersAreOutOfTheRule(t *testing.T) {
	engine := newEngine(t, "b1 2023-01-03 buy X 100 5000", "s1 2023-06-01 sell X 100 4000", "b2 2023-06-10 buy X 30 900 spouse", "b3 2023-06-11 buy X 10 400")
	if diff := cmp.Diff([]string{"s1<-b3 10 100"}, washLines(us(t).Assess(engine, accounts(), tax.Options{}))); diff != "" {
		t.Errorf("washes (-want +got):\n%s", diff)
	}
	if a := us(t).Assess(engine, accounts(), tax.Options{Exempt: map[market.Symbol]bool{"X": true}}); len(a.WashSales) != 0 {
		t.Errorf("washes of a coin = %v, want none", washLines(a))
	}
	if a := (tax.Jurisdiction{}).Assess(engine, accounts(), tax.Options{}); len(a.WashSales) != 0 || len(a.Sales) != 1 {
		t.Errorf("no jurisdiction: %d sales, %d washes; want 1 and none", len(a.Sales), len(a.WashSales))
	}
}

// 100 shares are sold at a loss of 1,000, split 4 for 1 later, and 200 bought
// then: 50 of those sold are replaced.
func TestAssess_RestatesSplitsBetweenSaleAndPurchase(t *testing.T) {
	for _, tc := range []struct {
		name           string
		lines          []string
		sold, bought   string
		wantDisallowed string
	}{
		{"purchase after the split", []string{
			"b1 2023-01-03 buy X 100 5000", "b0 2023-01-03 buy X 8 400 second", "s1 2023-06-01 sell X 100 4000",
			"p1 2023-06-05 split X 4 1 second", "b2 2023-06-10 buy X 200 2000",
		}, "50", "200", "500"},
		{"purchase before, sale after", []string{
			"b1 2023-01-03 buy X 100 5000", "b2 2023-05-25 buy X 10 450", "p1 2023-05-30 split X 4 1 main", "s1 2023-06-01 sell X 400 4000",
		}, "40", "40", "100"},
		{"recorded by two accounts days apart, counted once", []string{
			"b1 2023-01-03 buy X 100 5000", "b0 2023-01-03 buy X 8 400 second", "b9 2023-01-03 buy X 8 400 ira", "s1 2023-06-01 sell X 100 4000",
			"p1 2023-06-05 split X 4 1 second", "p2 2023-06-07 split X 4 1 ira", "b2 2023-06-10 buy X 200 2000",
		}, "50", "200", "500"},
		{"one for ten", []string{
			"b1 2023-01-03 buy X 100 5000", "b0 2023-01-03 buy X 10 400 second", "s1 2023-06-01 sell X 100 4000",
			"p1 2023-06-05 reverse_split X 1 10 second", "b2 2023-06-10 buy X 4 1600 second",
		}, "40", "4", "400"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := assess(t, "", tc.lines...)
			if len(a.WashSales) != 1 {
				t.Fatalf("washes = %v, want one", washLines(a))
			}
			w := a.WashSales[0]
			if !w.Quantity.Equal(dec(tc.sold)) || !w.ReplacementQuantity.Equal(dec(tc.bought)) || !w.Disallowed.Equal(dec(tc.wantDisallowed)) {
				t.Errorf("wash = %s sold, %s bought, %s; want %s, %s, %s", w.Quantity, w.ReplacementQuantity, w.Disallowed, tc.sold, tc.bought, tc.wantDisallowed)
			}
		})
	}
}
