package fred

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	name      = "fred"
	hostGraph = "https://fred.stlouisfed.org"
	hostAPI   = "https://api.stlouisfed.org"
	keyParam  = "api_key"
)

const (
	freshSeries  = 12 * time.Hour
	freshVintage = 30 * 24 * time.Hour // past vintages do not change
	freshInfo    = 7 * 24 * time.Hour
	stale        = 30 * 24 * time.Hour
)

// Source reads data from FRED. It is safe for concurrent use.
type Source struct {
	o           client.ProviderOptions
	graph, api  *client.Source
	knownSeries func() []describedSeries // the built-in table
}

var _ market.SeriesSource = (*Source)(nil)

// New returns the source. It uses BaseURL (for both hosts), Now, and Key, if any. It sends no request and
// does not read the key yet.
func New(c *client.Client, o client.ProviderOptions) *Source {
	o = o.WithDefaults("")
	return &Source{
		o:           o,
		graph:       c.Source(client.Policy{Source: name, Rate: 1, Burst: 3, Timeout: 30 * time.Second}),
		api:         c.Source(client.Policy{Source: name, Shared: name + "-api", Rate: 2, Burst: 10, Timeout: 30 * time.Second, Secrets: []string{keyParam}}),
		knownSeries: sync.OnceValue(parseKnownSeries),
	}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "fred", Title: "FRED", Provides: "economic series",
		KeyVars: []string{"FRED_API_KEY"},
		New:     func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeSeries("UNRATE"),
		Gives:  "economic series of the United States and the world; with a free key, also the values as first published, in the units of that time",
		Limits: "1 request per second, 2 with a key", Terms: "free with attribution; some series are copyrighted by their publishers",
	}
}

func (s *Source) at(host, path string) string { return cmp.Or(s.o.BaseURL, host) + path }

func (s *Source) key() string {
	if s.o.Key == nil {
		return ""
	}
	return s.o.Key()
}

// EconomicSeries returns the requested observations of id. With a key and a past KnownOn, they have the
// values published by the end of that day. Otherwise they have the newest values of the periods published by
// then. Vintage states which. An unknown series yields ErrUnknownSymbol, a range without observations
// ErrNoData.
func (s *Source) EconomicSeries(ctx context.Context, id market.SeriesID, q market.SeriesQuery) (market.EconomicSeries, error) {
	var zero market.EconomicSeries
	op := fmt.Sprintf("series %.40s", id)
	if err := ctx.Err(); err != nil {
		return zero, err
	}
	if parsed, err := market.ParseSeriesID(string(id)); err != nil || parsed != id {
		return zero, s.graph.NewError(op, market.ErrUnknownSymbol, "not a series ID")
	}
	query := s.fromGraph
	if s.key() != "" {
		query = s.fromAPI
	}
	series, err := query(ctx, op, id, q)
	if err != nil {
		return zero, err
	}
	last, ok := series.Latest()
	if !ok {
		return zero, s.graph.NewError(op, market.ErrNoData, "no observation has a value")
	}
	series.Provenance.AsOf = last.Date
	if !q.KnownOn.IsZero() {
		series = series.KnownOn(q.KnownOn)
	}
	if series = series.Within(q.Range); len(series.Observations) == 0 {
		return zero, s.graph.NewError(op, market.ErrNoData, "")
	}
	return series, nil
}

// get requests r and parses the response. A response that does not parse is not cached.
func get[T any](ctx context.Context, source *client.Source, r client.Request, refusal func(client.Response) error, parse func([]byte) (T, error)) (T, client.Response, error) {
	r.Stale, r.Check = stale, refusal
	return client.GetParsed(ctx, source, r, parse)
}

// newSeries combines observations with their description. publicOn is a day on which they certainly were
// public, or zero.
func newSeries(d describedSeries, endpoint string, observations []market.Observation, publicOn market.Date, answer client.Response) market.EconomicSeries {
	out := market.EconomicSeries{SeriesInfo: d.SeriesInfo, Observations: observations, Vintage: publicOn}
	for i, o := range observations {
		// An observation that FRED has returned was public, whatever the usual lag.
		if due := d.Frequency.PeriodEnd(o.Date).AddDate(0, 0, d.ReleaseLag); !publicOn.IsZero() && due.After(publicOn) && !o.Date.After(publicOn) {
			observations[i].Released = publicOn
		}
	}
	out.Provenance = answer.Stamp(market.Provenance{
		Source: name, Endpoint: endpoint, License: d.license, Unit: d.Unit, Adjustment: market.AdjustmentUnknown, Note: d.note,
	})
	return out
}
