package catalog

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
)

const (
	// localTimeout is the wait for a local server. A running one answers within a few milliseconds, and most
	// are not running.
	localTimeout = 300 * time.Millisecond
	// remoteTimeout is for lists from the network.
	remoteTimeout = 15 * time.Second
)

// ListedProvider is a provider with its models.
type ListedProvider struct {
	Name       string        `json:"name"`
	Title      string        `json:"title"`
	Configured bool          `json:"configured"` // it is available now
	Local      bool          `json:"local"`
	KeyFrom    string        `json:"key_from,omitempty"`
	KeyVars    []string      `json:"key_variables"`
	BaseURL    string        `json:"-"`
	AsOf       string        `json:"as_of,omitempty"`   // of windows and prices
	Problem    string        `json:"problem,omitempty"` // why its list is unavailable
	Models     []ListedModel `json:"models"`
}

// ListedModel is a model that a provider serves.
type ListedModel struct {
	Name      string       `json:"name"` // provider/model
	Chosen    bool         `json:"chosen"`
	Window    int          `json:"context_window,omitempty"`
	Price     *ListedPrice `json:"price"` // null: not known
	Reasoning bool         `json:"reasoning"`
	Vision    bool         `json:"vision"`
	Ends      string       `json:"ends,omitempty"`       // the day on which its server retires it
	Use       string       `json:"use,omitempty"`        // provider/model that replaces it
	NotListed bool         `json:"not_listed,omitempty"` // its server's list does not have it
}

// ListedPrice is in US dollars per million tokens, as JSON numbers.
type ListedPrice struct {
	Input  json.Number  `json:"input"`
	Cached *json.Number `json:"cached"` // null: cached input costs the same as other input
	Output json.Number  `json:"output"`
}

// ListProviders returns the providers and their models, available ones first, in the order of the
// catalog. Local servers are always queried, the others only if refresh is set, all in parallel.
func (b *Selector) ListProviders(ctx context.Context, refresh bool) ([]ListedProvider, error) {
	stored, err := b.StoredKeys()
	if err != nil {
		return nil, err
	}
	chosen, _ := b.EndpointFor(ctx, "") // empty if unavailable
	providers := b.current().Providers()
	if s := b.server.Load(); s != nil {
		providers = slices.Insert(providers, 0, customProvider(s.baseURL))
	}
	listed := make([]ListedProvider, len(providers))
	var probes crash.WaitGroup
	for i, p := range providers {
		probes.Go(func() { listed[i] = b.probe(ctx, p, stored, refresh).listed(chosen.Name()) })
	}
	probes.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	slices.SortStableFunc(listed, func(a, b ListedProvider) int {
		switch {
		case a.Configured == b.Configured:
			return 0
		case a.Configured:
			return -1
		}
		return 1
	})
	return listed, nil
}

// FindLocal probes the local servers in parallel. The channel delivers each server that answers, and is
// closed after at most localTimeout.
func (b *Selector) FindLocal(ctx context.Context) <-chan ListedProvider {
	var local []Provider
	for _, p := range b.opts.Catalog.Providers() {
		if p.Local {
			local = append(local, p)
		}
	}
	found := make(chan ListedProvider, len(local))
	var all, probes crash.WaitGroup
	all.Go(func() {
		defer close(found)
		for _, p := range local {
			probes.Go(func() {
				if s := b.probe(ctx, p, nil, false); s.configured {
					found <- s.listed("")
				}
			})
		}
		probes.Wait()
	})
	return found
}

// probeResult is the result of probing a provider.
type probeResult struct {
	provider   Provider
	keyFrom    string
	configured bool
	problem    error
}

// probe checks whether a provider is available and, if requested, fetches its models.
func (b *Selector) probe(ctx context.Context, p Provider, stored map[string]credential.Place, refresh bool) probeResult {
	s := probeResult{provider: p, keyFrom: b.KeyFrom(p, stored)}
	own := b.server.Load()
	if p.Name == Custom && own != nil && own.key != "" {
		s.keyFrom = own.keyFrom
	}
	s.configured = s.keyFrom != "" || !p.NeedsKey() && !p.Local
	wait := remoteTimeout
	if p.Local {
		wait = localTimeout
	}
	if b.opts.Offline || !p.Local && !(refresh && s.configured) {
		return s
	}
	ctx, cancel := context.WithTimeoutCause(ctx, wait, fmt.Errorf("no response within %s", wait))
	defer cancel()
	key, _, err := b.key(ctx, p, stored)
	if p.Name == Custom && own != nil {
		key, err = cmp.Or(own.key, key), nil
	}
	var models []openai.ListedModel
	if err == nil {
		models, err = openai.ListModels(ctx, b.listConfig(p, key))
	}
	switch {
	case err != nil && ctx.Err() != nil:
		s.problem = context.Cause(ctx)
	case err != nil:
		s.problem = err
	default:
		s.configured = true
		s.provider = p.withList(models)
		if !p.Local { // local servers are always asked, so their lists are not kept
			b.lists.keep(p, models)
		}
	}
	return s
}

func (s probeResult) listed(chosen string) ListedProvider {
	p := s.provider
	out := ListedProvider{
		Name: p.Name, Title: p.Title, Configured: s.configured, Local: p.Local, KeyFrom: s.keyFrom, BaseURL: p.BaseURL,
		KeyVars: append([]string{}, p.KeyVars...), AsOf: p.AsOf, Models: []ListedModel{},
	}
	if s.problem != nil {
		out.Problem = s.problem.Error()
	}
	for _, m := range p.Models {
		name := p.Name + "/" + m.Name
		listed := ListedModel{
			Name: name, Chosen: name == chosen, Window: m.Window, Price: listedPrice(m.Price), Reasoning: m.Reasoning, Vision: m.Vision,
			Ends: m.Ends, NotListed: m.NotListed,
		}
		if use := p.Retired[m.Name].Use; use != "" {
			listed.Use = p.Name + "/" + use
		}
		out.Models = append(out.Models, listed)
	}
	return out
}

func listedPrice(p *Price) *ListedPrice {
	if p == nil {
		return nil
	}
	out := &ListedPrice{Input: jsonNumber(p.Input), Output: jsonNumber(p.Output)}
	if p.Cached.Valid {
		cached := jsonNumber(p.Cached.Decimal)
		out.Cached = &cached
	}
	return out
}

// jsonNumber returns d as a JSON number with every digit.
func jsonNumber(d decimal.Decimal) json.Number { return json.Number(d.String()) }
