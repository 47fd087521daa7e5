package reference_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

func TestExchange_NeighboursOfAMoment(t *testing.T) {
	for _, row := range []struct {
		name, mic, at   string
		completed, next string
	}{
		{"before the opening", "XNYS", "2025-07-15 09:00", "2025-07-14", "2025-07-15"},
		{"within the session", "XNYS", "2025-07-15 12:00", "2025-07-14", "2025-07-16"},
		{"at the close", "XNYS", "2025-07-15 16:00", "2025-07-15", "2025-07-16"},
		{"after the close of a half day", "XNYS", "2025-11-28 13:01", "2025-11-28", "2025-12-01"},
		{"on a long weekend", "XNYS", "2025-01-19 12:00", "2025-01-17", "2025-01-21"},
		{"in the week of 11 September", "XNYS", "2001-09-13 12:00", "2001-09-10", "2001-09-17"},
		{"in Golden Week of ten days", "XTKS", "2019-05-01 12:00", "2019-04-26", "2019-05-07"},
		{"in the lunch break", "XHKG", "2025-07-15 12:30", "2025-07-14", "2025-07-16"},
		{"over the turn of a year", "XETR", "2025-12-31 12:00", "2025-12-30", "2026-01-02"},
	} {
		t.Run(row.name, func(t *testing.T) {
			e := exchange(t, row.mic)
			at := clock(t, e, row.at)
			completed, err1 := e.LastCompleted(at)
			next, err2 := e.NextSession(at)
			if err := errors.Join(err1, err2); err != nil {
				t.Fatal(err)
			}
			got := []string{completed.Date.Format(time.DateOnly), next.Date.Format(time.DateOnly)}
			if diff := cmp.Diff([]string{row.completed, row.next}, got); diff != "" {
				t.Errorf("completed and next at %s (-want +got):\n%s", row.at, diff)
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
	if s, err := e.NextSession(last); !errors.Is(err, reference.ErrYearNotCovered) {
		t.Errorf("NextSession(%v) = %v, %v; want ErrNotCovered", last, s, err)
	}
	if s, err := e.LastCompleted(first); !errors.Is(err, reference.ErrYearNotCovered) {
		t.Errorf("LastCompleted(%v) = %v, %v; want ErrNotCovered", first, s, err)
	}
	if s, err := e.PreviousSession(on(t, "2000-01-03")); !errors.Is(err, reference.ErrYearNotCovered) {
		t.Errorf("PreviousSession(2000-01-03) = %v, %v; want ErrNotCovered", s, err)
	}
	for _, r := range []market.Range{{From: on(t, "1999-12-31")}, {To: on(t, "2028-01-01")}} {
		if days, err := e.Sessions(r); !errors.Is(err, reference.ErrYearNotCovered) || days != nil {
			t.Errorf("Sessions(%v) = %d days, %v; want ErrNotCovered", r, len(days), err)
		}
		if n, err := e.Count(r); !errors.Is(err, reference.ErrYearNotCovered) {
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
