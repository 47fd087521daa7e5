package catalog

import (
	"cmp"
	"slices"
)

// Catalog is the list of known providers, in the order of choice if no model is named. It is
// immutable; WithOverrides returns a copy.
type Catalog struct{ providers []Provider }

// NewCatalog is a catalog of these providers, in this order.
func NewCatalog(providers ...Provider) *Catalog { return &Catalog{slices.Clone(providers)} }

// Providers lists all, in order.
func (c *Catalog) Providers() []Provider { return slices.Clone(c.providers) }

// Lookup finds a provider by its name.
func (c *Catalog) Lookup(name string) (Provider, bool) {
	i := c.index(name)
	if i < 0 {
		return Provider{}, false
	}
	return c.providers[i], true
}

func (c *Catalog) index(name string) int {
	return slices.IndexFunc(c.providers, func(p Provider) bool { return p.Name == name })
}

// Serving lists the providers that are known to have a model of this name.
func (c *Catalog) Serving(model string) []Provider {
	var serving []Provider
	for _, p := range c.providers {
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
	next := NewCatalog(c.providers...)
	for _, o := range overrides {
		i := next.index(o.Name)
		if i < 0 {
			next.providers = append(next.providers, Provider{Name: o.Name, Title: o.Name, BaseURL: o.BaseURL})
			i = len(next.providers) - 1
		}
		next.providers[i] = next.providers[i].withOverride(o)
	}
	return next
}

func (p Provider) withOverride(o Override) Provider {
	if o.BaseURL != "" {
		p = p.WithBaseURL(o.BaseURL)
	}
	if len(o.KeyVars) > 0 {
		p.KeyVars = o.KeyVars
	}
	p.Models = slices.Clone(p.Models)
	for _, model := range o.Models {
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
