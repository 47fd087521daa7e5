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
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	name      = "fmp"
	license   = "Financial Modeling Prep terms of service: the key's owner, personal use"
	host      = "https://financialmodelingprep.com"
	setupHint = "set a key with: nfa auth set fmp, or FMP_API_KEY"
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
	o      Options
	client *client.Source
}

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.ProfileSource = (*Source)(nil)
)

// New returns the source. Nothing is asked before the first question.
func New(c *client.Client, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, host), "/")
	return &Source{o: o, client: c.Source(client.Policy{
		Source: name, Rate: 1, Burst: 2, InFlight: 2, Timeout: 15 * time.Second, MaxBytes: 8 << 20, Breaker: 5 * time.Minute,
		Header: http.Header{"Accept": {"application/json"}},
	})}
}

// get asks for a path about sym with the key in the header. What does not parse is
// not kept.
func get[T any](ctx context.Context, s *Source, sym market.Symbol, r client.Request, parse func([]byte, market.Symbol) (T, error)) (T, client.Response, error) {
	var zero T
	key, err := s.client.Key(ctx, r.Op, s.o.Key, setupHint)
	if err != nil {
		return zero, client.Response{}, err
	}
	if !client.IsUSListed(sym) {
		return zero, client.Response{}, s.client.NewError(r.Op, market.ErrUnknownSymbol, "listings of the United States alone")
	}
	r.URL, r.Kind, r.Header = s.o.BaseURL+"/stable"+r.URL+"?"+url.Values{"symbol": {client.HyphenateClass(sym)}}.Encode(), client.JSON, http.Header{"Apikey": {key}}
	return client.GetParsed(ctx, s.client, r, func(body []byte) (T, error) { return parse(body, sym) })
}

// firstRow is the only row of an answer. A symbol that is not known has none.
func firstRow[T any](body []byte) (T, error) {
	var rows []T
	var zero T
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
		return zero, client.RefusalError(sentinel, refusal.Error)
	}
	if json.Unmarshal(body, &rows) != nil || rows == nil {
		return zero, client.Malformedf("not the list that was expected")
	}
	if len(rows) == 0 {
		return zero, market.ErrUnknownSymbol
	}
	return rows[0], nil
}

// newProvenance begins the provenance of an answer.
func newProvenance(endpoint string, answer client.Response) market.Provenance {
	return answer.Stamp(market.Provenance{
		Source: name, Endpoint: endpoint, License: license, AsOf: answer.FetchedAt, Currency: "USD", Adjustment: market.AdjustmentUnknown,
	})
}
