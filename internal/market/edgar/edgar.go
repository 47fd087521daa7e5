package edgar

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// sourceName is the name of the source in results.
const sourceName = "sec-edgar"

// license describes the terms of the SEC's data.
const license = "US government work, public domain"

// Source requests data from EDGAR. It is safe for concurrent use.
type Source struct {
	client  *client.Source
	contact string
	hosts   hosts
	now     func() time.Time

	tickers      lastValue[*directory]
	lastDocument lastValue[Document]
	filers       filerCache
}

// Interfaces that Source implements.
var (
	_ market.Directory       = (*Source)(nil)
	_ market.SearchSource    = (*Source)(nil)
	_ market.ProfileSource   = (*Source)(nil)
	_ market.FilingSource    = (*Source)(nil)
	_ market.StatementSource = (*Source)(nil)
	_ market.InsiderSource   = (*Source)(nil)
	_ market.NewsSource      = (*Source)(nil)
)

// New returns the source. It uses BaseURL (for all hosts of the SEC), Now, and Contact, which the
// SEC requires: without it every call fails. It sends no request.
func New(c *client.Client, o client.ProviderOptions) *Source {
	o = o.WithDefaults("")
	contact := headerValue(o.Contact)
	policy := client.Policy{
		Source: sourceName, Shared: "sec.gov", Rate: 8, Burst: 8, InFlight: 4,
		// The SEC blocks an IP address for ten minutes after too many requests.
		Breaker: 10 * time.Minute,
		Timeout: 30 * time.Second,
		Header:  http.Header{"User-Agent": {"nfa " + contact}},
		// Annual reports of banks have up to 40 MB.
		MaxBytes: 64 << 20,
	}
	return &Source{client: c.Source(policy), contact: contact, hosts: newHosts(o.BaseURL), now: o.Now}
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "edgar", Provides: "filings and statements of US companies", Requires: client.RequiresContact,
		New: func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeNews(""),
		Gives:  "filings, statements as reported with their filing dates, and insider trades of US companies, from the SEC; in results `sec-edgar`",
		Limits: "needs `sec.contact`; 8 requests per second", Terms: "public domain",
	}
}

// headerValue removes characters that would end a header line.
func headerValue(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, text))
}

// getDocument requests and parses one document, if a contact is set. A document that does not parse
// is not cached, because some are cached forever.
func getDocument[T any](ctx context.Context, s *Source, r client.Request, parse func(document []byte) (T, error)) (T, client.Response, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, client.Response{}, err
	}
	if s.contact == "" {
		return none, client.Response{}, s.client.NewError(r.Op, market.ErrNotConfigured,
			"filings need a contact email for the SEC: /setup")
	}
	if r.Check == nil {
		r.Check = responseCheck(market.ErrNoData)
	}
	return client.GetParsed(ctx, s.client, r, func(document []byte) (T, error) {
		// A maintenance page must not be cached as the document, because some documents are cached forever.
		if isMaintenancePage(document) {
			return none, errMaintenance()
		}
		found, err := parse(document)
		if err != nil && !errors.Is(err, market.ErrMalformed) {
			err = fmt.Errorf("%w: %w", market.ErrMalformed, err)
		}
		return found, err
	})
}

// provenance returns the provenance of a response dated asOf.
func provenance(endpoint string, r client.Response, asOf time.Time) market.Provenance {
	return r.Stamp(market.Provenance{Source: sourceName, Endpoint: endpoint, License: license, AsOf: asOf, Adjustment: market.AdjustmentUnknown})
}

// lastValue caches the last value parsed from a response, by the name of the response.
type lastValue[T any] struct {
	mu    sync.Mutex
	key   string
	value T
}

func (m *lastValue[T]) get(key string, parse func() (T, error)) (T, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.key == key {
		return m.value, nil
	}
	value, err := parse()
	if err == nil {
		m.value, m.key = value, key
	}
	return value, err
}
