package tax_test

import (
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

func TestAssess_ALossIsOpenUntilItsDaysAreOver(t *testing.T) {
	lines := []string{"b1 2023-01-03 buy X 100 5000", "b2 2023-05-20 buy X 30 1200 second", "s1 2023-06-01 sell X 100 4000"}
	for _, tc := range []struct {
		asOf string
		open bool
	}{{"2023-06-01", true}, {"2023-07-01", true}, {"2023-07-02", false}} {
		a := assess(t, tc.asOf, lines...)
		if (len(a.OpenLosses) == 1) != tc.open {
			t.Fatalf("on %s open = %+v, want %v", tc.asOf, a.OpenLosses, tc.open)
		}
		free := a.BuyFrom("X", "ira")
		if !tc.open {
			if !free.IsZero() {
				t.Errorf("on %s free to buy from %s, want now", tc.asOf, free.Format(time.DateOnly))
			}
			continue
		}
		// 30 of 100 are replaced; 70 of them lost 700.
		if o := a.OpenLosses[0]; !o.Quantity.Equal(dec("70")) || !o.Loss.Equal(dec("700")) || !o.Until.Equal(day(t, "2023-07-01")) {
			t.Errorf("open = %+v, want 700 of 70 shares until 2023-07-01", o)
		}
		if !free.Equal(day(t, "2023-07-02")) || !a.BuyFrom("X", "spouse").IsZero() || !a.BuyFrom("Y", "main").IsZero() {
			t.Errorf("free to buy from %s, want 2023-07-02, for this owner and symbol only", free.Format(time.DateOnly))
		}
	}
}

func TestAssess_DoesNotLookBeyondItsDay(t *testing.T) {
	lines := []string{"b1 2023-01-03 buy X 100 5000", "s1 2023-06-01 sell X 100 4000", "b2 2023-06-20 buy X 100 4000", "s2 2023-08-01 sell X 100 3000"}
	a := assess(t, "2023-06-10", lines...)
	if len(a.Sales) != 1 || len(a.WashSales) != 0 || len(a.OpenLosses) != 1 {
		t.Errorf("before the purchase: %d sales, washes %v, open %v; want one sale, open", len(a.Sales), washLines(a), a.OpenLosses)
	}
	if a = assess(t, "2023-06-20", lines...); len(a.WashSales) != 1 || len(a.OpenLosses) != 0 {
		t.Errorf("on its day: washes %v, open %v; want the loss washed", washLines(a), a.OpenLosses)
	}
}

func TestWouldWash_NamesPurchasesAndDays(t *testing.T) {
	a := assess(t, "2023-06-30",
		"b1 2023-01-03 buy X 100 5000", "b2 2023-06-05 buy X 20 900 ira", "b3 2023-06-20 buy X 10 450", "b4 2023-06-21 buy X 5 200", "s1 2023-06-22 sell X 5 210 main b4=5",
	)
	o := a.WashSaleOutlook("X", "main", day(t, "2023-06-30"))
	if !o.HasReplacements() || len(o.Purchases) != 2 || o.Purchases[0].Transaction != "b2" || o.Purchases[1].Transaction != "b3" {
		t.Fatalf("purchases = %+v, want b2 and b3: b4 is sold", o.Purchases)
	}
	// b3 of 2023-06-20 is thirty days before 2023-07-20.
	if !o.SellFrom.Equal(day(t, "2023-07-21")) || !o.BuyFrom.Equal(day(t, "2023-07-31")) {
		t.Errorf("free to sell from %s and to buy from %s, want 2023-07-21 and 2023-07-31", o.SellFrom.Format(time.DateOnly), o.BuyFrom.Format(time.DateOnly))
	}
	if later := a.WashSaleOutlook("X", "main", o.SellFrom); later.HasReplacements() || !later.SellFrom.Equal(later.Day) {
		t.Errorf("on the first free day = %+v, want nothing in the way", later)
	}
	if before := a.WashSaleOutlook("X", "main", o.SellFrom.AddDate(0, 0, -1)); len(before.Purchases) != 1 {
		t.Errorf("a day before = %+v, want b3 in the way", before)
	}
	if e := o.Except("b3"); len(e.Purchases) != 1 || !e.SellFrom.Equal(day(t, "2023-07-06")) || len(o.Purchases) != 2 {
		t.Errorf("without b3 = %+v, want b2 alone and free from 2023-07-06", e)
	}
}

func TestWouldWash_NothingWhereTheRuleDoesNotReach(t *testing.T) {
	a := assess(t, "2023-06-30", "b1 2023-01-03 buy X 100 5000", "b3 2023-06-20 buy X 10 450", "b4 2023-06-20 buy X 10 450 ira")
	for name, o := range map[string]tax.Outlook{
		"an untaxed account": a.WashSaleOutlook("X", "ira", day(t, "2023-06-30")),
		"another symbol":     a.WashSaleOutlook("Y", "main", day(t, "2023-06-30")),
		"another owner":      a.WashSaleOutlook("X", "spouse", day(t, "2023-06-30")),
	} {
		if o.HasReplacements() {
			t.Errorf("%s: %+v, want nothing", name, o)
		}
	}
	// A purchase used for an earlier loss is not used again.
	used := assess(t, "2023-06-30", "b1 2023-01-03 buy X 100 5000", "s1 2023-06-10 sell X 10 400", "b3 2023-06-20 buy X 10 450")
	if o := used.WashSaleOutlook("X", "main", day(t, "2023-06-30")); o.HasReplacements() {
		t.Errorf("after it replaced others: %+v, want nothing", o)
	}
}
