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

// Source reads data from Binance. It is safe for concurrent use.
type Source struct {
	o      client.ProviderOptions
	client *client.Source
}

var (
	_ market.QuoteSource    = (*Source)(nil)
	_ market.BarSource      = (*Source)(nil)
	_ market.IntradaySource = (*Source)(nil)
)

// New returns the source. It uses BaseURL and Now of o and sends no request.
func New(c *client.Client, o client.ProviderOptions) *Source {
	o = o.WithDefaults(host)
	return &Source{o: o, client: c.Source(client.Policy{Source: name, Rate: 10, Burst: 10, Timeout: 10 * time.Second})}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "binance", Provides: "coins",
		Covers: client.IsCoinPair,
		New:    func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeQuote("BTC-USD"),
		Gives:  "coins in US dollars (from USDT prices), with intraday bars",
		Limits: "10 requests per second; not available in every country", Terms: "personal use",
	}
}

// apiRequest is a request with its cache ages.
type apiRequest struct {
	op           string
	path         string
	values       url.Values
	fresh, stale time.Duration
}

// get requests q and parses the response. A response that does not parse is not cached.
func get[T any](ctx context.Context, s *Source, q apiRequest, parse func([]byte) (T, error)) (T, client.Response, error) {
	return client.GetParsed(ctx, s.client, client.Request{
		Op: q.op, URL: s.o.BaseURL + q.path + "?" + q.values.Encode(), Kind: client.JSON, Fresh: q.fresh, Stale: q.stale, Check: responseError,
	}, parse)
}

// Error codes of Binance.
const (
	codeTooMany   = -1003
	codeIllegal   = -1100 // a character that no symbol contains
	codeBadSymbol = -1121
	maxErrorBody  = 4 << 10
)

// responseError returns the error in a response, or nil if there is none or the status alone decides.
func responseError(answer client.Response) error {
	switch {
	case answer.Status == http.StatusUnavailableForLegalReasons:
		return fmt.Errorf("%w: Binance does not serve this region", market.ErrUnavailable)
	case answer.Status == http.StatusForbidden:
		// No key is involved that could be refused: the firewall has rejected the request.
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

// stablecoin replaces the dollar, because few pairs trade in dollars.
const stablecoin = "USDT"

// pair is a coin and its quote currency.
type pair struct {
	sym       market.Symbol
	apiSymbol string // as Binance spells it: "BTCUSDT"
	base      string
	apiQuote  string // quote currency at Binance
	quote     string // quote currency of sym
}

// pairOf returns the pair of a symbol such as BTC-USD. It reports false if sym is not a pair of a coin and a
// currency, or both are the same.
func pairOf(sym market.Symbol) (pair, bool) {
	p, ok := sym.CoinPair()
	if !ok {
		return pair{}, false
	}
	quoted := p.Quote
	if quoted == "USD" {
		quoted = stablecoin
	}
	if p.Base == quoted {
		return pair{}, false
	}
	return pair{sym: sym, apiSymbol: p.Base + quoted, base: p.Base, apiQuote: quoted, quote: p.Quote}, true
}

func (p pair) instrument() market.Instrument {
	return market.Instrument{
		Symbol: p.sym, Name: p.base + "/" + p.apiQuote + " at Binance", Kind: "crypto",
		Listing: market.Listing{Exchange: "Binance"},
	}
}

func (p pair) provenance(endpoint string, answer client.Response) market.Provenance {
	out := market.Provenance{
		Source: name, Endpoint: endpoint, License: license,
		Currency: p.quote, Unit: "price", Adjustment: market.AdjustmentRaw, Phase: market.PhaseRegular,
	}
	if p.apiQuote != p.quote {
		out.QuotedCurrency = p.apiQuote
		out.Note = "Priced in USDT, a stablecoin close to but not exactly 1 USD; converted one to one."
	}
	return answer.Stamp(out)
}
