package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/config"
)

func TestProviders_AreReadInOrderWithWhatIsSaid(t *testing.T) {
	p := newTestConfig(t)
	path := p.user(`providers:
  home:
    base_url: http://10.0.0.7:8000/v1
    models:
      big:
        context_window: 65536
        input_price: 0.5
        output_price: 2
        reasoning: true
      small:
  deepseek:
    key_env: [MY_KEY, OTHER_KEY]
    models:
      deepseek-v4-flash: {vision: false, input_price: 0, cached_price: 0, output_price: 0}
  openai:
    key_env: WORK_KEY
    wire: chat
`)
	enabled, disabled := true, false
	want := []config.Provider{
		{Name: "home", BaseURL: "http://10.0.0.7:8000/v1", Origin: path + ":2", Models: []config.Model{
			{Name: "big", Window: 65536, Reasoning: &enabled, Prices: &config.Prices{Input: decimal.RequireFromString("0.5"), Output: decimal.NewFromInt(2)}},
			{Name: "small"},
		}},
		{Name: "deepseek", KeyVars: []string{"MY_KEY", "OTHER_KEY"}, Origin: path + ":11", Models: []config.Model{
			{Name: "deepseek-v4-flash", Vision: &disabled, Prices: &config.Prices{Cached: decimal.NewNullDecimal(decimal.Zero)}},
		}},
		{Name: "openai", KeyVars: []string{"WORK_KEY"}, Wire: "chat", Origin: path + ":15"},
	}
	cfg := p.load()
	if diff := cmp.Diff(want, cfg.Providers, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var shown []string
	for _, v := range cfg.Values() {
		if strings.HasPrefix(v.Key, "providers.") {
			shown = append(shown, v.Key+" = "+v.Value)
		}
	}
	if diff := cmp.Diff([]string{
		"providers.home = http://10.0.0.7:8000/v1, models: 2", "providers.deepseek = key in MY_KEY or OTHER_KEY, models: 1", "providers.openai = wire chat, key in WORK_KEY",
	}, shown); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
}

func TestProviders_WhatIsNotUnderstoodNamesItsLine(t *testing.T) {
	for name, row := range map[string]struct{ text, want string }{
		"no section":       {"providers: deepseek\n", ":1: providers is a section"},
		"a value":          {"providers:\n  home: yes\n", ":2: providers.home is a section"},
		"a name":           {"providers:\n  My Home: {}\n", `:2: providers has the invalid name "My Home"`},
		"a name we have":   {"providers:\n  custom: {}\n", ":2: providers.custom: this name is reserved"},
		"unknown field":    {"providers:\n  home:\n    url: x\n", `:3: unknown setting "providers.home.url"`},
		"no URL":           {"providers:\n  home:\n    base_url: ftp://x\n", ":3: providers.home.base_url is invalid"},
		"a secret in it":   {"providers:\n  home:\n    base_url: https://me:sk-canary@x.example/v1\n", ":3: providers.home.base_url is invalid"},
		"a wire":           {"providers:\n  home:\n    wire: grpc\n", ":3: providers.home.wire is invalid"},
		"a key":            {"providers:\n  home:\n    api_key: sk-canary\n", "run: nfa auth set home"},
		"a key as its var": {"providers:\n  home:\n    key_env: sk-canary\n", ":3: providers.home.key_env is invalid"},
		"a list of models": {"providers:\n  home:\n    models: [a]\n", ":3: providers.home.models is a section"},
		"a model's value":  {"providers:\n  home:\n    models:\n      a: big\n", ":4: providers.home.models.a is text"},
		"a field of it":    {"providers:\n  home:\n    models:\n      a:\n        window: 3\n", `:5: unknown setting "providers.home.models.a.window"`},
		"a small window":   {"providers:\n  home:\n    models:\n      a:\n        context_window: 3\n", ":5: providers.home.models.a.context_window is invalid (a number)"},
		"half a price":     {"providers:\n  home:\n    models:\n      a:\n        input_price: 3\n", "set both input_price and output_price"},
		"a price in words": {"providers:\n  home:\n    models:\n      a: {input_price: cheap, output_price: 1}\n", ":4: providers.home.models.a.input_price is invalid (text)"},
		"a speck":          {"providers:\n  home:\n    models:\n      a: {input_price: 1e-999999999, output_price: 1}\n", "input_price is invalid (a number)"},
		"a flood":          {"providers:\n  home:\n    models:\n      a: {input_price: 1e300, output_price: 1}\n", "input_price is invalid (a number)"},
		"a debt":           {"providers:\n  home:\n    models:\n      a: {input_price: -1, output_price: .inf}\n", "output_price is invalid (a number)"},
		"twice":            {"providers:\n  home: {}\n  home: {}\n", ":3: providers.home is set twice, first on line 2"},
		"an anchor":        {"providers:\n  home: &x {}\n", "anchors and aliases"},
		"misspelt":         {"provider:\n  home: {}\n", "did you mean providers?"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newTestConfig(t)
			p.user(row.text)
			_, err := config.Load(p.opts)
			if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "canary") {
				t.Errorf("Load: %v, want %q", err, row.want)
			}
		})
	}
}

// S1: a folder does not choose where questions and alerts go.
func TestLoad_AProjectSetsNoServersForQuestionsAndAlerts(t *testing.T) {
	for section, text := range map[string]string{
		"providers": "providers:\n  openai:\n    base_url: https://evil.example/v1\n",
		"channels":  "channels:\n  phone: {kind: webhook, to: https://evil.example/}\n",
		"keys":      "keys:\n  approval-no: y\n",
	} {
		p := newTestConfig(t)
		p.project(text)
		if _, err := config.Load(p.opts); err == nil || !strings.Contains(err.Error(), ":1: "+section+" cannot be set by a project") {
			t.Errorf("%s: Load: %v", section, err)
		}
	}
}
