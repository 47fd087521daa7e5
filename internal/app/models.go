package app

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/llm/openai"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Models holds the available models, with their settings and keys.
type Models struct {
	*catalog.Selector
	Keys     *credential.Store
	Settings Settings
}

// OpenModels builds the models from the settings. builtIn is the assistant that answers if no model
// is connected; nil if no question is asked. It sends no request.
func OpenModels(s Settings, log zerolog.Logger, builtIn llm.Model) (*Models, error) {
	known, err := knownModels(s.Config, s.Env)
	if err != nil {
		return nil, usage.Errorf("%w", err)
	}
	keys := s.openKeys(log)
	return &Models{Settings: s, Keys: keys, Selector: catalog.NewSelector(catalog.Options{
		Model: s.Model, ModelNamed: s.modelNamed, Offline: s.Offline, BaseURL: s.BaseURL, APIKey: s.APIKey, Origin: s.Origin,
		Timeouts: openai.Timeouts{Connect: s.Timeouts.Connect, FirstByte: s.Timeouts.FirstByte, Idle: s.Timeouts.Idle},
		Catalog:  known, ListFile: filepath.Join(s.Home, "cache", "models.json"), OtherKeys: slices.Concat(dataProviders(), s.channelKeys(), serverKeys(s.Config), s.storeKey()), Keys: keys, Env: s.Env, Now: s.Now, Log: log, BuiltIn: builtIn,
	})}, nil
}

// knownModels returns the built-in catalog with the user's settings applied.
func knownModels(cfg *config.Config, env func(string) string) (*catalog.Catalog, error) {
	builtin := catalog.BuiltinCatalog()
	var overrides []catalog.Override
	for _, p := range cfg.Providers {
		if _, known := builtin.Lookup(p.Name); !known && p.BaseURL == "" {
			return nil, fmt.Errorf("%s: providers.%s needs a base_url, because nfa does not know this provider", p.Origin, p.Name)
		}
		override := catalog.Override{Name: p.Name, BaseURL: p.BaseURL, KeyVars: p.KeyVars, Wire: p.Wire}
		for _, m := range p.Models {
			model := catalog.ModelOverride{Name: m.Name, Window: m.Window, Reasoning: m.Reasoning, Vision: m.Vision}
			if m.Prices != nil {
				model.Price = &catalog.Price{Input: m.Prices.Input, Cached: m.Prices.Cached, Output: m.Prices.Output}
			}
			override.Models = append(override.Models, model)
		}
		overrides = append(overrides, override)
	}
	return builtin.WithOverrides(overrides...).WithAddresses(env), nil
}

// Save saves a model as the default and returns the file.
func (m *Models) Save(name string) (location string, err error) {
	return m.Settings.Save("model", name)
}

// SourceKeys returns where the keys of data sources come from. It reads no key from a keyring.
func (m *Models) SourceKeys() map[string]string {
	origins := map[string]string{}
	stored, _ := m.StoredKeys() // reported by the check of the model
	for _, p := range dataProviders() {
		if place := m.KeyFrom(p, stored); place != "" {
			origins[p.Name] = place
		}
	}
	return origins
}
