package finnhub

import (
	"context"
	"encoding/json"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Source reads data from Finnhub. It is safe for concurrent use.
type Source struct{ client *client.KeyedSource }

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.ProfileSource = (*Source)(nil)
	_ market.NewsSource    = (*Source)(nil)
)

// New returns the source. It uses BaseURL, Key and Now of o and sends no request.
func New(c *client.Client, o client.ProviderOptions) *Source {
	return &Source{c.KeyedSource(o, client.KeyedPolicy{
		Policy: client.Policy{
			Source: "finnhub", License: "Finnhub terms of service: personal use by the owner of the key",
			Rate: 1, Burst: 5, InFlight: 2, Timeout: 15 * time.Second, MaxBytes: 8 << 20,
		},
		Host: "https://finnhub.io", Kind: client.JSON, KeyHeader: "X-Finnhub-Token",
	})}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "finnhub", Title: "Finnhub", Provides: "US prices, news", Requires: client.RequiresKey,
		KeyVars: []string{"FINNHUB_API_KEY"},
		New:     func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeQuote("AAPL"),
		Gives:  "US prices, profiles, news",
		Limits: "60 requests per minute", Terms: "personal use",
	}
}

// get requests a path about sym.
func get[T any](ctx context.Context, s *Source, sym market.Symbol, r client.Request, values url.Values, parse func([]byte) (T, error)) (T, client.Response, error) {
	values.Set("symbol", string(sym))
	r.URL = "/api/v1" + r.URL + "?" + values.Encode()
	return client.GetUSListed(ctx, s.client, sym, r, parse)
}

// decode decodes JSON, or returns the error that a refusal contains. The decoder's own error may quote the
// body and is dropped.
func decode(body []byte, into any) error {
	var refusal struct{ Error string }
	if json.Unmarshal(body, &refusal) == nil && refusal.Error != "" {
		return client.RefusalMeaning(refusal.Error,
			client.Meaning{Err: market.ErrRateLimited, Words: []string{"limit"}},
			client.Meaning{Err: market.ErrAuth, Words: []string{"access", "api key"}})
	}
	return client.DecodeJSON(body, into)
}
