package main

import (
	"fmt"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm/openai"
	"github.com/nfa-cli/nfa/internal/llm/openai/provider"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/switchboard"
)

// connections are the models that can be had, with the settings and the keys that
// they come from.
type connections struct {
	*switchboard.Board
	cfg  *config.Config
	home string
	keys *credential.Store
}

func newConnections(g *globals, cfg *config.Config, home string, log zerolog.Logger) (*connections, error) {
	catalogue, err := catalogueOf(cfg, g.env)
	if err != nil {
		return nil, misuse.Errorf("%w", err)
	}
	var keyring credential.Keyring
	if cfg.KeyStore != "file" {
		keyring = credential.System(home, g.env)
	}
	keys := credential.Open(home, keyring, 0, keyringCrashed(log))
	return &connections{cfg: cfg, home: home, keys: keys, Board: switchboard.New(switchboard.Options{
		Model: cfg.Model, Named: g.model != "" || g.env("NFA_MODEL") != "", Offline: cfg.Offline, BaseURL: cfg.BaseURL, APIKey: cfg.APIKey, Origin: cfg.Origin,
		Timeouts:  openai.Timeouts{Connect: cfg.Timeouts.Connect, FirstByte: cfg.Timeouts.FirstByte, Idle: cfg.Timeouts.Idle},
		Catalogue: catalogue, Others: dataProviders(), Keys: keys, Env: g.env, Now: clock, Log: log,
	})}, nil
}

// catalogueOf is the catalogue that nfa brings, with the user's words over it.
func catalogueOf(cfg *config.Config, env func(string) string) (*provider.Catalogue, error) {
	builtin := provider.Builtin()
	var own []provider.Own
	for _, p := range cfg.Providers {
		if _, known := builtin.Lookup(p.Name); !known && p.BaseURL == "" {
			return nil, fmt.Errorf("%s: providers.%s is not a provider that nfa knows, so it needs a base_url", p.Origin, p.Name)
		}
		o := provider.Own{Name: p.Name, BaseURL: p.BaseURL, KeyVars: p.KeyVars}
		for _, m := range p.Models {
			said := provider.OwnModel{Name: m.Name, Window: m.Window, Reasoning: m.Reasoning, Vision: m.Vision}
			if m.Prices != nil {
				said.Price = &provider.Price{Input: m.Prices.Input, Cached: m.Prices.Cached, Output: m.Prices.Output}
			}
			o.Models = append(o.Models, said)
		}
		own = append(own, o)
	}
	for _, p := range builtin.Providers() {
		if p.BaseURLVar != "" && env(p.BaseURLVar) != "" {
			own = append(own, provider.Own{Name: p.Name, BaseURL: env(p.BaseURLVar)})
		}
	}
	return builtin.With(own...), nil
}
