package app

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
)

// settingsIn returns the settings of an empty home with an environment.
func settingsIn(t *testing.T, env map[string]string) Settings {
	t.Helper()
	s, err := LoadSettings(CommandLine{Home: t.TempDir()}, func(name string) string { return env[name] }, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestModels_AProviderOfNobodyNeedsItsServer(t *testing.T) {
	cfg := &config.Config{Providers: []config.Provider{{Name: "home", Origin: "config.yaml:7"}}}
	_, err := knownModels(cfg, func(string) string { return "" })
	if err == nil || !strings.Contains(err.Error(), "config.yaml:7: providers.home needs a base_url") {
		t.Errorf("catalogueOf: %v", err)
	}
}

func TestSettings_OverrideNamesThePlaceThatOutranksTheFile(t *testing.T) {
	if got := settingsIn(t, map[string]string{"NFA_MODEL": "openai/gpt-5"}).Override("model"); got != "env NFA_MODEL" {
		t.Errorf("with NFA_MODEL: %q", got)
	}
	if got := settingsIn(t, nil).Override("model"); got != "" {
		t.Errorf("with nothing: %q", got)
	}
}

func TestModels_CarriesEveryWordOfTheSettings(t *testing.T) {
	yes := true
	cfg := &config.Config{Providers: []config.Provider{{Name: "home", BaseURL: "https://h.example/v1", KeyVars: []string{"H"}, Models: []config.Model{{
		Name: "m", Window: 9000, Reasoning: &yes, Vision: &yes,
		Prices: &config.Prices{Input: decimal.NewFromInt(1), Cached: decimal.NewNullDecimal(decimal.NewFromInt(2)), Output: decimal.NewFromInt(3)},
	}}}}}
	c, err := knownModels(cfg, func(string) string { return "" })
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
