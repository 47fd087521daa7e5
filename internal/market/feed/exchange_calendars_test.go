package feed_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

const airNZ = market.Symbol("AIR.NZ")

// aucklandServer is a Yahoo server with one share of the New Zealand exchange, whose holidays no calendar
// has.
type aucklandServer struct {
	closes   []any  // on weekdays from first on
	first    string // the first day
	traded   time.Time
	requests int
}

func (a *aucklandServer) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("not found")), Request: r}
	if !strings.HasPrefix(r.URL.Path, "/yahoo/v8/finance/chart/") {
		return answer, nil
	}
	a.requests++
	sheet := markettest.NewYahooChart(string(airNZ), a.first, a.closes...)
	sheet.Meta["exchangeName"], sheet.Meta["exchangeTimezoneName"], sheet.Meta["gmtoffset"], sheet.Meta["currency"] = "NZE", "Pacific/Auckland", 46800, "NZD"
	for i := range sheet.Rows {
		// From 9:30 in New York to 10:00 in Auckland on the same date: seventeen and a half hours earlier in
		// November.
		sheet.Rows[i].At -= 17*3600 + 1800
	}
	sheet.Meta["regularMarketTime"] = a.traded.Unix()
	answer.StatusCode, answer.Body = http.StatusOK, io.NopCloser(strings.NewReader(sheet.String()))
	answer.Header.Set("Content-Type", "application/json")
	return answer, nil
}

// sources returns the program's own sources in front of this server.
func (a *aucklandServer) sources(t *testing.T) *market.Fallback {
	t.Helper()
	m := feed.New(feed.Options{
		Bars: newMemoryStore(), Dir: t.TempDir(), Client: client.New(client.Options{Transport: a, Now: time.Now}),
		Base: func(provider string) string { return loopback + "/" + provider },
		Key:  func(client.Provider) string { return "" }, Now: time.Now, Log: zerolog.Nop(),
	})
	return market.NewFallback(m.Sources())
}

func sleepUntil(t *testing.T, text string) {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Until(at))
}

// Wednesday's session ends at 16:45 in Auckland, 03:45 UTC on the same date.
func TestMarket_BarsAreAskedForAfterTheCloseOfTheirOwnExchange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sleepUntil(t, "2026-11-18T02:00:00Z")
		server := &aucklandServer{first: "2026-11-02", closes: []any{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, traded: time.Date(2026, 11, 17, 3, 45, 0, 0, time.UTC)}
		from := server.sources(t)
		last := func() market.Date {
			s, err := from.Bars(t.Context(), airNZ, market.Range{})
			if err != nil {
				t.Fatalf("Bars = %v", err)
			}
			return s.Bars[len(s.Bars)-1].Date
		}
		tuesday := time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC)
		if got := last(); !got.Equal(tuesday) || server.requests != 1 {
			t.Fatalf("on Wednesday afternoon in Auckland: last bar of %v, asked %d times; want Tuesday's, once", got, server.requests)
		}
		sleepUntil(t, "2026-11-18T04:00:00Z")
		if got := last(); !got.Equal(tuesday) || server.requests != 1 {
			t.Errorf("before Wednesday's bar is settled: last bar of %v, asked %d times; want what is kept", got, server.requests)
		}
		server.closes, server.traded = append(server.closes, 13), time.Date(2026, 11, 18, 3, 45, 0, 0, time.UTC)
		sleepUntil(t, "2026-11-18T04:10:00Z")
		if got := last(); !got.Equal(tuesday.AddDate(0, 0, 1)) || server.requests != 2 {
			t.Errorf("after the close in Auckland: last bar of %v, asked %d times; want Wednesday's", got, server.requests)
		}
	})
}

// At Christmas 2026, New Zealand has two holidays next to a weekend: the last trade before Tuesday is on
// Thursday at 12:45.
func TestMarket_AHolidayThatNoCalendarKnowsMakesNoPriceStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &aucklandServer{first: "2026-12-21", closes: []any{1, 2, 3, 4}, traded: time.Date(2026, 12, 23, 23, 45, 0, 0, time.UTC)}
		from := server.sources(t)
		for _, row := range []struct {
			name, at string
			stale    bool
		}{
			{"on Tuesday morning in Auckland", "2026-12-28T20:00:00Z", false},
			{"a week later", "2027-01-05T20:00:00Z", true},
		} {
			sleepUntil(t, row.at)
			q, err := from.Quote(t.Context(), airNZ)
			if err != nil || q.Provenance.Has(market.FlagStale) != row.stale {
				t.Errorf("%s: flags %v, %v; want stale %v", row.name, q.Provenance.Flags, err, row.stale)
			}
		}
	})
}
