package catalog

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
)

// Provider is a server, or a company's servers, under one address.
type Provider struct {
	Name    string `json:"name"`     // the part before the slash: "deepseek"
	Title   string `json:"title"`    // for people: "DeepSeek"
	BaseURL string `json:"base_url"` // including its version
	// Aliases are other names that people look for.
	Aliases []string `json:"aliases"`
	// KeyPrefix starts the keys of this provider and of no other one; "" if there is no such prefix.
	KeyPrefix string `json:"key_prefix"`
	// BaseURLVar is an environment variable that replaces the address, if one is customary.
	BaseURLVar string `json:"base_url_var"`
	// Wire is the format of requests, WireChat or WireResponses of package openai; "" means chat.
	Wire string `json:"wire"`
	// KeyVars are the environment variables that may hold the key; the first that is set is used.
	// Without any the server needs no key.
	KeyVars []string `json:"key_vars"`
	// ListKeyHeader is sent with the key when the models are listed, in addition to Authorization;
	// ListHeader is sent then as well.
	ListKeyHeader string            `json:"list_key_header"`
	ListHeader    map[string]string `json:"list_header"`
	// Local servers run on the user's own machine.
	Local bool `json:"local"`
	// Models are the known models, those of Defaults first.
	Models []Model `json:"models"`
	// Defaults are the models to use if none is named, in order of preference.
	Defaults []string `json:"defaults"`
	// Retired holds models that are retired or will be.
	Retired map[string]Retirement `json:"retired"`
	// AsOf is the date, as 2006-01-02, of the windows and prices.
	AsOf string `json:"as_of"`

	settings []ModelOverride // of the user
}

// Retirement is the date on which a model is retired, and the model that replaces it.
type Retirement struct {
	Ends string `json:"ends"` // as 2006-01-02
	Use  string `json:"use"`  // a model of the same provider, or "" if none is known
}

// Model describes a model.
type Model struct {
	Name   string `json:"name"`   // as its server calls it
	Window int    `json:"window"` // context window in tokens; 0 if unknown
	// WindowOrigin is "settings" or "model list", or "" if the window is from the table.
	WindowOrigin string `json:"-"`
	Price        *Price `json:"price"`     // nil if unknown
	Reasoning    bool   `json:"reasoning"` // thinks before it answers
	Vision       bool   `json:"vision"`    // accepts images
	// Ends is the day, as 2006-01-02, on which its server retires it; "" if unknown.
	Ends string `json:"-"`
	// NotListed reports that its server has a list of models without it.
	NotListed bool `json:"-"`
}

// Ended reports whether the server has stopped serving the model.
func (m Model) Ended(now time.Time) bool {
	return m.Ends != "" && m.Ends <= now.UTC().Format(time.DateOnly)
}

// Price is in US dollars per million tokens, excluding rates for long prompts, other regions, batches and
// cache writes. A host that forwards requests has no single price.
type Price struct {
	Input  decimal.Decimal `json:"input"`
	Output decimal.Decimal `json:"output"`
	// Cached is the price of cached input. If absent, such input costs the same as other input.
	Cached decimal.NullDecimal `json:"cached"`
}

// NeedsKey reports whether the server refuses to answer without a key.
func (p Provider) NeedsKey() bool { return len(p.KeyVars) > 0 }

// Model finds a model by its name.
func (p Provider) Model(name string) (Model, bool) {
	i := slices.IndexFunc(p.Models, func(m Model) bool { return m.Name == name })
	if i < 0 {
		return Model{}, false
	}
	return p.Models[i], true
}

// Default returns the model to use if none is named: the first of Defaults that has not ended, else the
// first model that has not; "" if there is none.
func (p Provider) Default(now time.Time) string {
	for _, name := range p.Defaults {
		if m, ok := p.Model(name); ok && !m.Ended(now) {
			return name
		}
	}
	for _, m := range p.Models {
		if !m.Ended(now) {
			return m.Name
		}
	}
	return ""
}

// retirement returns what is known about the retirement of a model, even if the catalog no longer has it.
func (p Provider) retirement(model string) Retirement {
	r := p.Retired[model]
	if m, ok := p.Model(model); ok && m.Ends != "" {
		r.Ends = m.Ends
	}
	return r
}

// WithBaseURL returns the provider at another URL. If the host differs, prices are dropped and the
// format is chat completions, because another server may charge other prices and speak no other
// format.
func (p Provider) WithBaseURL(baseURL string) Provider {
	if host(baseURL) != host(p.BaseURL) {
		p.Models = slices.Clone(p.Models)
		for i := range p.Models {
			p.Models[i].Price = nil
		}
		p.Wire = ""
	}
	p.BaseURL = baseURL
	return p
}

func host(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	return strings.ToLower(u.Host)
}

// Cost returns the exact cost in US dollars. Cached tokens are part of the input tokens; any excess
// is ignored.
func (p Price) Cost(u llm.Usage) decimal.Decimal {
	cached := min(max(u.CachedTokens, 0), u.InputTokens)
	rate := p.Input
	if p.Cached.Valid {
		rate = p.Cached.Decimal
	}
	tokens := func(n int) decimal.Decimal { return decimal.NewFromInt(int64(max(n, 0))) }
	total := p.Input.Mul(tokens(u.InputTokens - cached)).Add(rate.Mul(tokens(cached))).Add(p.Output.Mul(tokens(u.OutputTokens)))
	return total.Shift(-6)
}
