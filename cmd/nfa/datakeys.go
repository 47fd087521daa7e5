package main

import (
	"context"
	"strings"
	"sync"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm/openai/provider"
)

// dataProviders are the sources of data that take a key, one line each.
func dataProviders() []provider.Provider {
	return []provider.Provider{
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

// dataKeys looks a key of a source of data up when it is first needed: a keyring
// may ask its owner for a password, which a run that needs no key must not cause.
func dataKeys(cfg *config.Config, home string, env func(string) string, log zerolog.Logger) func(name string, vars ...string) func() string {
	store := sync.OnceValue(func() *credential.Store {
		var keyring credential.Keyring
		if cfg.KeyStore != "file" {
			keyring = credential.System(home, env)
		}
		return credential.Open(home, keyring, 0, keyringCrashed(log))
	})
	kept := sync.OnceValue(func() map[string]bool {
		names := map[string]bool{}
		entries, err := store().List()
		if err != nil {
			return names // auth list says why; without a key the source says what it needs
		}
		for _, e := range entries {
			names[e.Name] = true
		}
		return names
	})
	return func(name string, vars ...string) func() string {
		return sync.OnceValue(func() string {
			for _, v := range vars {
				if key := strings.TrimSpace(env(v)); key != "" {
					return key
				}
			}
			if !kept()[name] {
				return ""
			}
			key, err := store().Get(context.Background(), name)
			if err != nil {
				return ""
			}
			return key
		})
	}
}

// keyringCrashed notes where the library of a keyring panicked: the user hears only
// that the keyring cannot be used.
func keyringCrashed(log zerolog.Logger) func(*crash.Site) {
	return func(at *crash.Site) {
		log.Error().Str("panic", at.Kind()).Str("stack", at.Stack()).Msg("the keyring crashed")
	}
}
