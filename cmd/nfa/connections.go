package main

import (
	"fmt"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/llm/openai"
	"github.com/nfa-cli/nfa/internal/usage"
)

// connections holds the available models, with the settings and the keys that they come from.
type connections struct {
	*catalog.Selector
	cfg  *config.Config
	home string
	keys *credential.Store
}

func newConnections(g *globals, cfg *config.Config, home string, log zerolog.Logger) (*connections, error) {
	catalogue, err := newCatalog(cfg, g.env)
	if err != nil {
		return nil, usage.Errorf("%w", err)
	}
	var keyring credential.Keyring
	if cfg.KeyStore != "file" {
		keyring = credential.System(home, g.env)
	}
	keys := credential.Open(home, keyring, 0, logKeyringCrash(log))
	return &connections{cfg: cfg, home: home, keys: keys, Selector: catalog.NewSelector(catalog.Options{
		Model: cfg.Model, ModelNamed: g.model != "" || g.env("NFA_MODEL") != "", Offline: cfg.Offline, BaseURL: cfg.BaseURL, APIKey: cfg.APIKey, Origin: cfg.Origin,
		Timeouts: openai.Timeouts{Connect: cfg.Timeouts.Connect, FirstByte: cfg.Timeouts.FirstByte, Idle: cfg.Timeouts.Idle},
		Catalog:  catalogue, OtherKeys: dataProviders(), Keys: keys, Env: g.env, Now: clock, Log: log,
	})}, nil
}

// newCatalog returns the built-in catalog with the user's settings applied.
func newCatalog(cfg *config.Config, env func(string) string) (*catalog.Catalog, error) {
	builtin := catalog.BuiltinCatalog()
	var overrides []catalog.Override
	for _, p := range cfg.Providers {
		if _, known := builtin.Lookup(p.Name); !known && p.BaseURL == "" {
			return nil, fmt.Errorf("%s: providers.%s is not a provider that nfa knows, so it needs a base_url", p.Origin, p.Name)
		}
		override := catalog.Override{Name: p.Name, BaseURL: p.BaseURL, KeyVars: p.KeyVars}
		for _, m := range p.Models {
			model := catalog.ModelOverride{Name: m.Name, Window: m.Window, Reasoning: m.Reasoning, Vision: m.Vision}
			if m.Prices != nil {
				model.Price = &catalog.Price{Input: m.Prices.Input, Cached: m.Prices.Cached, Output: m.Prices.Output}
			}
			override.Models = append(override.Models, model)
		}
		overrides = append(overrides, override)
	}
	for _, p := range builtin.Providers() {
		if p.BaseURLVar != "" && env(p.BaseURLVar) != "" {
			overrides = append(overrides, catalog.Override{Name: p.Name, BaseURL: env(p.BaseURLVar)})
		}
	}
	return builtin.WithOverrides(overrides...), nil
}
