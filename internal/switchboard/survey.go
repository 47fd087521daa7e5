package switchboard

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm/openai"
	"github.com/nfa-cli/nfa/internal/llm/openai/provider"
)

const (
	// probeTime is how long a local server is waited for: one that runs answers in
	// a few milliseconds, and most do not run.
	probeTime = 300 * time.Millisecond
	// refreshTime is for lists from the network.
	refreshTime = 15 * time.Second
)

// Provider is a provider with what it serves.
type Provider struct {
	Name       string   `json:"name"`
	Title      string   `json:"title"`
	Configured bool     `json:"configured"` // it can be asked now
	Local      bool     `json:"local"`
	KeyFrom    string   `json:"key_from,omitempty"`
	KeyVars    []string `json:"key_variables"`
	AsOf       string   `json:"as_of,omitempty"`   // of windows and prices
	Problem    string   `json:"problem,omitempty"` // why its list could not be had
	Models     []Model  `json:"models"`
}

// Model is one that a provider serves.
type Model struct {
	Name      string `json:"name"` // provider/model
	Chosen    bool   `json:"chosen"`
	Window    int    `json:"context_window,omitempty"`
	Price     *Price `json:"price"` // null: not known
	Reasoning bool   `json:"reasoning"`
	Vision    bool   `json:"vision"`
}

// Price is in US json.Number for a million tokens.
type Price struct {
	Input  json.Number  `json:"input"`
	Cached *json.Number `json:"cached"` // null: cached input costs what other input does
	Output json.Number  `json:"output"`
}

// Survey looks which providers can be asked and what they serve: those that can
// first, in the order of the catalogue. Local servers are always asked, the rest
// when refresh says so, all at once.
func (b *Board) Survey(ctx context.Context, refresh bool) ([]Provider, error) {
	stored, err := b.Stored()
	if err != nil {
		return nil, err
	}
	chosen, _ := b.Chosen(ctx, "") // which is none where it cannot be had
	known := b.o.Catalogue.Providers()
	if b.o.BaseURL != "" {
		known = slices.Insert(known, 0, provider.Provider{Name: Custom, Title: "your server", BaseURL: b.o.BaseURL})
	}
	found := make([]Provider, len(known))
	var asking crash.WaitGroup
	for i, p := range known {
		asking.Go(func() { found[i] = b.look(ctx, p, stored, refresh).told(chosen.Name()) })
	}
	asking.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	slices.SortStableFunc(found, func(a, b Provider) int {
		switch {
		case a.Configured == b.Configured:
			return 0
		case a.Configured:
			return -1
		}
		return 1
	})
	return found, nil
}

// sight is what was seen of a provider.
type sight struct {
	provider   provider.Provider
	keyFrom    string
	configured bool
	problem    error
}

// look finds out whether a provider can be asked, and asks it for its models
// where that is wanted.
func (b *Board) look(ctx context.Context, p provider.Provider, stored map[string]credential.Place, refresh bool) sight {
	s := sight{provider: p, keyFrom: b.KeyFrom(p, stored)}
	if p.Name == Custom && b.o.APIKey != "" {
		s.keyFrom = b.o.Origin("api_key")
	}
	s.configured = s.keyFrom != "" || !p.NeedsKey() && !p.Local
	wait := refreshTime
	if p.Local {
		wait = probeTime
	}
	if b.o.Offline || !p.Local && !(refresh && s.configured) {
		if s.configured {
			s.provider.Models = b.fetched.joined(p)
		}
		return s
	}
	ctx, cancel := context.WithTimeoutCause(ctx, wait, fmt.Errorf("no answer within %s", wait))
	defer cancel()
	server, err := b.listing(ctx, p, stored)
	if p.Name == Custom {
		server.APIKey, err = cmp.Or(b.o.APIKey, server.APIKey), nil
	}
	var offers []openai.Offer
	if err == nil {
		offers, err = openai.Offers(ctx, server)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		s.problem = context.Cause(ctx)
	case err != nil:
		s.problem = err
	default:
		s.configured = true
		s.provider = served(p, offers)
		if !p.Local { // which are always asked
			b.fetched.keep(s.provider)
		}
	}
	return s
}

// served is a provider with the models that it says it has, and of each what is
// known of it and what the server adds.
func served(p provider.Provider, offers []openai.Offer) provider.Provider {
	var models []provider.Model
	for _, o := range offers {
		m, _ := p.Model(o.Model)
		m.Name, m.Window = o.Model, cmp.Or(o.Window, m.Window)
		if o.Input.Valid {
			m.Price = &provider.Price{Input: o.Input.Decimal, Cached: o.Cached, Output: o.Output.Decimal}
		}
		models = append(models, m)
	}
	p.Models = models
	return p
}

func (s sight) told(chosen string) Provider {
	p := s.provider
	out := Provider{
		Name: p.Name, Title: p.Title, Configured: s.configured, Local: p.Local, KeyFrom: s.keyFrom,
		KeyVars: append([]string{}, p.KeyVars...), AsOf: p.AsOf, Models: []Model{},
	}
	if s.problem != nil {
		out.Problem = s.problem.Error()
	}
	for _, m := range p.Models {
		name := p.Name + "/" + m.Name
		out.Models = append(out.Models, Model{
			Name: name, Chosen: name == chosen, Window: m.Window, Price: priceOf(m.Price), Reasoning: m.Reasoning, Vision: m.Vision,
		})
	}
	return out
}

func priceOf(p *provider.Price) *Price {
	if p == nil {
		return nil
	}
	out := &Price{Input: number(p.Input), Output: number(p.Output)}
	if p.Cached.Valid {
		cached := number(p.Cached.Decimal)
		out.Cached = &cached
	}
	return out
}

// number is exact, and a number in JSON.
func number(d decimal.Decimal) json.Number { return json.Number(d.String()) }
