package client

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// KeyedPolicy defines how to send requests to a source that needs the user's API key.
type KeyedPolicy struct {
	Policy
	Host string
	Kind BodyKind // of every response
	// The key is sent in the header KeyHeader, after KeyPrefix ("Bearer "), or in the query parameter
	// KeyParam.
	KeyHeader, KeyPrefix, KeyParam string
}

// KeyedSource sends requests to one server with the user's API key. It is safe for concurrent use.
type KeyedSource struct {
	*Source
	Now    func() time.Time
	policy KeyedPolicy
	base   string
	key    func() string
}

// KeyedSource returns the source for one server. The key is looked up at each request. Without
// one, every request yields ErrNotConfigured.
func (c *Client) KeyedSource(o ProviderOptions, p KeyedPolicy) *KeyedSource {
	o = o.WithDefaults(p.Host)
	if p.KeyParam != "" {
		p.Secrets = append(p.Secrets, p.KeyParam)
	}
	if p.Kind == JSON {
		header := http.Header{"Accept": {"application/json"}}
		maps.Copy(header, p.Header)
		p.Header = header
	}
	return &KeyedSource{Source: c.Source(p.Policy), Now: o.Now, policy: p, base: o.BaseURL, key: o.Key}
}

// HasKey reports whether there is a key, and ctx is not canceled.
func (s *KeyedSource) HasKey(ctx context.Context) bool {
	_, err := s.Key(ctx, "", s.key)
	return err == nil
}

// authorize completes r, whose URL is a path: it adds the server, the key and the expected kind of body.
func (s *KeyedSource) authorize(ctx context.Context, r Request) (Request, error) {
	key, err := s.Key(ctx, r.Op, s.key)
	if err != nil {
		return Request{}, err
	}
	r.URL, r.Kind = s.base+r.URL, s.policy.Kind
	if s.policy.KeyHeader != "" {
		r.Header = http.Header{s.policy.KeyHeader: {s.policy.KeyPrefix + key}}
	}
	if s.policy.KeyParam != "" {
		r.URL += "&" + url.Values{s.policy.KeyParam: {key}}.Encode()
	}
	return r, nil
}

// GetKeyed works like GetParsed with the user's key. The URL of r is a path; it has a query if the key is sent in
// one.
func GetKeyed[T any](ctx context.Context, s *KeyedSource, r Request, parse func([]byte) (T, error)) (T, Response, error) {
	r, err := s.authorize(ctx, r)
	if err != nil {
		var zero T
		return zero, Response{}, err
	}
	return GetParsed(ctx, s.Source, r, parse)
}

// GetUSListed works like GetKeyed for a request about sym. A symbol that is not listed in the United
// States yields ErrUnknownSymbol without a request.
func GetUSListed[T any](ctx context.Context, s *KeyedSource, sym market.Symbol, r Request, parse func([]byte) (T, error)) (T, Response, error) {
	authorized, err := s.authorize(ctx, r)
	if err == nil && !IsUSListed(sym) {
		err = s.NewError(r.Op, market.ErrUnknownSymbol, "only US listings")
	}
	if err != nil {
		var zero T
		return zero, Response{}, err
	}
	return GetParsed(ctx, s.Source, authorized, parse)
}
