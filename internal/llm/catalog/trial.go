package catalog

import (
	"context"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

// Trial is a provider with a key that may not be stored yet, for the setup.
type Trial struct {
	Provider Provider // with the models of its server, once ListModels has run
	selector *Selector
	key      string
	keyFrom  string // "" for a key that is not stored
}

// NewTrial returns a trial of a provider. An empty key means the one that nfa has, if any.
func (b *Selector) NewTrial(ctx context.Context, p Provider, key string) (*Trial, error) {
	t := &Trial{Provider: p, selector: b, key: key}
	if key != "" {
		return t, nil
	}
	stored, err := b.StoredKeys()
	if err == nil {
		t.key, t.keyFrom, err = b.key(ctx, p, stored)
	}
	return t, err
}

// NewServerTrial returns a trial of the server at baseURL. An empty key means the stored one, if any.
func (b *Selector) NewServerTrial(ctx context.Context, baseURL, key string) (*Trial, error) {
	return b.NewTrial(ctx, customProvider(baseURL), key)
}

// ListModels returns how many models the server lists. It sends one request.
func (t *Trial) ListModels(ctx context.Context) (int, error) {
	wait := remoteTimeout
	if limit := t.selector.opts.Timeouts.FirstByte; limit > 0 {
		wait = min(wait, limit)
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	models, err := openai.ListModels(ctx, t.selector.listConfig(t.Provider, t.key))
	if err == nil {
		t.Provider = t.Provider.withList(models)
	}
	if rejected := llm.KindOf(err) == llm.KindAuth; rejected || err == nil {
		t.selector.lists.noteKey(t.Endpoint(""), rejected)
	}
	return len(models), err
}

// Endpoint returns a model of the provider.
func (t *Trial) Endpoint(model string) Endpoint {
	return Endpoint{Provider: t.Provider, Model: model, KeyFrom: t.keyFrom, Reason: "chosen in setup", key: t.key, windows: &windowCache{lists: t.selector.lists}}
}

// WithKeyShape returns the provider whose keys start like key, if there is one.
func (b *Selector) WithKeyShape(key string) (Provider, bool) {
	for _, p := range b.opts.Catalog.Providers() {
		if p.KeyPrefix != "" && strings.HasPrefix(key, p.KeyPrefix) {
			return p, true
		}
	}
	return Provider{}, false
}
