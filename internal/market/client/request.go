package client

import (
	"net/http"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// BodyKind is the expected form of a body before it is parsed.
type BodyKind string

// Kinds of body. A web page instead of data means a refusal.
const (
	AnyBody BodyKind = ""
	JSON    BodyKind = "JSON"
	CSV     BodyKind = "CSV"
	XML     BodyKind = "XML"
	HTML    BodyKind = "HTML"
)

// Request is a request to a source.
type Request struct {
	Op     string // for people and errors: "quote of AAPL"
	URL    string
	Method string // default GET; only GET and HEAD are retried and cached
	Header http.Header
	Body   []byte
	Kind   BodyKind
	// Fresh is how long a response is used without a new request; zero means never. Stale is how
	// much longer it may replace the response of an unreachable source. Forever is for data that
	// never changes.
	Fresh, Stale time.Duration
	// Check inspects responses of any status before they are cached, and cached ones before they
	// are used. It returns an error that wraps a sentinel of market. If nil, Kind and status
	// decide.
	Check func(Response) error
}

// Forever is the cache lifetime of data that never changes, such as a filed document.
const Forever = time.Duration(1<<63 - 1)

// Response is a source's response.
type Response struct {
	Status    int
	Header    http.Header
	Body      []byte // decompressed
	FetchedAt time.Time
	Cache     market.CacheState
}

// Policy defines how to send requests to one source.
type Policy struct {
	Source  string // as results name the source: "yahoo"
	License string // terms of its data, in the provenance of results
	// Shared names a limit that several sources share ("sec.gov"); the default is Source.
	Shared   string
	Rate     float64 // requests per second; zero means one
	Burst    int     // requests at once after a pause; zero means one
	InFlight int     // concurrent requests; zero means no limit other than Burst
	// Breaker is the pause after a 429 response without Retry-After; zero means one minute.
	Breaker time.Duration
	Timeout time.Duration // maximum time of one request including the body; zero means 15 s
	Header  http.Header   // of every request
	// Hosts are allowed targets of redirects, in addition to the requested host. Request headers
	// are not sent there.
	Hosts []string
	// MaxBytes is the maximum size of a decompressed body; zero means 32 MiB.
	MaxBytes int64
	// Secrets lists query parameters that contain keys. They are omitted from errors, logs and file
	// names.
	Secrets []string
}
