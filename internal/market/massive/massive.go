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
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	name      = "massive"
	license   = "Massive market data terms: the key's owner, personal use"
	host      = "https://api.massive.com"
	setupHint = "set a key with: nfa auth set massive, or MASSIVE_API_KEY"
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
	o      Options
	client *client.Source
}

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.BarSource     = (*Source)(nil)
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
		Source: name, Rate: 5.0 / 60, Burst: 5, InFlight: 2, Timeout: 20 * time.Second, MaxBytes: 16 << 20,
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
	r.URL, r.Kind, r.Header = s.o.BaseURL+r.URL+"?"+values.Encode(), client.JSON, http.Header{"Authorization": {"Bearer " + key}}
	return client.GetParsed(ctx, s.client, r, parse)
}

// decode reads an answer that says of itself that it is one.
func decode(body []byte, into any) error {
	var envelope struct{ Status, Error, Message string }
	if err := client.DecodeJSON(body, &envelope); err != nil {
		return err
	}
	message := envelope.Error + envelope.Message
	switch envelope.Status {
	case "OK", "DELAYED":
	case "NOT_AUTHORIZED":
		return client.RefusalError(market.ErrAuth, message)
	case "NOT_FOUND":
		return client.RefusalError(market.ErrUnknownSymbol, message)
	case "ERROR":
		if strings.Contains(strings.ToLower(message), "maximum requests") {
			return client.RefusalError(market.ErrRateLimited, message)
		}
		return client.RefusalError(market.ErrUnavailable, message)
	default:
		return client.Malformedf("status %.20q", envelope.Status)
	}
	if json.Unmarshal(body, into) != nil {
		return client.Malformedf("data of another form")
	}
	return nil
}

// newProvenance begins the provenance of an answer.
func newProvenance(endpoint string, answer client.Response) market.Provenance {
	return answer.Stamp(market.Provenance{
		Source: name, Endpoint: endpoint, License: license, AsOf: answer.FetchedAt, Adjustment: market.AdjustmentUnknown,
	})
}
