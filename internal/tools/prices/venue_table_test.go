package prices_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// Symbology and calendar both interpret suffixes independently. They must mean the same exchange.
func TestVenues_CalendarAndSymbologyMeanTheSameExchange(t *testing.T) {
	// The TSX Venture Exchange has the calendar of Toronto.
	follows := map[string]string{"XTSX": "XTSE"}
	// US exchanges have no suffix and share one calendar.
	met := map[string]bool{"XNYS": true, "XNAS": true, "ARCX": true, "BATS": true}
	for suffix := 'A'; suffix <= 'Z'; suffix++ {
		for _, more := range append([]string{"", "WO"}, strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "")...) {
			sym := market.Symbol("ABC." + string(suffix) + more)
			mic, listed := reference.MICOf(sym)
			if !listed {
				continue
			}
			if by, other := follows[mic]; other {
				mic = by
			}
			of := ""
			if e, ok := reference.ExchangeOf(sym); ok {
				of, met[mic] = e.MIC(), true
			} else if l, ok := reference.LocalClockOf(sym); ok {
				of = l.MIC()
			}
			if of != mic {
				t.Errorf("%s is listed at %s and keeps the time of %q", sym, mic, of)
			}
		}
	}
	for _, mic := range reference.CalendarMICs() {
		if !met[mic] {
			t.Errorf("no symbol is listed at %s, which has a calendar", mic)
		}
	}
}
