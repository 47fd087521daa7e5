package client

import (
	"net/http"
	"time"
)

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
