package fmp

import (
	"context"
	"encoding/json"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Source reads data from Financial Modeling Prep. It is safe for concurrent use.
type Source struct{ client *client.KeyedSource }

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.ProfileSource = (*Source)(nil)
)

// New returns the source. It uses BaseURL, Key and Now of o and sends no request.
func New(c *client.Client, o client.ProviderOptions) *Source {
	return &Source{c.KeyedSource(o, client.KeyedPolicy{
		Policy: client.Policy{
			Source: "fmp", License: "Financial Modeling Prep terms of service: personal use by the owner of the key",
			Rate: 1, Burst: 2, InFlight: 2, Timeout: 15 * time.Second, MaxBytes: 8 << 20, Breaker: 5 * time.Minute,
		},
		Host: "https://financialmodelingprep.com", Kind: client.JSON, KeyHeader: "Apikey",
	})}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "fmp", Title: "Financial Modeling Prep", Provides: "US prices, profiles", Requires: client.RequiresKey,
		KeyVars: []string{"FMP_API_KEY"},
		New:     func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeQuote("AAPL"),
		Gives:  "US prices and profiles",
		Limits: "250 requests per day", Terms: "personal use",
	}
}

// get requests a path about sym.
func get[T any](ctx context.Context, s *Source, sym market.Symbol, r client.Request, parse func([]byte, market.Symbol) (T, error)) (T, client.Response, error) {
	r.URL = "/stable" + r.URL + "?" + url.Values{"symbol": {client.HyphenateClass(sym)}}.Encode()
	return client.GetUSListed(ctx, s.client, sym, r, func(body []byte) (T, error) { return parse(body, sym) })
}

// firstRow returns the only row of a response. For an unknown symbol there is none, which is
// ErrUnknownSymbol.
func firstRow[T any](body []byte) (T, error) {
	var rows []T
	var zero T
	var refusal struct {
		Error string `json:"Error Message"`
	}
	if json.Unmarshal(body, &refusal) == nil && refusal.Error != "" {
		return zero, client.RefusalMeaning(refusal.Error,
			client.Meaning{Err: market.ErrRateLimited, Words: []string{"limit"}},
			client.Meaning{Err: market.ErrAuth, Words: []string{"key", "subscription", "legacy"}})
	}
	if json.Unmarshal(body, &rows) != nil || rows == nil {
		return zero, client.Malformedf("unexpected JSON")
	}
	if len(rows) == 0 {
		return zero, market.ErrUnknownSymbol
	}
	return rows[0], nil
}
