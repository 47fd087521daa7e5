package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/tui"
)

// openModelScreen opens the model screen of a chat in an empty home. A local server lists a model, and xAI
// has a key.
func openModelScreen(t *testing.T, env map[string]string) (*app.App, *tui.ListScreen) {
	t.Helper()
	server := httptest.NewServer(listOf("qwen3"))
	t.Cleanup(server.Close)
	home := filepath.Join(t.TempDir(), "nfa")
	t.Setenv("HOME", filepath.Join(home, "user"))
	t.Setenv("USERPROFILE", filepath.Join(home, "user"))
	t.Chdir(t.TempDir())
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "config.yaml"), []byte(localProviders(server.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	g := &globals{home: home}
	g.env = func(name string) string {
		if name == "NFA_KEY_STORE" {
			return "file"
		}
		return env[name]
	}
	p, err := g.open(t.Context(), app.Options{Agent: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p, screens.Models{App: p}.Screen()
}

func modelItem(t *testing.T, screen *tui.ListScreen, name string) tui.ListItem {
	t.Helper()
	items := screen.Items()
	i := slices.IndexFunc(items, func(i tui.ListItem) bool { return i.Name == name })
	if i < 0 {
		t.Fatalf("%s is not among the %d items", name, len(items))
	}
	return items[i]
}

// The active model is on row 1, then come available models, then folded groups.
func TestModelScreen_ListsTheActiveModelThenThoseThatAreReady(t *testing.T) {
	_, screen := openModelScreen(t, map[string]string{"XAI_API_KEY": "sk-script-12345678"})
	items := screen.Items()
	if items[0].Name != "xai/grok-4.7" || !slices.Contains(items[0].Marks, "active") || items[0].Group != "In use" {
		t.Errorf("first is %+v", items[0])
	}
	if last := items[len(items)-1]; last.Group != "Needs a key" || !last.Folded {
		t.Errorf("last is %+v", last)
	}
	if builtIn := modelItem(t, screen, catalog.Offline); builtIn.Group != "Ready" || builtIn.Folded {
		t.Errorf("the built-in assistant: %+v", builtIn)
	}
	local := modelItem(t, screen, "ollama/qwen3")
	if !slices.Contains(local.Columns, "this computer") || local.Folded || !offered(screen, "enter", "ollama/qwen3") {
		t.Errorf("the local model: %+v", local)
	}
	missing := modelItem(t, screen, "deepseek/deepseek-v4-flash")
	if !slices.Contains(missing.Marks, "no key") || !slices.Contains(missing.Columns, "0.14 / 0.28 USD") {
		t.Errorf("a model without a key: %+v", missing)
	}
	text, err := screen.Read("deepseek/deepseek-v4-flash")
	if err != nil || !strings.Contains(text, "nfa auth set deepseek") || !strings.Contains(text, "1000000 tokens") {
		t.Errorf("its page: %v\n%s", err, text)
	}
	if _, err := screen.Read("nobody/nothing"); err == nil {
		t.Error("a model that is not listed has a page")
	}
}

func TestModelScreen_EnterLetsAModelAnswerFromTheNextTurnOn(t *testing.T) {
	p, screen := openModelScreen(t, map[string]string{"XAI_API_KEY": "sk-script-12345678"})
	before := p.Agents.Active()
	o := press(t, screen, "enter", "ollama/qwen3")
	now := p.Agents.Active()
	if now == before || now.Model != "ollama/qwen3" || before.Model != "xai/grok-4.7" || !strings.Contains(o.Message, "ollama/qwen3 answers from the next turn on") {
		t.Errorf("from %s to %s, said %q", before.Model, now.Model, o.Message)
	}
	setup, err := p.Setup()
	if err != nil || setup.ModelName != "ollama/qwen3" || setup.Window != 4096 || setup.RuleBased {
		t.Errorf("the next turn: %s, window %d, by rule %v, %v", setup.ModelName, setup.Window, setup.RuleBased, err)
	}
	// Another agent continues with the chosen model.
	if _, err := (screens.Agents{App: p}).Command("analyst"); err != nil || p.Agents.Active().Model != "ollama/qwen3" {
		t.Errorf("the analyst has %s, %v", p.Agents.Active().Model, err)
	}
	if press(t, screen, "enter", catalog.Offline); p.Agents.Active().Model != catalog.Offline {
		t.Errorf("offline was picked, and %s answers", p.Agents.Active().Model)
	}
}

func TestModelScreen_WritePutsItIntoTheSettings(t *testing.T) {
	p, screen := openModelScreen(t, nil)
	o := press(t, screen, "w", "ollama/qwen3")
	text, err := os.ReadFile(filepath.Join(p.Home, "config.yaml"))
	if err != nil || !strings.HasSuffix(string(text), "\nmodel: ollama/qwen3\n") || !strings.HasPrefix(string(text), "# my servers\n") {
		t.Errorf("%v: %s", err, text)
	}
	if !strings.Contains(o.Message, "config.yaml:13") {
		t.Errorf("said %q", o.Message)
	}
}

func TestModelScreen_WhatRefreshFetchesJoinsTheList(t *testing.T) {
	p, screen := openModelScreen(t, map[string]string{"XAI_API_KEY": "sk-script-12345678"})
	before := len(screen.Items())
	if o := press(t, screen, "r", ""); !strings.Contains(o.Show, "**xAI**: 8 models, 1 new") {
		t.Errorf("shown:\n%s", o.Show)
	}
	if o := press(t, screen, "r", ""); !strings.Contains(o.Show, "**xAI**: 8 models, 0 new") {
		t.Errorf("shown the second time:\n%s", o.Show)
	}
	// Models that were already known stay, and the active model comes first.
	if items := screen.Items(); len(items) != before+1 || items[0].Name != "xai/grok-4.7" {
		t.Errorf("%d items, the first %+v; want one more than %d, and the known ones first", len(items), items[0], before)
	}
	fetched := modelItem(t, screens.Models{App: p}.Screen(), "xai/qwen3")
	if fetched.Group != "Ready" || slices.Contains(fetched.Marks, "no key") || !slices.Contains(fetched.Columns, "n/a") {
		t.Errorf("when the screen is opened again: %+v", fetched)
	}
	if text, err := screen.Read("xai/qwen3"); err != nil || !strings.Contains(text, "price: n/a") {
		t.Errorf("its page: %v\n%s", err, text)
	}
	if press(t, screen, "enter", "xai/qwen3"); p.Agents.Active().Model != "xai/qwen3" {
		t.Errorf("xai/qwen3 was picked, and %s answers", p.Agents.Active().Model)
	}
	if marks := modelItem(t, screen, "xai/qwen3").Marks; !slices.Contains(marks, "active") {
		t.Errorf("picked, and marked %v", marks)
	}
}

func TestModelScreen_ARefreshThatFailsSaysSoAndTakesNothingAway(t *testing.T) {
	_, screen := openModelScreen(t, map[string]string{"XAI_API_KEY": "sk-wrong-12345678"})
	before := len(screen.Items())
	if o := press(t, screen, "r", ""); !strings.Contains(o.Show, "**xAI** ! xai: 401 auth: wrong key") || strings.Contains(o.Show, "sk-wrong") {
		t.Errorf("shown:\n%s", o.Show)
	}
	if after := len(screen.Items()); after != before {
		t.Errorf("%d items, %d before", after, before)
	}
}

// defaultModel returns the model that is opened for an agent that sets none.
func defaultModel(t *testing.T, p *app.App) string {
	t.Helper()
	e, err := p.Models.EndpointFor(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	return e.Name()
}

func TestSwitchModel_WhatCannotBeHadLeavesTheOneThatAnswers(t *testing.T) {
	p, _ := openModelScreen(t, map[string]string{"XAI_API_KEY": "sk-script-12345678"})
	for name, want := range map[string]string{"deepseek/deepseek-v4-pro": "nfa auth set deepseek", "openia/x": "unknown provider"} {
		if _, err := (screens.Models{App: p}).Command(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("/model %s: %v, want %q", name, err, want)
		}
		if p.Agents.Active().Model != "xai/grok-4.7" || defaultModel(t, p) != "xai/grok-4.7" {
			t.Errorf("after /model %s, %s answers", name, p.Agents.Active().Model)
		}
	}
	text, err := screens.Models{App: p}.Command(" xai/grok-4.3 ")
	if err != nil || !strings.Contains(text, "**xai/grok-4.3** from the next turn") {
		t.Errorf("/model xai/grok-4.3: %q, %v", text, err)
	}
}

func TestSwitchModel_OfflineStaysOffline(t *testing.T) {
	p, screen := openModelScreen(t, map[string]string{"XAI_API_KEY": "sk-script-12345678", "NFA_OFFLINE": "true"})
	if _, err := (screens.Models{App: p}).Command("xai/grok-4.3"); err == nil || p.Agents.Active().Model != catalog.Offline {
		t.Errorf("/model while offline: %v, and %s answers", err, p.Agents.Active().Model)
	}
	for _, i := range screen.Items() {
		if i.Group == "Ollama" {
			t.Errorf("a local server was asked while offline: %+v", i)
		}
	}
}

// A chosen model uses the provider in its name, even if NFA_BASE_URL names a server.
func TestSwitchModel_APickOutranksTheServerOfTheSettings(t *testing.T) {
	p, screen := openModelScreen(t, map[string]string{
		"XAI_API_KEY": "sk-script-12345678", "NFA_BASE_URL": "http://127.0.0.1:1/v1", "NFA_MODEL": "xai/grok-4.7",
	})
	if got := p.Agents.Active(); got.Model != "custom/xai/grok-4.7" {
		t.Fatalf("at the start %s answers", got.Model)
	}
	press(t, screen, "enter", "xai/grok-4.7")
	if got := p.Agents.Active(); got.Model != "xai/grok-4.7" || strings.Contains(got.Endpoint.Provider.BaseURL, ":1/") {
		t.Errorf("%s answers at %s", got.Model, got.Endpoint.Provider.BaseURL)
	}
	if _, err := (screens.Models{App: p}).Command("custom/m"); err != nil || p.Agents.Active().Model != "custom/m" {
		t.Errorf("back at the server: %s, %v", p.Agents.Active().Model, err)
	}
}
