package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/offline"
	"github.com/nfa-cli/nfa/internal/llm/openai"
	"github.com/nfa-cli/nfa/internal/llm/openai/provider"
	"github.com/nfa-cli/nfa/internal/misuse"
)

// Names in front of the slash that are no provider's.
const (
	offlineName = "offline"
	customName  = "custom"
)

// endpoint is the model that the settings choose, and how it is reached.
type endpoint struct {
	provider provider.Provider // named offline for the embedded assistant
	model    string
	key      string // secret: never print, log or store it
	keyFrom  string // where the key is from, or ""
	why      string // it was chosen
}

// name is provider/model, as --model takes it.
func (e endpoint) name() string {
	if e.provider.Name == offlineName {
		return offlineName
	}
	return e.provider.Name + "/" + e.model
}

// window is the context window in tokens, or 0 where it is not known.
func (e endpoint) window() int {
	m, _ := e.provider.Model(e.model)
	return m.Window
}

// connections know which models can be had: the catalogue with what the settings
// say over it, and the keys.
type connections struct {
	cfg       *config.Config
	env       func(string) string
	log       zerolog.Logger
	catalogue *provider.Catalogue
	keys      *credential.Store
	firm      bool                   // the model was named for this start, which outranks an agent's
	picked    atomic.Pointer[string] // in this chat, which outranks everything
	fetched   fetchedLists
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
	return &connections{
		cfg: cfg, env: g.env, log: log, catalogue: catalogue, keys: credential.Open(home, keyring, 0, keyringCrashed(log)),
		firm: g.model != "" || g.env("NFA_MODEL") != "",
	}, nil
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

// stored is where each stored key is, by the name of its provider.
func (c *connections) stored() (map[string]credential.Place, error) {
	entries, err := c.keys.List()
	places := map[string]credential.Place{}
	for _, e := range entries {
		places[e.Name] = e.Place
	}
	return places, err
}

// keyFrom says in a few words where a provider's key is from, or "".
func (c *connections) keyFrom(p provider.Provider, stored map[string]credential.Place) string {
	for _, name := range p.KeyVars {
		if strings.TrimSpace(c.env(name)) != "" {
			return "env " + name
		}
	}
	switch stored[p.Name] {
	case credential.InKeyring:
		return "the keyring"
	case credential.InFile:
		return console.Path(c.keys.Path())
	}
	return ""
}

// key is the key of a provider and where it is from: the environment first.
func (c *connections) key(ctx context.Context, p provider.Provider, stored map[string]credential.Place) (key, from string, err error) {
	from = c.keyFrom(p, stored)
	if name, ok := strings.CutPrefix(from, "env "); ok {
		return c.env(name), from, nil
	}
	if from == "" {
		return "", "", nil
	}
	key, err = c.keys.Get(ctx, p.Name)
	if err != nil {
		return "", from, fmt.Errorf("%w; set it again with: nfa auth set %s", err, p.Name)
	}
	return key, from, nil
}

// choose decides which model answers: the one that is wanted, else the first
// provider with a key, else the embedded assistant. While NFA_BASE_URL names a
// server, every name is one of that server's.
func (c *connections) choose(ctx context.Context, wanted string) (endpoint, error) {
	switch {
	case c.cfg.Offline:
		return embedded("offline is set"), nil
	case wanted == offlineName:
		return embedded("asked for by name"), nil
	case c.cfg.BaseURL != "":
		return c.custom(ctx, wanted)
	}
	return c.catalogued(ctx, wanted)
}

func embedded(why string) endpoint {
	return endpoint{provider: provider.Provider{Name: offlineName, Title: "embedded assistant"}, why: why}
}

// custom is a model of the server that NFA_BASE_URL names.
func (c *connections) custom(ctx context.Context, wanted string) (endpoint, error) {
	model := strings.TrimPrefix(wanted, customName+"/")
	if model == "" {
		return endpoint{}, errors.New("NFA_BASE_URL is set, but no model: name one with NFA_MODEL or --model")
	}
	e := endpoint{
		provider: provider.Provider{Name: customName, Title: "your server", BaseURL: c.cfg.BaseURL}, model: model,
		key: c.cfg.APIKey, why: "base_url is set (" + c.cfg.Origin("base_url") + ")",
	}
	if e.key != "" {
		e.keyFrom = c.cfg.Origin("api_key")
		return e, nil
	}
	stored, err := c.stored()
	if err == nil {
		e.key, e.keyFrom, err = c.key(ctx, e.provider, stored)
	}
	return e, err
}

// catalogued is a model of a provider in the catalogue.
func (c *connections) catalogued(ctx context.Context, wanted string) (endpoint, error) {
	if strings.HasPrefix(wanted, customName+"/") {
		return endpoint{}, fmt.Errorf("model %s needs a server: set NFA_BASE_URL", wanted)
	}
	stored, storeErr := c.stored()
	choice, err := c.catalogue.Choose(wanted, func(p provider.Provider) bool { return c.keyFrom(p, stored) != "" })
	switch {
	case err != nil && storeErr != nil:
		return endpoint{}, storeErr // the key may be there, unread
	case err != nil && c.cfg.APIKey != "":
		// A key without its server is not tried on another one.
		return endpoint{}, errors.New("NFA_API_KEY is set, but not NFA_BASE_URL: name the server it is for; for OpenAI use OPENAI_API_KEY")
	case errors.Is(err, provider.ErrNoneToHand):
		return embedded("no provider has a key"), nil
	case err != nil:
		return endpoint{}, err
	}
	e := endpoint{provider: choice.Provider, model: choice.Model, why: choice.Why}
	e.key, e.keyFrom, err = c.key(ctx, e.provider, stored)
	return e, err
}

// wanted is the name of the model to choose for an agent: what the user picked in
// this chat or named for this start outranks the agent's file.
func (c *connections) wanted(agents string) string {
	switch picked := c.picked.Load(); {
	case picked != nil:
		return *picked
	case agents != "" && !c.firm:
		return agents
	}
	return c.cfg.Model
}

// connect opens the model for an agent that asks for one, or for none.
func (c *connections) connect(ctx context.Context, agents string) (llm.Model, endpoint, error) {
	e, err := c.chosen(ctx, c.wanted(agents))
	if err != nil {
		return nil, endpoint{}, err
	}
	model, err := c.open(e)
	return model, e, err
}

// chosen is choose, but a pick from the list means the provider it names, whatever
// server the settings name.
func (c *connections) chosen(ctx context.Context, wanted string) (endpoint, error) {
	name, _, _ := strings.Cut(wanted, "/")
	if _, known := c.catalogue.Lookup(name); known && c.picked.Load() != nil && !c.cfg.Offline {
		return c.catalogued(ctx, wanted)
	}
	return c.choose(ctx, wanted)
}

// server is how an endpoint's server is asked.
func (c *connections) server(e endpoint) openai.Config {
	return openai.Config{
		Provider: e.provider.Name, BaseURL: e.provider.BaseURL, APIKey: e.key, Model: e.model, Log: c.log,
		Timeouts: openai.Timeouts{
			Connect: c.cfg.Timeouts.Connect, FirstByte: c.cfg.Timeouts.FirstByte, Idle: c.cfg.Timeouts.Idle,
		},
	}
}

// open makes the model of an endpoint.
func (c *connections) open(e endpoint) (llm.Model, error) {
	if e.provider.Name == offlineName {
		return offline.New(offline.Options{Now: clock}), nil
	}
	m, err := openai.New(c.server(e))
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", e.name(), err)
	}
	return m, nil
}

// listing is how a provider is asked for its models.
func (c *connections) listing(ctx context.Context, p provider.Provider, stored map[string]credential.Place) (openai.Config, error) {
	key, _, err := c.key(ctx, p, stored)
	if err != nil {
		return openai.Config{}, err
	}
	cfg := c.server(endpoint{provider: p, key: key})
	cfg.Header = http.Header{}
	for name, value := range p.ListHeader {
		cfg.Header.Set(name, value)
	}
	if p.ListKeyHeader != "" {
		cfg.Header.Set(p.ListKeyHeader, key)
	}
	return cfg, nil
}
