package calendar_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/calendar"
)

func TestExchange_NeighboursOfAMoment(t *testing.T) {
	for _, row := range []struct {
		name, mic, at             string
		completed, next, nextEnds string
	}{
		{"before the opening", "XNYS", "2025-07-15 09:00", "2025-07-14", "2025-07-15", "2025-07-15 16:00"},
		{"within the session", "XNYS", "2025-07-15 12:00", "2025-07-14", "2025-07-16", "2025-07-15 16:00"},
		{"at the close", "XNYS", "2025-07-15 16:00", "2025-07-15", "2025-07-16", "2025-07-16 16:00"},
		{"after the close of a half day", "XNYS", "2025-11-28 13:01", "2025-11-28", "2025-12-01", "2025-12-01 16:00"},
		{"on a long weekend", "XNYS", "2025-01-19 12:00", "2025-01-17", "2025-01-21", "2025-01-21 16:00"},
		{"in the week of 11 September", "XNYS", "2001-09-13 12:00", "2001-09-10", "2001-09-17", "2001-09-17 16:00"},
		{"in Golden Week of ten days", "XTKS", "2019-05-01 12:00", "2019-04-26", "2019-05-07", "2019-05-07 15:00"},
		{"in the lunch break", "XHKG", "2025-07-15 12:30", "2025-07-14", "2025-07-16", "2025-07-15 16:00"},
		{"over the turn of a year", "XETR", "2025-12-31 12:00", "2025-12-30", "2026-01-02", "2026-01-02 17:30"},
	} {
		t.Run(row.name, func(t *testing.T) {
			e := exchange(t, row.mic)
			at := clock(t, e, row.at)
			completed, err1 := e.LastCompleted(at)
			next, err2 := e.NextSession(at)
			ends, err3 := e.NextClose(at)
			if err := errors.Join(err1, err2, err3); err != nil {
				t.Fatal(err)
			}
			got := []string{completed.Date.Format(time.DateOnly), next.Date.Format(time.DateOnly), ends.Format("2006-01-02 15:04")}
			if diff := cmp.Diff([]string{row.completed, row.next, row.nextEnds}, got); diff != "" {
				t.Errorf("completed, next and close at %s (-want +got):\n%s", row.at, diff)
			}
		})
	}
}

func TestExchange_PreviousSessionIsOfAnEarlierDay(t *testing.T) {
	e := exchange(t, "XLON")
	for day, want := range map[string]string{"2022-09-20": "2022-09-16", "2022-09-18": "2022-09-16", "2022-06-06": "2022-06-01"} {
		s, err := e.PreviousSession(on(t, day))
		if err != nil || !s.Date.Equal(on(t, want)) {
			t.Errorf("PreviousSession(%s) = %v, %v; want %s", day, s.Date, err, want)
		}
	}
}

func TestExchange_BeyondTheEdgesNothingIsGuessed(t *testing.T) {
	e := exchange(t, "XNYS")
	last, first := clock(t, e, "2027-12-31 17:00"), clock(t, e, "2000-01-03 10:00")
	if s, err := e.NextSession(last); !errors.Is(err, calendar.ErrNotCovered) {
		t.Errorf("NextSession(%v) = %v, %v; want ErrNotCovered", last, s, err)
	}
	if c, err := e.NextClose(last); !errors.Is(err, calendar.ErrNotCovered) || !c.IsZero() {
		t.Errorf("NextClose(%v) = %v, %v; want ErrNotCovered", last, c, err)
	}
	if s, err := e.LastCompleted(first); !errors.Is(err, calendar.ErrNotCovered) {
		t.Errorf("LastCompleted(%v) = %v, %v; want ErrNotCovered", first, s, err)
	}
	if s, err := e.PreviousSession(on(t, "2000-01-03")); !errors.Is(err, calendar.ErrNotCovered) {
		t.Errorf("PreviousSession(2000-01-03) = %v, %v; want ErrNotCovered", s, err)
	}
	for _, r := range []market.Range{{From: on(t, "1999-12-31")}, {To: on(t, "2028-01-01")}} {
		if days, err := e.Sessions(r); !errors.Is(err, calendar.ErrNotCovered) || days != nil {
			t.Errorf("Sessions(%v) = %d days, %v; want ErrNotCovered", r, len(days), err)
		}
		if n, err := e.Count(r); !errors.Is(err, calendar.ErrNotCovered) {
			t.Errorf("Count(%v) = %d, %v; want ErrNotCovered", r, n, err)
		}
	}
}

func TestExchange_SessionsOfARange(t *testing.T) {
	e := exchange(t, "XNYS")
	days, err := e.Sessions(market.Range{From: on(t, "2025-06-18"), To: on(t, "2025-06-23")})
	if err != nil {
		t.Fatal(err)
	}
	want := []market.Date{on(t, "2025-06-18"), on(t, "2025-06-20"), on(t, "2025-06-23")} // Juneteenth is the 19th
	if diff := cmp.Diff(want, days); diff != "" {
		t.Errorf("Sessions (-want +got):\n%s", diff)
	}
	backwards := market.Range{From: on(t, "2025-06-23"), To: on(t, "2025-06-18")}
	if n, err := e.Count(backwards); err != nil || n != 0 {
		t.Errorf("Count(backwards) = %d, %v; want 0", n, err)
	}
}

func TestMissing_NamesTheSessionsBetweenThatAreNotThere(t *testing.T) {
	e := exchange(t, "XNYS")
	dates := []market.Date{on(t, "2025-06-24"), on(t, "2025-06-17").Add(15 * time.Hour), on(t, "2025-06-20")}
	got, err := e.Missing(dates)
	if diff := cmp.Diff([]market.Date{on(t, "2025-06-18"), on(t, "2025-06-23")}, got); err != nil || diff != "" {
		t.Errorf("Missing = %v (-want +got):\n%s", err, diff)
	}
	if !dates[0].Equal(on(t, "2025-06-24")) {
		t.Errorf("Missing changed the order of its dates: %v", dates)
	}
	if got, err := e.Missing(nil); err != nil || got != nil {
		t.Errorf("Missing(nil) = %v, %v; want none", got, err)
	}
	if _, err := e.Missing([]market.Date{on(t, "1990-01-02")}); !errors.Is(err, calendar.ErrNotCovered) {
		t.Errorf("Missing(1990) = %v, want ErrNotCovered", err)
	}
}

func TestStrays_NamesTheDaysWithoutTrading(t *testing.T) {
	e := exchange(t, "XNYS")
	got, err := e.Strays([]market.Date{on(t, "2025-06-18"), on(t, "2025-06-19"), on(t, "2025-06-21")})
	if diff := cmp.Diff([]market.Date{on(t, "2025-06-19"), on(t, "2025-06-21")}, got); err != nil || diff != "" {
		t.Errorf("Strays = %v (-want +got):\n%s", err, diff)
	}
	if _, err := e.Strays([]market.Date{on(t, "1990-01-02")}); !errors.Is(err, calendar.ErrNotCovered) {
		t.Errorf("Strays(1990) = %v, want ErrNotCovered", err)
	}
}
