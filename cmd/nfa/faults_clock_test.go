package main

import (
	"os"
	"os/signal"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The clock of a synctest bubble starts in the year 2000. For a home that was created before, the clock is
// set back by more than 25 years; then it is set ahead.
func TestClock_SetBackOrAheadLosesNothing(t *testing.T) {
	// The goroutine that listens for signals runs outside the bubble, forever.
	listened := make(chan os.Signal, 1)
	signal.Notify(listened, os.Interrupt)
	defer signal.Stop(listened)
	r := newPortfolioRun(t)
	r.mustRun("portfolio", "import", "schwab.csv", "--yes")
	r.mustRun("ask", "price of AAPL")
	entries := r.mustRun("portfolio", "list")
	synctest.Test(t, func(t *testing.T) {
		for _, moment := range []struct {
			name string
			wait time.Duration
		}{
			{"set back", 0},
			{"put ahead", 40 * 365 * 24 * time.Hour},
		} {
			time.Sleep(moment.wait)
			r.t = t
			for _, line := range []string{
				"ask --continue price of AAPL", "ask price of MSFT", "sessions list", "portfolio settings", "portfolio list", "watchlist add MSFT --yes", "watchlist", "profile",
				"quote AAPL", "skills list", "tools list", "models list", "version",
			} {
				if code, out, errOut := r.run(strings.Fields(line)...); code != exitOK {
					t.Errorf("%s: nfa %s = %d, %.300s, %.300s", moment.name, line, code, out, errOut)
				}
			}
		}
	})
	r.t = t
	// Meanwhile, transactions with future dates are not read.
	if got := r.mustRun("portfolio", "list"); got != entries {
		t.Errorf("portfolio list = %s\nwant as before\n%s", got, entries)
	}
	list := r.mustRun("sessions", "list")
	if got := strings.Count(list, "offline"); got != 3 {
		t.Errorf("sessions list = %s, want the three", list)
	}
}
