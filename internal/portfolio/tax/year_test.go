package tax_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

// 2023: 10 of 20 at 100 sold for 1,300 after two years (+300), 5 at 100 for 450
// after two months (-50). 2024: the other 10 for 900 (-100); 1 of unknown cost for 70;
// in euros 3 for 330 that cost 300.
func TestAssess_YearsAreByTermAndCurrency(t *testing.T) {
	a := assess(t, "2024-12-31",
		"b1 2021-01-04 buy X 20 2000", "b2 2023-01-03 buy Y 5 500", "s1 2023-03-01 sell X 10 1300", "s2 2023-03-02 sell Y 5 450",
		"t1 2020-01-02 transfer_in Z 1 0 unknown", "b3 2023-05-01 buy E 3 300 EUR",
		"s3 2024-02-01 sell X 10 900", "s4 2024-02-02 sell Z 1 70", "s5 2024-02-03 sell E 3 330 EUR",
	)
	if len(a.Years) != 3 {
		t.Fatalf("years = %+v, want 2023, 2024 in euros and 2024 in dollars", a.Years)
	}
	first, euros, dollars := a.Years[0], a.Years[1], a.Years[2]
	if first.Year != 2023 || !forTerm(first, tax.TermLong).Gain.Equal(dec("300")) || !forTerm(first, tax.TermShort).Gain.Equal(dec("-50")) || !yearTotal(first).Gain.Equal(dec("250")) {
		t.Errorf("2023 = %+v, want 300 long and 50 lost short", first)
	}
	if euros.Currency != "EUR" || !forTerm(euros, tax.TermShort).Gain.Equal(dec("30")) || !yearTotal(euros).Proceeds.Equal(dec("330")) {
		t.Errorf("2024 in euros = %+v, want 30 short", euros)
	}
	if yearTotal(dollars).Unknown != 1 || !yearTotal(dollars).Gain.Equal(dec("-100")) || !yearTotal(dollars).Proceeds.Equal(dec("900")) {
		t.Errorf("2024 = %+v, want 100 lost, and 70 of which nothing is known apart", dollars)
	}
	if u := forTerm(dollars, tax.TermUnknown); u.Unknown != 1 {
		t.Errorf("of an unknown term = %+v, want the sale of what was transferred", u)
	}
	if none := forTerm(first, tax.TermUnknown); none.Sales != 0 || !none.Gain.IsZero() {
		t.Errorf("a term that did not occur = %+v, want nothing", none)
	}
}

func TestAssess_WithoutTermsAYearHasOneSum(t *testing.T) {
	none, err := tax.FindJurisdiction("none")
	if err != nil {
		t.Fatal(err)
	}
	a := none.Assess(newEngine(t, "b1 2021-01-04 buy X 20 2000", "s1 2023-03-01 sell X 10 1300", "s2 2023-03-02 sell X 10 900", "b2 2023-03-03 buy X 10 900"), accounts(), tax.Options{})
	if len(a.Years) != 1 || len(a.Years[0].Terms) != 1 || !forTerm(a.Years[0], tax.TermNone).Gain.Equal(dec("200")) || len(a.OpenLosses) != 0 {
		t.Errorf("years = %+v, open %v; want one sum of 200 and no losses open", a.Years, a.OpenLosses)
	}
}

// Sold short for 500 and closed for 600, with a purchase the day after: under rule 1091(e) that does not
// count, so the loss stays and is listed.
func TestAssess_LossesOfShortPositionsAreNamed(t *testing.T) {
	a := assess(t, "", "h1 2023-01-03 sell X 10 500 main short", "c1 2023-02-01 buy X 10 600", "b2 2023-02-02 buy X 10 600")
	if len(a.WashSales) != 0 || len(a.ShortLosses) != 1 || !a.ShortLosses[0].Gain().Decimal.Equal(dec("-100")) || a.Sales[0].Term != tax.TermShort {
		t.Errorf("short losses = %+v, washes %v; want 100 lost, short, and none washed", a.ShortLosses, a.WashSales)
	}
}

// 26 U.S.C. 1091(e): selling the same security, or selling it short again, within thirty days
// before or after the closing. The sale that opened the position does not count.
func TestAssess_ALossOfAShortPositionIsHeldAgainstSalesAroundIt(t *testing.T) {
	short, closed := "h1 2023-05-20 sell X 10 500 main short", "c1 2023-06-01 buy X 10 600"
	for _, tc := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"none", []string{short, closed}, nil},
		{"sold short again", []string{short, closed, "h2 2023-07-01 sell X 5 310 main short"}, []string{"h2"}},
		{"a day too late", []string{short, closed, "h2 2023-07-02 sell X 5 310 main short"}, nil},
		{"sold long in another account", []string{"b1 2023-01-03 buy X 5 250 second", "s1 2023-05-02 sell X 5 310 second", short, closed}, []string{"s1"}},
		{"a day too early", []string{"b1 2023-01-03 buy X 5 250 second", "s1 2023-05-01 sell X 5 310 second", short, closed}, nil},
		{"by a spouse of whom nothing was said", []string{short, closed, "h2 2023-06-02 sell X 5 310 spouse short"}, nil},
		{"another security", []string{short, closed, "h2 2023-06-02 sell Y 5 310 main short"}, nil},
		{"opened by two sales", []string{short, "h2 2023-05-25 sell X 5 250 main short", "c1 2023-06-01 buy X 15 900"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, l := range assess(t, "2024-12-31", tc.lines...).ShortLosses {
				if !l.Until.Equal(day(t, "2023-07-01")) {
					t.Errorf("reached until %s, want 2023-07-01", l.Until.Format("2006-01-02"))
				}
				got = append(got, l.NearbySales...)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("sold again (-want +got):\n%s", diff)
			}
		})
	}
}
