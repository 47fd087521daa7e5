package yahoo_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func barCloses(s market.Series) string {
	var out []string
	for _, b := range s.Bars {
		out = append(out, b.Date.Format("01-02")+"="+b.Close.String())
	}
	return strings.Join(out, " ")
}

func TestBars_AskForTheWholeDaysOfTheRange(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{chartPath + "BRK-B": markettest.JSONResponse(markettest.NewYahooChart("BRK-B", "2025-02-03", 10, 11, 12, 13).String())})
	s, err := sourceOf(script).Bars(t.Context(), "BRK.B", market.Range{From: testDay("2025-02-04"), To: testDay("2025-02-05")})
	if err != nil || barCloses(s) != "02-04=11 02-05=12" || s.Symbol != "BRK.B" {
		t.Errorf("bars = %s of %s, %v; want those of the 4th and 5th of BRK.B", barCloses(s), s.Symbol, err)
	}
	requests := script.Requests()[0].URL.Query()
	// 2025-02-03 and 2025-02-07 in UTC.
	if requests.Get("period1") != "1738540800" || requests.Get("period2") != "1738886400" || requests.Get("events") != "div,splits" {
		t.Errorf("asked %v, want a day more at each end", requests)
	}
}

func TestBars_OpenRangeIsShorterThanACentury(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{chartPath + "AAA": markettest.JSONResponse(markettest.NewYahooChart("AAA", "2025-02-03", 10).String())})
	getBars(t, sourceOf(script), "AAA")
	// From 1926-02-22 until 2025-02-22: Yahoo refuses a hundred years and more.
	if requests := script.Requests()[0].URL.Query(); requests.Get("period1") != "-1384041600" || requests.Get("period2") != "1740182400" {
		t.Errorf("asked %v, want ninety-nine years", requests)
	}
}

func TestBars_OfAPartOfTheChartTellNothingOfTheRest(t *testing.T) {
	sheet := markettest.NewYahooChart("AAA", "2025-02-17", 10, 11, 12, nil) // the last row has only the current price
	sheet.Meta["regularMarketPrice"], sheet.Meta["regularMarketTime"] = 12.5, sheet.Rows[3].At+60
	sheet.Events = map[string]any{"dividends": markettest.YahooChartEvent(sheet.Rows[2].At, map[string]any{"amount": 0.1})}
	for _, row := range []struct {
		name, to, asOf string
		actions        int
		provisional    bool
	}{
		{"whole", "2025-02-20", "2025-02-20", 1, true},
		{"until yesterday", "2025-02-19", "2025-02-19", 1, false},
		{"before the dividend", "2025-02-18", "2025-02-18", 0, false},
	} {
		s, err := charted(sheet).Bars(t.Context(), "AAA", market.Range{To: testDay(row.to)})
		p := s.Provenance
		if err != nil || p.Has(market.FlagProvisional) != row.provisional || p.AsOf.Format(time.DateOnly) != row.asOf {
			t.Errorf("%s: %+v, %v; want it as of %s, provisional %v", row.name, p, err, row.asOf, row.provisional)
		}
		if s.Actions == nil || len(s.Actions) != row.actions {
			t.Errorf("%s: actions = %v, want %d, and known to be that many", row.name, s.Actions, row.actions)
		}
	}
}
