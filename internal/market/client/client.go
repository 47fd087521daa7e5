package client

import (
	"cmp"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// Options of a Client. The zero value asks the network and keeps nothing.
type Options struct {
	// Dir stores responses and the ends of blocks; empty stores nothing.
	Dir string
	// Transport carries the requests; http.DefaultTransport where nil.
	Transport http.RoundTripper
	// Now dates responses and determines their age. Pauses use the machine's clock: a replay of the
	// past sends requests no faster.
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

// New returns a client. Nothing is opened or made before the first request.
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

// Source returns the source that sends requests to one server. Make it once for each provider.
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
