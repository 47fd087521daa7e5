package tax_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

// line formats a Sale.
func line(s tax.Sale) string {
	gain := "?"
	if g := s.Gain(); g.Valid {
		gain = g.Decimal.String()
	}
	return s.Transaction + " of " + s.Lot + ": " + s.Quantity.String() + ", added " + s.AddedBasis.String() + ", disallowed " + s.Disallowed.String() +
		", gain " + gain + " " + string(s.Term) + " from " + s.HeldFrom.Format(time.DateOnly)
}

func lines(a *tax.Assessment) []string {
	var out []string
	for _, s := range a.Sales {
		out = append(out, line(s))
	}
	return out
}

func TestAssess_Worked(t *testing.T) {
	for _, tc := range []struct {
		name   string
		lines  []string
		washes []string
		sales  []string
	}{
		{
			// 100 shares lose 1,000. Two were bought with a dividend, 40 by the retirement account,
			// 70 in the account itself: 2 + 40 + 58 = 100, at 10 each. 12 of b4 are not
			// replacements.
			name: "three accounts, a dividend among them",
			lines: []string{
				"b1 2022-01-03 buy X 100 5000", "s1 2023-06-01 sell X 100 4000", "b2 2023-06-05 reinvested_dividend X 2 80 second",
				"b3 2023-06-06 buy X 40 1600 ira", "b4 2023-06-07 buy X 70 2800", "s2 2023-09-01 sell X 70 3500",
			},
			washes: []string{"s1<-b2 2 20", "s1<-b3 40 400 lost", "s1<-b4 58 580"},
			sales: []string{
				"s1 of b1: 100, added 0, disallowed 1000, gain 0 long from 2022-01-03",
				// 3,500 * 58/70 = 2,900 less 2,320 less 580; held 514 days before.
				"s2 of b4: 58, added 580, disallowed 0, gain 0 long from 2022-01-09",
				"s2 of b4: 12, added 0, disallowed 0, gain 120 short from 2023-06-07",
			},
		},
		{
			// Sold after three months at a loss; the replacement was sold nine months and a day
			// later: together more than a year.
			name: "days of two lots make a long one",
			lines: []string{
				"b1 2022-01-03 buy X 10 1000", "s1 2022-04-04 sell X 10 900", "b2 2022-04-20 buy X 10 900", "s2 2023-01-20 sell X 10 1300",
			},
			washes: []string{"s1<-b2 10 100"},
			sales: []string{
				"s1 of b1: 10, added 0, disallowed 100, gain 0 short from 2022-01-03",
				// 91 days before 2022-04-20.
				"s2 of b2: 10, added 100, disallowed 0, gain 300 long from 2022-01-19",
			},
		},
		{
			// Of two lots sold at once one has a taxable gain of 100, and one a loss of 200, of
			// which 5 of 10 shares are replaced.
			name: "a gain and a loss of one sale",
			lines: []string{
				"b1 2021-01-04 buy X 10 500", "b2 2022-01-03 buy X 10 800", "s1 2023-06-01 sell X 20 1200", "b3 2023-06-15 buy X 5 300",
			},
			washes: []string{"s1<-b3 5 100"},
			sales: []string{
				"s1 of b1: 10, added 0, disallowed 0, gain 100 long from 2021-01-04",
				"s1 of b2: 10, added 0, disallowed 100, gain -100 long from 2022-01-03",
			},
		},
		{
			// 4 of the 10 replacement shares are sold with 4/10 of the added basis: 360 - 320 - 40,
			// no loss. 6 remain with 60. There is a day between sale and purchase.
			name: "a part of what replaced",
			lines: []string{
				"b1 2022-01-03 buy X 10 1000", "s1 2023-03-01 sell X 10 900", "b2 2023-03-02 buy X 10 800", "s2 2023-09-01 sell X 4 360", "s3 2023-12-01 sell X 6 600",
			},
			washes: []string{"s1<-b2 10 100"},
			sales: []string{
				"s1 of b1: 10, added 0, disallowed 100, gain 0 long from 2022-01-03",
				"s2 of b2: 4, added 40, disallowed 0, gain 0 long from 2022-01-04",
				"s3 of b2: 6, added 60, disallowed 0, gain 60 long from 2022-01-04",
			},
		},
		{
			// 57 days of b1 count for b2, and these plus 32 of its own for b3: 89 before
			// 2023-04-10.
			name: "the days of three lots",
			lines: []string{
				"b1 2023-01-03 buy X 10 1000", "s1 2023-03-01 sell X 10 800", "b2 2023-03-02 buy X 10 800", "s2 2023-04-03 sell X 10 700",
				"b3 2023-04-10 buy X 10 700", "s3 2023-12-01 sell X 10 1200",
			},
			washes: []string{"s1<-b2 10 200", "s2<-b3 10 300"},
			sales: []string{
				"s1 of b1: 10, added 0, disallowed 200, gain 0 short from 2023-01-03",
				"s2 of b2: 10, added 200, disallowed 300, gain 0 short from 2023-01-04",
				"s3 of b3: 10, added 300, disallowed 0, gain 200 short from 2023-01-11",
			},
		},
		{
			// Of lots sold at once the one bought first is replaced first, in whatever order the
			// sale names them: 5 of 10 shares of b1, which lost 300.
			name: "two losses of one sale",
			lines: []string{
				"b1 2022-01-03 buy X 10 1000", "b2 2022-06-01 buy X 10 900", "s1 2023-06-01 sell X 20 1400 main b2=10 b1=10", "b3 2023-06-10 buy X 5 350",
			},
			washes: []string{"s1<-b3 5 150"},
			sales: []string{
				"s1 of b2: 10, added 0, disallowed 0, gain -200 short from 2022-06-01",
				"s1 of b1: 10, added 0, disallowed 150, gain -150 long from 2022-01-03",
			},
		},
		{
			// A return of capital lowered the cost to 600: selling for 550 loses only 50.
			name: "a loss after capital was paid back",
			lines: []string{
				"b1 2022-01-03 buy X 10 1000", "r1 2022-06-01 return_of_capital X 0 400", "s1 2023-03-01 sell X 10 550", "b2 2023-03-10 buy X 4 220",
			},
			washes: []string{"s1<-b2 4 20"},
			sales:  []string{"s1 of b1: 10, added 0, disallowed 20, gain -30 long from 2022-01-03"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := assess(t, "", tc.lines...)
			if diff := cmp.Diff(tc.washes, washLines(a)); diff != "" {
				t.Errorf("washes, -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(tc.sales, lines(a)); diff != "" {
				t.Errorf("sales, -want +got:\n%s", diff)
			}
		})
	}
}
