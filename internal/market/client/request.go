package client

import (
	"net/http"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// BodyKind is what a body has to look like before anybody parses it.
type BodyKind string

// Kinds of body. A page where data were asked for is how a source says no.
const (
	AnyBody BodyKind = ""
	JSON    BodyKind = "JSON"
	CSV     BodyKind = "CSV"
	XML     BodyKind = "XML"
	HTML    BodyKind = "HTML"
)

// Request is one question to a source.
type Request struct {
	Op     string // for people and errors: "quote of AAPL"
	URL    string
	Method string // GET where empty; only GET and HEAD are retried and kept
	Header http.Header
	Body   []byte
	Kind   BodyKind
	// Fresh is how long an answer may be used again without asking; zero asks
	// each time. Stale is how long after that it may still stand in for a source
	// that does not answer. Forever keeps what never changes.
	Fresh, Stale time.Duration
	// Check looks at an answer of any status before it is kept, and at what was kept
	// before that is given out, and says what is wrong with it, in the sentinels of
	// market. Nil leaves it to Kind and status.
	Check func(Response) error
}

// Forever is the lifetime of what does not change, such as a filed document.
const Forever = time.Duration(1<<63 - 1)

// Response is a source's answer.
type Response struct {
	Status    int
	Header    http.Header
	Body      []byte // unpacked
	FetchedAt time.Time
	Cache     market.CacheState
}

// Policy is how one source wants to be asked.
type Policy struct {
	Source  string // as results name it: "yahoo"
	License string // terms of its data, in the provenance of results
	// Shared names the limit that several sources share ("sec.gov"); Source where
	// empty.
	Shared   string
	Rate     float64 // requests a second; zero is one
	Burst    int     // requests at once after a pause; zero is one
	InFlight int     // requests under way at once; zero is no limit but Burst
	// Breaker is how long nothing is asked after a 429 that names no time itself;
	// zero is a minute.
	Breaker time.Duration
	Timeout time.Duration // of one request, body included; zero is 15 s
	Header  http.Header   // of every request
	// Hosts are those a redirect may lead to, besides the host that was asked.
	// Headers of a request do not go there.
	Hosts []string
	// MaxBytes is the largest body, unpacked; zero is 32 MiB.
	MaxBytes int64
	// Secrets are the names of query parameters that hold keys: they are left out
	// of errors, logs and the names of kept files.
	Secrets []string
}
