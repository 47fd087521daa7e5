// Package massive asks Massive, which was Polygon, with the user's own key: daily
// bars of the United States adjusted for splits, their dividends and splits, closes,
// profiles and news. The free plan bears five questions a minute and reaches two
// years back.
package massive

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	name    = "massive"
	licence = "Massive market data terms: the key's owner, personal use"
	host    = "https://api.massive.com"
	howTo   = "set a key with: nfa auth set massive, or MASSIVE_API_KEY"
)

// Options of a Source.
type Options struct {
	BaseURL string // the real one where empty
	// Key is asked for at each question. Without one, nil or empty, every call
	// yields ErrNotConfigured.
	Key func() string
	Now func() time.Time
}

// Source is Massive. It is safe for concurrent use.
type Source struct {
	o   Options
	tap *fetch.Source
}

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.BarSource     = (*Source)(nil)
	_ market.ProfileSource = (*Source)(nil)
	_ market.NewsSource    = (*Source)(nil)
)

// New returns the source. Nothing is asked before the first question.
func New(c *fetch.Client, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, host), "/")
	return &Source{o: o, tap: c.Source(fetch.Policy{
		Source: name, Rate: 5.0 / 60, Burst: 5, InFlight: 2, Timeout: 20 * time.Second, MaxBytes: 16 << 20,
		Header: http.Header{"Accept": {"application/json"}},
	})}
}

// get asks for a path about sym with the key in the header. What does not parse is
// not kept.
func get[T any](ctx context.Context, s *Source, sym market.Symbol, r fetch.Request, values url.Values, parse func([]byte) (T, error)) (T, fetch.Response, error) {
	var none T
	key, err := s.tap.Key(ctx, r.Doing, s.o.Key, howTo)
	if err != nil {
		return none, fetch.Response{}, err
	}
	if !wire.American(sym) {
		return none, fetch.Response{}, s.tap.Failed(r.Doing, market.ErrUnknownSymbol, "listings of the United States alone")
	}
	r.URL, r.Kind, r.Header = s.o.BaseURL+r.URL+"?"+values.Encode(), fetch.JSON, http.Header{"Authorization": {"Bearer " + key}}
	return fetch.Parsed(ctx, s.tap, r, parse)
}

// decode reads an answer that says of itself that it is one.
func decode(body []byte, into any) error {
	var envelope struct{ Status, Error, Message string }
	if err := wire.Decode(body, &envelope); err != nil {
		return err
	}
	said := envelope.Error + envelope.Message
	switch envelope.Status {
	case "OK", "DELAYED":
	case "NOT_AUTHORIZED":
		return wire.Refused(market.ErrAuth, said)
	case "NOT_FOUND":
		return wire.Refused(market.ErrUnknownSymbol, said)
	case "ERROR":
		if strings.Contains(strings.ToLower(said), "maximum requests") {
			return wire.Refused(market.ErrRateLimited, said)
		}
		return wire.Refused(market.ErrUnavailable, said)
	default:
		return wire.Malformed("status %.20q", envelope.Status)
	}
	if json.Unmarshal(body, into) != nil {
		return wire.Malformed("data of another form")
	}
	return nil
}

// origin begins the provenance of an answer.
func origin(endpoint string, answer fetch.Response) market.Provenance {
	return answer.Stamped(market.Provenance{
		Source: name, Endpoint: endpoint, Licence: licence, AsOf: answer.FetchedAt, Adjustment: market.AdjustmentUnknown,
	})
}
