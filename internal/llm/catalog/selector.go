package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

// Names before the slash that are not providers.
const (
	Offline = "offline"
	Custom  = "custom"
)

// Endpoint is a chosen model and how to reach it.
type Endpoint struct {
	Provider Provider // named Offline for the built-in assistant
	Model    string
	KeyFrom  string // where the key is from, or ""
	Reason   string // why it was chosen

	key     string // secret: never print, log or store it
	windows *windowCache
}

// Name returns provider/model, as --model takes it.
func (e Endpoint) Name() string {
	if e.BuiltIn() {
		return Offline
	}
	return e.Provider.Name + "/" + e.Model
}

// BuiltIn reports whether it is the built-in assistant, which has no server.
func (e Endpoint) BuiltIn() bool { return e.Provider.Name == Offline }

// Cost returns a pricing function, or nil if the price is unknown.
func (e Endpoint) Cost() func(llm.Usage) decimal.Decimal {
	m, ok := e.Provider.Model(e.Model)
	if !ok || m.Price == nil {
		return nil
	}
	return m.Price.Cost
}

// Options are the dependencies and settings of a Selector.
type Options struct {
	Model      string // that the settings name, as provider/model, or ""
	ModelNamed bool   // Model was named for this run, so it takes precedence over an agent's model
	Offline    bool   // only the built-in assistant may answer
	BaseURL    string // of the user's own server, or ""
	APIKey     string // of that server; secret
	// Origin returns where a setting is from.
	Origin   func(key string) string
	Timeouts openai.Timeouts
	Catalog  *Catalog
	// ListFile keeps the model lists of servers for a day; "" for none.
	ListFile string
	BuiltIn  llm.Model // the built-in assistant
	// OtherKeys accept a key but have no models.
	OtherKeys []Provider
	Keys      *credential.Store
	Env       func(string) string
	Now       func() time.Time
	Log       zerolog.Logger
}

// Selector knows the available models. It is safe for concurrent use.
type Selector struct {
	opts   Options
	picked atomic.Pointer[string] // in this chat; takes precedence over everything
	server atomic.Pointer[server] // the user's own; nil for none
	lists  *serverLists
}

// server is the user's own server.
type server struct{ baseURL, key, keyFrom string }

// NewSelector returns a Selector. It makes no request.
func NewSelector(o Options) *Selector {
	b := &Selector{opts: o, lists: &serverLists{path: o.ListFile, now: o.Now}}
	if o.BaseURL != "" {
		s := &server{baseURL: o.BaseURL, key: o.APIKey}
		if s.key != "" {
			s.keyFrom = o.Origin("api_key")
		}
		b.server.Store(s)
	}
	return b
}

// UseServer makes the server at baseURL the user's own, with the stored key of Custom. An empty baseURL
// removes the server.
func (b *Selector) UseServer(baseURL string) {
	if baseURL == "" {
		b.server.Store(nil)
		return
	}
	b.server.Store(&server{baseURL: baseURL})
}

func customProvider(baseURL string) Provider {
	return Provider{Name: Custom, Title: "your server", BaseURL: baseURL}
}

// Providers returns the providers of the catalog with the lists of their servers.
func (b *Selector) Providers() []Provider { return b.current().Providers() }

// OtherKeys returns what accepts a key but has no models, such as sources of market data.
func (b *Selector) OtherKeys() []Provider { return b.opts.OtherKeys }

// current returns the catalog with the lists of servers.
func (b *Selector) current() *Catalog {
	providers := b.opts.Catalog.Providers()
	for i, p := range providers {
		if !p.Local {
			providers[i] = b.lists.apply(p)
		}
	}
	return NewCatalog(providers...)
}

// Choose returns the model to use: the wanted one, else the first provider with a key, else the
// built-in assistant. While NFA_BASE_URL is set, every name is a model of that server.
func (b *Selector) Choose(ctx context.Context, wanted string) (Endpoint, error) {
	switch {
	case b.opts.Offline:
		return builtInEndpoint("offline is set"), nil
	case wanted == Offline:
		return builtInEndpoint("requested by name"), nil
	}
	if s := b.server.Load(); s != nil {
		return b.customEndpoint(ctx, s, wanted)
	}
	return b.catalogEndpoint(ctx, wanted)
}

func builtInEndpoint(why string) Endpoint {
	return Endpoint{Provider: Provider{Name: Offline, Title: "embedded assistant"}, Reason: why}
}

// customEndpoint returns a model of the user's own server.
func (b *Selector) customEndpoint(ctx context.Context, s *server, wanted string) (Endpoint, error) {
	model := strings.TrimPrefix(wanted, Custom+"/")
	if model == "" {
		return Endpoint{}, errors.New("NFA_BASE_URL is set, but no model; set one with NFA_MODEL or --model")
	}
	e := Endpoint{
		Provider: customProvider(s.baseURL), Model: model, key: s.key, KeyFrom: s.keyFrom,
		Reason: "base_url is set (" + b.opts.Origin("base_url") + ")", windows: &windowCache{lists: b.lists},
	}
	if e.key != "" {
		return e, nil
	}
	stored, err := b.StoredKeys()
	if err == nil {
		e.key, e.KeyFrom, err = b.key(ctx, e.Provider, stored)
	}
	return e, err
}

// catalogEndpoint returns a model of a provider in the catalog.
func (b *Selector) catalogEndpoint(ctx context.Context, wanted string) (Endpoint, error) {
	if strings.HasPrefix(wanted, Custom+"/") {
		return Endpoint{}, fmt.Errorf("model %s needs a server: set NFA_BASE_URL", wanted)
	}
	stored, storeErr := b.StoredKeys()
	choice, err := b.current().Choose(wanted, func(p Provider) bool { return b.KeyFrom(p, stored) != "" }, b.opts.Now())
	switch {
	case err != nil && storeErr != nil:
		return Endpoint{}, storeErr // there may be a key that could not be read
	case err != nil && b.opts.APIKey != "":
		// Do not send the key to a server that it may not belong to.
		return Endpoint{}, errors.New("NFA_API_KEY is set, but not NFA_BASE_URL; set the server too, or use OPENAI_API_KEY for OpenAI")
	case errors.Is(err, ErrNoProvider):
		return builtInEndpoint("no provider has a key"), nil
	case err != nil:
		return Endpoint{}, err
	}
	e := Endpoint{Provider: choice.Provider, Model: choice.Model, Reason: choice.Reason, windows: &windowCache{lists: b.lists}}
	e.key, e.KeyFrom, err = b.key(ctx, e.Provider, stored)
	return e, err
}

// HasPick reports whether a model was picked in this chat.
func (b *Selector) HasPick() bool { return b.picked.Load() != nil }

// wantedModel returns the name of the model for an agent. What the user picked in this chat, or
// named at start, outranks the agent's file.
func (b *Selector) wantedModel(agents string) string {
	switch picked := b.picked.Load(); {
	case picked != nil:
		return *picked
	case agents != "" && !b.opts.ModelNamed:
		return agents
	}
	return b.opts.Model
}

// Connect opens the model of an agent, or the default.
func (b *Selector) Connect(ctx context.Context, agents string) (llm.Model, Endpoint, error) {
	e, err := b.EndpointFor(ctx, agents)
	if err != nil {
		return nil, Endpoint{}, err
	}
	model, err := b.Open(e)
	return model, e, err
}

// EndpointFor returns the endpoint of an agent's model, or the default. A model picked from the
// list belongs to the named provider, even if the settings name a server.
func (b *Selector) EndpointFor(ctx context.Context, agents string) (Endpoint, error) {
	wanted := b.wantedModel(agents)
	name, _, _ := strings.Cut(wanted, "/")
	if _, known := b.opts.Catalog.Lookup(name); known && b.picked.Load() != nil && !b.opts.Offline {
		return b.catalogEndpoint(ctx, wanted)
	}
	return b.Choose(ctx, wanted)
}

// Pick overrides all other choices for this chat; undo reverts it.
func (b *Selector) Pick(name string) (undo func()) {
	previous := b.picked.Swap(&name)
	return func() { b.picked.Store(previous) }
}

// DefaultsToBuiltIn reports whether the built-in assistant answers by default, because no provider has a
// key.
func (b *Selector) DefaultsToBuiltIn(ctx context.Context) bool {
	e, err := b.catalogEndpoint(ctx, "")
	return err == nil && e.BuiltIn()
}

// ProviderOf returns the provider of a model.
func (b *Selector) ProviderOf(model string) (Provider, bool) {
	name, _, _ := strings.Cut(model, "/")
	if p, ok := b.opts.Catalog.Lookup(name); ok {
		return p, true
	}
	if serving := b.opts.Catalog.Serving(model); len(serving) > 0 {
		return serving[0], true
	}
	return Provider{}, false
}

// serverConfig returns the configuration for an endpoint's server.
func (b *Selector) serverConfig(e Endpoint) openai.Config {
	m, _ := e.Provider.Model(e.Model)
	return openai.Config{
		Provider: e.Provider.Name, BaseURL: e.Provider.BaseURL, APIKey: e.key, Model: e.Model, Log: b.opts.Log,
		Wire: e.Provider.Wire, Reasoning: m.Reasoning,
		Timeouts: b.opts.Timeouts,
	}
}

// endingSoon is how long before its end a model is reported.
const endingSoon = 60 * 24 * time.Hour

// Ending returns a sentence that the model is retired or will be soon, and what to do; "" otherwise.
func (b *Selector) Ending(e Endpoint) string {
	r, now := e.Provider.retirement(e.Model), b.opts.Now().UTC()
	if r.Ends == "" || r.Ends > now.Add(endingSoon).Format(time.DateOnly) {
		return ""
	}
	retired := "was retired"
	if r.Ends > now.Format(time.DateOnly) {
		retired = "will be retired"
	}
	text := fmt.Sprintf("%s %s on %s. ", e.Model, retired, r.Ends)
	if r.Use == "" {
		return text + "Choose another: nfa models list"
	}
	return text + "Run: nfa models use " + e.Provider.Name + "/" + r.Use
}

// NewEnding returns Ending the first time in a day, and "" after that.
func (b *Selector) NewEnding(e Endpoint) string {
	text := b.Ending(e)
	if text != "" && !b.lists.report(e.Name()) {
		return ""
	}
	return text
}

// Open creates the model of an endpoint.
func (b *Selector) Open(e Endpoint) (llm.Model, error) {
	if e.Provider.Name == Offline {
		return b.opts.BuiltIn, nil
	}
	cfg := b.serverConfig(e)
	if r := e.Provider.retirement(e.Model); r.Ends != "" && r.Ends <= b.opts.Now().UTC().Format(time.DateOnly) {
		cfg.Ended = b.Ending(e)
	}
	m, err := openai.New(cfg)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", e.Name(), err)
	}
	return keyWatcher{m, e, b.lists}, nil
}

// keyWatcher is a model that remembers whether its server rejects the key.
type keyWatcher struct {
	llm.Model
	endpoint Endpoint
	lists    *serverLists
}

// Stream implements [llm.Model].
func (m keyWatcher) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		first := true
		for chunk, err := range m.Model.Stream(ctx, req) {
			if rejected := llm.KindOf(err) == llm.KindAuth; rejected || first && err == nil {
				m.lists.noteKey(m.endpoint, rejected)
			}
			if first = false; !yield(chunk, m.endpoint.explain(err)) {
				return
			}
		}
	}
}

// explain adds a sentence for people to an error of the server.
func (e Endpoint) explain(err error) error {
	var failure *llm.Error
	if !errors.As(err, &failure) {
		return err
	}
	key := "the API key"
	if e.KeyFrom != "" {
		key += " from " + strings.TrimPrefix(e.KeyFrom, "env ")
	}
	explained := *failure
	switch failure.Kind {
	case llm.KindAuth:
		explained.Sentence = fmt.Sprintf("%s rejected %s. Fix it with /setup, or switch with /model.", e.Provider.Title, key)
	case llm.KindQuota:
		explained.Sentence = fmt.Sprintf("The account of %s at %s has no credit. Add credit, or switch with /model.", key, e.Provider.Title)
	case llm.KindNetwork:
		explained.Sentence = fmt.Sprintf("Cannot reach %s. Check the network, or switch with /model.", cmp.Or(host(e.Provider.BaseURL), e.Provider.Title))
	default:
		return err
	}
	explained.Sentence = strings.ToUpper(explained.Sentence[:1]) + explained.Sentence[1:]
	return &explained
}

// listConfig returns the configuration for listing a provider's models.
func (b *Selector) listConfig(p Provider, key string) openai.Config {
	cfg := b.serverConfig(Endpoint{Provider: p, key: key})
	cfg.Header = http.Header{}
	for name, value := range p.ListHeader {
		cfg.Header.Set(name, value)
	}
	if p.ListKeyHeader != "" {
		cfg.Header.Set(p.ListKeyHeader, key)
	}
	return cfg
}
