package coingecko

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	name    = "coingecko"
	host    = "https://api.coingecko.com"
	license = "Data by CoinGecko (https://www.coingecko.com); attribution required"
	// keyHeader is used rather than the parameter x_cg_demo_api_key, because URLs are logged in more places
	// than headers.
	keyHeader = "X-Cg-Demo-Api-Key"
)

// Source reads data from CoinGecko. It is safe for concurrent use.
type Source struct {
	o              client.ProviderOptions
	keyless, keyed *client.Source
	coins          func() map[string]coin // the table, by ticker
}

var (
	_ market.BatchQuoteSource = (*Source)(nil)
	_ market.BarSource        = (*Source)(nil)
	_ market.SearchSource     = (*Source)(nil)
)

// New returns the source. It uses BaseURL, Now, and Key (of a demo account, if any). It sends no request and
// does not read the key yet.
func New(c *client.Client, o client.ProviderOptions) *Source {
	o = o.WithDefaults(host)
	newSource := func(shared string, perMinute float64, burst int) *client.Source {
		return c.Source(client.Policy{Source: name, Shared: shared, Rate: perMinute / 60, Burst: burst, Timeout: 10 * time.Second})
	}
	return &Source{o: o, keyless: newSource(name, 5, 5), keyed: newSource(name+"-keyed", 30, 10), coins: sync.OnceValue(coinTable)}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "coingecko", Title: "CoinGecko", Provides: "coins",
		KeyVars: []string{"COINGECKO_API_KEY"}, Covers: client.IsCoinPair,
		New: func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeQuote("BTC-USD"),
		Gives:  "coins, averaged over many exchanges, and one year of closes",
		Limits: "5 requests per minute, 30 with a free key", Terms: "attribution: data by CoinGecko",
	}
}

// apiRequest is a request with its cache ages.
type apiRequest struct {
	op           string
	path         string
	values       url.Values
	fresh, stale time.Duration
}

// get requests q, with the key if there is one, and parses the response. A response that does not
// parse is not cached.
func get[T any](ctx context.Context, s *Source, q apiRequest, parse func([]byte) (T, error)) (T, client.Response, error) {
	source, header := s.keyless, http.Header(nil)
	if s.o.Key != nil {
		if key := s.o.Key(); key != "" {
			source, header = s.keyed, http.Header{keyHeader: {key}}
		}
	}
	return client.GetParsed(ctx, source, client.Request{
		Op: q.op, URL: s.o.BaseURL + "/api/v3/" + q.path + "?" + q.values.Encode(), Header: header,
		Kind: client.JSON, Fresh: q.fresh, Stale: q.stale, Check: responseError,
	}, parse)
}

// Error codes of CoinGecko.
const (
	codeTooMany  = 429
	codeTooOld   = 10012 // before the history of the plan
	codeKeys     = 10000 // errors with this or a higher code are about keys and plans
	maxErrorBody = 4 << 10
)

// responseError returns the error in a response, or nil if there is none or the status alone decides. A
// message is a text or has a code, at the top level or nested.
func responseError(answer client.Response) error {
	if len(answer.Body) > maxErrorBody {
		return nil
	}
	type status struct {
		Code    int    `json:"error_code"`
		Message string `json:"error_message"`
	}
	var body struct {
		Status *status         `json:"status"`
		Error  json.RawMessage `json:"error"`
	}
	if json.Unmarshal(answer.Body, &body) != nil {
		return nil
	}
	var inner struct {
		Status *status `json:"status"`
	}
	if json.Unmarshal(body.Error, &inner) == nil && inner.Status != nil {
		body.Status = inner.Status
	}
	var text string
	switch {
	case body.Status != nil && body.Status.Code != 0:
		return client.RefusalError(codeSentinel(body.Status.Code), body.Status.Message)
	case json.Unmarshal(body.Error, &text) != nil:
		return nil
	case strings.Contains(text, "not find") || strings.Contains(text, "not found") || strings.Contains(text, "invalid vs_currency"):
		return client.RefusalError(market.ErrUnknownSymbol, text)
	}
	return nil
}

func codeSentinel(code int) error {
	switch {
	case code == codeTooMany:
		return market.ErrRateLimited
	case code == codeTooOld:
		return market.ErrNoData
	case code >= codeKeys:
		return market.ErrAuth
	}
	return market.ErrUnavailable
}

func newProvenance(c coin, currency, endpoint string, answer client.Response) market.Provenance {
	return answer.Stamp(market.Provenance{
		Source: name, Endpoint: endpoint, License: license, Currency: currency,
		Unit: "price", Adjustment: market.AdjustmentRaw, Phase: market.PhaseRegular, Note: c.note,
	})
}
