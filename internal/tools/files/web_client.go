package files

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
	MaxPageBytes   = 2 << 20 // of a body that is read
	maxRedirects   = 5
	connectTimeout = 10 * time.Second
	headerTimeout  = 15 * time.Second // to the first byte
	requestTimeout = 25 * time.Second
)

// WebOptions tune a Client. The zero value is one for the public internet.
type WebOptions struct {
	// Agent is the program's name and version, sent to servers in the User-Agent header.
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

// WebClient asks web servers. It is safe for concurrent use, keeps no cookies, and
// connections only for a moment.
type WebClient struct {
	guard    addressGuard
	agent    string
	resolver resolver
	connect  func(ctx context.Context, d net.Dialer, address string) (net.Conn, error)
	http     http.Client
}

// NewWebClient makes a Client.
func NewWebClient(o WebOptions) *WebClient {
	c := &WebClient{guard: newGuard(o.Trusted), agent: o.Agent, resolver: o.Resolver, connect: o.Connect}
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
		o.Timeout = requestTimeout
	}
	c.http = http.Client{Timeout: o.Timeout, CheckRedirect: c.checkRedirect, Transport: &http.Transport{
		// No proxy: whoever names an address would reach what the proxy reaches.
		Proxy:                  nil,
		DialContext:            c.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots},
		TLSHandshakeTimeout:    connectTimeout,
		ResponseHeaderTimeout:  min(headerTimeout, o.Timeout),
		MaxResponseHeaderBytes: 64 << 10,
		IdleConnTimeout:        5 * time.Second,
		DisableCompression:     true, // body caps what is packed and what is unpacked
	}}
	return c
}

func (c *WebClient) checkRedirect(next *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return refuseURL("more than %d redirects", maxRedirects)
	}
	if via[len(via)-1].URL.Scheme == "https" && next.URL.Scheme != "https" {
		return refuseURL("a redirect from https:// to %s://", next.URL.Scheme)
	}
	next.Header.Del("Referer") // it would tell one site of another
	if err := c.guard.checkURL(next.URL); err != nil {
		return fmt.Errorf("redirect to %s: %w", next.URL.Redacted(), err)
	}
	hops, _ := next.Context().Value(redirectsKey{}).(*[]Redirect)
	if hops != nil {
		*hops = append(*hops, Redirect{URL: via[len(via)-1].URL.Redacted(), Status: next.Response.StatusCode})
	}
	return nil
}

type redirectsKey struct{}

// Redirect is an address that sent the client on.
type Redirect struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
}

// do asks for an address and gives the answer, whose body is the caller's to
// close, and the redirects on the way.
func (c *WebClient) do(ctx context.Context, method, raw, accept string) (*http.Response, []Redirect, error) {
	u, err := c.guard.parseURL(raw)
	if err != nil {
		return nil, nil, err
	}
	hops := []Redirect{}
	req, err := http.NewRequestWithContext(context.WithValue(ctx, redirectsKey{}, &hops), method, u.String(), nil)
	if err != nil {
		return nil, nil, refuseURL("not an address: %v", err)
	}
	req.Header.Set("User-Agent", c.agent)
	req.Header.Set("Accept", accept)
	req.Header.Set("Accept-Encoding", "gzip")
	res, err := c.http.Do(req)
	if err != nil {
		return nil, hops, requestError(ctx, err)
	}
	return res, hops, nil
}

// requestError is the cause of a failed request without the address, which the reader
// knows and which may hold what is not for logs.
func requestError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var slow interface{ Timeout() bool }
	if errors.As(err, &slow) && slow.Timeout() {
		return fmt.Errorf("%w: no whole answer in time", ErrWebTimeout)
	}
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// ErrWebTimeout means that a server was too slow.
var ErrWebTimeout = errors.New("timeout")
