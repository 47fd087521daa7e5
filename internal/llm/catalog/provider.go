package catalog

import (
	"net/url"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// Provider is a server, or a company's servers, under one address.
type Provider struct {
	Name    string // as in front of the slash: "deepseek"
	Title   string // as people call it: "DeepSeek"
	BaseURL string // up to and with its version
	// BaseURLVar is a variable that moves the address, where one is customary.
	BaseURLVar string
	// KeyVars are the variables that may hold the key; the first that is set
	// counts. Without any the server may be asked without a key.
	KeyVars []string
	// ListKeyHeader takes the key when the models are listed, beside
	// Authorization; ListHeader is sent then as well.
	ListKeyHeader string
	ListHeader    map[string]string
	// Local servers run on the user's own machine, when they run.
	Local bool
	// Models are those known here, the one to take unasked first.
	Models []Model
	// AsOf is the day, as 2006-01-02, up to which models and prices are known.
	AsOf string
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

// WithBaseURL is the provider at another address. Who serves its models there may ask
// what they like, so the prices are left behind unless the host stays.
func (p Provider) WithBaseURL(baseURL string) Provider {
	if host(baseURL) != host(p.BaseURL) {
		p.Models = slices.Clone(p.Models)
		for i := range p.Models {
			p.Models[i].Price = nil
		}
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

// Model is what is known of a model.
type Model struct {
	Name   string // as its server calls it
	Window int    // context window in tokens; 0 where it is not known
	// WindowOrigin is "settings" or "model list", or "" where nfa knows the window itself.
	WindowOrigin string
	Price        *Price // nil where it is not known
	Reasoning    bool   // thinks before it answers
	Vision       bool   // takes images
}

// Price is in US dollars for a million tokens.
type Price struct {
	Input, Output decimal.Decimal
	// Cached is for input that the server had read before; where it is absent
	// such input costs what other input does.
	Cached decimal.NullDecimal
}
