package switchboard

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm/openai/provider"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/misuse"
)

// Stored is where each stored key is, by the name of its provider.
func (b *Board) Stored() (map[string]credential.Place, error) {
	entries, err := b.o.Keys.List()
	places := map[string]credential.Place{}
	for _, e := range entries {
		places[e.Name] = e.Place
	}
	return places, err
}

// KeyFrom says in a few words where a provider's key is from, or "".
func (b *Board) KeyFrom(p provider.Provider, stored map[string]credential.Place) string {
	for _, name := range p.KeyVars {
		if strings.TrimSpace(b.o.Env(name)) != "" {
			return "env " + name
		}
	}
	switch stored[p.Name] {
	case credential.InKeyring:
		return "the keyring"
	case credential.InFile:
		return console.Path(b.o.Keys.Path())
	}
	return ""
}

// key is the key of a provider and where it is from: the environment first.
func (b *Board) key(ctx context.Context, p provider.Provider, stored map[string]credential.Place) (key, from string, err error) {
	from = b.KeyFrom(p, stored)
	if name, ok := strings.CutPrefix(from, "env "); ok {
		return b.o.Env(name), from, nil
	}
	if from == "" {
		return "", "", nil
	}
	key, err = b.o.Keys.Get(ctx, p.Name)
	if err != nil {
		return "", from, fmt.Errorf("%w; set it again with: nfa auth set %s", err, p.Name)
	}
	return key, from, nil
}

// Keep puts a provider's key where keys are kept, and says where that is.
func (b *Board) Keep(ctx context.Context, p provider.Provider, key string) (words string, err error) {
	kept, err := b.o.Keys.Set(ctx, p.Name, key)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("the key of %s is in ", p.Title)
	switch {
	case kept.Place == credential.InKeyring:
		return text + "the keyring", nil
	case kept.Instead != nil:
		return text + console.Path(b.o.Keys.Path()) + ", for you alone; the keyring cannot be used: " + markdown.SanitizeLine(kept.Instead.Error()), nil
	}
	return text + console.Path(b.o.Keys.Path()) + ", for you alone", nil
}

// Keyed is the provider of a name that a key can be kept for. A name that is none of
// them is a misuse.
func (b *Board) Keyed(name string) (provider.Provider, error) {
	if name == Custom {
		return provider.Provider{Name: Custom, Title: "your server (NFA_BASE_URL)"}, nil
	}
	p, ok := b.o.Catalogue.Lookup(name)
	if at := slices.IndexFunc(b.o.Others, func(p provider.Provider) bool { return p.Name == name }); at >= 0 && !ok {
		return b.o.Others[at], nil
	}
	if !ok {
		var names []string
		for _, p := range append(b.o.Catalogue.Providers(), b.o.Others...) {
			names = append(names, p.Name)
		}
		return p, misuse.Errorf("no provider %q is known; there are %s and %s", name, strings.Join(names, ", "), Custom)
	}
	return p, nil
}

// Key is what is known of the key of one provider. It says where a key is, never what.
type Key struct {
	Provider string   `json:"provider"`
	Title    string   `json:"title"`
	State    string   `json:"key"` // set or unset
	From     string   `json:"from,omitempty"`
	KeyVars  []string `json:"key_variables"`
}

// AllKeys are the providers that want a key, then those that have one all the
// same.
func (b *Board) AllKeys() ([]Key, error) {
	stored, err := b.Stored()
	if err != nil {
		return nil, err
	}
	known := append(b.o.Catalogue.Providers(), provider.Provider{Name: Custom, Title: "your server (NFA_BASE_URL)", KeyVars: []string{"NFA_API_KEY"}})
	known = append(known, b.o.Others...)
	rows := []Key{}
	for _, p := range known {
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
		rows = append(rows, Key{Provider: e, Title: e, State: "set", From: b.KeyFrom(provider.Provider{Name: e}, stored), KeyVars: []string{}})
	}
	return rows, nil
}
