package marketdata_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/calendar"
	"github.com/nfa-cli/nfa/internal/market/symbology"
)

// Symbology and calendar each know what suffixes mean, and neither knows the other: here
// they meet, and must mean the same exchange by each.
func TestVenues_CalendarAndSymbologyMeanTheSameExchange(t *testing.T) {
	// The Venture exchange keeps the days and hours of Toronto.
	follows := map[string]string{"XTSX": "XTSE"}
	// Those of the United States have no suffix and one calendar.
	met := map[string]bool{"XNYS": true, "XNAS": true, "ARCX": true, "BATS": true}
	for suffix := 'A'; suffix <= 'Z'; suffix++ {
		for _, more := range append([]string{""}, strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "")...) {
			sym := market.Symbol("ABC." + string(suffix) + more)
			mic, listed := symbology.MIC(sym)
			of, ok := calendar.Of(sym)
			if !listed || !ok {
				continue
			}
			if by, other := follows[mic]; other {
				mic = by
			}
			met[mic] = true
			if of.MIC() != mic {
				t.Errorf("%s is listed at %s and follows the calendar of %s", sym, mic, of.MIC())
			}
		}
	}
	for _, mic := range calendar.MICs() {
		if !met[mic] {
			t.Errorf("no symbol is listed at %s, which has a calendar", mic)
		}
	}
}
