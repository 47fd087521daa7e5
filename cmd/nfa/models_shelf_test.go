package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/switchboard"
	"github.com/nfa-cli/nfa/internal/tui"
)

// modelsIn is the model screen of a chat in a home of its own, in which a local
// server lists a model and xAI has a key.
func modelsIn(t *testing.T, env map[string]string) (*house, *tui.Shelf) {
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
	h, err := wire(t.Context(), g, wiring{sessions: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.close)
	return h, h.modelList(g).Shelf()
}

func modelItem(t *testing.T, shelf *tui.Shelf, name string) tui.Item {
	t.Helper()
	items := shelf.Items()
	i := slices.IndexFunc(items, func(i tui.Item) bool { return i.Name == name })
	if i < 0 {
		t.Fatalf("%s is not among the %d items", name, len(items))
	}
	return items[i]
}

func TestModelShelf_ListsByProviderWhatCanBeHadFirst(t *testing.T) {
	_, shelf := modelsIn(t, map[string]string{"XAI_API_KEY": "sk-script-12345678"})
	items := shelf.Items()
	if items[0].Name != "xai/grok-4.5" || !slices.Contains(items[0].Marks, "answers now") || items[0].Group != "xAI" {
		t.Errorf("first is %+v", items[0])
	}
	if last := items[len(items)-1]; last.Name != switchboard.Offline {
		t.Errorf("last is %+v", last)
	}
	local := modelItem(t, shelf, "ollama/qwen3")
	if !slices.Contains(local.Marks, "local") || !offered(shelf, "enter", "ollama/qwen3") {
		t.Errorf("the local model: %+v", local)
	}
	missing := modelItem(t, shelf, "deepseek/deepseek-v4-flash")
	if !slices.Contains(missing.Marks, "no key") || offered(shelf, "enter", missing.Name) || !strings.Contains(missing.About, "$0.14 / 0.0028 / 0.28, as of 20") {
		t.Errorf("a model without a key: %+v", missing)
	}
	text, err := shelf.Read("deepseek/deepseek-v4-flash")
	if err != nil || !strings.Contains(text, "nfa auth set deepseek") || !strings.Contains(text, "1000000 tokens") {
		t.Errorf("its page: %v\n%s", err, text)
	}
	if _, err := shelf.Read("nobody/nothing"); err == nil {
		t.Error("a model that is not listed has a page")
	}
}

func TestModelShelf_EnterLetsAModelAnswerFromTheNextTurnOn(t *testing.T) {
	h, shelf := modelsIn(t, map[string]string{"XAI_API_KEY": "sk-script-12345678"})
	before := h.speaking.Load()
	o := press(t, shelf, "enter", "ollama/qwen3")
	now := h.speaking.Load()
	if now == before || now.modelName != "ollama/qwen3" || before.modelName != "xai/grok-4.5" || !strings.Contains(o.Said, "ollama/qwen3 answers from the next turn on") {
		t.Errorf("from %s to %s, said %q", before.modelName, now.modelName, o.Said)
	}
	setup, err := h.setup()
	if err != nil || setup.ModelName != "ollama/qwen3" || setup.Window != 0 || setup.ByRule {
		t.Errorf("the next turn: %s, window %d, by rule %v, %v", setup.ModelName, setup.Window, setup.ByRule, err)
	}
	// Another agent goes on with what was picked.
	if _, err := h.agents().Show("analyst"); err != nil || h.speaking.Load().modelName != "ollama/qwen3" {
		t.Errorf("the analyst has %s, %v", h.speaking.Load().modelName, err)
	}
	if press(t, shelf, "enter", switchboard.Offline); h.speaking.Load().modelName != switchboard.Offline {
		t.Errorf("offline was picked, and %s answers", h.speaking.Load().modelName)
	}
}

func TestModelShelf_WritePutsItIntoTheSettings(t *testing.T) {
	h, shelf := modelsIn(t, nil)
	o := press(t, shelf, "w", "ollama/qwen3")
	text, err := os.ReadFile(filepath.Join(h.home, "config.yaml"))
	if err != nil || !strings.HasSuffix(string(text), "\nmodel: ollama/qwen3\n") || !strings.HasPrefix(string(text), "# my servers\n") {
		t.Errorf("%v: %s", err, text)
	}
	if !strings.Contains(o.Said, "config.yaml:13") {
		t.Errorf("said %q", o.Said)
	}
}

func TestModelShelf_WhatRefreshFetchesJoinsTheList(t *testing.T) {
	h, shelf := modelsIn(t, map[string]string{"XAI_API_KEY": "sk-script-12345678"})
	before := len(shelf.Items())
	if o := press(t, shelf, "r", ""); !strings.Contains(o.Show, "**xAI** lists 1 model, 1 of them new here") {
		t.Errorf("shown:\n%s", o.Show)
	}
	if o := press(t, shelf, "r", ""); !strings.Contains(o.Show, "**xAI** lists 1 model, 0 of them new here") {
		t.Errorf("shown the second time:\n%s", o.Show)
	}
	// What was known stays, the model that answers first.
	if items := shelf.Items(); len(items) != before+1 || items[0].Name != "xai/grok-4.5" {
		t.Errorf("%d items, the first %+v; want one more than %d, and the known ones first", len(items), items[0], before)
	}
	fetched := modelItem(t, h.modelList(&globals{}).Shelf(), "xai/qwen3")
	if fetched.Group != "xAI" || slices.Contains(fetched.Marks, "no key") || fetched.About != "price not known" {
		t.Errorf("when the screen is opened again: %+v", fetched)
	}
	if text, err := shelf.Read("xai/qwen3"); err != nil || !strings.Contains(text, "its price is not known here") {
		t.Errorf("its page: %v\n%s", err, text)
	}
	if press(t, shelf, "enter", "xai/qwen3"); h.speaking.Load().modelName != "xai/qwen3" {
		t.Errorf("xai/qwen3 was picked, and %s answers", h.speaking.Load().modelName)
	}
	if marks := modelItem(t, shelf, "xai/qwen3").Marks; !slices.Contains(marks, "answers now") {
		t.Errorf("picked, and marked %v", marks)
	}
}

func TestModelShelf_ARefreshThatFailsSaysSoAndTakesNothingAway(t *testing.T) {
	_, shelf := modelsIn(t, map[string]string{"XAI_API_KEY": "sk-wrong-12345678"})
	before := len(shelf.Items())
	if o := press(t, shelf, "r", ""); !strings.Contains(o.Show, "**xAI** ! xai: 401 auth: wrong key") || strings.Contains(o.Show, "sk-wrong") {
		t.Errorf("shown:\n%s", o.Show)
	}
	if after := len(shelf.Items()); after != before {
		t.Errorf("%d items, %d before", after, before)
	}
}

// asked is the model that the connections would open for an agent without one.
func asked(t *testing.T, h *house) string {
	t.Helper()
	e, err := h.connections.Chosen(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	return e.Name()
}

func TestSwitchModel_WhatCannotBeHadLeavesTheOneThatAnswers(t *testing.T) {
	h, _ := modelsIn(t, map[string]string{"XAI_API_KEY": "sk-script-12345678"})
	for words, want := range map[string]string{"deepseek/deepseek-v4-pro": "nfa auth set deepseek", "openia/x": "no provider"} {
		if _, err := h.switchModel(words); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("/model %s: %v, want %q", words, err, want)
		}
		if h.speaking.Load().modelName != "xai/grok-4.5" || asked(t, h) != "xai/grok-4.5" {
			t.Errorf("after /model %s, %s answers", words, h.speaking.Load().modelName)
		}
	}
	text, err := h.switchModel(" xai/grok-4.3 ")
	if err != nil || !strings.Contains(text, "**xai/grok-4.3** answers from the next turn on") {
		t.Errorf("/model xai/grok-4.3: %q, %v", text, err)
	}
}

func TestSwitchModel_OfflineStaysOffline(t *testing.T) {
	h, shelf := modelsIn(t, map[string]string{"XAI_API_KEY": "sk-script-12345678", "NFA_OFFLINE": "true"})
	if _, err := h.switchModel("xai/grok-4.3"); err == nil || h.speaking.Load().modelName != switchboard.Offline {
		t.Errorf("/model while offline: %v, and %s answers", err, h.speaking.Load().modelName)
	}
	for _, i := range shelf.Items() {
		if i.Group == "Ollama" {
			t.Errorf("a local server was asked while offline: %+v", i)
		}
	}
}

// A pick means the provider it names, also while NFA_BASE_URL names a server.
func TestSwitchModel_APickOutranksTheServerOfTheSettings(t *testing.T) {
	h, shelf := modelsIn(t, map[string]string{
		"XAI_API_KEY": "sk-script-12345678", "NFA_BASE_URL": "http://127.0.0.1:1/v1", "NFA_MODEL": "xai/grok-4.5",
	})
	if got := h.speaking.Load(); got.modelName != "custom/xai/grok-4.5" {
		t.Fatalf("at the start %s answers", got.modelName)
	}
	press(t, shelf, "enter", "xai/grok-4.5")
	if got := h.speaking.Load(); got.modelName != "xai/grok-4.5" || strings.Contains(got.endpoint.Provider.BaseURL, ":1/") {
		t.Errorf("%s answers at %s", got.modelName, got.endpoint.Provider.BaseURL)
	}
	if _, err := h.switchModel("custom/m"); err != nil || h.speaking.Load().modelName != "custom/m" {
		t.Errorf("back at the server: %s, %v", h.speaking.Load().modelName, err)
	}
}
