package markettest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
)

// FakeProviders fakes the servers of all providers on one host, each below its own path:
// /yahoo/v8/finance/chart/EXM. A test sets the fault of each provider. It responds in memory or over a
// connection, and is safe for concurrent use.
type FakeProviders struct {
	now      func() time.Time
	handlers map[string]providerHandler

	mu       sync.Mutex
	modes    map[string]FailureMode
	requests map[string]int
}

// providerHandler returns a provider's normal response, and false for unknown paths.
type providerHandler func(now time.Time, r *http.Request) (string, bool)

// NewFakeProviders returns fake providers without faults. Their newest prices are of the current time.
func NewFakeProviders(now func() time.Time) *FakeProviders {
	return &FakeProviders{now: now, handlers: providerHandlers(), modes: map[string]FailureMode{}, requests: map[string]int{}}
}

// Names returns the names of the servers in order.
func (w *FakeProviders) Names() []string { return slices.Sorted(maps.Keys(w.handlers)) }

// Env points each provider to its path below base.
func (w *FakeProviders) Env(base string) map[string]string {
	vars := map[string]string{"NFA_SEARXNG_URL": base + "/searxng"}
	for _, name := range w.Names() {
		vars["NFA_"+strings.ToUpper(name)+"_URL"] = base + "/" + name
	}
	return vars
}

// SetMode sets the fault of the named providers.
func (w *FakeProviders) SetMode(mode FailureMode, names ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range names {
		w.modes[name] = mode
	}
}

// Requests returns the number of requests to a provider, or to all for "".
func (w *FakeProviders) Requests(name string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	if name != "" {
		return w.requests[name]
	}
	sum := 0
	for _, n := range w.requests {
		sum += n
	}
	return sum
}

// ResetRequests resets the request counts.
func (w *FakeProviders) ResetRequests() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.requests)
}

// respond returns the response of the provider in a request's path.
func (w *FakeProviders) respond(r *http.Request) Response {
	name, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	w.mu.Lock()
	mode := w.modes[name]
	w.requests[name]++
	w.mu.Unlock()
	inner := r.Clone(r.Context())
	inner.URL.Path = "/" + rest
	handle, ok := w.handlers[name]
	if !ok {
		return Response{Status: http.StatusTeapot, Body: []byte("no such fake provider")}
	}
	body, ok := handle(w.now(), inner)
	good := Response{Body: []byte(body)}
	if !ok {
		good.Status = http.StatusNotFound
	}
	if mode.corrupt == nil {
		return good
	}
	return mode.corrupt(good)
}

func (w *FakeProviders) script(r *http.Request) *Script {
	return NewScript(map[string]Response{r.URL.Path: w.respond(r)})
}

// ServeHTTP responds over a connection.
func (w *FakeProviders) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.script(r).ServeHTTP(rw, r)
}

// RoundTrip responds from memory and refuses requests to other hosts.
func (w *FakeProviders) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != "127.0.0.1" {
		return nil, fmt.Errorf("request to unknown fake provider %s", r.URL.Host)
	}
	return w.script(r).RoundTrip(r)
}

// FailureMode is a fault of a server; the zero value is none.
type FailureMode struct {
	Name string
	Want error // expected sentinel of market

	corrupt func(good Response) Response
}

// FailureModes lists faults of a server, including bad responses that look valid. Statuses 404 and 422 are
// not among them, because their meaning differs by provider and is tested there.
func FailureModes() []FailureMode {
	var all []FailureMode
	for i, day := range BadResponses([]byte("..")) {
		if day.Name == "404" || day.Name == "422" {
			continue
		}
		all = append(all, FailureMode{day.Name, day.Want, func(good Response) Response {
			return BadResponses(append(slices.Clone(good.Body), "  "...))[i].Response
		}})
	}
	return append(all,
		FailureMode{"other symbol", market.ErrMalformed, wrongSymbol},
		FailureMode{"zeros", nil, zeroPrices},
		FailureMode{"stalled", market.ErrUnavailable, func(good Response) Response {
			good.Fault = FaultStalled
			return good
		}},
		FailureMode{"silent", market.ErrUnavailable, func(Response) Response { return Response{Fault: FaultSilent} }},
		FailureMode{"only null", market.ErrMalformed, func(Response) Response { return JSONResponse("null") }},
	)
}

// FailureModeNamed returns the mode with a name, in which hyphens replace spaces; "good" is no fault.
func FailureModeNamed(name string) (FailureMode, error) {
	// Scripts may use these short names.
	short := map[string]string{"down": "connection refused", "html": "page of status 200", "truncated": "truncated body"}
	if name == "good" {
		return FailureMode{}, nil
	}
	wanted := strings.ReplaceAll(name, "-", " ")
	if long, ok := short[name]; ok {
		wanted = long
	}
	for _, m := range FailureModes() {
		if m.Name == wanted {
			return m, nil
		}
	}
	return FailureMode{}, fmt.Errorf("unknown failure mode %q", name)
}

// wrongSymbol returns a response for another symbol.
func wrongSymbol(good Response) Response {
	text := string(good.Body)
	for _, symbol := range []string{"EXM", "AAPL", "BTCUSDT", "BTC-USD", "bitcoin"} {
		text = strings.ReplaceAll(text, symbol, "OTHR")
	}
	good.Body = []byte(text)
	return good
}

// pricePattern matches the prices in the fake responses, which all have a decimal point.
var pricePattern = lazyregexp.New(`\b[0-9]+\.[0-9]+\b`)

// zeroPrices returns the response with all prices zero.
func zeroPrices(good Response) Response {
	good.Body = pricePattern().ReplaceAll(good.Body, []byte("0.0"))
	return good
}

// UnreachableMode simulates a server that cannot be reached.
func UnreachableMode() FailureMode {
	return FailureMode{"away", market.ErrUnavailable, func(Response) Response { return Response{Fault: FaultRefused} }}
}
