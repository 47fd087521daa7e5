// Package tiingo asks Tiingo with the user's own key: thirty years and more of
// daily bars of the United States with their dividends and splits, prices, and
// news where the plan has them.
//
// Bars are raw, as traded, and carry what happened to the shares, so that any
// level of adjustment can be made of them here. The free plan bears about fifty
// questions an hour and five hundred symbols a month.
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
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	name    = "tiingo"
	licence = "Tiingo terms of use: the key's owner, internal use"
	host    = "https://api.tiingo.com"
	howTo   = "set a key with: nfa auth set tiingo, or TIINGO_API_KEY"
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
	o   Options
	tap *fetch.Source
}

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.BarSource     = (*Source)(nil)
	_ market.NewsSource    = (*Source)(nil)
	_ market.ProfileSource = (*Source)(nil)
)

// New returns the source. Nothing is asked before the first question.
func New(c *fetch.Client, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, host), "/")
	return &Source{o: o, tap: c.Source(fetch.Policy{
		Source: name, Rate: 1, Burst: 5, InFlight: 2, Timeout: 20 * time.Second, MaxBytes: 16 << 20,
		Header: http.Header{"Accept": {"application/json"}},
	})}
}

// get asks for a path with the key in the header. What does not parse is not kept.
func get[T any](ctx context.Context, s *Source, r fetch.Request, parse func([]byte) (T, error)) (T, fetch.Response, error) {
	var none T
	key, err := s.tap.Key(ctx, r.Doing, s.o.Key, howTo)
	if err != nil {
		return none, fetch.Response{}, err
	}
	r.URL, r.Kind, r.Header = s.o.BaseURL+r.URL, fetch.JSON, http.Header{"Authorization": {"Token " + key}}
	return fetch.Parsed(ctx, s.tap, r, parse)
}

// decode reads JSON into a list, or an object that is not a refusal. What the
// decoder says may quote the body and is left out.
func decode(body []byte, into any) error {
	var refusal struct {
		Detail string `json:"detail"`
	}
	if bytes.HasPrefix(body, []byte("{")) && json.Unmarshal(body, &refusal) == nil && refusal.Detail != "" {
		return said(refusal.Detail)
	}
	return wire.Decode(body, into)
}

// said is a refusal of status 200 in the sentinels of market.
func said(detail string) error {
	sentinel, low := market.ErrMalformed, strings.ToLower(detail)
	switch {
	case strings.Contains(low, "not found"):
		sentinel = market.ErrUnknownSymbol
	case strings.Contains(low, "run over") || strings.Contains(low, "limit"):
		sentinel = market.ErrRateLimited
	case strings.Contains(low, "token") || strings.Contains(low, "permission") || strings.Contains(low, "power plan"):
		sentinel = market.ErrAuth
	}
	return wire.Refused(sentinel, detail)
}
