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
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	name      = "alphavantage"
	license   = "Alpha Vantage terms of service: the key's owner, personal use"
	host      = "https://www.alphavantage.co"
	setupHint = "set a key with: nfa auth set alphavantage, or ALPHAVANTAGE_API_KEY"
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
	o      Options
	client *client.Source
}

var (
	_ market.QuoteSource   = (*Source)(nil)
	_ market.BarSource     = (*Source)(nil)
	_ market.ProfileSource = (*Source)(nil)
)

// New returns the source. Nothing is asked before the first question.
func New(c *client.Client, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, host), "/")
	return &Source{o: o, client: c.Source(client.Policy{
		Source: name, Rate: 1, InFlight: 1, Timeout: 20 * time.Second, MaxBytes: 8 << 20,
		// What is used up is used up until tomorrow.
		Breaker: 5 * time.Minute,
		Secrets: []string{"apikey"},
	})}
}

// apiRequest is one function of the service about one symbol.
type apiRequest struct {
	op, function, format string
	sym                  market.Symbol
	params               url.Values
	fresh, stale         time.Duration
}

// get asks. The key can stand in the address alone, where it is kept out of errors
// and of the disk. What does not parse is not kept.
func get[T any](ctx context.Context, s *Source, q apiRequest, parse func([]byte) (T, error)) (T, client.Response, error) {
	var zero T
	key, err := s.client.Key(ctx, q.op, s.o.Key, setupHint)
	if err != nil {
		return zero, client.Response{}, err
	}
	if !client.IsUSListed(q.sym) {
		return zero, client.Response{}, s.client.NewError(q.op, market.ErrUnknownSymbol, "listings of the United States alone")
	}
	values := url.Values{"function": {q.function}, "symbol": {client.HyphenateClass(q.sym)}, "datatype": {q.format}, "apikey": {key}}
	for name, more := range q.params {
		values[name] = more
	}
	return client.GetParsed(ctx, s.client, client.Request{
		Op: q.op, URL: s.o.BaseURL + "/query?" + values.Encode(), Fresh: q.fresh, Stale: q.stale, Check: responseError,
	}, parse)
}

// responseError reads an object in place of data: what it says tells a limit from a
// wrong symbol.
func responseError(answer client.Response) error {
	var notice struct {
		Information, Note string
		Error             string `json:"Error Message"`
	}
	if answer.Status != http.StatusOK || json.Unmarshal(answer.Body, &notice) != nil {
		return nil
	}
	text := notice.Information + notice.Note + notice.Error
	low := strings.ToLower(text)
	contains := func(words string) bool { return strings.Contains(low, words) }
	sentinel := market.ErrMalformed
	switch {
	case text == "":
		return nil
	case contains("premium endpoint") || contains("premium feature") || contains("demo") || contains("apikey is invalid"):
		sentinel = market.ErrAuth
	case contains("rate limit") || contains("call frequency") || contains("requests per") || contains("sparingly") || notice.Note != "":
		sentinel = market.ErrRateLimited
	case notice.Error != "":
		sentinel = market.ErrUnknownSymbol
	}
	return client.RefusalError(sentinel, text)
}

// parseCSV reads comma-separated values as rows by the names of their columns. It must
// have those that are asked for.
func parseCSV(body []byte, columns ...string) ([]map[string]string, error) {
	rows, err := csv.NewReader(strings.NewReader(strings.TrimSpace(string(body)))).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, client.Malformedf("no table")
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
			return nil, client.Malformedf("no column %s", c)
		}
	}
	return out, nil
}

// newProvenance begins the provenance of prices.
func newProvenance(endpoint string, answer client.Response) market.Provenance {
	return answer.Stamp(market.Provenance{
		Source: name, Endpoint: endpoint, License: license, Currency: "USD", Unit: "price", Adjustment: market.AdjustmentRaw,
	})
}
