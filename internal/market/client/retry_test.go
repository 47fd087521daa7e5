package client_test

import (
	"errors"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestRetry_OnlyWhereAskingAgainMayHelp(t *testing.T) {
	fine := markettest.JSONResponse(`{}`)
	status := func(code int) markettest.Response { return markettest.Response{Status: code} }
	tests := []struct {
		name    string
		answers []markettest.Response
		method  string
		asked   int
		want    error // nil means success
	}{
		{"429 that says soon", []markettest.Response{{Status: 429, Header: markettest.RetryAfterHeader("3")}, fine}, "", 2, nil},
		{"429 that says later", []markettest.Response{{Status: 429, Header: markettest.RetryAfterHeader("60")}, fine}, "", 1, market.ErrRateLimited},
		{"429 that says nothing", []markettest.Response{status(429), fine}, "", 1, market.ErrRateLimited},
		{"502, then good", []markettest.Response{status(502), fine}, "", 2, nil},
		{"503, 504, then good", []markettest.Response{status(503), status(504), fine}, "", 3, nil},
		{"503 three times", []markettest.Response{status(503), status(503), status(503), fine}, "", 3, market.ErrUnavailable},
		{"500", []markettest.Response{status(500), fine}, "", 1, market.ErrUnavailable},
		{"404", []markettest.Response{status(404), fine}, "", 1, market.ErrUnknownSymbol},
		{"refused, then good", []markettest.Response{{Fault: markettest.FaultRefused}, fine}, "", 2, nil},
		{"cut, then good", []markettest.Response{{Body: []byte(`{"a":1}`), Fault: markettest.FaultCut}, fine}, "", 2, nil},
		{"a 200 that is no data", []markettest.Response{markettest.HTMLResponse(200, "Just a moment..."), fine}, "", 1, market.ErrMalformed},
		{"broken gzip", []markettest.Response{{Body: []byte(`{}`), Fault: markettest.FaultBrokenGzip}, fine}, "", 1, market.ErrMalformed},
		{"silent", []markettest.Response{{Fault: markettest.FaultSilent}, fine}, "", 1, market.ErrUnavailable},
		{"stalled", []markettest.Response{{Body: []byte(`{}`), Fault: markettest.FaultStalled}, fine}, "", 1, market.ErrUnavailable},
		{"503 to a POST", []markettest.Response{status(503), fine}, http.MethodPost, 1, market.ErrUnavailable},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script := markettest.NewScript(nil).Respond("/quote", test.answers...)
				r := quote()
				r.Method = test.method
				_, err := source(script, fastPolicy).Get(t.Context(), r)
				if !errors.Is(err, test.want) {
					t.Errorf("Get = %v, want %v", err, test.want)
				}
				if n := len(script.Requests()); n != test.asked {
					t.Errorf("asked %d times, want %d", n, test.asked)
				}
			})
		})
	}
}

func TestRetry_WaitsAsLongAsTheServerAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := markettest.NewScript(nil).Respond("/quote", markettest.Response{Status: 429, Header: markettest.RetryAfterHeader("3")}, markettest.JSONResponse("{}"))
		began := time.Now()
		if _, err := source(script, fastPolicy).Get(t.Context(), quote()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < 3*time.Second || took > 4*time.Second {
			t.Errorf("asked again after %v, want 3 s and a little", took)
		}
	})
}

func TestTimeout_IsOfOneRequestWithItsBody(t *testing.T) {
	for _, fault := range []markettest.Fault{markettest.FaultSilent, markettest.FaultStalled} {
		synctest.Test(t, func(t *testing.T) {
			p := fastPolicy
			p.Timeout = 7 * time.Second
			script := markettest.NewScript(map[string]markettest.Response{"/quote": {Body: []byte("{}"), Fault: fault}})
			began := time.Now()
			_, err := source(script, p).Get(t.Context(), quote())
			found, ok := errors.AsType[*market.SourceError](err)
			if !ok || found.Waited != 7*time.Second || time.Since(began) != 7*time.Second {
				t.Errorf("%s: Get = %v after %v, want no response within 7s", fault, err, time.Since(began))
			}
		})
	}
}

// The same faults over a real connection, for which net/http has its own errors.
func TestGet_OverAConnection(t *testing.T) {
	body := []byte(`{"chart":{"result":[]}}`)
	for _, row := range []struct {
		fault markettest.Fault
		want  error
	}{
		{markettest.NoFault, nil}, {markettest.GzipBody, nil}, {markettest.FaultBrokenGzip, market.ErrMalformed}, {markettest.FaultCut, market.ErrUnavailable},
		{markettest.FaultRefused, market.ErrUnavailable}, {markettest.FaultSilent, market.ErrUnavailable}, {markettest.FaultStalled, market.ErrUnavailable},
	} {
		url := markettest.Serve(t, markettest.NewScript(map[string]markettest.Response{"/quote": {Body: body, Fault: row.fault}}))
		patience := time.Minute
		if row.fault == markettest.FaultSilent || row.fault == markettest.FaultStalled {
			patience = 100 * time.Millisecond
		}
		s := client.New(client.Options{}).Source(client.Policy{Source: "example", Timeout: patience})
		got, err := s.Get(t.Context(), client.Request{Op: "quote", URL: url + "/quote", Kind: client.JSON})
		if !errors.Is(err, row.want) || err == nil && string(got.Body) != string(body) {
			t.Errorf("%q: Get = %q, %v, want %v", row.fault, got.Body, err, row.want)
		}
	}
}

// unresolvedHost imitates a machine without a network: it cannot resolve any name.
type unresolvedHost struct{ requests *int }

func (n unresolvedHost) RoundTrip(r *http.Request) (*http.Response, error) {
	*n.requests++
	return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: r.URL.Hostname(), IsNotFound: true}}
}

func TestRetry_WithoutANetworkTheNextSourceIsNotKeptWaiting(t *testing.T) {
	requests := 0
	_, err := source(unresolvedHost{&requests}, fastPolicy).Get(t.Context(), quote())
	if !errors.Is(err, market.ErrUnavailable) || requests != 1 {
		t.Errorf("Get = %v after %d requests, want ErrUnavailable after one", err, requests)
	}
}
