package tax_test

import (
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

// 26 CFR 1.1091-2(a) Examples 1 and 2: a share of 100 is sold for 80. Bought again for 90 its basis
// is 110, for 70 it is 90. Both are sold for 120 here.
func TestAssess_TheLossJoinsTheCostOfTheReplacement(t *testing.T) {
	for _, tc := range []struct{ name, again, gain string }{
		{"bought dearer", "90", "10"}, {"bought cheaper", "70", "30"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := assess(t, "", "b1 2013-01-02 buy X 1 100", "s1 2015-01-15 sell X 1 80", "b2 2015-02-01 buy X 1 "+tc.again, "s2 2015-06-01 sell X 1 120")
			first, second := a.Sales[0], a.Sales[1]
			if g := first.Gain(); !g.Valid || !g.Decimal.IsZero() || !first.Disallowed.Equal(dec("20")) {
				t.Errorf("sale at a loss = %v with %s disallowed, want 0 with 20", g, first.Disallowed)
			}
			if g := second.Gain(); !g.Valid || !g.Decimal.Equal(dec(tc.gain)) || !second.AddedBasis.Equal(dec("20")) {
				t.Errorf("sale of the replacement = %v with %s added, want %s with 20", g, second.AddedBasis, tc.gain)
			}
			// Held from 2013-01-02 to 2015-01-15, 743 days, which count.
			if want := day(t, "2015-02-01").AddDate(0, 0, -743); !second.HeldFrom.Equal(want) || second.Term != tax.TermLong {
				t.Errorf("replacement held from %s, %s; want %s, long", second.HeldFrom.Format(time.DateOnly), second.Term, want.Format(time.DateOnly))
			}
			if y := a.Years[0]; !forTerm(y, tax.TermLong).Gain.Equal(dec(tc.gain)) || !yearTotal(y).Disallowed.Equal(dec("20")) || len(a.AddedBasis) != 0 {
				t.Errorf("year = %+v, left in lots %v; want %s gained long, and nothing left", y, a.AddedBasis, tc.gain)
			}
		})
	}
}

// Bought 10 at 100; sold at 80 and 10 bought at 80: 200 are disallowed. These are sold at 70, a
// loss of 300 including the added 200, and 4 are bought again: 300 * 4/10 = 120 are carried over,
// 180 count.
func TestAssess_ALossIsCarriedFromPurchaseToPurchase(t *testing.T) {
	a := assess(t, "2023-12-31",
		"b1 2023-01-03 buy X 10 1000", "s1 2023-03-01 sell X 10 800", "b2 2023-03-02 buy X 10 800",
		"s2 2023-04-03 sell X 10 700", "b3 2023-04-10 buy X 4 280",
	)
	if got, want := washLines(a), "[s1<-b2 10 200 s2<-b3 4 120]"; len(got) != 2 || "["+got[0]+" "+got[1]+"]" != want {
		t.Fatalf("washes = %v, want %s", got, want)
	}
	if total := yearTotal(a.Years[0]); !total.Gain.Equal(dec("-180")) || !total.Disallowed.Equal(dec("320")) {
		t.Errorf("year = %s with %s disallowed, want -180 with 320", total.Gain, total.Disallowed)
	}
	if len(a.AddedBasis) != 1 || a.AddedBasis[0].Lot != "b3" || !a.AddedBasis[0].Amount.Equal(dec("120")) {
		t.Errorf("left in lots = %+v, want 120 in b3", a.AddedBasis)
	}
}

// Six of ten shares bought are replacements. They are sold first, with their added cost and days;
// after a split of 2 for 1 they are twelve of twenty.
func TestAssess_SharesThatReplacedAreALineOfTheirOwn(t *testing.T) {
	a := assess(t, "",
		"b1 2022-01-03 buy X 6 600", "s1 2023-06-01 sell X 6 540", "b2 2023-06-02 buy X 10 900",
		"p1 2023-07-03 split X 2 1 main", "s2 2023-09-01 sell X 16 1600", "s3 2023-09-04 sell X 4 400",
	)
	type line struct{ quantity, cost, added, gain, term string }
	var got []line
	for _, s := range a.Sales[1:] {
		got = append(got, line{s.Quantity.String(), s.Cost.Decimal.String(), s.AddedBasis.String(), s.Gain().Decimal.String(), string(s.Term)})
	}
	want := []line{
		{"12", "540", "60", "600", "long"}, // 1,200 - 540 - 60
		{"4", "180", "0", "220", "short"},
		{"4", "180", "0", "220", "short"},
	}
	if len(got) != len(want) {
		t.Fatalf("sales = %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("sale %d = %v, want %v", i, got[i], want[i])
		}
	}
}

func TestAssess_ALossWashedByAnUntaxedAccountIsLost(t *testing.T) {
	a := assess(t, "", "b1 2023-01-03 buy X 10 1000", "s1 2023-06-01 sell X 10 900", "b2 2023-06-02 buy X 10 900 ira", "s2 2023-09-01 sell X 10 950 ira")
	if !a.Sales[0].PermanentLoss.Equal(dec("100")) || !a.Sales[1].AddedBasis.IsZero() || !a.Sales[1].HeldFrom.Equal(day(t, "2023-06-02")) {
		t.Errorf("lost %s, added %s, held from %s; want 100 lost and the purchase as it was", a.Sales[0].PermanentLoss, a.Sales[1].AddedBasis, a.Sales[1].HeldFrom)
	}
	if len(a.Years) != 2 || a.Years[0].Untaxed || !a.Years[1].Untaxed {
		t.Fatalf("years = %+v, want taxed and untaxed apart", a.Years)
	}
	if taxed, untaxed := yearTotal(a.Years[0]), yearTotal(a.Years[1]); !taxed.Gain.IsZero() || !untaxed.Gain.Equal(dec("50")) {
		t.Errorf("taxed %+v, untaxed %+v; want 0 with 100 lost, and 50", taxed, untaxed)
	}
}

// A replacement that was moved keeps its added cost, because lots keep their IDs.
func TestAssess_AMoveBetweenAccountsKeepsTheAddedCost(t *testing.T) {
	a := assess(t, "",
		"b1 2023-01-03 buy X 10 1000", "s1 2023-06-01 sell X 10 900", "b2 2023-06-02 buy X 10 900",
		"m1 2023-07-03 transfer_out X 10 second", "s2 2023-09-01 sell X 10 1200 second",
	)
	if last := a.Sales[len(a.Sales)-1]; !last.AddedBasis.Equal(dec("100")) || !last.Gain().Decimal.Equal(dec("200")) {
		t.Errorf("sale after the move = %s with %s added, want 200 with 100", last.Gain().Decimal, last.AddedBasis)
	}
}

// Shares that became another symbol are sold as in the ledger; the added basis stays listed.
func TestAssess_AMergerLeavesTheAddedCostListed(t *testing.T) {
	a := assess(t, "",
		"b1 2023-01-03 buy X 10 1000", "s1 2023-06-01 sell X 10 900", "b2 2023-06-02 buy X 10 900",
		"m1 2023-07-03 merger X 1 2 Z", "s2 2023-09-01 sell Z 5 1200",
	)
	if last := a.Sales[len(a.Sales)-1]; last.Symbol != "Z" || !last.AddedBasis.IsZero() || !last.Gain().Decimal.Equal(dec("300")) {
		t.Errorf("sale after the merger = %+v, want 1,200 less 900", last)
	}
	if len(a.AddedBasis) != 1 || a.AddedBasis[0].Lot != "b2" || a.AddedBasis[0].Symbol != "X" || !a.AddedBasis[0].Amount.Equal(dec("100")) {
		t.Errorf("added = %+v, want 100 with b2 of X", a.AddedBasis)
	}
}

// Bought in dollars and replaced in euros: the costs cannot be added, so the gain is unknown.
func TestAssess_AnAddedCostOfAnotherCurrencyIsNotSummed(t *testing.T) {
	a := assess(t, "",
		"b1 2023-01-03 buy X 10 1000", "s1 2023-06-01 sell X 10 900", "b2 2023-06-02 buy X 10 900 second EUR", "s2 2023-09-01 sell X 10 1200 second EUR",
	)
	if last := a.Sales[len(a.Sales)-1]; last.Gain().Valid || !last.AddedBasis.Equal(dec("100")) || last.AddedBasisCurrency != "USD" || yearTotal(a.Years[0]).Unknown != 1 {
		t.Errorf("gain = %v with %s %s added, want it not to be known, with 100 USD", last.Gain(), last.AddedBasis, last.AddedBasisCurrency)
	}
}
