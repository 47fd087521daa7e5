package binance_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/binance"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/recordings"
)

// base is the URL of Binance in these tests. Nothing listens there: responses come from memory, and a
// loopback address has no rate limit.
const base = "http://127.0.0.1"

const (
	klinesPath = "/api/v3/klines"
	tickerPath = "/api/v3/ticker/24hr"
)

// noon is a Thursday.
var noon = time.Date(2025, 2, 20, 12, 0, 0, 0, time.UTC)

func sourceOf(transport http.RoundTripper) *binance.Source {
	now := func() time.Time { return noon }
	return binance.New(client.New(client.Options{Transport: transport, Now: now}), client.ProviderOptions{BaseURL: base, Now: now})
}

func answering(path, body string) *binance.Source {
	return sourceOf(markettest.NewScript(map[string]markettest.Response{path: markettest.JSONResponse(body)}))
}

// recorded reads a recording of Binance's answers.
func recorded(t testing.TB, name string) string {
	t.Helper()
	return string(recordings.Read(t, "market", "binance", name))
}

func day(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// kline returns a day as Binance writes it, of prices open, high, low and close.
func kline(d market.Date, prices ...string) string {
	opened := d.UnixMilli()
	return fmt.Sprintf(`[%d,%q,%q,%q,%q,"12.50000000",%d,"1.0",7,"1.0","1.0","0"]`,
		opened, prices[0], prices[1], prices[2], prices[3], opened+24*3600*1000-1)
}

// klines returns consecutive days from first on, with closes and no other movement.
func klines(first string, closes ...string) string {
	rows := make([]string, len(closes))
	for i, c := range closes {
		rows[i] = kline(day(first).AddDate(0, 0, i), c, c, c, c)
	}
	return "[" + strings.Join(rows, ",") + "]"
}

// fakeServer imitates a Binance that trades one pair: it limits klines to the requested range and number,
// like the real one.
type fakeServer struct {
	pair     string
	first    market.Date
	days     int
	requests *[]string
}

func (e fakeServer) close(i int) string { return strconv.Itoa(100+i%50) + ".5" }

func (e fakeServer) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	answer := func(status int, body string) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{}, Request: r, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
	q := r.URL.Query()
	if e.requests != nil {
		*e.requests = append(*e.requests, q.Get("startTime")+"-"+q.Get("endTime"))
	}
	if q.Get("symbol") != e.pair {
		return answer(400, `{"code":-1121,"msg":"Invalid symbol."}`)
	}
	if r.URL.Path == tickerPath {
		return answer(200, ticker(e.pair, e.close(e.days-1), noon))
	}
	from, _ := strconv.ParseInt(q.Get("startTime"), 10, 64)
	to, err := strconv.ParseInt(q.Get("endTime"), 10, 64)
	if err != nil {
		to = noon.UnixMilli()
	}
	limit, _ := strconv.Atoi(q.Get("limit"))
	rows := []string{}
	for i := range e.days {
		d := e.first.AddDate(0, 0, i)
		if ms := d.UnixMilli(); ms >= from && ms <= to && len(rows) < limit {
			rows = append(rows, kline(d, e.close(i), e.close(i), e.close(i), e.close(i)))
		}
	}
	return answer(200, "["+strings.Join(rows, ",")+"]")
}

func ticker(pair, price string, at time.Time) string {
	text, err := json.Marshal(map[string]any{
		"symbol": pair, "lastPrice": price, "openPrice": "96.00000000",
		"openTime": at.Add(-24 * time.Hour).UnixMilli(), "closeTime": at.UnixMilli(),
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}
