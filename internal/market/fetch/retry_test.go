package fetch_test

import (
	"errors"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/fetch/fetchtest"
)

func TestRetry_OnlyWhereAskingAgainMayHelp(t *testing.T) {
	fine := fetchtest.Text(`{}`)
	status := func(code int) fetchtest.Answer { return fetchtest.Answer{Status: code} }
	tests := []struct {
		name    string
		answers []fetchtest.Answer
		method  string
		asked   int
		want    error // nil: answered
	}{
		{"429 that says soon", []fetchtest.Answer{{Status: 429, Header: fetchtest.RetryAfter("3")}, fine}, "", 2, nil},
		{"429 that says later", []fetchtest.Answer{{Status: 429, Header: fetchtest.RetryAfter("60")}, fine}, "", 1, market.ErrRateLimited},
		{"429 that says nothing", []fetchtest.Answer{status(429), fine}, "", 1, market.ErrRateLimited},
		{"502, then good", []fetchtest.Answer{status(502), fine}, "", 2, nil},
		{"503, 504, then good", []fetchtest.Answer{status(503), status(504), fine}, "", 3, nil},
		{"503 three times", []fetchtest.Answer{status(503), status(503), status(503), fine}, "", 3, market.ErrUnavailable},
		{"500", []fetchtest.Answer{status(500), fine}, "", 1, market.ErrUnavailable},
		{"404", []fetchtest.Answer{status(404), fine}, "", 1, market.ErrUnknownSymbol},
		{"refused, then good", []fetchtest.Answer{{Fault: fetchtest.Refused}, fine}, "", 2, nil},
		{"cut, then good", []fetchtest.Answer{{Body: []byte(`{"a":1}`), Fault: fetchtest.Cut}, fine}, "", 2, nil},
		{"a 200 that is no data", []fetchtest.Answer{fetchtest.Page(200, "Just a moment..."), fine}, "", 1, market.ErrMalformed},
		{"broken gzip", []fetchtest.Answer{{Body: []byte(`{}`), Fault: fetchtest.BrokenGzip}, fine}, "", 1, market.ErrMalformed},
		{"silent", []fetchtest.Answer{{Fault: fetchtest.Silent}, fine}, "", 1, market.ErrUnavailable},
		{"stalled", []fetchtest.Answer{{Body: []byte(`{}`), Fault: fetchtest.Stalled}, fine}, "", 1, market.ErrUnavailable},
		{"503 to a POST", []fetchtest.Answer{status(503), fine}, http.MethodPost, 1, market.ErrUnavailable},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script := fetchtest.New(nil).Then("/quote", test.answers...)
				r := quote()
				r.Method = test.method
				_, err := source(script, quick).Get(t.Context(), r)
				if !errors.Is(err, test.want) {
					t.Errorf("Get = %v, want %v", err, test.want)
				}
				if n := len(script.Asked()); n != test.asked {
					t.Errorf("asked %d times, want %d", n, test.asked)
				}
			})
		})
	}
}

func TestRetry_WaitsAsLongAsTheServerAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := fetchtest.New(nil).Then("/quote", fetchtest.Answer{Status: 429, Header: fetchtest.RetryAfter("3")}, fetchtest.Text("{}"))
		began := time.Now()
		if _, err := source(script, quick).Get(t.Context(), quote()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < 3*time.Second || took > 4*time.Second {
			t.Errorf("asked again after %v, want 3 s and a little", took)
		}
	})
}

func TestTimeout_IsOfOneRequestWithItsBody(t *testing.T) {
	for _, fault := range []fetchtest.Fault{fetchtest.Silent, fetchtest.Stalled} {
		synctest.Test(t, func(t *testing.T) {
			p := quick
			p.Timeout = 7 * time.Second
			script := fetchtest.New(map[string]fetchtest.Answer{"/quote": {Body: []byte("{}"), Fault: fault}})
			began := time.Now()
			_, err := source(script, p).Get(t.Context(), quote())
			found, ok := errors.AsType[*market.SourceError](err)
			if !ok || found.Detail != "no answer within 7s" || time.Since(began) != 7*time.Second {
				t.Errorf("%s: Get = %v after %v, want no answer within 7s", fault, err, time.Since(began))
			}
		})
	}
}

// The same faults over a real connection, where net/http has its own words.
func TestGet_OverAConnection(t *testing.T) {
	body := []byte(`{"chart":{"result":[]}}`)
	for _, row := range []struct {
		fault fetchtest.Fault
		want  error
	}{
		{fetchtest.None, nil}, {fetchtest.Gzipped, nil}, {fetchtest.BrokenGzip, market.ErrMalformed}, {fetchtest.Cut, market.ErrUnavailable},
		{fetchtest.Refused, market.ErrUnavailable}, {fetchtest.Silent, market.ErrUnavailable}, {fetchtest.Stalled, market.ErrUnavailable},
	} {
		url := fetchtest.Serve(t, fetchtest.New(map[string]fetchtest.Answer{"/quote": {Body: body, Fault: row.fault}}))
		patience := time.Minute
		if row.fault == fetchtest.Silent || row.fault == fetchtest.Stalled {
			patience = 100 * time.Millisecond
		}
		s := fetch.New(fetch.Options{}).Source(fetch.Policy{Source: "example", Timeout: patience})
		got, err := s.Get(t.Context(), fetch.Request{Doing: "quote", URL: url + "/quote", Kind: fetch.JSON})
		if !errors.Is(err, row.want) || err == nil && string(got.Body) != string(body) {
			t.Errorf("%q: Get = %q, %v, want %v", row.fault, got.Body, err, row.want)
		}
	}
}

// nameless is a machine without a network: no name is found.
type nameless struct{ asked *int }

func (n nameless) RoundTrip(r *http.Request) (*http.Response, error) {
	*n.asked++
	return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: r.URL.Hostname(), IsNotFound: true}}
}

func TestRetry_WithoutANetworkTheNextSourceIsNotKeptWaiting(t *testing.T) {
	asked := 0
	_, err := source(nameless{&asked}, quick).Get(t.Context(), quote())
	if !errors.Is(err, market.ErrUnavailable) || asked != 1 {
		t.Errorf("Get = %v after %d requests, want ErrUnavailable after one", err, asked)
	}
}
