package catalog

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/usage"
)

// StoredKeys returns the location of each stored key, by provider name.
func (b *Selector) StoredKeys() (map[string]credential.Place, error) {
	entries, err := b.opts.Keys.List()
	places := map[string]credential.Place{}
	for _, e := range entries {
		places[e.Name] = e.Place
	}
	return places, err
}

// KeyFrom describes where a provider's key is from, or returns "".
func (b *Selector) KeyFrom(p Provider, stored map[string]credential.Place) string {
	for _, name := range p.KeyVars {
		if strings.TrimSpace(b.opts.Env(name)) != "" {
			return "env " + name
		}
	}
	switch stored[p.Name] {
	case credential.InKeyring:
		return "the keyring"
	case credential.InFile:
		return humanize.ShortPath(b.opts.Keys.Path())
	}
	return ""
}

// key returns the key of a provider and its origin. Environment variables come first.
func (b *Selector) key(ctx context.Context, p Provider, stored map[string]credential.Place) (key, from string, err error) {
	from = b.KeyFrom(p, stored)
	if name, ok := strings.CutPrefix(from, "env "); ok {
		return b.opts.Env(name), from, nil
	}
	if from == "" {
		return "", "", nil
	}
	key, err = b.opts.Keys.Get(ctx, p.Name)
	if err != nil {
		return "", from, fmt.Errorf("%w; set it again with: nfa auth set %s", err, p.Name)
	}
	return key, from, nil
}

// KeyRejected reports whether the server of a provider rejected its current key. It sends no request.
func (b *Selector) KeyRejected(p Provider) bool {
	rejected := b.lists.rejected(p.Name)
	if rejected.From == "" {
		return false
	}
	stored, err := b.StoredKeys()
	if err != nil || b.KeyFrom(p, stored) != rejected.From {
		return false
	}
	name, ok := strings.CutPrefix(rejected.From, "env ")
	return !ok || hashKey(b.opts.Env(name)) == rejected.Hash
}

// SaveKey stores a provider's key and returns the location.
func (b *Selector) SaveKey(ctx context.Context, p Provider, key string) (location string, err error) {
	saved, err := b.opts.Keys.Set(ctx, p.Name, key)
	if err != nil {
		return "", err
	}
	b.lists.forgetRejected(p.Name)
	text := fmt.Sprintf("the API key for %s is in ", p.Title)
	switch {
	case saved.Place == credential.InKeyring:
		return text + "the keyring", nil
	case saved.KeyringErr != nil:
		return text + humanize.ShortPath(b.opts.Keys.Path()) + ", readable only by you; the keyring is unavailable: " + markdown.SanitizeLine(saved.KeyringErr.Error()), nil
	}
	return text + humanize.ShortPath(b.opts.Keys.Path()) + ", readable only by you", nil
}

// KeyProvider returns the provider for which a key can be stored. An unknown name is a usage error.
func (b *Selector) KeyProvider(name string) (Provider, error) {
	if name == Custom {
		return Provider{Name: Custom, Title: "your server (NFA_BASE_URL)"}, nil
	}
	p, ok := b.opts.Catalog.Lookup(name)
	if i := slices.IndexFunc(b.opts.OtherKeys, func(p Provider) bool { return p.Name == name }); i >= 0 && !ok {
		return b.opts.OtherKeys[i], nil
	}
	if !ok {
		var names []string
		for _, p := range append(b.opts.Catalog.Providers(), b.opts.OtherKeys...) {
			names = append(names, p.Name)
		}
		return p, usage.Errorf("unknown provider %q; known: %s and %s", name, strings.Join(names, ", "), Custom)
	}
	return p, nil
}

// Key describes where the key of a provider is, never the key itself.
type Key struct {
	Provider string   `json:"provider"`
	Title    string   `json:"title"`
	State    string   `json:"key"` // set or unset
	From     string   `json:"from,omitempty"`
	KeyVars  []string `json:"key_variables"`
}

// AllKeys returns the providers that need a key, then others that have one.
func (b *Selector) AllKeys() ([]Key, error) {
	stored, err := b.StoredKeys()
	if err != nil {
		return nil, err
	}
	providers := append(b.opts.Catalog.Providers(), Provider{Name: Custom, Title: "your server (NFA_BASE_URL)", KeyVars: []string{"NFA_API_KEY"}})
	providers = append(providers, b.opts.OtherKeys...)
	rows := []Key{}
	for _, p := range providers {
		row := Key{Provider: p.Name, Title: p.Title, State: "unset", From: b.KeyFrom(p, stored), KeyVars: append([]string{}, p.KeyVars...)}
		if row.From != "" {
			row.State = "set"
		}
		delete(stored, p.Name)
		if p.NeedsKey() || row.State == "set" {
			rows = append(rows, row)
		}
	}
	for _, e := range slices.Sorted(maps.Keys(stored)) {
		rows = append(rows, Key{Provider: e, Title: e, State: "set", From: b.KeyFrom(Provider{Name: e}, stored), KeyVars: []string{}})
	}
	return rows, nil
}
