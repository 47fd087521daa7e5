package binance

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	name    = "binance"
	host    = "https://data-api.binance.vision"
	license = "Binance terms of use: market data for personal use"
)

// Options of a Source: BaseURL and Now.
type Options = client.ProviderOptions

// Source is Binance. It is safe for concurrent use.
type Source struct {
	o      Options
	client *client.Source
}

var (
	_ market.QuoteSource = (*Source)(nil)
	_ market.BarSource   = (*Source)(nil)
)

// New returns the source. Nothing is asked before the first question.
func New(c *client.Client, o Options) *Source {
	o = o.WithDefaults(host)
	return &Source{o: o, client: c.Source(client.Policy{Source: name, Rate: 10, Burst: 10, Timeout: 10 * time.Second})}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "binance", Provides: "coins",
		Covers: client.IsCoinPair,
		New:    func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeQuote("BTC-USD"),
		Gives:  "coins, in dollars by way of USDT",
		Limits: "10 requests a second; not in every country", Terms: "personal use",
	}
}

// apiRequest is a request and what its answer is good for.
type apiRequest struct {
	op           string
	path         string
	values       url.Values
	fresh, stale time.Duration
}

// get asks q and parses the answer. An answer that does not parse is not kept.
func get[T any](ctx context.Context, s *Source, q apiRequest, parse func([]byte) (T, error)) (T, client.Response, error) {
	return client.GetParsed(ctx, s.client, client.Request{
		Op: q.op, URL: s.o.BaseURL + q.path + "?" + q.values.Encode(), Kind: client.JSON, Fresh: q.fresh, Stale: q.stale, Check: responseError,
	}, parse)
}

// Codes by which Binance says what is wrong with a question.
const (
	codeTooMany   = -1003
	codeIllegal   = -1100 // a character that no symbol has
	codeBadSymbol = -1121
	maxErrorBody  = 4 << 10
)

// responseError is the error that an answer is, nil where it is data or where its status
// says it all.
func responseError(answer client.Response) error {
	switch {
	case answer.Status == http.StatusUnavailableForLegalReasons:
		return fmt.Errorf("%w: Binance does not serve this region", market.ErrUnavailable)
	case answer.Status == http.StatusForbidden:
		// There is no key that could be refused: the firewall speaks.
		return market.ErrUnavailable
	case len(answer.Body) > maxErrorBody:
		return nil
	}
	var apiError struct {
		Code int    `json:"code"`
		Msg  string `json:"msg"`
	}
	if json.Unmarshal(answer.Body, &apiError) != nil || apiError.Code >= 0 {
		return nil
	}
	sentinel := market.ErrUnavailable
	switch apiError.Code {
	case codeBadSymbol, codeIllegal:
		sentinel = market.ErrUnknownSymbol
	case codeTooMany:
		sentinel = market.ErrRateLimited
	}
	return client.RefusalError(sentinel, apiError.Msg)
}
