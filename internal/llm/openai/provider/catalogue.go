package provider

import (
	"cmp"
	"slices"
)

// Catalogue is the providers that are known, in the order in which one is chosen
// when none was named. It never changes; With gives another.
type Catalogue struct{ providers []Provider }

// New is a catalogue of these providers, in this order.
func New(providers ...Provider) *Catalogue { return &Catalogue{slices.Clone(providers)} }

// Providers lists all, in order.
func (c *Catalogue) Providers() []Provider { return slices.Clone(c.providers) }

// Lookup finds a provider by its name.
func (c *Catalogue) Lookup(name string) (Provider, bool) {
	i := c.index(name)
	if i < 0 {
		return Provider{}, false
	}
	return c.providers[i], true
}

func (c *Catalogue) index(name string) int {
	return slices.IndexFunc(c.providers, func(p Provider) bool { return p.Name == name })
}

// Serving lists the providers that are known to have a model of this name.
func (c *Catalogue) Serving(model string) []Provider {
	var serving []Provider
	for _, p := range c.providers {
		if _, ok := p.Model(model); ok {
			serving = append(serving, p)
		}
	}
	return serving
}

// Own is what a user says of a provider, or a server of itself. Empty fields say
// nothing.
type Own struct {
	Name    string
	BaseURL string
	KeyVars []string
	Models  []OwnModel
}

// OwnModel is what is said of a model; nil and zero say nothing.
type OwnModel struct {
	Name      string
	Window    int
	Price     *Price
	Reasoning *bool
	Vision    *bool
}

// With is the catalogue with what is said of some providers put over what it
// knows of them. Those it does not know come last, in the order given.
func (c *Catalogue) With(own ...Own) *Catalogue {
	next := New(c.providers...)
	for _, o := range own {
		i := next.index(o.Name)
		if i < 0 {
			next.providers = append(next.providers, Provider{Name: o.Name, Title: o.Name, BaseURL: o.BaseURL})
			i = len(next.providers) - 1
		}
		next.providers[i] = next.providers[i].with(o)
	}
	return next
}

func (p Provider) with(o Own) Provider {
	if o.BaseURL != "" {
		p = p.At(o.BaseURL)
	}
	if len(o.KeyVars) > 0 {
		p.KeyVars = o.KeyVars
	}
	p.Models = slices.Clone(p.Models)
	for _, said := range o.Models {
		i := slices.IndexFunc(p.Models, func(m Model) bool { return m.Name == said.Name })
		if i < 0 {
			p.Models = append(p.Models, Model{Name: said.Name})
			i = len(p.Models) - 1
		}
		p.Models[i] = p.Models[i].with(said)
	}
	return p
}

func (m Model) with(said OwnModel) Model {
	m.Window = cmp.Or(said.Window, m.Window)
	m.Price = cmp.Or(said.Price, m.Price)
	if said.Reasoning != nil {
		m.Reasoning = *said.Reasoning
	}
	if said.Vision != nil {
		m.Vision = *said.Vision
	}
	return m
}
