package tiingo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	name      = "tiingo"
	license   = "Tiingo terms of use: the key's owner, internal use"
	host      = "https://api.tiingo.com"
	setupHint = "set a key with: nfa auth set tiingo, or TIINGO_API_KEY"
)

// Options of a Source.
type Options struct {
	BaseURL string // the real one where empty
	// Key is asked for at each question. Without one, nil or empty, every call
	// yields ErrNotConfigured.
	Key func() string
	Now func() time.Time
}

// Source is Tiingo. It is safe for concurrent use.
type Source struct {
	o      Options
	client *client.Source
}

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.BarSource     = (*Source)(nil)
	_ market.NewsSource    = (*Source)(nil)
	_ market.ProfileSource = (*Source)(nil)
)

// New returns the source. Nothing is asked before the first question.
func New(c *client.Client, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, host), "/")
	return &Source{o: o, client: c.Source(client.Policy{
		Source: name, Rate: 1, Burst: 5, InFlight: 2, Timeout: 20 * time.Second, MaxBytes: 16 << 20,
		Header: http.Header{"Accept": {"application/json"}},
	})}
}

// get asks for a path with the key in the header. What does not parse is not kept.
func get[T any](ctx context.Context, s *Source, r client.Request, parse func([]byte) (T, error)) (T, client.Response, error) {
	var zero T
	key, err := s.client.Key(ctx, r.Op, s.o.Key, setupHint)
	if err != nil {
		return zero, client.Response{}, err
	}
	r.URL, r.Kind, r.Header = s.o.BaseURL+r.URL, client.JSON, http.Header{"Authorization": {"Token " + key}}
	return client.GetParsed(ctx, s.client, r, parse)
}

// decode reads JSON into a list, or an object that is not a refusal. What the
// decoder says may quote the body and is left out.
func decode(body []byte, into any) error {
	var refusal struct {
		Detail string `json:"detail"`
	}
	if bytes.HasPrefix(body, []byte("{")) && json.Unmarshal(body, &refusal) == nil && refusal.Detail != "" {
		return refusalError(refusal.Detail)
	}
	return client.DecodeJSON(body, into)
}

// refusalError is a refusal of status 200 in the sentinels of market.
func refusalError(detail string) error {
	sentinel, low := market.ErrMalformed, strings.ToLower(detail)
	switch {
	case strings.Contains(low, "not found"):
		sentinel = market.ErrUnknownSymbol
	case strings.Contains(low, "run over") || strings.Contains(low, "limit"):
		sentinel = market.ErrRateLimited
	case strings.Contains(low, "token") || strings.Contains(low, "permission") || strings.Contains(low, "power plan"):
		sentinel = market.ErrAuth
	}
	return client.RefusalError(sentinel, detail)
}
