package alphavantage

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Source reads data from Alpha Vantage. It is safe for concurrent use.
type Source struct{ client *client.KeyedSource }

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.BarSource     = (*Source)(nil)
	_ market.ProfileSource = (*Source)(nil)
)

// New returns the source. It uses BaseURL, Key and Now of o and sends no request.
func New(c *client.Client, o client.ProviderOptions) *Source {
	return &Source{c.KeyedSource(o, client.KeyedPolicy{
		Policy: client.Policy{
			Source: "alphavantage", License: "Alpha Vantage terms of service: personal use by the owner of the key",
			Rate: 1, InFlight: 1, Timeout: 20 * time.Second, MaxBytes: 8 << 20,
			// A used-up daily allowance is not available again until tomorrow.
			Breaker: 5 * time.Minute,
		},
		Host: "https://www.alphavantage.co", KeyParam: "apikey",
	})}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "alphavantage", Title: "Alpha Vantage", Provides: "US prices, profiles", Requires: client.RequiresKey,
		KeyVars: []string{"ALPHAVANTAGE_API_KEY"}, Covers: client.IsUSShare,
		New: func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeQuote("AAPL"),
		Gives:  "100 days of US bars, the last close, profiles",
		Limits: "25 requests per day", Terms: "personal use",
	}
}

// apiRequest is a request to one function of the service about one symbol.
type apiRequest struct {
	op, function, format string
	sym                  market.Symbol
	params               url.Values
	fresh, stale         time.Duration
}

// get sends the request. The API accepts the key only in the URL.
func get[T any](ctx context.Context, s *Source, q apiRequest, parse func([]byte) (T, error)) (T, client.Response, error) {
	values := url.Values{"function": {q.function}, "symbol": {client.HyphenateClass(q.sym)}, "datatype": {q.format}}
	maps.Copy(values, q.params)
	r := client.Request{Op: q.op, URL: "/query?" + values.Encode(), Fresh: q.fresh, Stale: q.stale, Check: responseError}
	return client.GetUSListed(ctx, s.client, q.sym, r, parse)
}

// responseError handles an object instead of data: its text distinguishes a limit from an unknown
// symbol.
func responseError(answer client.Response) error {
	var notice struct {
		Information, Note string
		Error             string `json:"Error Message"`
	}
	if answer.Status != http.StatusOK || json.Unmarshal(answer.Body, &notice) != nil {
		return nil
	}
	text := notice.Information + notice.Note + notice.Error
	low := strings.ToLower(text)
	contains := func(words string) bool { return strings.Contains(low, words) }
	sentinel := market.ErrMalformed
	switch {
	case text == "":
		return nil
	case contains("premium endpoint") || contains("premium feature") || contains("demo") || contains("apikey is invalid"):
		sentinel = market.ErrAuth
	case contains("rate limit") || contains("call frequency") || contains("requests per") || contains("sparingly") || notice.Note != "":
		sentinel = market.ErrRateLimited
	case notice.Error != "":
		sentinel = market.ErrUnknownSymbol
	}
	return client.RefusalError(sentinel, text)
}
