package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm/openai"
	"github.com/nfa-cli/nfa/internal/llm/openai/provider"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/misuse"
)

const (
	// probeTime is how long a local server is waited for: one that runs answers in
	// a few milliseconds, and most do not run.
	probeTime = 300 * time.Millisecond
	// refreshTime is for lists from the network.
	refreshTime = 15 * time.Second
)

// providerJSON is a provider of `models list`, with what it serves.
type providerJSON struct {
	Name       string      `json:"name"`
	Title      string      `json:"title"`
	Configured bool        `json:"configured"` // it can be asked now
	Local      bool        `json:"local"`
	KeyFrom    string      `json:"key_from,omitempty"`
	KeyVars    []string    `json:"key_variables"`
	AsOf       string      `json:"as_of,omitempty"`   // of windows and prices
	Problem    string      `json:"problem,omitempty"` // why its list could not be had
	Models     []modelJSON `json:"models"`
}

type modelJSON struct {
	Name      string     `json:"name"` // provider/model
	Chosen    bool       `json:"chosen"`
	Window    int        `json:"context_window,omitempty"`
	Price     *priceJSON `json:"price"` // null: not known
	Reasoning bool       `json:"reasoning"`
	Vision    bool       `json:"vision"`
}

// priceJSON is in US dollars for a million tokens.
type priceJSON struct {
	Input  dollars  `json:"input"`
	Cached *dollars `json:"cached"` // null: cached input costs what other input does
	Output dollars  `json:"output"`
}

func newModelsList(g *globals) *cobra.Command {
	var asJSON, all, refresh bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the models that can be had",
		Long: `list shows the models of the providers that have a key and of the local servers
that run. Windows and prices (dollars for a million tokens: input, cached input,
output) are as of the day beside them; --refresh asks the providers.`,
		Args: args(cobra.NoArgs),
		RunE: g.connected(func(cmd *cobra.Command, c *connections, _ []string) error {
			if refresh && c.cfg.Offline {
				return misuse.Errorf("--refresh asks the network, and offline is set")
			}
			found, err := c.survey(cmd.Context(), refresh)
			if err != nil {
				return err
			}
			if !all {
				found = slices.DeleteFunc(found, func(p providerJSON) bool { return !p.Configured })
			}
			if asJSON {
				return console.JSON(g.out, found)
			}
			return c.printModels(cmd.Context(), g.out, found, all)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().BoolVar(&all, "all", false, "also of providers without a key, and local servers that do not run")
	cmd.Flags().BoolVar(&refresh, "refresh", false, "ask the providers that have a key for their lists, over the network")
	return cmd
}

// survey looks which providers can be asked and what they serve: those that can
// first, in the order of the catalogue. Local servers are always asked, the rest
// when refresh says so, all at once.
func (c *connections) survey(ctx context.Context, refresh bool) ([]providerJSON, error) {
	stored, err := c.stored()
	if err != nil {
		return nil, err
	}
	chosen, _ := c.chosen(ctx, c.wanted("")) // which is none where it cannot be had
	known := c.catalogue.Providers()
	if c.cfg.BaseURL != "" {
		known = slices.Insert(known, 0, provider.Provider{Name: customName, Title: "your server", BaseURL: c.cfg.BaseURL})
	}
	found := make([]providerJSON, len(known))
	var asking crash.WaitGroup
	for i, p := range known {
		asking.Go(func() { found[i] = c.look(ctx, p, stored, refresh).json(chosen.name()) })
	}
	asking.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	slices.SortStableFunc(found, func(a, b providerJSON) int {
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
func (c *connections) look(ctx context.Context, p provider.Provider, stored map[string]credential.Place, refresh bool) sight {
	s := sight{provider: p, keyFrom: c.keyFrom(p, stored)}
	if p.Name == customName && c.cfg.APIKey != "" {
		s.keyFrom = c.cfg.Origin("api_key")
	}
	s.configured = s.keyFrom != "" || !p.NeedsKey() && !p.Local
	wait := refreshTime
	if p.Local {
		wait = probeTime
	}
	if c.cfg.Offline || !p.Local && !(refresh && s.configured) {
		if s.configured {
			s.provider.Models = c.fetched.joined(p)
		}
		return s
	}
	ctx, cancel := context.WithTimeoutCause(ctx, wait, fmt.Errorf("no answer within %s", wait))
	defer cancel()
	server, err := c.listing(ctx, p, stored)
	if p.Name == customName {
		server.APIKey, err = cmp.Or(c.cfg.APIKey, server.APIKey), nil
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
			c.fetched.keep(s.provider)
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

func (s sight) json(chosen string) providerJSON {
	p := s.provider
	out := providerJSON{
		Name: p.Name, Title: p.Title, Configured: s.configured, Local: p.Local, KeyFrom: s.keyFrom,
		KeyVars: append([]string{}, p.KeyVars...), AsOf: p.AsOf, Models: []modelJSON{},
	}
	if s.problem != nil {
		out.Problem = s.problem.Error()
	}
	for _, m := range p.Models {
		name := p.Name + "/" + m.Name
		out.Models = append(out.Models, modelJSON{
			Name: name, Chosen: name == chosen, Window: m.Window, Price: priceOf(m.Price), Reasoning: m.Reasoning, Vision: m.Vision,
		})
	}
	return out
}

func priceOf(p *provider.Price) *priceJSON {
	if p == nil {
		return nil
	}
	out := &priceJSON{Input: dollars{p.Input}, Output: dollars{p.Output}}
	if p.Cached.Valid {
		out.Cached = &dollars{p.Cached.Decimal}
	}
	return out
}

// printModels is the list for people.
func (c *connections) printModels(ctx context.Context, out io.Writer, found []providerJSON, all bool) error {
	w := console.NewTable(out)
	for _, p := range found {
		fmt.Fprintf(w, "%s\n", markdown.SanitizeLine(p.heading()))
		for _, m := range p.Models {
			mark := " "
			if m.Chosen {
				mark = "*"
			}
			fmt.Fprintf(w, "%s %s\t%s\t%s\t%s\n", mark, markdown.SanitizeLine(m.Name), tokensText(m.Window), m.Price, m.traits())
		}
	}
	chosen, err := c.chosen(ctx, c.wanted(""))
	switch {
	case err != nil:
		fmt.Fprintf(w, "\nNo model answers: %s\n", markdown.SanitizeLine(err.Error()))
	default:
		fmt.Fprintf(w, "\n%s answers: %s. To choose another: nfa models use PROVIDER/MODEL\n", markdown.SanitizeLine(chosen.name()), markdown.SanitizeLine(chosen.why))
	}
	fmt.Fprintln(w, "Prices are dollars for a million tokens: input / cached input / output.")
	if !all {
		fmt.Fprintln(w, "To connect a provider: nfa auth set PROVIDER. nfa models list --all shows those that there are.")
	}
	return w.Flush()
}

// heading says what is to be known of a provider in a line.
func (p providerJSON) heading() string {
	var notes []string
	switch {
	case p.KeyFrom != "":
		notes = append(notes, "key from "+p.KeyFrom)
	case p.Local && p.Configured:
		notes = append(notes, "runs on this machine")
	case p.Local:
		notes = append(notes, "does not run on this machine")
	case len(p.KeyVars) > 0:
		notes = append(notes, "no key: "+strings.Join(p.KeyVars, " or ")+", or nfa auth set "+p.Name)
	}
	if p.AsOf != "" && len(p.Models) > 0 {
		notes = append(notes, "known as of "+p.AsOf)
	}
	if p.Problem != "" && (!p.Local || p.KeyFrom != "") {
		notes = append(notes, "! "+p.Problem)
	}
	return p.Title + " (" + strings.Join(notes, "; ") + ")"
}

// tokensText is a window as people say it: 128K, 1M.
func tokensText(n int) string {
	switch {
	case n <= 0:
		return "-"
	case n >= 1_000_000:
		return fmt.Sprintf("%dM", n/1_000_000)
	default:
		return fmt.Sprintf("%dK", n/1000)
	}
}

func (p *priceJSON) String() string {
	if p == nil {
		return "price not known"
	}
	cached := "-"
	if p.Cached != nil {
		cached = p.Cached.String()
	}
	return fmt.Sprintf("$%s / %s / %s", p.Input, cached, p.Output)
}

func (m modelJSON) traits() string {
	var traits []string
	if m.Reasoning {
		traits = append(traits, "reasoning")
	}
	if m.Vision {
		traits = append(traits, "vision")
	}
	return strings.Join(traits, ", ")
}
