package nasdaq_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestQuote_IsStaleOnceALaterSessionIsOver(t *testing.T) {
	for _, row := range []struct {
		at    string
		hours int // after noon of UTC on Friday the 25th
		want  bool
	}{
		{"Sep 24, 2026 4:00 PM ET", 0, false}, {"Sep 24, 2026", 0, false}, {"Sep 24, 2026 7:59 PM ET", 7, false},
		{"Sep 24, 2026 4:00 PM ET", 9, true}, {"Sep 24, 2026", 9, true}, {"Sep 25, 2026", 9, false},
	} {
		body := fmt.Sprintf(`{"data":{"symbol":"AAA","primaryData":{"lastSalePrice":"10","lastTradeTimestamp":%q}},"status":{"rCode":200}}`, row.at)
		script := markettest.NewScript(map[string]markettest.Response{"/api/quote/AAA/info": markettest.JSONResponse(body)})
		q, err := sourceOf(script, noon.Add(time.Duration(row.hours)*time.Hour)).Quote(t.Context(), "AAA")
		if err != nil || q.Provenance.Has(market.FlagStale) != row.want {
			t.Errorf("%s, %d hours on: flags %v, %v; want stale %v", row.at, row.hours, q.Provenance.Flags, err, row.want)
		}
	}
}
