package yahoo_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestQuote_OfRecordedCharts(t *testing.T) {
	for _, row := range []struct {
		file  string
		sym   market.Symbol
		price string
		kind  string
		mic   string
		want  market.Provenance
	}{
		{"chart-AAPL-2020-08-31-to-2020-11-07.json", "AAPL", "244.87", "equity", "XNAS", market.Provenance{
			Currency: "USD", AsOf: time.Unix(1739998801, 0).UTC(), Phase: market.PhasePre}},
		{"chart-OCDO.L-2020-01-01-to-2020-01-03.json", "OCDO.L", "3.053", "equity", "XLON", market.Provenance{
			Currency: "GBP", QuotedCurrency: "GBp", AsOf: time.Unix(1740051143, 0).UTC(), Phase: market.PhaseRegular, DelayMinutes: 15,
			Flags: []market.Flag{market.FlagConverted, market.FlagDelayed}}},
		// Labeled as a mutual fund, with the last trade seven months ago.
		{"chart-WSKT.JK-2020-01-01-to-2020-01-03.json", "WSKT.JK", "202", "equity", "XIDX", market.Provenance{
			Currency: "IDR", AsOf: time.Unix(1721764800, 0).UTC(), Phase: market.PhaseClosed,
			Flags: []market.Flag{market.FlagDelayed, market.FlagThin, market.FlagStale}}},
		{"chart-BTC-USD-2020-01-01-to-2020-01-03.json", "BTC-USD", "97208.17", "crypto", "", market.Provenance{
			Currency: "USD", AsOf: time.Unix(1740051840, 0).UTC(), Phase: market.PhaseRegular}},
		{"chart-EURUSD=X-2020-01-01-to-2020-01-03.json", "EURUSD=X", "1.0436", "currency", "", market.Provenance{
			Currency: "USD", AsOf: time.Unix(1740052002, 0).UTC(), Phase: market.PhaseRegular}},
		{"chart-0P000071W8.TO-2020-01-01-to-2020-01-03.json", "0P000071W8.TO", "153.9", "fund", "XTSE", market.Provenance{
			Currency: "CAD", AsOf: time.Unix(1739995200, 0).UTC(), Phase: market.PhasePre, Flags: []market.Flag{market.FlagDelayed}}},
		{"chart-AAPL-5m-2026-10.json", "AAPL", "333.923", "equity", "XNAS", market.Provenance{
			Currency: "USD", AsOf: time.Unix(1791208707, 0).UTC(), Phase: market.PhaseClosed}},
	} {
		t.Run(row.file, func(t *testing.T) {
			q := getQuote(t, answering(chartPath+string(row.sym), recordedBody(t, "yahoo/"+row.file)), row.sym)
			if !q.Price.Equal(testDecimal(row.price)) || q.Kind != row.kind || q.MIC != row.mic || q.Name == "" {
				t.Errorf("quote = %s, %+v; want %s, %s, %s", q.Price, q.Instrument, row.price, row.kind, row.mic)
			}
			want := row.want
			want.Source, want.Endpoint, want.Unit, want.Adjustment, want.FetchedAt = "yahoo", "v8 chart", "price", market.AdjustmentSplit, testNoon
			if diff := cmp.Diff(want, q.Provenance, cmpopts.IgnoreFields(market.Provenance{}, "License", "Note")); diff != "" {
				t.Errorf("provenance (-want +got):\n%s", diff)
			}
		})
	}
}

func TestQuote_IsStaleByTheCalendarWhereThereIsOne(t *testing.T) {
	sheet := markettest.NewYahooChart("AAA", "2025-02-19", 104)
	script := markettest.NewScript(map[string]markettest.Response{chartPath + "AAA": markettest.JSONResponse(sheet.String())})
	calendar := func(last string) func(market.Symbol, time.Time) (market.Date, bool) {
		return func(market.Symbol, time.Time) (market.Date, bool) { return testDay(last), true }
	}
	unknown := func(market.Symbol, time.Time) (market.Date, bool) { return market.Date{}, false }
	for _, row := range []struct {
		name     string
		now      time.Time
		calendar func(market.Symbol, time.Time) (market.Date, bool)
		want     bool
	}{
		{"the next day", testNoon, nil, false},
		{"five days later", testNoon.AddDate(0, 0, 5), nil, true},
		{"five days later, all of them holidays", testNoon.AddDate(0, 0, 5), calendar("2025-02-19"), false},
		{"the next day, with a session missed", testNoon, calendar("2025-02-20"), true},
		{"an exchange that the calendar does not know", testNoon.AddDate(0, 0, 5), unknown, true},
	} {
		q := getQuote(t, sourceAt(script, row.now, client.ProviderOptions{LastSession: row.calendar}), "AAA")
		if got := q.Provenance.Has(market.FlagStale); got != row.want {
			t.Errorf("%s: stale = %v, want %v", row.name, got, row.want)
		}
	}
}

// A spark quote may lack the time zone. Without it, a trade late in the UTC evening might belong to the next
// day in Sydney.
func TestQuotes_WithoutAZoneAreNotHeldAgainstTheCalendar(t *testing.T) {
	calendar := func(market.Symbol, time.Time) (market.Date, bool) { return testDay("2025-02-20"), true }
	for fields, want := range map[string]bool{
		priced: false, // a trade at 2025-02-19 21:20 UTC
		priced + `,"exchangeTimezoneName":"Australia/Sydney"`: false,
		priced + `,"exchangeTimezoneName":"America/New_York"`: true,
	} {
		script := markettest.NewScript(map[string]markettest.Response{sparkPath: markettest.JSONResponse(spark(sparkRow("AAA", fields)))})
		got, err := sourceAt(script, testNoon, client.ProviderOptions{LastSession: calendar}).Quotes(t.Context(), []market.Symbol{"AAA"})
		if err != nil || got["AAA"].Provenance.Has(market.FlagStale) != want {
			t.Errorf("%s: %v, %v; want stale %v", fields, got["AAA"].Provenance.Flags, err, want)
		}
	}
}

func TestQuote_SpellsSymbolsAsYahooDoes(t *testing.T) {
	for _, row := range []struct {
		asked        market.Symbol
		path, answer string
	}{
		{"BRK.B", "BRK-B", "BRK-B"},
		{"VOD.L", "VOD.L", "VOD.L"},
		{"7203.T", "7203.T", "7203.T"},
		{"BMW.F", "BMW.F", "BMW.F"},
		{"TECK-B.TO", "TECK-B.TO", "TECK-B.TO"},
		{"BTC-USD", "BTC-USD", "BTC-USD"},
		{"^GSPC", "^GSPC", "^GSPC"},
		{"EURUSD=X", "EURUSD=X", "EURUSD=X"},
		{"USDEUR=X", "USDEUR=X", "EUR=X"}, // Yahoo omits the dollar
	} {
		q := getQuote(t, answering(chartPath+row.path, markettest.NewYahooChart(row.answer, "2025-02-19", 104).String()), row.asked)
		if q.Symbol != row.asked {
			t.Errorf("quote of %s is of %s", row.asked, q.Symbol)
		}
	}
}
