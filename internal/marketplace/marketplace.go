// Package marketplace is where market data come from: which providers there are, in
// which order they are asked for what, what is kept of their answers, and whether
// they answer now.
//
// New makes a Market, which costs nothing: files, keys and servers are looked at when
// somebody asks. Sources is the order of who is asked, for the tools. Probes and
// Probe.Try find out who answers, for whoever looks after the program. Latest is a
// price without a question to anybody. KeyedProviders take a key. View and Seen say in
// a few words what the numbers on the screen are.
package marketplace

import (
	"path/filepath"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/market/fetch"
)

// Options are what a Market needs.
type Options struct {
	// SampleAlone asks nobody: the embedded sample is all there is.
	SampleAlone bool
	// Dir is where bars, and what providers want remembered, are kept; "" keeps
	// nothing.
	Dir string
	// Client carries every request.
	Client *fetch.Client
	// Base is where a provider's requests go instead of its own servers, such as a
	// mirror; "" for those.
	Base func(provider string) string
	// Key is a provider's key, or "". It is asked for once, when it is first needed.
	Key func(Keyed) string
	// Contact is the address that the SEC wants to see.
	Contact string
	// SearXNG is the address of a server that searches the web, or "".
	SearXNG string
	Now     func() time.Time
	Log     zerolog.Logger
}

// Market makes the sources of market data. It is safe for concurrent use.
type Market struct {
	o       Options
	trading *tradingDays
	bars    *barStore
}

// New makes a Market. Nothing is opened or asked.
func New(o Options) *Market {
	m := &Market{o: o, trading: newTradingDays(), bars: &barStore{now: o.Now, log: o.Log}}
	if o.Dir != "" {
		m.bars.path = filepath.Join(o.Dir, "bars.db")
	}
	return m
}

// Close gives back what was opened.
func (m *Market) Close() error { return m.bars.close() }
