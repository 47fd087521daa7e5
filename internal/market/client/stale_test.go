package client_test

import (
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

func TestAged_IsWhatALaterSessionHasEndedSince(t *testing.T) {
	at := func(text string) time.Time {
		when, err := time.ParseInLocation("2006-01-02 15:04", text, client.NewYork())
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	for _, row := range []struct {
		name, session, now string
		want               bool
	}{
		{"during the session after", "2026-09-23", "2026-09-24 15:59", false},
		{"once that has ended", "2026-09-23", "2026-09-24 16:00", true},
		{"of the day, after its end", "2026-09-24", "2026-09-24 20:00", false},
		{"of Monday, on Wednesday morning", "2026-09-21", "2026-09-23 09:00", true},
		{"of Friday, over a weekend", "2026-09-25", "2026-09-27 12:00", false},
		{"of Friday, on the Tuesday after Labor Day", "2026-09-04", "2026-09-08 15:00", false},
		{"of Wednesday, on Thanksgiving", "2026-11-25", "2026-11-26 17:00", false},
		{"after the half day that follows it", "2026-11-25", "2026-11-27 13:00", true},
		{"past the calendar, over a long weekend", "2031-08-29", "2031-09-02 10:00", false},
		{"past the calendar, a week on", "2031-08-29", "2031-09-05 10:00", true},
	} {
		session, err := time.Parse(time.DateOnly, row.session)
		if err != nil {
			t.Fatal(err)
		}
		p := client.MarkStale(market.Provenance{Flags: []market.Flag{market.FlagDelayed}}, session, at(row.now))
		if got := p.Has(market.FlagStale); got != row.want || !p.Has(market.FlagDelayed) {
			t.Errorf("%s: flags %v, want stale %v beside what was there", row.name, p.Flags, row.want)
		}
	}
}
