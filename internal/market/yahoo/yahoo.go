package yahoo

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	name    = "yahoo"
	license = "Yahoo terms of service: personal use, no redistribution"
)

// Hosts of Yahoo, all replaced by one BaseURL.
const (
	hostData    = "https://query2.finance.yahoo.com"
	hostCrumb   = "https://query1.finance.yahoo.com"
	hostCookie  = "https://fc.yahoo.com"
	hostPages   = "https://finance.yahoo.com"
	hostFeeds   = "https://feeds.finance.yahoo.com"
	domainYahoo = "yahoo.com"
)

// Source reads data from Yahoo Finance. It is safe for concurrent use.
type Source struct {
	o client.ProviderOptions
	// dataClients send the requests for data, sessionClients those for the cookie and the
	// crumb. Each list has one client per user agent.
	dataClients, sessionClients []*client.Source
	session                     *sessionStore
}

var (
	_ market.BatchQuoteSource = (*Source)(nil)
	_ market.BarSource        = (*Source)(nil)
	_ market.SearchSource     = (*Source)(nil)
	_ market.StatementSource  = (*Source)(nil)
	_ market.NewsSource       = (*Source)(nil)
	_ market.ProfileSource    = (*Source)(nil)
	_ market.OptionSource     = (*Source)(nil)
	_ market.IntradaySource   = (*Source)(nil)
	_ market.EarningsSource   = (*Source)(nil)
)

// New returns the source. It uses BaseURL (for every host), Now, Dir for the cookie and crumb (kept
// in memory if empty), Fresh (15 seconds if nil), and LastSession; without it, a quote is stale
// after four days. It sends no request.
func New(c *client.Client, o client.ProviderOptions) *Source {
	o = o.WithDefaults("")
	s := &Source{o: o, session: newSessionStore(o.Dir)}
	for i := range agents() {
		s.dataClients = append(s.dataClients, c.Source(policy(i, name)))
		s.sessionClients = append(s.sessionClients, c.Source(policy(i, name+"-session")))
	}
	return s
}

// Provider describes this provider.
func Provider() client.Provider {
	return client.Provider{
		Name: "yahoo", Provides: "prices, statements, earnings dates and estimates, options, news",
		New: func(c *client.Client, o client.ProviderOptions) any { return New(c, o) }, Probe: client.ProbeQuote("AAPL"),
		Gives:  "worldwide prices and bars with dividends and splits, coins with an unambiguous ticker, intraday bars, four years of statements, profiles, earnings dates and estimates, options, headlines, search",
		Limits: "2 requests per second; undocumented service that may block a network for hours", Terms: "personal use, no redistribution",
	}
}

// agents lists User-Agent values, the most successful one first. Yahoo refuses Go's default, and sometimes a
// long value where a short one works.
func agents() []string {
	return []string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
		"Mozilla/5.0",
	}
}

// policy returns a request rate that Yahoo is known to accept. Each user agent has its own breaker, because
// Yahoo may refuse only one of them. Requests for a crumb have their own too, because Yahoo often refuses
// them while it serves prices.
func policy(agent int, shared string) client.Policy {
	if agent > 0 {
		shared += "-plain"
	}
	return client.Policy{
		Source: name, License: license, Shared: shared,
		Rate: 2, Burst: 4, InFlight: 2,
		Breaker: time.Minute, Timeout: 15 * time.Second,
		Header: http.Header{
			"User-Agent":      {agents()[agent]},
			"Accept-Language": {"en-US,en;q=0.9"},
		},
		Secrets: []string{"crumb"},
	}
}

// at returns the URL of a path on one of the hosts.
func (s *Source) at(host, path string, values url.Values) string {
	if s.o.BaseURL != "" {
		host = strings.TrimRight(s.o.BaseURL, "/")
	}
	if len(values) == 0 {
		return host + path
	}
	return host + path + "?" + values.Encode()
}
