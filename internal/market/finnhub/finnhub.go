package finnhub

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
	name      = "finnhub"
	license   = "Finnhub terms of service: the key's owner, personal use"
	host      = "https://finnhub.io"
	setupHint = "set a key with: nfa auth set finnhub, or FINNHUB_API_KEY"
)

// Options of a Source.
type Options struct {
	BaseURL string // the real one where empty
	// Key is asked for at each question. Without one, nil or empty, every call
	// yields ErrNotConfigured.
	Key func() string
	Now func() time.Time
}

// Source is Finnhub. It is safe for concurrent use.
type Source struct {
	o      Options
	client *client.Source
}

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.ProfileSource = (*Source)(nil)
	_ market.NewsSource    = (*Source)(nil)
)

// New returns the source. Nothing is asked before the first question.
func New(c *client.Client, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, host), "/")
	return &Source{o: o, client: c.Source(client.Policy{
		Source: name, Rate: 1, Burst: 5, InFlight: 2, Timeout: 15 * time.Second, MaxBytes: 8 << 20,
		Header: http.Header{"Accept": {"application/json"}},
	})}
}

// get asks for a path about sym with the key in the header. What does not parse is
// not kept.
func get[T any](ctx context.Context, s *Source, sym market.Symbol, r client.Request, values url.Values, parse func([]byte) (T, error)) (T, client.Response, error) {
	var zero T
	key, err := s.client.Key(ctx, r.Op, s.o.Key, setupHint)
	if err != nil {
		return zero, client.Response{}, err
	}
	if !client.IsUSListed(sym) {
		return zero, client.Response{}, s.client.NewError(r.Op, market.ErrUnknownSymbol, "listings of the United States alone")
	}
	values.Set("symbol", string(sym))
	r.URL, r.Kind, r.Header = s.o.BaseURL+"/api/v1"+r.URL+"?"+values.Encode(), client.JSON, http.Header{"X-Finnhub-Token": {key}}
	return client.GetParsed(ctx, s.client, r, parse)
}

// decode reads JSON that is not a refusal. What the decoder says may quote the body
// and is left out.
func decode(body []byte, into any) error {
	var refusal struct{ Error string }
	if json.Unmarshal(body, &refusal) == nil && refusal.Error != "" {
		sentinel, low := market.ErrMalformed, strings.ToLower(refusal.Error)
		switch {
		case strings.Contains(low, "limit"):
			sentinel = market.ErrRateLimited
		case strings.Contains(low, "access") || strings.Contains(low, "api key"):
			sentinel = market.ErrAuth
		}
		return client.RefusalError(sentinel, refusal.Error)
	}
	return client.DecodeJSON(body, into)
}

// newProvenance begins the provenance of an answer.
func newProvenance(endpoint string, asOf time.Time, answer client.Response) market.Provenance {
	if asOf.IsZero() {
		asOf = answer.FetchedAt
	}
	return answer.Stamp(market.Provenance{Source: name, Endpoint: endpoint, License: license, AsOf: asOf, Adjustment: market.AdjustmentUnknown})
}
