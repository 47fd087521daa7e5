package yahoo_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

const earningsPath = "/v10/finance/quoteSummary/AAPL"

// C21: dates and estimates, as recorded. Yahoo returns all modules of a request at once, so the recordings of
// single modules are merged.
func TestEarnings_OfRecordedAnswers(t *testing.T) {
	modules := map[string]json.RawMessage{
		"earningsHistory": json.RawMessage(`{"history":[
			{"period":"-4q","quarter":1703980800,"epsActual":2.18,"epsEstimate":2.1,"currency":"USD"},
			{"period":"-1q","quarter":{"raw":1735603200,"fmt":"2024-12-31"},"epsActual":{"raw":2.4},"epsEstimate":{"raw":2.34},"currency":"USD"}]}`),
		"quoteType": json.RawMessage(`{"symbol":"AAPL","timeZoneFullName":"America/New_York"}`),
	}
	for _, file := range []string{"quoteSummary-calendarEvents-AAPL.json", "quoteSummary-earningsTrend-AAPL.json"} {
		var recorded struct {
			QuoteSummary struct{ Result []map[string]json.RawMessage }
		}
		if err := json.Unmarshal([]byte(recordedBody(t, "yahoo/"+file)), &recorded); err != nil {
			t.Fatal(err)
		}
		for name, module := range recorded.QuoteSummary.Result[0] {
			modules[name] = module
		}
	}
	body, err := json.Marshal(map[string]any{"quoteSummary": map[string]any{"result": []any{modules}, "error": nil}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := sourceOf(withPass(earningsPath, string(body))).Earnings(t.Context(), "AAPL")
	if err != nil {
		t.Fatal(err)
	}
	if !e.From.Equal(testDay("2025-04-30")) || !e.To.Equal(testDay("2025-05-05")) || !e.DateEstimated || !e.ExDividend.Equal(testDay("2025-02-10")) || !e.DividendPaid.Equal(testDay("2025-02-13")) {
		t.Errorf("dates = %v to %v (estimated %v), dividend %v paid %v", e.From, e.To, e.DateEstimated, e.ExDividend, e.DividendPaid)
	}
	var got []string
	for _, x := range e.Estimates {
		before := x.EPSBefore[30]
		got = append(got, strings.Join([]string{string(x.Period), x.End.Format("2006-01-02"), x.EPS.Average.Decimal.String(), before.String(), x.Revenue.High.Decimal.String(), x.Raised.Decimal.String(), x.Lowered.Decimal.String()}, " "))
	}
	want := []string{
		"current quarter 2025-03-31 1.60796 1.67117 95903397000 3 20", "next quarter 2025-06-30 1.49709 1.54024 92993850400 6 15",
		"current year 2025-09-30 7.3157 7.36708 431783000000 10 17", "next year 2026-09-30 8.19607 8.22295 477463000000 9 15",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("estimates (-want +got):\n%s", diff)
	}
	if len(e.Results) != 2 || !e.Results[0].End.Equal(testDay("2024-12-31")) || !e.Results[0].Reported.Decimal.Equal(testDecimal("2.4")) || !e.Results[1].Expected.Decimal.Equal(testDecimal("2.1")) {
		t.Errorf("results = %+v, want the newest first", e.Results)
	}
}

func TestEarnings_OfOtherAnswers(t *testing.T) {
	for _, row := range []struct {
		name, body string
		want       error
	}{
		{"a fund", `{"quoteSummary":{"result":[{"calendarEvents":{"earnings":{"earningsDate":[]}},"quoteType":{"symbol":"AAPL"}}],"error":null}}`, market.ErrNoData},
		{"another symbol", `{"quoteSummary":{"result":[{"quoteType":{"symbol":"MSFT"}}],"error":null}}`, market.ErrMalformed},
		{"unlisted", `{"quoteSummary":{"result":null,"error":{"code":"Not Found","description":"Quote not found for symbol: AAPL"}}}`, market.ErrUnknownSymbol},
		{"growth over five years only", `{"quoteSummary":{"result":[{"earningsTrend":{"trend":[{"period":"+5y","endDate":null,"growth":{"raw":0.09}}]}}],"error":null}}`, market.ErrNoData},
	} {
		if _, err := sourceOf(withPass(earningsPath, row.body)).Earnings(t.Context(), "AAPL"); !errors.Is(err, row.want) {
			t.Errorf("%s: Earnings = %v, want %v", row.name, err, row.want)
		}
	}
	one := `{"quoteSummary":{"result":[{"calendarEvents":{"earnings":{"earningsDate":[1761857999],"isEarningsDateEstimate":false}},"quoteType":{"symbol":"AAPL","timeZoneFullName":"America/New_York"}}],"error":null}}`
	e, err := sourceOf(withPass(earningsPath, one)).Earnings(t.Context(), "AAPL")
	if err != nil || !e.From.Equal(testDay("2025-10-30")) || !e.To.Equal(e.From) || e.DateEstimated {
		t.Errorf("confirmed date = %v to %v, estimated %v, %v; want the day in New York", e.From, e.To, e.DateEstimated, err)
	}
	e, err = sourceOf(withPass(earningsPath, strings.Replace(one, "false", "true", 1))).Earnings(t.Context(), "AAPL")
	if err != nil || !e.To.Equal(e.From) || !e.DateEstimated {
		t.Errorf("one day that Yahoo estimates = %v to %v, estimated %v, %v", e.From, e.To, e.DateEstimated, err)
	}
}

// C21: a range that starts before the bars that Yahoo has is limited to them: Yahoo refuses the whole range
// otherwise. It has five-minute bars of 60 days and hourly ones of 730.
func TestIntraday_AsksForNoMoreThanYahooHas(t *testing.T) {
	for _, row := range []struct {
		interval market.Interval
		first    string // one day before the first one asked for, because sessions are of local days
	}{{market.FiveMinutes, "2026-08-07"}, {market.Hourly, "2024-10-06"}} {
		script := markettest.NewScript(map[string]markettest.Response{chartPath + "AAPL": {Status: 422, Body: []byte(recordedBody(t, "errors/yahoo-chart-422-range.json"))}})
		source := sourceAt(script, testDay("2026-10-05"), client.ProviderOptions{})
		if _, err := source.Intraday(t.Context(), "AAPL", row.interval, market.Range{From: testDay("2020-01-02")}); !errors.Is(err, market.ErrNoData) {
			t.Fatalf("Intraday = %v, want the recorded refusal", err)
		}
		if got, want := script.Requests()[0].URL.Query().Get("period1"), strconv.FormatInt(testDay(row.first).Unix(), 10); got != want {
			t.Errorf("%s bars: asked from %s, want %s (%s)", row.interval, got, want, row.first)
		}
	}
}

// C21: the last row of an intraday chart is the last trade, not a bar.
func TestIntraday_OfARecordedChart(t *testing.T) {
	const file = "yahoo/chart-AAPL-5m-2026-10.json"
	at := testDay("2026-10-05").Add(13*3600e9 + 58*60e9 + 30e9) // the time of the recording, UTC
	script := markettest.NewScript(map[string]markettest.Response{chartPath + "AAPL": markettest.JSONResponse(recordedBody(t, file))})
	source := sourceAt(script, at, client.ProviderOptions{})
	s, err := source.Intraday(t.Context(), "AAPL", market.FiveMinutes, market.Range{From: testDay("2026-10-05")})
	if err != nil {
		t.Fatal(err)
	}
	first, last := s.Bars[0], s.Bars[len(s.Bars)-1]
	if len(s.Bars) != 6 || s.Interval != market.FiveMinutes || first.Date.Format("2006-01-02 15:04 MST") != "2026-10-05 09:30 EDT" || last.Date.Format("15:04") != "09:55" {
		t.Fatalf("%d %s bars from %v to %v, want six of five minutes from the open on", len(s.Bars), s.Interval, first.Date, last.Date)
	}
	// The last trade, 333.9227 at 09:58:27, belongs to the bar of 09:55 and is below its low.
	if !last.Close.Equal(testDecimal("333.9227")) || !last.Low.Decimal.Equal(last.Close) || !first.Close.Equal(testDecimal("336.0736")) {
		t.Errorf("first close %s, last %s with low %s", first.Close, last.Close, last.Low.Decimal)
	}
	if !s.Provenance.Has(market.FlagProvisional) || s.Actions != nil || !s.Provenance.AsOf.Equal(testDay("2026-10-05").Add(13*3600e9+58*60e9+27e9)) {
		t.Errorf("provenance = %+v, actions %v; want a provisional last bar and no actions", s.Provenance, s.Actions)
	}
	q := script.Requests()[0].URL.Query()
	if q.Get("interval") != "5m" || q.Get("includePrePost") != "false" {
		t.Errorf("asked for %v", q)
	}
}

func TestIntraday_OfTimesThatYahooNoLongerKeeps(t *testing.T) {
	refusal := markettest.Response{Status: 422, Body: []byte(recordedBody(t, "errors/yahoo-chart-422-range.json"))}
	script := markettest.NewScript(map[string]markettest.Response{chartPath + "AAPL": refusal})
	_, err := sourceOf(script).Intraday(t.Context(), "AAPL", market.FiveMinutes, market.Range{From: testDay("2024-10-01"), To: testDay("2024-10-03")})
	if !errors.Is(err, market.ErrNoData) || !strings.Contains(err.Error(), "within the last 60 days") {
		t.Errorf("Intraday = %v, want ErrNoData with Yahoo's reason", err)
	}
	if _, err := sourceOf(script).Intraday(t.Context(), "AAPL", market.Weekly, market.Range{}); !errors.Is(err, market.ErrNotCovered) {
		t.Errorf("Intraday of weeks = %v, want ErrNotCovered", err)
	}
}
