// Package alphavantage asks Alpha Vantage with the user's own key: the last
// hundred daily bars of the United States as they were traded, with their
// dividends and splits, the newest close, and profiles.
//
// The free plan bears twenty-five questions a day, which is why this comes last
// among the sources and answers are kept long. Refusals of any kind come with
// status 200.
package alphavantage

import (
	"cmp"
	"context"
	"encoding/csv"
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
	name    = "alphavantage"
	licence = "Alpha Vantage terms of service: the key's owner, personal use"
	host    = "https://www.alphavantage.co"
	howTo   = "set a key with: nfa auth set alphavantage, or ALPHAVANTAGE_API_KEY"
)

// Options of a Source.
type Options struct {
	BaseURL string // the real one where empty
	// Key is asked for at each question. Without one, nil or empty, every call
	// yields ErrNotConfigured.
	Key func() string
	Now func() time.Time
}

// Source is Alpha Vantage. It is safe for concurrent use.
type Source struct {
	o   Options
	tap *fetch.Source
}

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.BarSource     = (*Source)(nil)
	_ market.ProfileSource = (*Source)(nil)
)

// New returns the source. Nothing is asked before the first question.
func New(c *fetch.Client, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, host), "/")
	return &Source{o: o, tap: c.Source(fetch.Policy{
		Source: name, Rate: 1, InFlight: 1, Timeout: 20 * time.Second, MaxBytes: 8 << 20,
		// What is used up is used up until tomorrow.
		Breaker: 5 * time.Minute,
		Secrets: []string{"apikey"},
	})}
}

// question is one function of the service about one symbol.
type question struct {
	doing, function, format string
	sym                     market.Symbol
	more                    url.Values
	fresh, stale            time.Duration
}

// get asks. The key can stand in the address alone, where it is kept out of errors
// and of the disk. What does not parse is not kept.
func get[T any](ctx context.Context, s *Source, q question, parse func([]byte) (T, error)) (T, fetch.Response, error) {
	var none T
	key, err := s.tap.Key(ctx, q.doing, s.o.Key, howTo)
	if err != nil {
		return none, fetch.Response{}, err
	}
	if !wire.American(q.sym) {
		return none, fetch.Response{}, s.tap.Failed(q.doing, market.ErrUnknownSymbol, "listings of the United States alone")
	}
	values := url.Values{"function": {q.function}, "symbol": {wire.Hyphened(q.sym)}, "datatype": {q.format}, "apikey": {key}}
	for name, more := range q.more {
		values[name] = more
	}
	return fetch.Parsed(ctx, s.tap, fetch.Request{
		Doing: q.doing, URL: s.o.BaseURL + "/query?" + values.Encode(), Fresh: q.fresh, Stale: q.stale, Check: refusal,
	}, parse)
}

// refusal reads an object in place of data: what it says tells a limit from a
// wrong symbol.
func refusal(answer fetch.Response) error {
	var said struct {
		Information, Note string
		Error             string `json:"Error Message"`
	}
	if answer.Status != http.StatusOK || json.Unmarshal(answer.Body, &said) != nil {
		return nil
	}
	text := said.Information + said.Note + said.Error
	low := strings.ToLower(text)
	has := func(words string) bool { return strings.Contains(low, words) }
	sentinel := market.ErrMalformed
	switch {
	case text == "":
		return nil
	case has("premium endpoint") || has("premium feature") || has("demo") || has("apikey is invalid"):
		sentinel = market.ErrAuth
	case has("rate limit") || has("call frequency") || has("requests per") || has("sparingly") || said.Note != "":
		sentinel = market.ErrRateLimited
	case said.Error != "":
		sentinel = market.ErrUnknownSymbol
	}
	return wire.Refused(sentinel, text)
}

// table reads comma-separated values as rows by the names of their columns. It must
// have those that are asked for.
func table(body []byte, columns ...string) ([]map[string]string, error) {
	rows, err := csv.NewReader(strings.NewReader(strings.TrimSpace(string(body)))).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, wire.Malformed("no table")
	}
	out := make([]map[string]string, 0, len(rows)-1)
	for _, values := range rows[1:] {
		row := make(map[string]string, len(values))
		for i, v := range values {
			row[rows[0][i]] = v
		}
		out = append(out, row)
	}
	for _, c := range columns {
		if !strings.Contains(","+strings.Join(rows[0], ",")+",", ","+c+",") {
			return nil, wire.Malformed("no column %s", c)
		}
	}
	return out, nil
}

// origin begins the provenance of prices.
func origin(endpoint string, answer fetch.Response) market.Provenance {
	return answer.Stamped(market.Provenance{
		Source: name, Endpoint: endpoint, Licence: licence, Currency: "USD", Unit: "price", Adjustment: market.AdjustmentRaw,
	})
}
