package tiingo_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/tiingo"
	"github.com/nfa-cli/nfa/internal/recordings"
)

const (
	// base is the server's URL in these tests; responses come from memory.
	base       = "http://127.0.0.1"
	secret     = "0123456789abcdef"
	barsPath   = "/tiingo/daily/AAA/prices"
	metaPath   = "/tiingo/daily/AAA"
	quotePath  = "/iex/AAA"
	newsPath   = "/tiingo/news"
	metaBody   = `{"ticker":"AAA","name":"Example Inc - Class A","exchangeCode":"NASDAQ","description":"Makes\nexamples.","startDate":"2004-08-19","endDate":"2026-09-24"}`
	quoteBody  = `[{"ticker":"AAA","timestamp":"2026-09-24T15:59:59.5-04:00","last":null,"lastSaleTimestamp":null,"quoteTimestamp":null,"tngoLast":12.5,"prevClose":11.5,"open":11.5,"high":13,"low":11,"mid":null,"volume":10}]`
	newsBody   = `[{"id":1,"publishedDate":"2026-09-20T12:00:00Z","title":"Older","url":"https://example.com/1","description":"d","source":"example.com","tickers":["aaa"]},{"id":2,"publishedDate":"2026-09-21T12:00:00Z","title":"Newer","url":"https://example.com/2","source":"example.com","tickers":["aaa","brk-b"]},{"id":3,"publishedDate":"2026-09-22T12:00:00Z","title":"Of another","url":"https://example.com/3","tickers":["bbb"]},{"id":4,"title":"A script","url":"javascript:alert(1)","tickers":["aaa"]}]`
	notFound   = `{"detail":"Not found."}`
	overLimit  = `{"detail":"Error: You have run over your hourly request allocation. Upgrade to a Power plan."}`
	wrongToken = `{"detail":"Invalid token."}`
)

// noon is a Friday, before New York opens.
var noon = time.Date(2026, 9, 25, 12, 0, 0, 0, time.UTC)

func sourceAt(carrier http.RoundTripper, now time.Time) *tiingo.Source {
	clock := func() time.Time { return now }
	return tiingo.New(client.New(client.Options{Transport: carrier, Now: clock}),
		client.ProviderOptions{BaseURL: base, Now: clock, Key: func() string { return secret }})
}

// answering returns a source with one response for each path.
func answering(bodies map[string]string) (*tiingo.Source, *markettest.Script) {
	script := markettest.NewScript(nil)
	for path, body := range bodies {
		script.Respond(path, markettest.JSONResponse(body))
	}
	return sourceAt(script, noon), script
}

func recorded(t testing.TB, name string) string {
	t.Helper()
	return string(recordings.Read(t, "market", "tiingo", name))
}

func day(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// row is a day in Tiingo's format.
type row map[string]any

func rowOf(date string, price float64) row {
	return row{"date": date + "T00:00:00.000Z", "open": price, "high": price, "low": price, "close": price, "volume": 1000, "divCash": 0.0, "splitFactor": 1.0}
}

func (r row) with(name string, value any) row {
	r[name] = value
	return r
}

func barsBody(rows ...row) string {
	if rows == nil {
		rows = []row{}
	}
	body, err := json.Marshal(rows)
	if err != nil {
		panic(err)
	}
	return string(body)
}

// fakeServer is a Tiingo that lists AAA, and limits its days to the requested range.
type fakeServer struct{ days []row }

func (e fakeServer) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	status, body, q := 200, "", r.URL.Query()
	switch {
	case r.Header.Get("Authorization") != "Token "+secret || strings.Contains(r.URL.RawQuery, secret):
		status, body = 401, wrongToken
	case r.URL.Path == metaPath:
		body = metaBody
	case r.URL.Path == quotePath:
		body = quoteBody
	case r.URL.Path == barsPath:
		var cut []row
		for _, d := range e.days {
			date := d["date"].(string)[:len(time.DateOnly)]
			if date >= q.Get("startDate") && (q.Get("endDate") == "" || date <= q.Get("endDate")) {
				cut = append(cut, d)
			}
		}
		body = barsBody(cut...)
	default:
		status, body = 404, notFound
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Request: r, Body: io.NopCloser(strings.NewReader(body))}, nil
}
