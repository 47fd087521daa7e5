package feed

import (
	"slices"
	"sync"

	"github.com/nfa-cli/nfa/internal/market/alphavantage"
	"github.com/nfa-cli/nfa/internal/market/binance"
	"github.com/nfa-cli/nfa/internal/market/cboe"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/coingecko"
	"github.com/nfa-cli/nfa/internal/market/ecb"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/market/finnhub"
	"github.com/nfa-cli/nfa/internal/market/fmp"
	"github.com/nfa-cli/nfa/internal/market/frankfurter"
	"github.com/nfa-cli/nfa/internal/market/fred"
	"github.com/nfa-cli/nfa/internal/market/massive"
	"github.com/nfa-cli/nfa/internal/market/nasdaq"
	"github.com/nfa-cli/nfa/internal/market/rss"
	"github.com/nfa-cli/nfa/internal/market/tiingo"
	"github.com/nfa-cli/nfa/internal/market/treasury"
	"github.com/nfa-cli/nfa/internal/market/yahoo"
	"github.com/nfa-cli/nfa/internal/websearch"
)

// Providers lists all providers in the order used by nfa doctor and the documentation. Sources uses them in
// this order too, unless it prefers another one for a kind of data.
func Providers() []client.Provider {
	return []client.Provider{
		yahoo.Provider(),
		edgar.Provider(),
		nasdaq.Provider(),
		cboe.Provider(),
		binance.Provider(),
		coingecko.Provider(),
		rss.Provider(),
		treasury.Provider(),
		ecb.Provider(),
		frankfurter.Provider(),
		fred.Provider(),

		tiingo.Provider(),
		finnhub.Provider(),
		fmp.Provider(),
		massive.Provider(),
		alphavantage.Provider(),
		websearch.TavilyProvider(),
		websearch.BraveProvider(),
		websearch.SearXNGProvider(),
	}
}

// KeyedProviders lists the providers that take a key.
func KeyedProviders() []client.Provider {
	keyed := slices.DeleteFunc(Providers(), func(p client.Provider) bool { return len(p.KeyVars) == 0 })
	return preferred(keyed, func(p client.Provider) string { return p.Name }, "tiingo", "alphavantage", "finnhub", "fmp", "massive", "fred", "coingecko")
}

// builtProvider is a provider with its source.
type builtProvider struct {
	client.Provider
	source any
}

// build builds all providers. It opens nothing and sends no request.
func (m *Market) build() []builtProvider {
	var all []builtProvider
	for _, p := range Providers() {
		o := client.ProviderOptions{
			BaseURL: m.o.Base(p.Name), Contact: m.o.Contact, Dir: m.o.Dir, Now: m.o.Now,
			Fresh: quoteFresh, LastSession: lastSession,
		}
		if p.Requires == client.RequiresServer {
			o.BaseURL = m.o.SearXNG
		}
		if len(p.KeyVars) > 0 {
			o.Key = sync.OnceValue(func() string { return m.o.Key(p) })
		}
		all = append(all, builtProvider{p, p.New(m.o.Client, o)})
	}
	return all
}
