package feed

import (
	"slices"
	"sync"

	"github.com/nfa-cli/nfa/internal/market"
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

// Providers lists all providers in the order in which nfa doctor and the documentation show them.
// They are asked in this order, too, unless Sources prefers another for a kind of data.
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

// build builds all providers. Nothing is opened or requested.
func (m *Market) build() []builtProvider {
	var all []builtProvider
	for _, p := range Providers() {
		o := client.ProviderOptions{
			BaseURL: m.o.Base(p.Name), Contact: m.o.Contact, Dir: m.o.Dir, Now: m.o.Now,
			Fresh: m.trading.quoteFresh, LastSession: m.trading.lastSession,
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

// preferred returns all with the named ones first, in the order of the names.
func preferred[P any](all []P, name func(P) string, names ...string) []P {
	rank := func(p P) int {
		if at := slices.Index(names, name(p)); at >= 0 {
			return at
		}
		return len(names)
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b P) int { return rank(a) - rank(b) })
	return all
}

// sourcesOf returns the sources of one kind, those of the named providers first.
func sourcesOf[S any](all []builtProvider, names ...string) []S {
	var out []S
	for _, p := range preferred(all, func(p builtProvider) string { return p.Name }, names...) {
		if s, ok := p.source.(S); ok {
			out = append(out, s)
		}
	}
	return out
}

// barProviders returns the providers of bars, the best first.
func (m *Market) barProviders() []builtProvider {
	all := slices.DeleteFunc(m.covered(), func(p builtProvider) bool {
		_, ok := p.source.(market.BarSource)
		return !ok
	})
	// Binance before CoinGecko, which has a year.
	return preferred(all, func(p builtProvider) string { return p.Name }, "yahoo", "binance", "coingecko", "tiingo")
}

// covered returns the providers with sources that are asked only for the symbols they cover.
func (m *Market) covered() []builtProvider {
	all := slices.Clone(m.built())
	for i, p := range all {
		if prices, ok := p.source.(market.PriceSource); ok && p.Covers != nil {
			all[i].source = market.RestrictCoverage(p.Name, prices, p.Covers)
		}
	}
	return all
}
