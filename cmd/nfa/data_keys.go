package main

import (
	"context"
	"strings"
	"sync"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// newDataKeyLookup looks a key of a source of data up when it is first needed: a keyring
// may ask its owner for a password, which a run that needs no key must not cause.
func newDataKeyLookup(cfg *config.Config, home string, env func(string) string, log zerolog.Logger) func(client.Provider) string {
	store := sync.OnceValue(func() *credential.Store {
		var keyring credential.Keyring
		if cfg.KeyStore != "file" {
			keyring = credential.System(home, env)
		}
		return credential.Open(home, keyring, 0, logKeyringCrash(log))
	})
	stored := sync.OnceValue(func() map[string]bool {
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
	return func(p client.Provider) string {
		for _, v := range p.KeyVars {
			if key := strings.TrimSpace(env(v)); key != "" {
				return key
			}
		}
		if !stored()[p.Name] {
			return ""
		}
		key, err := store().Get(context.Background(), p.Name)
		if err != nil {
			return ""
		}
		return key
	}
}

// logKeyringCrash notes where the library of a keyring panicked: the user hears only
// that the keyring cannot be used.
func logKeyringCrash(log zerolog.Logger) func(*crash.Site) {
	return func(site *crash.Site) {
		log.Error().Str("panic", site.Kind()).Str("stack", site.Stack()).Msg("the keyring crashed")
	}
}
