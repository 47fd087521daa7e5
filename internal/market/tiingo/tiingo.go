package tiingo

import (
	"bytes"
	"encoding/json"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Source reads data from Tiingo. It is safe for concurrent use.
type Source struct{ client *client.KeyedSource }

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.BarSource     = (*Source)(nil)
	_ market.NewsSource    = (*Source)(nil)
	_ market.ProfileSource = (*Source)(nil)
)

// New returns the source. It uses BaseURL, Key and Now of o and sends no request.
func New(c *client.Client, o client.ProviderOptions) *Source {
	return &Source{c.KeyedSource(o, client.KeyedPolicy{
		Policy: client.Policy{
			Source: "tiingo", License: "Tiingo terms of use: internal use by the owner of the key",
			Rate: 1, Burst: 5, InFlight: 2, Timeout: 20 * time.Second, MaxBytes: 16 << 20,
		},
		Host: "https://api.tiingo.com", Kind: client.JSON, KeyHeader: "Authorization", KeyPrefix: "Token ",
	})}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "tiingo", Title: "Tiingo", Provides: "US prices, news", Requires: client.RequiresKey,
		KeyVars: []string{"TIINGO_API_KEY"}, Covers: client.IsUSShare,
		New: func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeQuote("AAPL"),
		Gives:  "over 30 years of unadjusted US bars with dividends and splits, IEX prices, news",
		Limits: "50 requests per hour, 500 symbols per month", Terms: "internal use",
	}
}

// decode decodes a JSON list, or an object that is not a refusal. The decoder's own error may quote
// the body and is dropped.
func decode(body []byte, into any) error {
	var refusal struct {
		Detail string `json:"detail"`
	}
	if bytes.HasPrefix(body, []byte("{")) && json.Unmarshal(body, &refusal) == nil && refusal.Detail != "" {
		return client.RefusalMeaning(refusal.Detail,
			client.Meaning{Err: market.ErrUnknownSymbol, Words: []string{"not found"}},
			client.Meaning{Err: market.ErrRateLimited, Words: []string{"run over", "limit"}},
			client.Meaning{Err: market.ErrAuth, Words: []string{"token", "permission", "power plan"}})
	}
	return client.DecodeJSON(body, into)
}

// symbolPath returns the symbol for a URL, with a hyphen before a share class.
func symbolPath(sym market.Symbol) string { return url.PathEscape(client.HyphenateClass(sym)) }

// symbolOf returns nfa's spelling of a ticker, or "" if there is none.
func symbolOf(ticker string) market.Symbol {
	sym, err := market.ParseSymbol(ticker)
	if err != nil {
		return ""
	}
	return sym
}
