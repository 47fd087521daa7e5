package feed

import (
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Options are what a Market needs.
type Options struct {
	// SampleOnly asks nobody: the embedded sample is all there is.
	SampleOnly bool
	// Bars stores price history; nil stores none.
	Bars market.BarStore
	// Dir is where what providers want remembered is kept; "" keeps nothing.
	Dir string
	// Client carries every request.
	Client *client.Client
	// Base is where a provider's requests go instead of its own servers, such as a
	// mirror; "" for those.
	Base func(provider string) string
	// Key is a provider's key, or "". It is asked for once, when it is first needed.
	Key func(client.Provider) string
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
	trading *exchangeCalendars
	// built builds the providers once, so that all callers share what a source remembers: a
	// cookie, a list of tickers, a pause that the server asked for.
	built func() []builtProvider
}

// New makes a Market. Nothing is opened or asked.
func New(o Options) *Market {
	if o.Client == nil {
		o.Client = client.New(client.Options{Now: o.Now})
	}
	if o.Base == nil {
		o.Base = func(string) string { return "" }
	}
	m := &Market{o: o, trading: newExchangeCalendars()}
	m.built = sync.OnceValue(m.build)
	return m
}
