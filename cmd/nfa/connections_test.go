package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
)

// connectionsIn are the connections of a home of its own, with an environment.
func connectionsIn(t *testing.T, settings map[string]string) *connections {
	t.Helper()
	home := t.TempDir()
	env := func(name string) string {
		if name == "NFA_KEY_STORE" {
			return "file"
		}
		return settings[name]
	}
	cfg, err := config.Load(config.Options{Home: home, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	g := &globals{terminal: terminal{env: env}}
	c, err := newConnections(g, cfg, home, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConnections_AProviderOfNobodyNeedsItsServer(t *testing.T) {
	cfg := &config.Config{Providers: []config.Provider{{Name: "home", Origin: "config.yaml:7"}}}
	_, err := newCatalog(cfg, func(string) string { return "" })
	if err == nil || !strings.Contains(err.Error(), "config.yaml:7: providers.home is not a provider that nfa knows, so it needs a base_url") {
		t.Errorf("catalogueOf: %v", err)
	}
}

func TestOverridingOrigin_NamesThePlaceThatOutranksTheFile(t *testing.T) {
	c := connectionsIn(t, map[string]string{"NFA_MODEL": "openai/gpt-5"})
	if got := modelOverride(c.cfg, "/home/x/config.yaml"); got != "env NFA_MODEL" {
		t.Errorf("with NFA_MODEL: %q", got)
	}
	if got := modelOverride(connectionsIn(t, nil).cfg, "/home/x/config.yaml"); got != "" {
		t.Errorf("with nothing: %q", got)
	}
}

func TestNewCatalog_CarriesEveryWordOfTheSettings(t *testing.T) {
	yes := true
	cfg := &config.Config{Providers: []config.Provider{{Name: "home", BaseURL: "https://h.example/v1", KeyVars: []string{"H"}, Models: []config.Model{{
		Name: "m", Window: 9000, Reasoning: &yes, Vision: &yes,
		Prices: &config.Prices{Input: decimal.NewFromInt(1), Cached: decimal.NewNullDecimal(decimal.NewFromInt(2)), Output: decimal.NewFromInt(3)},
	}}}}}
	c, err := newCatalog(cfg, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	got, _ := c.Lookup("home")
	want := catalog.Model{
		Name: "m", Window: 9000, WindowOrigin: "settings", Reasoning: true, Vision: true,
		Price: &catalog.Price{Input: decimal.NewFromInt(1), Cached: decimal.NewNullDecimal(decimal.NewFromInt(2)), Output: decimal.NewFromInt(3)},
	}
	if diff := cmp.Diff([]catalog.Model{want}, got.Models); diff != "" || !slices.Equal(got.KeyVars, []string{"H"}) {
		t.Errorf("%+v (-want +got):\n%s", got, diff)
	}
}

// The order in which a provider is chosen unasked is a promise.
func TestDocs_TheOrderOfProvidersIsThere(t *testing.T) {
	var names []string
	for _, p := range catalog.BuiltinCatalog().Providers() {
		if !p.Local {
			names = append(names, p.Name)
		}
	}
	text := strings.Join(strings.Fields(page(t, "docs/configuration.md")), " ")
	if order := strings.Join(names, ", "); !strings.Contains(text, order) {
		t.Errorf("docs/configuration.md does not give the order: %s", order)
	}
}
