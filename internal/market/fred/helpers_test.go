package fred_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/fred"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/recordings"
)

const (
	graphPath  = "/graph/fredgraph.csv"
	valuesPath = "/fred/series/observations"
	infoPath   = "/fred/series"
	searchPath = "/fred/series/search"
	secret     = "0123456789abcdef0123456789abcdef"
)

// noon is a Thursday.
var noon = time.Date(2025, 2, 20, 12, 0, 0, 0, time.UTC)

func keyless(transport http.RoundTripper) *fred.Source { return sourceOf(transport, nil) }

func keyed(transport http.RoundTripper) *fred.Source {
	return sourceOf(transport, func() string { return secret })
}

func sourceOf(transport http.RoundTripper, key func() string) *fred.Source {
	now := func() time.Time { return noon }
	return fred.New(client.New(client.Options{Transport: transport, Now: now}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Key: key, Now: now})
}

// dated returns a response with the server's date.
func dated(body string, at time.Time) markettest.Response {
	return markettest.Response{Header: http.Header{"Date": {at.Format(http.TimeFormat)}}, Body: []byte(body)}
}

func answering(path, body string) *markettest.Script {
	return markettest.NewScript(map[string]markettest.Response{path: dated(body, noon)})
}

// recorded reads a recording of FRED's answers.
func recorded(t testing.TB, name string) string {
	t.Helper()
	return string(recordings.Read(t, "market", "fred", name))
}

func day(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// unrate is the unemployment rate of some months, one of which was not published.
const unrate = "observation_date,UNRATE\n2024-08-01,4.2\n2024-09-01,4.1\n2024-10-01,\n2024-11-01,4.2\n2024-12-01,4.1\n2025-01-01,4.0\n"

// value is an observation of the API.
type value struct {
	Date  string `json:"date"`
	Value string `json:"value"`
}

// values returns a response of the API with the values known on a day.
func values(known string, all ...value) string {
	text, err := json.Marshal(map[string]any{
		"realtime_start": known, "realtime_end": known, "units": "lin", "count": len(all), "limit": 100000, "observations": all,
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// fakeArchive is a FRED with one series that was revised once, on 2025-01-15: each earlier value was 0.5
// higher. The archive starts in 2000.
type fakeArchive struct{}

func (fakeArchive) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	answer := func(status int, body string) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{}, Request: r, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
	q := r.URL.Query()
	if q.Get("api_key") != secret {
		return answer(400, `{"error_code":400,"error_message":"Bad Request.  The value for variable api_key is not registered."}`)
	}
	known := q.Get("realtime_end")
	switch {
	case r.URL.Path == infoPath && q.Get("series_id") == "UNRATE":
		return answer(200, info("UNRATE", "Unemployment Rate", "Percent", "M", "SA", ""))
	case r.URL.Path == searchPath:
		return answer(200, `{"seriess":[]}`)
	case q.Get("series_id") != "UNRATE":
		return answer(400, `{"error_code":400,"error_message":"Bad Request.  The series does not exist."}`)
	case known == "":
		known = "2025-02-20"
	case known < "2000-01-01":
		return answer(400, `{"error_code":400,"error_message":"Bad Request.  The series does not exist in ALFRED but may exist in FRED."}`)
	}
	var all []value
	for i := range 6 {
		month := day("2024-08-01").AddDate(0, i, 0)
		if out := month.AddDate(0, 1, 6).Format(time.DateOnly); out > known {
			break
		}
		rate := dec("4").Add(decimal.New(int64(i), -1))
		if known < "2025-01-15" {
			rate = rate.Add(dec("0.5"))
		}
		all = append(all, value{month.Format(time.DateOnly), rate.String()})
	}
	return answer(200, values(known, all...))
}

// info returns the API's description of a series.
func info(id, title, units, frequency, seasonal, notes string) string {
	return fmt.Sprintf(`{"seriess":[{"id":%q,"title":%q,"units":%q,"frequency_short":%q,"seasonal_adjustment_short":%q,"notes":%q}]}`,
		id, title, units, frequency, seasonal, notes)
}
