package catalog

import (
	"cmp"
	_ "embed" // the tables
	"encoding/json"
	"slices"
	"sync"
)

// Catalog is the list of known providers, in the order of choice if no model is named. It is
// immutable; WithOverrides and WithAddresses return copies. It is read when it is first used.
type Catalog struct{ load func() []Provider }

// NewCatalog returns a catalog of these providers, in this order.
func NewCatalog(providers ...Provider) *Catalog {
	providers = slices.Clone(providers)
	return &Catalog{func() []Provider { return providers }}
}

var (
	//go:embed providers.json
	providersJSON []byte
	//go:embed catalog.json
	modelsJSON []byte
)

// BuiltinCatalog returns the providers of providers.json in the order of choice if no model is
// named: model makers, then hosts of other models, and last those whose variable is often set for
// another purpose. Most of their models are in catalog.json, which the command in the folder
// generate writes.
func BuiltinCatalog() *Catalog { return &Catalog{readBuiltin} }

var readBuiltin = sync.OnceValue(func() []Provider {
	var providers []Provider
	if err := json.Unmarshal(providersJSON, &providers); err != nil {
		panic("providers.json: " + err.Error()) // a test reads it
	}
	maintained := readMaintained()
	for i, p := range providers {
		if models := maintained.Models[p.Name]; len(models) > 0 {
			if p.AsOf == "" {
				p.AsOf = maintained.AsOf
			}
			p.Models = slices.Concat(p.Models, models)
		}
		for j, m := range p.Models {
			p.Models[j].Ends = p.Retired[m.Name].Ends
		}
		slices.SortStableFunc(p.Models, func(a, b Model) int { return cmp.Compare(p.rank(a), p.rank(b)) })
		providers[i] = p
	}
	return providers
})

// rank orders models: first the defaults, then those without an end date.
func (p Provider) rank(m Model) int {
	if i := slices.Index(p.Defaults, m.Name); i >= 0 {
		return i
	}
	if m.Ends != "" {
		return len(p.Defaults) + 1
	}
	return len(p.Defaults)
}

// maintained is the content of catalog.json.
type maintained struct {
	Source string             `json:"source"` // the module and its version
	AsOf   string             `json:"as_of"`
	Models map[string][]Model `json:"models"` // by provider
}

// AsOf returns the day, as 2006-01-02, of the windows and prices in catalog.json.
func AsOf() string { return readMaintained().AsOf }

func readMaintained() maintained {
	var m maintained
	if err := json.Unmarshal(modelsJSON, &m); err != nil {
		panic("catalog.json: " + err.Error()) // a test reads it
	}
	return m
}

// Providers returns all providers, in order.
func (c *Catalog) Providers() []Provider { return slices.Clone(c.load()) }

// Lookup finds a provider by its name.
func (c *Catalog) Lookup(name string) (Provider, bool) {
	providers := c.load()
	if i := indexOf(providers, name); i >= 0 {
		return providers[i], true
	}
	return Provider{}, false
}

func indexOf(providers []Provider, name string) int {
	return slices.IndexFunc(providers, func(p Provider) bool { return p.Name == name })
}

// Serving lists the providers that are known to have a model of this name.
func (c *Catalog) Serving(model string) []Provider {
	var serving []Provider
	for _, p := range c.load() {
		if _, ok := p.Model(model); ok {
			serving = append(serving, p)
		}
	}
	return serving
}

// Override holds the user's settings for a provider, or a server of the user. Empty fields change
// nothing.
type Override struct {
	Name    string
	BaseURL string
	KeyVars []string
	Wire    string
	Models  []ModelOverride
}

// ModelOverride holds the user's settings for a model; nil and zero change nothing.
type ModelOverride struct {
	Name      string
	Window    int
	Price     *Price
	Reasoning *bool
	Vision    *bool
}

// WithOverrides returns the catalog with overrides applied. New providers come last, in the given
// order.
func (c *Catalog) WithOverrides(overrides ...Override) *Catalog {
	return &Catalog{sync.OnceValue(func() []Provider {
		providers := c.Providers()
		for _, o := range overrides {
			i := indexOf(providers, o.Name)
			if i < 0 {
				providers = append(providers, Provider{Name: o.Name, Title: o.Name, BaseURL: o.BaseURL})
				i = len(providers) - 1
			}
			providers[i] = providers[i].withOverride(o)
		}
		return providers
	})}
}

// WithAddresses returns the catalog with the addresses set in the providers' environment variables.
func (c *Catalog) WithAddresses(env func(string) string) *Catalog {
	return &Catalog{sync.OnceValue(func() []Provider {
		providers := c.Providers()
		for i, p := range providers {
			if p.BaseURLVar != "" && env(p.BaseURLVar) != "" {
				providers[i] = p.WithBaseURL(env(p.BaseURLVar))
			}
		}
		return providers
	})}
}

func (p Provider) withOverride(o Override) Provider {
	if o.BaseURL != "" {
		p = p.WithBaseURL(o.BaseURL)
	}
	if o.Wire != "" {
		p.Wire = o.Wire
	}
	if len(o.KeyVars) > 0 {
		p.KeyVars = o.KeyVars
	}
	p.settings = slices.Concat(p.settings, o.Models)
	return p.withSettings()
}

// withSettings applies what the user has set about models.
func (p Provider) withSettings() Provider {
	p.Models = slices.Clone(p.Models)
	for _, model := range p.settings {
		i := slices.IndexFunc(p.Models, func(m Model) bool { return m.Name == model.Name })
		if i < 0 {
			p.Models = append(p.Models, Model{Name: model.Name})
			i = len(p.Models) - 1
		}
		p.Models[i] = p.Models[i].withOverride(model)
	}
	return p
}

func (m Model) withOverride(override ModelOverride) Model {
	if override.Window > 0 {
		m.Window, m.WindowOrigin = override.Window, windowFromSettings
	}
	m.Price = cmp.Or(override.Price, m.Price)
	if override.Reasoning != nil {
		m.Reasoning = *override.Reasoning
	}
	if override.Vision != nil {
		m.Vision = *override.Vision
	}
	return m
}
