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

	"github.com/nfa-cli/nfa/internal/tool"
)

// These limits apply to each request.
const (
	MaxPageBytes   = 2 << 20 // of a body
	maxRedirects   = 5
	connectTimeout = 10 * time.Second
	headerTimeout  = 15 * time.Second // to the first byte
	requestTimeout = 25 * time.Second
)

// WebOptions configures a WebClient. The zero value is for the public internet.
type WebOptions struct {
	// Agent is the program's name and version, sent in the User-Agent header.
	Agent string
	// Trusted lists hosts, with ports, that are allowed at any address. Only tests set it, for
	// their own servers.
	Trusted []string
	// Resolver resolves names; nil means the system's resolver.
	Resolver resolver
	// Connect connects to a checked address; nil means a plain dial.
	Connect func(ctx context.Context, d net.Dialer, address string) (net.Conn, error)
	// Roots are the trusted certificates; nil means those of the system.
	Roots *x509.CertPool
	// Timeout limits a request including its body; zero means 25 seconds.
	Timeout time.Duration
}

// WebClient sends requests to web servers. It is safe for concurrent use. It keeps no cookies, and
// closes connections soon.
type WebClient struct {
	guard    addressGuard
	agent    string
	resolver resolver
	connect  func(ctx context.Context, d net.Dialer, address string) (net.Conn, error)
	http     http.Client
}

// NewWebClient returns a WebClient.
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
		// No proxy, because requests could then reach whatever the proxy reaches.
		Proxy:                  nil,
		DialContext:            c.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots},
		TLSHandshakeTimeout:    connectTimeout,
		ResponseHeaderTimeout:  min(headerTimeout, o.Timeout),
		MaxResponseHeaderBytes: 64 << 10,
		IdleConnTimeout:        5 * time.Second,
		DisableCompression:     true, // readBody limits both compressed and decompressed bytes
	}}
	return c
}

func (c *WebClient) checkRedirect(next *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return refuseURL("more than %d redirects", maxRedirects)
	}
	if via[len(via)-1].URL.Scheme == "https" && next.URL.Scheme != "https" {
		return refuseURL("the page redirects from https:// to %s://", next.URL.Scheme)
	}
	next.Header.Del("Referer") // do not reveal one site to another
	if err := c.guard.checkURL(next.URL); err != nil {
		return fmt.Errorf("redirect to %s: %w", next.URL.Redacted(), err)
	}
	if err := tool.CheckRedirect(next.Context(), via[len(via)-1].URL.String(), next.URL.String()); err != nil {
		return refuseURL("%v", err)
	}
	hops, _ := next.Context().Value(redirectsKey{}).(*[]Redirect)
	if hops != nil {
		*hops = append(*hops, Redirect{URL: via[len(via)-1].URL.Redacted(), Status: next.Response.StatusCode})
	}
	return nil
}

type redirectsKey struct{}

// Redirect is a URL that redirected the client.
type Redirect struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
}

// do sends a request. It returns the response, whose body the caller must close, and the redirects.
func (c *WebClient) do(ctx context.Context, method, raw, accept string) (*http.Response, []Redirect, error) {
	u, err := c.guard.parseURL(raw)
	if err != nil {
		return nil, nil, err
	}
	hops := []Redirect{}
	req, err := http.NewRequestWithContext(context.WithValue(ctx, redirectsKey{}, &hops), method, u.String(), nil)
	if err != nil {
		return nil, nil, refuseURL("invalid URL: %v", err)
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

// requestError returns the cause of a failed request without the URL, which the reader knows and
// which must not get into logs.
func requestError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var slow interface{ Timeout() bool }
	if errors.As(err, &slow) && slow.Timeout() {
		return fmt.Errorf("%w: no complete response within the time limit", ErrWebTimeout)
	}
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// ErrWebTimeout means that a server did not respond in time.
var ErrWebTimeout = errors.New("timeout")
