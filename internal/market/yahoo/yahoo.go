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

// The hosts of Yahoo. One BaseURL stands for all of them.
const (
	hostData    = "https://query2.finance.yahoo.com"
	hostCrumb   = "https://query1.finance.yahoo.com"
	hostCookie  = "https://fc.yahoo.com"
	hostPages   = "https://finance.yahoo.com"
	hostFeeds   = "https://feeds.finance.yahoo.com"
	domainYahoo = "yahoo.com"
)

// Options of a Source. The zero value asks the real servers and keeps the cookie
// and the crumb in memory alone.
type Options struct {
	// BaseURL stands for every host of Yahoo; the real ones where empty.
	BaseURL string
	// Dir is where the cookie and the crumb are kept; nowhere where empty.
	Dir string
	Now func() time.Time
	// Fresh is how long a quote stays good; 15 seconds where nil.
	Fresh func(sym market.Symbol, now time.Time) time.Duration
	// LastSession is the last completed session of a symbol's exchange, or a day that is
	// no later, by which a quote counts as stale. Where nil, or false, one of four days
	// ago does.
	LastSession func(sym market.Symbol, now time.Time) (market.Date, bool)
}

// Source is Yahoo Finance. It is safe for concurrent use.
type Source struct {
	o Options
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
)

// New returns the source. Nothing is asked and no file is opened before the first
// question.
func New(c *client.Client, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Source{o: o, session: newSessionStore(o.Dir)}
	for i := range agents() {
		s.dataClients = append(s.dataClients, c.Source(policy(i, name)))
		s.sessionClients = append(s.sessionClients, c.Source(policy(i, name+"-session")))
	}
	return s
}

// agents are the names under which Yahoo is asked, the likeliest first: it turns
// away Go's own name at once, and now and then a long one where a bare one passes.
func agents() []string {
	return []string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
		"Mozilla/5.0",
	}
}

// policy is the pace that is known to be borne. Each agent has a breaker of its
// own, since a refusal of one name says nothing of the other; and so has the way to
// a crumb, which Yahoo refuses to many whom it gives prices.
func policy(agent int, shared string) client.Policy {
	if agent > 0 {
		shared += "-plain"
	}
	return client.Policy{
		Source: name, Shared: shared,
		Rate: 2, Burst: 4, InFlight: 2,
		Breaker: time.Minute, Timeout: 15 * time.Second,
		Header: http.Header{
			"User-Agent":      {agents()[agent]},
			"Accept-Language": {"en-US,en;q=0.9"},
		},
		Secrets: []string{"crumb"},
	}
}

// at is the address of a path on one of the hosts.
func (s *Source) at(host, path string, values url.Values) string {
	if s.o.BaseURL != "" {
		host = strings.TrimRight(s.o.BaseURL, "/")
	}
	if len(values) == 0 {
		return host + path
	}
	return host + path + "?" + values.Encode()
}
