package catalog

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrNoProvider means that no model was requested and no provider has a key.
var ErrNoProvider = errors.New("no provider has a key")

// Choice is a model, its provider, and why it was chosen.
type Choice struct {
	Provider Provider
	Model    string
	Reason   string
}

// Choose finds a model: "provider/model", the name of a provider for its default, or the name
// of a model of a provider with a key. If wanted is empty, it is the first provider with a key. If
// a named model is unavailable, the error explains what to do.
//
// keyed reports whether there is a key for a provider.
func (c *Catalog) Choose(wanted string, keyed func(Provider) bool, now time.Time) (Choice, error) {
	name, model, named := strings.Cut(wanted, "/")
	p, known := c.Lookup(name)
	switch {
	case wanted == "":
		return c.first(keyed, now)
	case known && named && model != "":
		return p.choose(model, "requested by name", keyed)
	case known:
		model := p.Default(now)
		if model == "" {
			return Choice{}, fmt.Errorf("model %s: choose a model as %s/NAME; list them with: nfa models list --refresh", wanted, name)
		}
		return p.choose(model, "the default of "+p.Title, keyed)
	}
	return c.byModel(wanted, named, keyed, now)
}

func (c *Catalog) first(keyed func(Provider) bool, now time.Time) (Choice, error) {
	err := ErrNoProvider
	for _, p := range c.load() {
		if !keyed(p) {
			continue
		}
		if model := p.Default(now); model != "" {
			return Choice{p, model, "the first provider with a key"}, nil
		}
		if len(p.Models) > 0 && err == ErrNoProvider {
			err = fmt.Errorf("all known models of %s have been retired; get its current list: nfa models list --refresh", p.Title)
		}
	}
	return Choice{}, err
}

// byModel finds the provider of a model that was named without one.
func (c *Catalog) byModel(model string, slash bool, keyed func(Provider) bool, now time.Time) (Choice, error) {
	serving := c.Serving(model)
	for _, p := range serving {
		if !p.NeedsKey() || keyed(p) {
			return Choice{p, model, "the first provider with a key that has " + model}, nil
		}
	}
	if len(serving) > 0 {
		return Choice{}, missingKeyError(serving[0], model)
	}
	if name, _, _ := strings.Cut(model, "/"); slash {
		return Choice{}, fmt.Errorf("model %s: unknown provider %q; known: %s. For another server, set NFA_BASE_URL and NFA_API_KEY, or add it under providers in the settings", model, name, c.names())
	}
	first, err := c.first(keyed, now)
	if err != nil {
		return Choice{}, fmt.Errorf("model %s needs a server: set NFA_BASE_URL and NFA_API_KEY, or a provider's key such as OPENAI_API_KEY; or use --model offline", model)
	}
	return Choice{first.Provider, model, "not in the catalog; using the first provider with a key"}, nil
}

func (p Provider) choose(model, why string, keyed func(Provider) bool) (Choice, error) {
	if p.NeedsKey() && !keyed(p) {
		return Choice{}, missingKeyError(p, model)
	}
	return Choice{p, model, why}, nil
}

func missingKeyError(p Provider, model string) error {
	return fmt.Errorf("model %s/%s needs an API key for %s: set %s, or run: nfa auth set %s", p.Name, model, p.Title, strings.Join(p.KeyVars, " or "), p.Name)
}

func (c *Catalog) names() string {
	var names []string
	for _, p := range c.load() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}
