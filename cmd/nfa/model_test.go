package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/openai/provider"
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

func TestConnections_ChooseByWhatIsSet(t *testing.T) {
	const key = "sk-canary-1234567890"
	for _, row := range []struct {
		name  string
		env   map[string]string
		kept  string // a provider whose key is stored
		want  string // the model, and where it is asked
		from  string // the key
		wrong string // part of the error instead
	}{
		{"nothing", nil, "", "offline ", "", ""},
		{"a key", map[string]string{"OPENAI_API_KEY": key}, "", "openai/gpt-5-mini https://api.openai.com/v1", "env OPENAI_API_KEY", ""},
		{"a blank key", map[string]string{"OPENAI_API_KEY": "  "}, "", "offline ", "", ""},
		{"another address for OpenAI", map[string]string{"OPENAI_API_KEY": key, "OPENAI_BASE_URL": "https://proxy.example/v1", "NFA_MODEL": "gpt-4o"}, "", "openai/gpt-4o https://proxy.example/v1", "env OPENAI_API_KEY", ""},
		{"a stored key", nil, "deepseek", "deepseek/deepseek-v4-flash https://api.deepseek.com/v1", "auth.json", ""},
		{"the second variable", map[string]string{"GOOGLE_API_KEY": key, "NFA_MODEL": "gemini"}, "", "gemini/gemini-3.6-flash https://generativelanguage.googleapis.com/v1beta/openai", "env GOOGLE_API_KEY", ""},
		{"a server of one's own", map[string]string{"NFA_BASE_URL": "http://127.0.0.1:9/v1", "NFA_API_KEY": key, "NFA_MODEL": "m", "OPENAI_API_KEY": key}, "", "custom/m http://127.0.0.1:9/v1", "env NFA_API_KEY", ""},
		{"where every name is its own", map[string]string{"NFA_BASE_URL": "http://127.0.0.1:9/v1", "NFA_MODEL": "openai/gpt-5.1"}, "", "custom/openai/gpt-5.1 http://127.0.0.1:9/v1", "", ""},
		{"with its key stored", map[string]string{"NFA_BASE_URL": "http://127.0.0.1:9/v1", "NFA_MODEL": "custom/m"}, "custom", "custom/m http://127.0.0.1:9/v1", "auth.json", ""},
		{"but no name", map[string]string{"NFA_BASE_URL": "http://127.0.0.1:9/v1"}, "", "", "", "name one with NFA_MODEL"},
		{"offline outranks all", map[string]string{"NFA_OFFLINE": "true", "OPENAI_API_KEY": key, "NFA_MODEL": "openai/gpt-5"}, "", "offline ", "", ""},
		{"local", map[string]string{"NFA_MODEL": "ollama/qwen3"}, "", "ollama/qwen3 http://127.0.0.1:11434/v1", "", ""},
		{"a key without its server", map[string]string{"NFA_API_KEY": key}, "", "", "", "NFA_API_KEY is set, but not NFA_BASE_URL"},
		{"a key of another", map[string]string{"OPENAI_API_KEY": key, "NFA_MODEL": "deepseek/deepseek-v4-pro"}, "", "", "", "nfa auth set deepseek"},
		{"custom without a server", map[string]string{"OPENAI_API_KEY": key, "NFA_MODEL": "custom/m"}, "", "", "", "set NFA_BASE_URL"},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := connectionsIn(t, row.env)
			if row.kept != "" {
				if _, err := c.keys.Set(t.Context(), row.kept, key); err != nil {
					t.Fatal(err)
				}
			}
			got, err := c.choose(t.Context(), c.cfg.Model)
			if row.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), row.wrong) || strings.Contains(err.Error(), "canary") {
					t.Errorf("choose = %v, %v, want an error with %q", got.name(), err, row.wrong)
				}
				return
			}
			if err != nil || got.name()+" "+got.provider.BaseURL != row.want || got.why == "" {
				t.Errorf("choose = %s %s because %q, %v, want %s", got.name(), got.provider.BaseURL, got.why, err, row.want)
			}
			if (got.key != "") != (row.from != "") || filepath.Base(got.keyFrom) != filepath.Base(row.from) && row.from != "" {
				t.Errorf("key from %q (there: %v), want %q", got.keyFrom, got.key != "", row.from)
			}
		})
	}
}

func TestConnections_WhatThisStartNamesOutranksAnAgent(t *testing.T) {
	quiet := connectionsIn(t, map[string]string{})
	if got := quiet.wanted("xai/grok-4.5"); got != "xai/grok-4.5" {
		t.Errorf("an agent that asks for xai/grok-4.5 gets %q", got)
	}
	firm := connectionsIn(t, map[string]string{"NFA_MODEL": "ollama/a"})
	if got := firm.wanted("xai/grok-4.5"); got != "ollama/a" {
		t.Errorf("with NFA_MODEL the agent gets %q", got)
	}
	picked := "offline"
	firm.picked.Store(&picked)
	if got := firm.wanted("xai/grok-4.5"); got != picked {
		t.Errorf("after /model offline the agent gets %q", got)
	}
}

func TestConnections_AProviderOfNobodyNeedsItsServer(t *testing.T) {
	cfg := &config.Config{Providers: []config.Provider{{Name: "home", Origin: "config.yaml:7"}}}
	_, err := catalogueOf(cfg, func(string) string { return "" })
	if err == nil || !strings.Contains(err.Error(), "config.yaml:7: providers.home is not a provider that nfa knows, so it needs a base_url") {
		t.Errorf("catalogueOf: %v", err)
	}
}

func TestEndpoint_KnowsItsWindowAndItsCost(t *testing.T) {
	c := connectionsIn(t, map[string]string{"DEEPSEEK_API_KEY": "sk-1234567890"})
	e, err := c.choose(t.Context(), "deepseek/deepseek-v4-flash")
	if err != nil || e.window() != 1_000_000 {
		t.Fatalf("window %d, %v", e.window(), err)
	}
	usage := llm.Usage{InputTokens: 1_000_000, OutputTokens: 1_000_000}
	if got := e.usage(usage).CostUSD; got == nil || got.String() != "0.42" {
		t.Errorf("a million of each costs %v, want 0.42", got)
	}
	unknown, err := c.choose(t.Context(), "deepseek/deepseek-v99")
	if err != nil || unknown.window() != 0 || unknown.usage(usage).CostUSD != nil {
		t.Errorf("of an unknown model: window %d, cost %v, %v", unknown.window(), unknown.usage(usage).CostUSD, err)
	}
}

func TestConnections_AKeyringThatLostAKeySaysHowToSetIt(t *testing.T) {
	c := connectionsIn(t, nil)
	c.keys = credential.Open(filepath.Dir(c.keys.Path()), forgetful{}, 0, nil)
	if _, err := c.keys.Set(t.Context(), "deepseek", "sk-canary-1234567890"); err != nil {
		t.Fatal(err)
	}
	_, err := c.choose(t.Context(), "")
	if err == nil || !strings.Contains(err.Error(), "set it again with: nfa auth set deepseek") {
		t.Errorf("choose: %v", err)
	}
}

// forgetful takes keys and gives none back.
type forgetful struct{}

func (forgetful) Get(string) (string, error) { return "", credential.ErrNone }
func (forgetful) Set(string, string) error   { return nil }
func (forgetful) Delete(string) error        { return credential.ErrNone }

// The order in which a provider is chosen unasked is a promise.
func TestDocs_TheOrderOfProvidersIsThere(t *testing.T) {
	var names []string
	for _, p := range provider.Builtin().Providers() {
		if !p.Local {
			names = append(names, p.Name)
		}
	}
	text := strings.Join(strings.Fields(page(t, "docs/configuration.md")), " ")
	if order := strings.Join(names, ", "); !strings.Contains(text, order) {
		t.Errorf("docs/configuration.md does not give the order: %s", order)
	}
}
