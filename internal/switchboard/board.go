// Package switchboard knows which models can be had and how each is reached: the
// catalogue of providers with what the settings say over it, and their keys.
//
// A Board chooses the Endpoint that answers (Choose, Chosen, Pick), opens it (Open,
// Connect), surveys what providers serve (Survey), tries a model (Try), and keeps the
// keys of providers (Keyed, Keep, AllKeys). What a key is never leaves it.
package switchboard

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/offline"
	"github.com/nfa-cli/nfa/internal/llm/openai"
	"github.com/nfa-cli/nfa/internal/llm/openai/provider"
)

// Names in front of the slash that are no provider's.
const (
	Offline = "offline"
	Custom  = "custom"
)

// Endpoint is a model that was chosen, and how it is reached.
type Endpoint struct {
	Provider provider.Provider // named Offline for the embedded assistant
	Model    string
	KeyFrom  string // where the key is from, or ""
	Why      string // it was chosen

	key string // secret: never print, log or store it
}

// Name is provider/model, as --model takes it.
func (e Endpoint) Name() string {
	if e.Embedded() {
		return Offline
	}
	return e.Provider.Name + "/" + e.Model
}

// Window is the context window in tokens, or 0 where it is not known.
func (e Endpoint) Window() int {
	m, _ := e.Provider.Model(e.Model)
	return m.Window
}

// Embedded reports whether it is the embedded assistant, which has no server.
func (e Endpoint) Embedded() bool { return e.Provider.Name == Offline }

// Cost prices what the model uses; nil where its price is not known.
func (e Endpoint) Cost() func(llm.Usage) decimal.Decimal {
	m, ok := e.Provider.Model(e.Model)
	if !ok || m.Price == nil {
		return nil
	}
	return m.Price.Of
}

// Options are what a Board needs.
type Options struct {
	Model   string // that the settings name, as provider/model, or ""
	Named   bool   // it was named for this start, which outranks an agent's
	Offline bool   // nobody but the embedded assistant may answer
	BaseURL string // of a server of the user's own, or ""
	APIKey  string // of that server; secret
	// Origin says where a setting is from.
	Origin    func(key string) string
	Timeouts  openai.Timeouts
	Catalogue *provider.Catalogue
	// Others take a key and have no models.
	Others []provider.Provider
	Keys   *credential.Store
	Env    func(string) string
	Now    func() time.Time
	Log    zerolog.Logger
}

// Board knows which models can be had. It is safe for concurrent use.
type Board struct {
	o       Options
	picked  atomic.Pointer[string] // in this chat, which outranks everything
	fetched fetchedLists
}

// New makes a Board. Nobody is asked.
func New(o Options) *Board { return &Board{o: o} }

// Choose decides which model answers: the one that is wanted, else the first
// provider with a key, else the embedded assistant. While NFA_BASE_URL names a
// server, every name is one of that server's.
func (b *Board) Choose(ctx context.Context, wanted string) (Endpoint, error) {
	switch {
	case b.o.Offline:
		return embedded("offline is set"), nil
	case wanted == Offline:
		return embedded("asked for by name"), nil
	case b.o.BaseURL != "":
		return b.custom(ctx, wanted)
	}
	return b.catalogued(ctx, wanted)
}

func embedded(why string) Endpoint {
	return Endpoint{Provider: provider.Provider{Name: Offline, Title: "embedded assistant"}, Why: why}
}

// custom is a model of the server that NFA_BASE_URL names.
func (b *Board) custom(ctx context.Context, wanted string) (Endpoint, error) {
	model := strings.TrimPrefix(wanted, Custom+"/")
	if model == "" {
		return Endpoint{}, errors.New("NFA_BASE_URL is set, but no model: name one with NFA_MODEL or --model")
	}
	e := Endpoint{
		Provider: provider.Provider{Name: Custom, Title: "your server", BaseURL: b.o.BaseURL}, Model: model,
		key: b.o.APIKey, Why: "base_url is set (" + b.o.Origin("base_url") + ")",
	}
	if e.key != "" {
		e.KeyFrom = b.o.Origin("api_key")
		return e, nil
	}
	stored, err := b.Stored()
	if err == nil {
		e.key, e.KeyFrom, err = b.key(ctx, e.Provider, stored)
	}
	return e, err
}

// catalogued is a model of a provider in the catalogue.
func (b *Board) catalogued(ctx context.Context, wanted string) (Endpoint, error) {
	if strings.HasPrefix(wanted, Custom+"/") {
		return Endpoint{}, fmt.Errorf("model %s needs a server: set NFA_BASE_URL", wanted)
	}
	stored, storeErr := b.Stored()
	choice, err := b.o.Catalogue.Choose(wanted, func(p provider.Provider) bool { return b.KeyFrom(p, stored) != "" })
	switch {
	case err != nil && storeErr != nil:
		return Endpoint{}, storeErr // the key may be there, unread
	case err != nil && b.o.APIKey != "":
		// A key without its server is not tried on another one.
		return Endpoint{}, errors.New("NFA_API_KEY is set, but not NFA_BASE_URL: name the server it is for; for OpenAI use OPENAI_API_KEY")
	case errors.Is(err, provider.ErrNoneToHand):
		return embedded("no provider has a key"), nil
	case err != nil:
		return Endpoint{}, err
	}
	e := Endpoint{Provider: choice.Provider, Model: choice.Model, Why: choice.Why}
	e.key, e.KeyFrom, err = b.key(ctx, e.Provider, stored)
	return e, err
}

// Picked reports whether a model was picked in this chat.
func (b *Board) Picked() bool { return b.picked.Load() != nil }

// wanted is the name of the model to choose for an agent: what the user picked in
// this chat or named for this start outranks the agent's file.
func (b *Board) wanted(agents string) string {
	switch picked := b.picked.Load(); {
	case picked != nil:
		return *picked
	case agents != "" && !b.o.Named:
		return agents
	}
	return b.o.Model
}

// Connect opens the model for an agent that asks for one, or for none.
func (b *Board) Connect(ctx context.Context, agents string) (llm.Model, Endpoint, error) {
	e, err := b.Chosen(ctx, agents)
	if err != nil {
		return nil, Endpoint{}, err
	}
	model, err := b.Open(e)
	return model, e, err
}

// Chosen is the endpoint for an agent that asks for a model, or for none. A pick from
// the list means the provider it names, whatever server the settings name.
func (b *Board) Chosen(ctx context.Context, agents string) (Endpoint, error) {
	wanted := b.wanted(agents)
	name, _, _ := strings.Cut(wanted, "/")
	if _, known := b.o.Catalogue.Lookup(name); known && b.picked.Load() != nil && !b.o.Offline {
		return b.catalogued(ctx, wanted)
	}
	return b.Choose(ctx, wanted)
}

// Pick has a model answer in this chat, which outranks everything else; undo takes
// that back.
func (b *Board) Pick(name string) (undo func()) {
	before := b.picked.Swap(&name)
	return func() { b.picked.Store(before) }
}

// NoneToHand reports whether unasked the embedded assistant would answer, because no
// provider has a key.
func (b *Board) NoneToHand(ctx context.Context) bool {
	e, err := b.catalogued(ctx, "")
	return err == nil && e.Embedded()
}

// Maker is the provider that a model is asked of.
func (b *Board) Maker(model string) (provider.Provider, bool) {
	name, _, _ := strings.Cut(model, "/")
	if p, ok := b.o.Catalogue.Lookup(name); ok {
		return p, true
	}
	if serving := b.o.Catalogue.Serving(model); len(serving) > 0 {
		return serving[0], true
	}
	return provider.Provider{}, false
}

// server is how an endpoint's server is asked.
func (b *Board) server(e Endpoint) openai.Config {
	return openai.Config{
		Provider: e.Provider.Name, BaseURL: e.Provider.BaseURL, APIKey: e.key, Model: e.Model, Log: b.o.Log,
		Timeouts: b.o.Timeouts,
	}
}

// Open makes the model of an endpoint.
func (b *Board) Open(e Endpoint) (llm.Model, error) {
	if e.Provider.Name == Offline {
		return offline.New(offline.Options{Now: b.o.Now}), nil
	}
	m, err := openai.New(b.server(e))
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", e.Name(), err)
	}
	return m, nil
}

// listing is how a provider is asked for its models.
func (b *Board) listing(ctx context.Context, p provider.Provider, stored map[string]credential.Place) (openai.Config, error) {
	key, _, err := b.key(ctx, p, stored)
	if err != nil {
		return openai.Config{}, err
	}
	cfg := b.server(Endpoint{Provider: p, key: key})
	cfg.Header = http.Header{}
	for name, value := range p.ListHeader {
		cfg.Header.Set(name, value)
	}
	if p.ListKeyHeader != "" {
		cfg.Header.Set(p.ListKeyHeader, key)
	}
	return cfg, nil
}
