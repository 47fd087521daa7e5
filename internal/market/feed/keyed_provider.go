package feed

import (
	"slices"
	"sync"
)

// KeyedProvider is a provider that takes a key.
type KeyedProvider struct {
	Name, Title string
	KeyVars     []string // variables that hold the key, the first that is set counting
}

// KeyedProviders are the sources of data that take a key, one line each.
func KeyedProviders() []KeyedProvider {
	return []KeyedProvider{
		{Name: "tiingo", Title: "Tiingo", KeyVars: []string{"TIINGO_API_KEY"}},
		{Name: "alphavantage", Title: "Alpha Vantage", KeyVars: []string{"ALPHAVANTAGE_API_KEY"}},
		{Name: "finnhub", Title: "Finnhub", KeyVars: []string{"FINNHUB_API_KEY"}},
		{Name: "fmp", Title: "Financial Modeling Prep", KeyVars: []string{"FMP_API_KEY"}},
		{Name: "massive", Title: "Massive", KeyVars: []string{"MASSIVE_API_KEY", "POLYGON_API_KEY"}},
		{Name: "fred", Title: "FRED", KeyVars: []string{"FRED_API_KEY"}},
		{Name: "coingecko", Title: "CoinGecko", KeyVars: []string{"COINGECKO_API_KEY"}},
		{Name: "tavily", Title: "Tavily", KeyVars: []string{"TAVILY_API_KEY"}},
		{Name: "brave", Title: "Brave Search", KeyVars: []string{"BRAVE_API_KEY"}},
	}
}

// findKeyedProvider finds a provider among those that take a key.
func findKeyedProvider(name string) (KeyedProvider, bool) {
	all := KeyedProviders()
	if at := slices.IndexFunc(all, func(k KeyedProvider) bool { return k.Name == name }); at >= 0 {
		return all[at], true
	}
	return KeyedProvider{}, false
}

// lazyKey looks a provider's key up when it is first needed.
func (m *Market) lazyKey(name string) func() string {
	k, ok := findKeyedProvider(name)
	if !ok {
		return func() string { return "" }
	}
	return sync.OnceValue(func() string { return m.o.Key(k) })
}
