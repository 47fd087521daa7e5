package massive

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Source reads data from Massive. It is safe for concurrent use.
type Source struct{ client *client.KeyedSource }

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.BarSource     = (*Source)(nil)
	_ market.ProfileSource = (*Source)(nil)
	_ market.NewsSource    = (*Source)(nil)
)

// New returns the source. It uses BaseURL, Key and Now of o and sends no request.
func New(c *client.Client, o client.ProviderOptions) *Source {
	return &Source{c.KeyedSource(o, client.KeyedPolicy{
		Policy: client.Policy{
			Source: "massive", License: "Massive market data terms: personal use by the owner of the key",
			Rate: 5.0 / 60, Burst: 5, InFlight: 2, Timeout: 20 * time.Second, MaxBytes: 16 << 20,
		},
		Host: "https://api.massive.com", Kind: client.JSON, KeyHeader: "Authorization", KeyPrefix: "Bearer ",
	})}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "massive", Title: "Massive", Provides: "US prices, news", Requires: client.RequiresKey,
		KeyVars: []string{"MASSIVE_API_KEY", "POLYGON_API_KEY"}, Covers: client.IsUSShare,
		New: func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeProfile("AAPL"),
		Gives:  "US bars with dividends and splits, profiles, news",
		Limits: "5 requests per minute, two years of history", Terms: "personal use",
	}
}

// get requests a path about sym.
func get[T any](ctx context.Context, s *Source, sym market.Symbol, r client.Request, values url.Values, parse func([]byte) (T, error)) (T, client.Response, error) {
	r.URL += "?" + values.Encode()
	return client.GetUSListed(ctx, s.client, sym, r, parse)
}

// decode decodes a response with a success status.
func decode(body []byte, into any) error {
	var envelope struct{ Status, Error, Message string }
	if err := client.DecodeJSON(body, &envelope); err != nil {
		return err
	}
	message := envelope.Error + envelope.Message
	switch envelope.Status {
	case "OK", "DELAYED":
	case "NOT_AUTHORIZED":
		return client.RefusalError(market.ErrAuth, message)
	case "NOT_FOUND":
		return client.RefusalError(market.ErrUnknownSymbol, message)
	case "ERROR":
		if strings.Contains(strings.ToLower(message), "maximum requests") {
			return client.RefusalError(market.ErrRateLimited, message)
		}
		return client.RefusalError(market.ErrUnavailable, message)
	default:
		return client.Malformedf("status %.20q", envelope.Status)
	}
	if json.Unmarshal(body, into) != nil {
		return client.Malformedf("unexpected JSON")
	}
	return nil
}
