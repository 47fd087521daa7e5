package ecb

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
)

const (
	name      = "ecb"
	hostRates = "https://www.ecb.europa.eu"
	hostData  = "https://data-api.ecb.europa.eu"
	licence   = "European Central Bank, free with attribution"
)

const (
	freshNow  = time.Hour // a new day comes once a day, at no exact time
	freshPast = 7 * 24 * time.Hour
	stale     = 30 * 24 * time.Hour
)

// Options of a Source. The zero value asks the real servers.
type Options struct {
	BaseURL string // stands for both hosts; the real ones where empty
	Now     func() time.Time
}

// Source is the European Central Bank. It is safe for concurrent use.
type Source struct {
	o   Options
	tap *fetch.Source
}

var (
	_ market.RateSource  = (*Source)(nil)
	_ market.CurveSource = (*Source)(nil)
)

// New returns the source. Nothing is asked before the first question.
func New(c *fetch.Client, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	return &Source{o: o, tap: c.Source(fetch.Policy{Source: name, Rate: 1, Burst: 3, InFlight: 2, Timeout: 30 * time.Second})}
}

func (s *Source) at(host, path string) string { return cmp.Or(s.o.BaseURL, host) + path }

func (s *Source) today() market.Date { return s.o.Now().UTC().Truncate(24 * time.Hour) }

// question is a request and what its answer is good for.
type question struct {
	doing   string
	url     string
	kind    fetch.Kind
	fresh   time.Duration
	missing error // what status 404 means
}

// get asks q and parses the answer. An answer that does not parse is not kept.
func get[T any](ctx context.Context, s *Source, q question, parse func([]byte) (T, error)) (T, fetch.Response, error) {
	return fetch.Parsed(ctx, s.tap, fetch.Request{
		Doing: q.doing, URL: q.url, Kind: q.kind, Fresh: q.fresh, Stale: stale,
		Check: func(answer fetch.Response) error {
			if answer.Status == http.StatusNotFound {
				return q.missing
			}
			return nil
		},
	}, parse)
}

func provenance(endpoint string, answer fetch.Response) market.Provenance {
	return answer.Stamped(market.Provenance{Source: name, Endpoint: endpoint, Licence: licence, Adjustment: market.AdjustmentUnknown})
}
