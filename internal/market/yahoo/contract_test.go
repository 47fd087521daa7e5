package yahoo_test

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/yahoo"
)

// fakeExchange is a Yahoo with one listed share. It limits charts to the requested range, like the real one.
type fakeExchange struct{ chart markettest.YahooChart }

func (e fakeExchange) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	answer := func(status int, body string) (*http.Response, error) {
		return &http.Response{
			StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Request: r, Body: io.NopCloser(strings.NewReader(body)),
		}, nil
	}
	if !strings.HasSuffix(r.URL.Path, chartPath+"AAA") {
		return answer(404, `{"chart":{"result":null,"error":{"code":"Not Found","description":"No data found, symbol may be delisted"}}}`)
	}
	cut := e.chart
	if q := r.URL.Query(); q.Get("range") == "" {
		from, _ := strconv.ParseInt(q.Get("period1"), 10, 64)
		to, _ := strconv.ParseInt(q.Get("period2"), 10, 64)
		cut.Rows = nil
		for _, one := range e.chart.Rows {
			if from <= one.At && one.At < to {
				cut.Rows = append(cut.Rows, one)
			}
		}
	}
	return answer(200, cut.String())
}

func TestSource_KeepsTheContractOfPrices(t *testing.T) {
	markettest.RunPrices(t, func(*testing.T) markettest.PriceSubject {
		now := func() time.Time { return testNoon }
		httpClient := client.New(client.Options{Transport: fakeExchange{markettest.NewYahooChart("AAA", "2025-02-10", 10, 10.5, 9.75, 11, 11.25, 12, 12.5)}, Now: now})
		return markettest.PriceSubject{Source: yahoo.New(httpClient, client.ProviderOptions{BaseURL: base, Now: now}), Listed: "AAA"}
	})
}

func TestSource_OverAConnection(t *testing.T) {
	chart := markettest.JSONResponse(markettest.NewYahooChart("AAA", "2025-02-19", 10).String())
	chart.Fault = markettest.GzipBody
	server := markettest.Serve(t, sessionScript().Respond(chartPath+"AAA", chart))
	now := func() time.Time { return testNoon }
	s := yahoo.New(client.New(client.Options{Now: now}), client.ProviderOptions{BaseURL: server + "/", Now: now})
	if q := getQuote(t, s, "AAA"); !q.Price.Equal(testDecimal("10")) {
		t.Errorf("quote = %s, want 10", q.Price)
	}
	if p, err := s.Profile(t.Context(), "AAA"); err != nil || p.Name != "Example plc" {
		t.Errorf("Profile = %+v, %v", p, err)
	}
}
