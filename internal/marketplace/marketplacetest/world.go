// Package marketplacetest has a world of data servers for the tests of whoever asks
// them: World answers as all live providers do, a folder each, and has the bad days
// that a test sets.
package marketplacetest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch/fetchtest"
	"github.com/nfa-cli/nfa/internal/pattern"
)

// World is the servers of all providers on one address, a folder each:
// /yahoo/v8/finance/chart/EXM. A test sets faults by provider. It answers in memory
// as well as over a connection, and is safe for concurrent use.
type World struct {
	now     func() time.Time
	servers map[string]server

	mu     sync.Mutex
	faults map[string]Mode
	asked  map[string]int
}

// server is what one provider answers on a good day, false where it has nothing
// there.
type server func(now time.Time, r *http.Request) (string, bool)

// New is a world at a time, on a good day.
func New(now func() time.Time) *World {
	return &World{now: now, servers: servers(), faults: map[string]Mode{}, asked: map[string]int{}}
}

// Providers are the names of the servers, in order.
func (w *World) Providers() []string { return slices.Sorted(maps.Keys(w.servers)) }

// Env points every provider to its folder at base.
func (w *World) Env(base string) map[string]string {
	vars := map[string]string{"NFA_SEARXNG_URL": base + "/searxng"}
	for _, name := range w.Providers() {
		vars["NFA_"+strings.ToUpper(name)+"_URL"] = base + "/" + name
	}
	return vars
}

// Set gives the named providers a fault.
func (w *World) Set(fault Mode, names ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range names {
		w.faults[name] = fault
	}
}

// Requests is how often a provider was asked; all of them for "".
func (w *World) Requests(name string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	if name != "" {
		return w.asked[name]
	}
	sum := 0
	for _, n := range w.asked {
		sum += n
	}
	return sum
}

// Forget begins the count of requests anew.
func (w *World) Forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.asked)
}

// answer is what the provider in a request's path says to the rest of it.
func (w *World) answer(r *http.Request) fetchtest.Answer {
	name, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	w.mu.Lock()
	fault := w.faults[name]
	w.asked[name]++
	w.mu.Unlock()
	inner := r.Clone(r.Context())
	inner.URL.Path = "/" + rest
	say, ok := w.servers[name]
	if !ok {
		return fetchtest.Answer{Status: http.StatusTeapot, Body: []byte("no such provider in the test's world")}
	}
	body, ok := say(w.now(), inner)
	good := fetchtest.Answer{Body: []byte(body)}
	if !ok {
		good.Status = http.StatusNotFound
	}
	if fault.spoil == nil {
		return good
	}
	return fault.spoil(good)
}

func (w *World) script(r *http.Request) *fetchtest.Script {
	return fetchtest.New(map[string]fetchtest.Answer{r.URL.Path: w.answer(r)})
}

// ServeHTTP answers over a connection.
func (w *World) ServeHTTP(rw http.ResponseWriter, r *http.Request) { w.script(r).ServeHTTP(rw, r) }

// RoundTrip answers in memory, and lets no request out of the world.
func (w *World) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != "127.0.0.1" {
		return nil, fmt.Errorf("a request left the world of the test, to %s", r.URL.Host)
	}
	return w.script(r).RoundTrip(r)
}

// Mode is what is wrong with a server; the zero Mode is nothing.
type Mode struct {
	Name string
	Want error // what has to come of it, in the sentinels of market

	spoil func(good fetchtest.Answer) fetchtest.Answer
}

// Modes lists the bad days of a server, and the answers that look like good ones.
// A 404 and a 422 are not among them: what those mean differs by provider, whose
// own tests say it.
func Modes() []Mode {
	var all []Mode
	for i, day := range fetchtest.BadDays([]byte("..")) {
		if day.Name == "404" || day.Name == "422" {
			continue
		}
		all = append(all, Mode{day.Name, day.Want, func(good fetchtest.Answer) fetchtest.Answer {
			return fetchtest.BadDays(append(slices.Clone(good.Body), "  "...))[i].Answer
		}})
	}
	return append(all,
		Mode{"other symbol", market.ErrMalformed, otherSymbol},
		Mode{"zeros", nil, zeros},
		Mode{"stalled", market.ErrUnavailable, func(good fetchtest.Answer) fetchtest.Answer {
			good.Fault = fetchtest.Stalled
			return good
		}},
		Mode{"silent", market.ErrUnavailable, func(fetchtest.Answer) fetchtest.Answer { return fetchtest.Answer{Fault: fetchtest.Silent} }},
		Mode{"nothing but null", market.ErrMalformed, func(fetchtest.Answer) fetchtest.Answer { return fetchtest.Text("null") }},
	)
}

// ModeNamed is a mode by its name with hyphens for blanks, good for none.
func ModeNamed(name string) (Mode, error) {
	// The names in scripts are words of a line.
	short := map[string]string{"down": "connection refused", "html": "page of status 200", "truncated": "truncated body"}
	if name == "good" {
		return Mode{}, nil
	}
	wanted := strings.ReplaceAll(name, "-", " ")
	if long, ok := short[name]; ok {
		wanted = long
	}
	for _, m := range Modes() {
		if m.Name == wanted {
			return m, nil
		}
	}
	return Mode{}, fmt.Errorf("no mode %q of the market", name)
}

// otherSymbol answers about a share that nobody asked for.
func otherSymbol(good fetchtest.Answer) fetchtest.Answer {
	text := string(good.Body)
	for _, symbol := range []string{"EXM", "AAPL", "BTCUSDT", "BTC-USD", "bitcoin"} {
		text = strings.ReplaceAll(text, symbol, "OTHR")
	}
	good.Body = []byte(text)
	return good
}

// prices are the prices of the world's answers, which all have a point.
var prices = pattern.Lazy(`\b[0-9]+\.[0-9]+\b`)

// zeros answers with prices that are none.
func zeros(good fetchtest.Answer) fetchtest.Answer {
	good.Body = prices().ReplaceAll(good.Body, []byte("0.0"))
	return good
}

// Away is a server to which there is no connection.
func Away() Mode {
	return Mode{"away", market.ErrUnavailable, func(fetchtest.Answer) fetchtest.Answer { return fetchtest.Answer{Fault: fetchtest.Refused} }}
}
