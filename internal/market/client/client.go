package client

import (
	"cmp"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// Options configures a Client. The zero value uses the network and stores nothing.
type Options struct {
	// Dir stores responses and the times until which servers are blocked; if empty, nothing is stored.
	Dir string
	// Transport carries the requests; nil means http.DefaultTransport.
	Transport http.RoundTripper
	// Now dates responses and determines their age. Pauses between requests use the real clock, so a
	// simulated past sends requests no faster.
	Now func() time.Time
	Log zerolog.Logger
	// MaxDisk is the maximum number of response bytes in Dir; zero means 256 MiB.
	MaxDisk int64
}

// Client holds the state shared by all sources of a program. It is safe for concurrent use.
type Client struct {
	o       Options
	disk    *diskCache
	flights flightGroup

	mu       sync.Mutex
	limiters map[string]*limiter
}

// New returns a client. It opens and creates nothing before the first request.
func New(o Options) *Client {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	c := &Client{o: o, limiters: make(map[string]*limiter), flights: flightGroup{inFlight: make(map[string]*flight), log: o.Log}}
	if o.Dir != "" {
		c.disk = &diskCache{dir: filepath.Join(o.Dir, responseFolder), maxBytes: cmp.Or(o.MaxDisk, 256<<20), log: o.Log}
	}
	return c
}

// Source returns a source that sends requests to one server. Call it once per provider.
func (c *Client) Source(p Policy) *Source {
	p.Shared = cmp.Or(p.Shared, p.Source)
	p.Rate = max(p.Rate, 0)
	p.Rate = cmp.Or(p.Rate, 1)
	p.Burst = max(p.Burst, 1)
	p.Breaker = cmp.Or(max(p.Breaker, 0), time.Minute)
	p.Timeout = cmp.Or(max(p.Timeout, 0), 15*time.Second)
	p.MaxBytes = cmp.Or(max(p.MaxBytes, 0), 32<<20)
	return &Source{client: c, policy: p, limiter: c.limiter(p)}
}

// limiter returns the limiter shared by all sources with the same limit.
func (c *Client) limiter(p Policy) *limiter {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, ok := c.limiters[p.Shared]
	if !ok {
		l = newLimiter(c.o.Dir, p)
		c.limiters[p.Shared] = l
	}
	return l
}
