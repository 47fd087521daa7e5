package reference_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

func TestSession_HoursInUTC(t *testing.T) {
	const layout = "2006-01-02 15:04"
	for _, row := range []struct {
		name, mic, day   string
		open, close      string
		breakFrom, until string
	}{
		{name: "New York in winter", mic: "XNYS", day: "2025-01-15", open: "2025-01-15 14:30", close: "2025-01-15 21:00"},
		{name: "New York in summer", mic: "XNYS", day: "2025-07-15", open: "2025-07-15 13:30", close: "2025-07-15 20:00"},
		{name: "between the clock changes of New York and London", mic: "XNYS", day: "2025-03-14", open: "2025-03-14 13:30", close: "2025-03-14 20:00"},
		{name: "London in those weeks", mic: "XLON", day: "2025-03-14", open: "2025-03-14 08:00", close: "2025-03-14 16:30"},
		{name: "New York before the Energy Policy Act", mic: "XNYS", day: "2006-03-20", open: "2006-03-20 14:30", close: "2006-03-20 21:00"},
		{name: "half day in New York", mic: "XNYS", day: "2025-11-28", open: "2025-11-28 14:30", close: "2025-11-28 18:00"},
		{name: "half day in London", mic: "XLON", day: "2025-12-24", open: "2025-12-24 08:00", close: "2025-12-24 12:30"},
		{name: "Xetra", mic: "XETR", day: "2025-07-15", open: "2025-07-15 07:00", close: "2025-07-15 15:30"},
		{name: "Xetra while it traded into the evening", mic: "XETR", day: "2002-07-15", open: "2002-07-15 07:00", close: "2002-07-15 18:00"},
		{name: "Xetra on its last day of the year", mic: "XETR", day: "2025-12-30", open: "2025-12-30 08:00", close: "2025-12-30 13:00"},
		{name: "Lisbon keeps the hours of Paris", mic: "XLIS", day: "2025-07-15", open: "2025-07-15 07:00", close: "2025-07-15 15:30"},
		{name: "Paris", mic: "XPAR", day: "2025-07-15", open: "2025-07-15 07:00", close: "2025-07-15 15:30"},
		{name: "half day in Amsterdam", mic: "XAMS", day: "2025-12-31", open: "2025-12-31 08:00", close: "2025-12-31 13:05"},
		{name: "half day in Toronto", mic: "XTSE", day: "2025-12-24", open: "2025-12-24 14:30", close: "2025-12-24 18:00"},
		{"Tokyo, last day to 15:00", "XTKS", "2024-11-01", "2024-11-01 00:00", "2024-11-01 06:00", "2024-11-01 02:30", "2024-11-01 03:30"},
		{"Tokyo, first day to 15:30", "XTKS", "2024-11-05", "2024-11-05 00:00", "2024-11-05 06:30", "2024-11-05 02:30", "2024-11-05 03:30"},
		{"Tokyo with the long lunch", "XTKS", "2011-11-18", "2011-11-18 00:00", "2011-11-18 06:00", "2011-11-18 02:00", "2011-11-18 03:30"},
		{name: "a morning in Tokyo", mic: "XTKS", day: "2008-12-30", open: "2008-12-30 00:00", close: "2008-12-30 02:00"},
		{"Hong Kong", "XHKG", "2025-07-15", "2025-07-15 01:30", "2025-07-15 08:00", "2025-07-15 04:00", "2025-07-15 05:00"},
		{"Hong Kong with the long lunch", "XHKG", "2010-07-15", "2010-07-15 02:00", "2010-07-15 08:00", "2010-07-15 04:30", "2010-07-15 06:30"},
		{"Hong Kong in the year between", "XHKG", "2011-07-15", "2011-07-15 01:30", "2011-07-15 08:00", "2011-07-15 04:00", "2011-07-15 05:30"},
		{name: "a morning in Hong Kong", mic: "XHKG", day: "2025-12-24", open: "2025-12-24 01:30", close: "2025-12-24 04:00"},
		{name: "Sydney in summer opens the day before in UTC", mic: "XASX", day: "2025-01-15", open: "2025-01-14 23:00", close: "2025-01-15 05:00"},
		{name: "half day in Sydney", mic: "XASX", day: "2025-12-24", open: "2025-12-23 23:00", close: "2025-12-24 03:10"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, err := exchange(t, row.mic).Session(on(t, row.day))
			if err != nil {
				t.Fatalf("Session(%s) = %v", row.day, err)
			}
			got := []string{s.Open.UTC().Format(layout), s.Close.UTC().Format(layout), "", ""}
			for _, b := range s.Breaks {
				got[2], got[3] = b.From.UTC().Format(layout), b.To.UTC().Format(layout)
			}
			if diff := cmp.Diff([]string{row.open, row.close, row.breakFrom, row.until}, got); diff != "" {
				t.Errorf("Session(%s) of %s (-want +got):\n%s", row.day, row.mic, diff)
			}
			if want := s.Close.Add(20 * time.Minute); !s.Settled().Equal(want) {
				t.Errorf("Settled() = %v, want %v", s.Settled(), want)
			}
		})
	}
}

func TestSession_WhatIsNotKnownIsSaid(t *testing.T) {
	e := exchange(t, "XNYS")
	for _, row := range []struct {
		name, day string
		want      error
	}{
		{"holiday", "2025-12-25", reference.ErrNoSession},
		{"Sunday", "2025-12-28", reference.ErrNoSession},
		{"before 2000", "1999-12-31", reference.ErrYearNotCovered},
		{"after 2027", "2028-01-03", reference.ErrYearNotCovered},
	} {
		t.Run(row.name, func(t *testing.T) {
			if s, err := e.Session(on(t, row.day)); !errors.Is(err, row.want) {
				t.Errorf("Session(%s) = %v, %v; want %v", row.day, s, err, row.want)
			}
			_, err := e.IsSession(on(t, row.day))
			if wantErr := errors.Is(row.want, reference.ErrYearNotCovered); (err != nil) != wantErr {
				t.Errorf("IsSession(%s) = %v, want an error: %v", row.day, err, wantErr)
			}
		})
	}
}

func TestSession_TheTimeOfDayOfADateDoesNotMatter(t *testing.T) {
	e := exchange(t, "XTKS")
	evening := time.Date(2025, 7, 15, 23, 59, 0, 0, time.FixedZone("", -8*3600))
	s, err := e.Session(evening)
	if want := on(t, "2025-07-15"); err != nil || !s.Date.Equal(want) {
		t.Errorf("Session(%v) = %v, %v; want that of %v", evening, s.Date, err, want)
	}
}

func TestPhase_OfADay(t *testing.T) {
	for _, row := range []struct {
		mic, at string
		want    market.Phase
	}{
		{"XNYS", "2025-07-15 03:59", market.PhaseClosed},
		{"XNYS", "2025-07-15 04:00", market.PhasePre},
		{"XNYS", "2025-07-15 09:29", market.PhasePre},
		{"XNYS", "2025-07-15 09:30", market.PhaseRegular},
		{"XNYS", "2025-07-15 15:59", market.PhaseRegular},
		{"XNYS", "2025-07-15 16:00", market.PhasePost},
		{"XNYS", "2025-07-15 20:00", market.PhaseClosed},
		{"XNYS", "2025-11-28 13:00", market.PhasePost},
		{"XNYS", "2025-11-28 17:00", market.PhaseClosed},
		{"XNYS", "2025-07-04 12:00", market.PhaseClosed},
		{"XNYS", "2025-07-05 12:00", market.PhaseClosed},
		{"XNYS", "2005-07-15 08:00", market.PhaseClosed}, // extended hours of those years are not known
		{"XTKS", "2025-07-15 11:29", market.PhaseRegular},
		{"XTKS", "2025-07-15 11:30", market.PhaseBreak},
		{"XTKS", "2025-07-15 12:30", market.PhaseRegular},
		{"XHKG", "2025-12-24 12:30", market.PhaseClosed},
		{"XLON", "2025-07-15 07:59", market.PhaseClosed},
		{"XLON", "2025-07-15 16:30", market.PhaseClosed},
		{"XNYS", "1999-12-31 12:00", market.PhaseUnknown},
		{"XNYS", "2028-01-03 12:00", market.PhaseUnknown},
	} {
		e := exchange(t, row.mic)
		if got := e.Phase(clock(t, e, row.at)); got != row.want {
			t.Errorf("Phase of %s at %s = %q, want %q", row.mic, row.at, got, row.want)
		}
	}
}

// The date at the exchange counts, not that of the reader.
func TestPhase_IsByTheClocksOfTheExchange(t *testing.T) {
	sundayInNewYork := time.Date(2025, 7, 13, 20, 30, 0, 0, exchange(t, "XNYS").Location())
	if got := exchange(t, "XTKS").Phase(sundayInNewYork); got != market.PhaseRegular {
		t.Errorf("Phase of Tokyo on Sunday evening in New York = %q, want %q", got, market.PhaseRegular)
	}
}

func TestExchange_IsSafeForConcurrentUse(t *testing.T) {
	alone, err := exchange(t, "XHKG").Count(reference.Covered())
	if err != nil || alone == 0 {
		t.Fatalf("Count of all years = %d, %v", alone, err)
	}
	e := exchange(t, "XHKG")
	var asking sync.WaitGroup
	for range 8 {
		asking.Go(func() {
			if n, err := e.Count(reference.Covered()); err != nil || n != alone {
				t.Errorf("Count of all years = %d, %v; want %d", n, err, alone)
			}
		})
	}
	asking.Wait()
}

func TestExchange_EverySessionIsInOrder(t *testing.T) {
	for _, mic := range reference.CalendarMICs() {
		e := exchange(t, mic)
		days, err := e.Sessions(market.Range{})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range days {
			s, err := e.Session(d)
			if err != nil {
				t.Fatal(err)
			}
			if length := s.Close.Sub(s.Open); length < 2*time.Hour || length > 11*time.Hour {
				t.Errorf("session of %s on %v lasts %v", mic, d, length)
			}
			for _, b := range s.Breaks {
				if !b.From.After(s.Open) || !b.To.After(b.From) || !s.Close.After(b.To) {
					t.Errorf("break of %s on %v = %v, not within the session", mic, d, b)
				}
			}
			if !e.DateOf(s.Close).Equal(d) {
				t.Errorf("DateOf(close of %s on %v) = %v", mic, d, e.DateOf(s.Close))
			}
		}
	}
}
