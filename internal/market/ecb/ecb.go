package ecb

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	name      = "ecb"
	hostRates = "https://www.ecb.europa.eu"
	hostData  = "https://data-api.ecb.europa.eu"
	license   = "European Central Bank, free with attribution"
)

const (
	freshLatest = time.Hour // there is one new day per day, published at no exact time
	freshPast   = 7 * 24 * time.Hour
	stale       = 30 * 24 * time.Hour
)

// Source reads data from the European Central Bank. It is safe for concurrent use.
type Source struct {
	o      client.ProviderOptions
	client *client.Source
}

var (
	_ market.RateSource  = (*Source)(nil)
	_ market.CurveSource = (*Source)(nil)
)

// New returns the source. It uses BaseURL (for both hosts) and Now, and sends no request.
func New(c *client.Client, o client.ProviderOptions) *Source {
	o = o.WithDefaults("")
	return &Source{o: o, client: c.Source(client.Policy{Source: name, Rate: 1, Burst: 3, InFlight: 2, Timeout: 30 * time.Second})}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "ecb", Provides: "exchange rates, euro yield curve",
		New: func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeRate,
		Gives:  "euro reference rates since 1999, euro area yield curve since 2004",
		Limits: "1 request per second; published about 16:00 CET", Terms: "free with attribution",
	}
}

func (s *Source) at(host, path string) string { return cmp.Or(s.o.BaseURL, host) + path }

func (s *Source) today() market.Date { return s.o.Now().UTC().Truncate(24 * time.Hour) }

// apiRequest is a request with its cache ages.
type apiRequest struct {
	op          string
	url         string
	kind        client.BodyKind
	fresh       time.Duration
	notFoundErr error // what status 404 means
}

// get requests q and parses the response. A response that does not parse is not cached.
func get[T any](ctx context.Context, s *Source, q apiRequest, parse func([]byte) (T, error)) (T, client.Response, error) {
	return client.GetParsed(ctx, s.client, client.Request{
		Op: q.op, URL: q.url, Kind: q.kind, Fresh: q.fresh, Stale: stale,
		Check: func(answer client.Response) error {
			if answer.Status == http.StatusNotFound {
				return q.notFoundErr
			}
			return nil
		},
	}, parse)
}

func newProvenance(endpoint string, answer client.Response) market.Provenance {
	return answer.Stamp(market.Provenance{Source: name, Endpoint: endpoint, License: license, Adjustment: market.AdjustmentUnknown})
}
