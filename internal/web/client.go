// Package web asks public web servers for pages, and nobody else: what a model or
// a page names as an address must not reach this computer or the networks around
// it. Nothing is sent but the address and the program's name.
package web

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Limits of a request.
const (
	MaxBytes      = 2 << 20 // of a body that is read
	mostRedirects = 5
	connectTime   = 10 * time.Second
	answerTime    = 15 * time.Second // to the first byte
	wholeTime     = 25 * time.Second
)

// Options tune a Client. The zero value is one for the public internet.
type Options struct {
	// Agent is the program's name and version, as servers are told it.
	Agent string
	// Trusted are hosts, each with its port, that are asked wherever they lie.
	// Tests name their own servers; nothing else should.
	Trusted []string
	// Resolver finds the addresses of names; the system's where nil.
	Resolver resolver
	// Connect connects to an address that may be talked to; nil is a plain dial.
	Connect func(ctx context.Context, d net.Dialer, address string) (net.Conn, error)
	// Roots are the certificates that are trusted; the system's where nil.
	Roots *x509.CertPool
	// Timeout bounds a request with its body, 25 seconds where zero.
	Timeout time.Duration
}

// Client asks web servers. It is safe for concurrent use, keeps no cookies, and
// connections only for a moment.
type Client struct {
	guard    guard
	agent    string
	resolver resolver
	connect  func(ctx context.Context, d net.Dialer, address string) (net.Conn, error)
	http     http.Client
}

// New makes a Client.
func New(o Options) *Client {
	c := &Client{guard: newGuard(o.Trusted), agent: o.Agent, resolver: o.Resolver, connect: o.Connect}
	if c.agent == "" {
		c.agent = "nfa"
	}
	if c.resolver == nil {
		c.resolver = net.DefaultResolver
	}
	if c.connect == nil {
		c.connect = func(ctx context.Context, d net.Dialer, address string) (net.Conn, error) {
			return d.DialContext(ctx, "tcp", address)
		}
	}
	if o.Timeout <= 0 {
		o.Timeout = wholeTime
	}
	c.http = http.Client{Timeout: o.Timeout, CheckRedirect: c.checkRedirect, Transport: &http.Transport{
		// No proxy: whoever names an address would reach what the proxy reaches.
		Proxy:                  nil,
		DialContext:            c.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots},
		TLSHandshakeTimeout:    connectTime,
		ResponseHeaderTimeout:  min(answerTime, o.Timeout),
		MaxResponseHeaderBytes: 64 << 10,
		IdleConnTimeout:        5 * time.Second,
		DisableCompression:     true, // body caps what is packed and what is unpacked
	}}
	return c
}

func (c *Client) checkRedirect(next *http.Request, before []*http.Request) error {
	if len(before) > mostRedirects {
		return refused("more than %d redirects", mostRedirects)
	}
	if before[len(before)-1].URL.Scheme == "https" && next.URL.Scheme != "https" {
		return refused("a redirect from https:// to %s://", next.URL.Scheme)
	}
	next.Header.Del("Referer") // it would tell one site of another
	if err := c.guard.admit(next.URL); err != nil {
		return fmt.Errorf("redirect to %s: %w", next.URL.Redacted(), err)
	}
	hops, _ := next.Context().Value(hopsKey{}).(*[]Hop)
	if hops != nil {
		*hops = append(*hops, Hop{URL: before[len(before)-1].URL.Redacted(), Status: next.Response.StatusCode})
	}
	return nil
}

type hopsKey struct{}

// Hop is an address that sent the client on.
type Hop struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
}

// do asks for an address and gives the answer, whose body is the caller's to
// close, and the redirects on the way.
func (c *Client) do(ctx context.Context, method, raw, accept string) (*http.Response, []Hop, error) {
	u, err := c.guard.parse(raw)
	if err != nil {
		return nil, nil, err
	}
	hops := []Hop{}
	req, err := http.NewRequestWithContext(context.WithValue(ctx, hopsKey{}, &hops), method, u.String(), nil)
	if err != nil {
		return nil, nil, refused("not an address: %v", err)
	}
	req.Header.Set("User-Agent", c.agent)
	req.Header.Set("Accept", accept)
	req.Header.Set("Accept-Encoding", "gzip")
	res, err := c.http.Do(req)
	if err != nil {
		return nil, hops, plain(ctx, err)
	}
	return res, hops, nil
}

// plain is the cause of a failed request without the address, which the reader
// knows and which may hold what is not for logs.
func plain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var slow interface{ Timeout() bool }
	if errors.As(err, &slow) && slow.Timeout() {
		return fmt.Errorf("%w: no whole answer in time", ErrTimeout)
	}
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// ErrTimeout means that a server was too slow.
var ErrTimeout = errors.New("timeout")
