package tax_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

func TestFind_ListsWhatItKnows(t *testing.T) {
	for _, name := range []string{"us", " US ", "none"} {
		if j, err := tax.FindJurisdiction(name); err != nil || !strings.EqualFold(j.Name, strings.TrimSpace(name)) {
			t.Errorf("Find(%q) = %q, %v; want it", name, j.Name, err)
		}
	}
	_, err := tax.FindJurisdiction("atlantis")
	if !errors.Is(err, tax.ErrUnknownJurisdiction) || !strings.Contains(err.Error(), "us, none") {
		t.Errorf("Find(atlantis) = %v, want ErrUnknownJurisdiction with the names", err)
	}
}

// Pub. 550, Holding Period: long-term is more than one year, counted from the day after the
// purchase. Rev. Rul. 66-7: shares acquired on the last day of a month have been held for a year at
// the end of that month's last day.
func TestTerm_IsLongAfterTheSameDayOfTheNextYear(t *testing.T) {
	for _, tc := range []struct {
		name, acquired, sold string
		want                 tax.Term
	}{
		{"a year to the day", "2023-03-01", "2024-03-01", tax.TermShort},
		{"a year and a day", "2023-03-01", "2024-03-02", tax.TermLong},
		{"the same day", "2023-03-01", "2023-03-01", tax.TermShort},
		{"from a leap day, last of February", "2024-02-29", "2025-02-28", tax.TermShort},
		{"from a leap day, first of March", "2024-02-29", "2025-03-01", tax.TermLong},
		{"before a leap day, short", "2024-02-28", "2025-02-28", tax.TermShort},
		{"before a leap day, long", "2024-02-28", "2025-03-01", tax.TermLong},
		{"into a leap year, last day", "2023-02-28", "2024-02-29", tax.TermShort},
		{"into a leap year, first of March", "2023-02-28", "2024-03-01", tax.TermLong},
		{"end of the year, short", "2022-12-31", "2023-12-31", tax.TermShort},
		{"end of the year, long", "2022-12-31", "2024-01-01", tax.TermLong},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := portfolio.Disposal{Acquired: day(t, tc.acquired), Date: day(t, tc.sold), Quantity: dec("1")}
			if got := us(t).Term(d); got != tc.want {
				t.Errorf("Term(%s to %s) = %q, want %q", tc.acquired, tc.sold, got, tc.want)
			}
			from, ok := us(t).LongTermFrom(d.Acquired)
			if !ok || d.Date.Before(from) != (tc.want == tax.TermShort) {
				t.Errorf("LongFrom(%s) = %v, %v; want it to agree with %q on %s", tc.acquired, from, ok, tc.want, tc.sold)
			}
		})
	}
}

func TestTerm_IsNotGuessed(t *testing.T) {
	unknown := portfolio.Disposal{Date: day(t, "2024-03-02"), Quantity: dec("1")}
	if got := us(t).Term(unknown); got != tax.TermUnknown {
		t.Errorf("Term without a day of purchase = %q, want unknown", got)
	}
	if _, ok := us(t).LongTermFrom(market.Date{}); ok {
		t.Error("LongFrom of no day is known, want it not to be")
	}
	short := portfolio.Disposal{Acquired: day(t, "2020-01-02"), Date: day(t, "2024-03-02"), Quantity: dec("-1")}
	if got := us(t).Term(short); got != tax.TermShort {
		t.Errorf("Term of a short position closed after four years = %q, want short", got)
	}
	none, err := tax.FindJurisdiction("none")
	if err != nil || none.Term(short) != tax.TermNone || (tax.Jurisdiction{}).Term(unknown) != tax.TermNone {
		t.Errorf("terms of no jurisdiction = %q, %v; want none", none.Term(short), err)
	}
}
