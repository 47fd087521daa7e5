package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/market"
)

// Options of a Client. The zero value asks the network and keeps nothing.
type Options struct {
	// Dir is where answers and the marks of shared limits are kept; empty keeps
	// nothing and limits this process alone.
	Dir string
	// Transport carries the requests; http.DefaultTransport where nil.
	Transport http.RoundTripper
	Now       func() time.Time
	Log       zerolog.Logger
}

// Client is what all sources of a program share. It is safe for concurrent use.
type Client struct {
	o Options
}

// New returns a client. Nothing is opened or made before the first request.
func New(o Options) *Client {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	return &Client{o: o}
}

// Source is the tap of one server. Make it once for each provider.
func (c *Client) Source(p Policy) *Source { return &Source{client: c, policy: p} }

// Source asks one server under its policy. It is safe for concurrent use.
type Source struct {
	client *Client
	policy Policy
}

// Get asks, or answers from the disk. The error is a *market.SourceError, but for
// a cancelled context.
func (s *Source) Get(ctx context.Context, r Request) (Response, error) {
	ctx, cancel := context.WithTimeout(ctx, max(s.policy.Timeout, time.Second))
	defer cancel()
	if r.Method == "" {
		r.Method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return Response{}, s.failed(r, market.ErrUnavailable, 0, "malformed address")
	}
	for _, h := range []http.Header{s.policy.Header, r.Header} {
		for name, values := range h {
			req.Header[name] = values
		}
	}
	res, err := s.client.o.Transport.RoundTrip(req)
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return Response{}, fmt.Errorf("%s from %s: %w", r.Doing, s.policy.Source, err)
		}
		return Response{}, s.failed(r, market.ErrUnavailable, 0, "")
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 32<<20))
	if err != nil {
		return Response{}, s.failed(r, market.ErrUnavailable, res.StatusCode, "")
	}
	answer := Response{Status: res.StatusCode, Header: res.Header, Body: body, FetchedAt: s.client.o.Now()}
	if r.Check != nil {
		if err := r.Check(answer); err != nil {
			return Response{}, s.failed(r, err, res.StatusCode, "")
		}
	}
	if answer.Status != http.StatusOK {
		return Response{}, s.failed(r, market.ErrUnavailable, res.StatusCode, "")
	}
	return answer, nil
}

// Failed is the error of an answer that Get let pass and its provider could not
// use.
func (s *Source) Failed(doing string, err error, detail string) error {
	return &market.SourceError{Source: s.policy.Source, Doing: doing, Err: err, Detail: detail}
}

func (s *Source) failed(r Request, err error, status int, detail string) error {
	return &market.SourceError{Source: s.policy.Source, Doing: r.Doing, Err: err, Status: status, Detail: detail}
}
