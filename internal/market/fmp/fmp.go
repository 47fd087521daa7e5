// Package fmp asks Financial Modeling Prep with the user's own key: prices and
// profiles of companies of the United States. The free plan bears two hundred and
// fifty questions a day, and refuses many symbols with status 402 and a sentence
// in place of JSON.
package fmp

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	name    = "fmp"
	licence = "Financial Modeling Prep terms of service: the key's owner, personal use"
	host    = "https://financialmodelingprep.com"
	howTo   = "set a key with: nfa auth set fmp, or FMP_API_KEY"
)

// Options of a Source.
type Options struct {
	BaseURL string // the real one where empty
	// Key is asked for at each question. Without one, nil or empty, every call
	// yields ErrNotConfigured.
	Key func() string
	Now func() time.Time
}

// Source is Financial Modeling Prep. It is safe for concurrent use.
type Source struct {
	o   Options
	tap *fetch.Source
}

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.ProfileSource = (*Source)(nil)
)

// New returns the source. Nothing is asked before the first question.
func New(c *fetch.Client, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, host), "/")
	return &Source{o: o, tap: c.Source(fetch.Policy{
		Source: name, Rate: 1, Burst: 2, InFlight: 2, Timeout: 15 * time.Second, MaxBytes: 8 << 20, Breaker: 5 * time.Minute,
		Header: http.Header{"Accept": {"application/json"}},
	})}
}

// get asks for a path about sym with the key in the header. What does not parse is
// not kept.
func get[T any](ctx context.Context, s *Source, sym market.Symbol, r fetch.Request, parse func([]byte, market.Symbol) (T, error)) (T, fetch.Response, error) {
	var none T
	key, err := s.tap.Key(ctx, r.Doing, s.o.Key, howTo)
	if err != nil {
		return none, fetch.Response{}, err
	}
	if !wire.American(sym) {
		return none, fetch.Response{}, s.tap.Failed(r.Doing, market.ErrUnknownSymbol, "listings of the United States alone")
	}
	r.URL, r.Kind, r.Header = s.o.BaseURL+"/stable"+r.URL+"?"+url.Values{"symbol": {wire.Hyphened(sym)}}.Encode(), fetch.JSON, http.Header{"Apikey": {key}}
	return fetch.Parsed(ctx, s.tap, r, func(body []byte) (T, error) { return parse(body, sym) })
}

// first is the only row of an answer. A symbol that is not known has none.
func first[T any](body []byte) (T, error) {
	var rows []T
	var none T
	var refusal struct {
		Error string `json:"Error Message"`
	}
	if json.Unmarshal(body, &refusal) == nil && refusal.Error != "" {
		sentinel, low := market.ErrMalformed, strings.ToLower(refusal.Error)
		switch {
		case strings.Contains(low, "limit"):
			sentinel = market.ErrRateLimited
		case strings.Contains(low, "key") || strings.Contains(low, "subscription") || strings.Contains(low, "legacy"):
			sentinel = market.ErrAuth
		}
		return none, wire.Refused(sentinel, refusal.Error)
	}
	if json.Unmarshal(body, &rows) != nil || rows == nil {
		return none, wire.Malformed("not the list that was expected")
	}
	if len(rows) == 0 {
		return none, market.ErrUnknownSymbol
	}
	return rows[0], nil
}

// origin begins the provenance of an answer.
func origin(endpoint string, answer fetch.Response) market.Provenance {
	return answer.Stamped(market.Provenance{
		Source: name, Endpoint: endpoint, Licence: licence, AsOf: answer.FetchedAt, Currency: "USD", Adjustment: market.AdjustmentUnknown,
	})
}
