package catalog_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// testOptions returns the options of a start with this environment.
func testOptions(t *testing.T, env map[string]string) catalog.Options {
	t.Helper()
	own := []catalog.Override{}
	if env["OPENAI_BASE_URL"] != "" {
		own = append(own, catalog.Override{Name: "openai", BaseURL: env["OPENAI_BASE_URL"]})
	}
	return catalog.Options{
		Model: env["NFA_MODEL"], ModelNamed: env["NFA_MODEL"] != "", Offline: env["NFA_OFFLINE"] != "", BaseURL: env["NFA_BASE_URL"], APIKey: env["NFA_API_KEY"],
		Origin:  func(key string) string { return "env NFA_" + strings.ToUpper(key) },
		Catalog: catalog.BuiltinCatalog().WithOverrides(own...), Keys: credential.Open(t.TempDir(), nil, 0, nil),
		Env: func(name string) string { return env[name] }, Now: func() time.Time { return today }, Log: zerolog.Nop(),
	}
}

func selectorWith(t *testing.T, env map[string]string) *catalog.Selector {
	t.Helper()
	return catalog.NewSelector(testOptions(t, env))
}

func TestSelector_ChooseByWhatIsSet(t *testing.T) {
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
		{"a key", map[string]string{"OPENAI_API_KEY": key}, "", "openai/gpt-6.1-terra https://api.openai.com/v1", "env OPENAI_API_KEY", ""},
		{"a blank key", map[string]string{"OPENAI_API_KEY": "  "}, "", "offline ", "", ""},
		{"another address for OpenAI", map[string]string{"OPENAI_API_KEY": key, "OPENAI_BASE_URL": "https://proxy.example/v1", "NFA_MODEL": "gpt-4o"}, "", "openai/gpt-4o https://proxy.example/v1", "env OPENAI_API_KEY", ""},
		{"a stored key", nil, "deepseek", "deepseek/deepseek-v4-flash https://api.deepseek.com/v1", "auth.json", ""},
		{"the second variable", map[string]string{"GOOGLE_API_KEY": key, "NFA_MODEL": "gemini"}, "", "gemini/gemini-3.8-flash https://generativelanguage.googleapis.com/v1beta/openai", "env GOOGLE_API_KEY", ""},
		{"a server of one's own", map[string]string{"NFA_BASE_URL": "http://127.0.0.1:9/v1", "NFA_API_KEY": key, "NFA_MODEL": "m", "OPENAI_API_KEY": key}, "", "custom/m http://127.0.0.1:9/v1", "env NFA_API_KEY", ""},
		{"where every name is its own", map[string]string{"NFA_BASE_URL": "http://127.0.0.1:9/v1", "NFA_MODEL": "openai/gpt-5.1"}, "", "custom/openai/gpt-5.1 http://127.0.0.1:9/v1", "", ""},
		{"with its key stored", map[string]string{"NFA_BASE_URL": "http://127.0.0.1:9/v1", "NFA_MODEL": "custom/m"}, "custom", "custom/m http://127.0.0.1:9/v1", "auth.json", ""},
		{"but no name", map[string]string{"NFA_BASE_URL": "http://127.0.0.1:9/v1"}, "", "", "", "set one with NFA_MODEL"},
		{"offline outranks all", map[string]string{"NFA_OFFLINE": "true", "OPENAI_API_KEY": key, "NFA_MODEL": "openai/gpt-5"}, "", "offline ", "", ""},
		{"local", map[string]string{"NFA_MODEL": "ollama/qwen3"}, "", "ollama/qwen3 http://127.0.0.1:11434/v1", "", ""},
		{"a key without its server", map[string]string{"NFA_API_KEY": key}, "", "", "", "NFA_API_KEY is set, but not NFA_BASE_URL"},
		{"a key of another", map[string]string{"OPENAI_API_KEY": key, "NFA_MODEL": "deepseek/deepseek-v4-pro"}, "", "", "", "nfa auth set deepseek"},
		{"custom without a server", map[string]string{"OPENAI_API_KEY": key, "NFA_MODEL": "custom/m"}, "", "", "", "set NFA_BASE_URL"},
	} {
		t.Run(row.name, func(t *testing.T) {
			o := testOptions(t, row.env)
			if row.kept != "" {
				if _, err := o.Keys.Set(t.Context(), row.kept, key); err != nil {
					t.Fatal(err)
				}
			}
			got, err := catalog.NewSelector(o).Choose(t.Context(), o.Model)
			if row.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), row.wrong) || strings.Contains(err.Error(), "canary") {
					t.Errorf("Choose = %v, %v, want an error with %q", got.Name(), err, row.wrong)
				}
				return
			}
			if err != nil || got.Name()+" "+got.Provider.BaseURL != row.want || got.Reason == "" {
				t.Errorf("Choose = %s %s because %q, %v, want %s", got.Name(), got.Provider.BaseURL, got.Reason, err, row.want)
			}
			if filepath.Base(got.KeyFrom) != filepath.Base(row.from) {
				t.Errorf("key from %q, want %q", got.KeyFrom, row.from)
			}
		})
	}
}

func TestSelector_WhatThisStartNamesOutranksAnAgent(t *testing.T) {
	keyed := func(env map[string]string) *catalog.Selector {
		env["XAI_API_KEY"] = "sk-1234567890"
		return selectorWith(t, env)
	}
	chosen := func(b *catalog.Selector) string {
		e, err := b.EndpointFor(t.Context(), "xai/grok-4.5")
		if err != nil {
			t.Fatal(err)
		}
		return e.Name()
	}
	if got := chosen(keyed(map[string]string{})); got != "xai/grok-4.5" {
		t.Errorf("an agent that asks for xai/grok-4.5 gets %q", got)
	}
	firm := keyed(map[string]string{"NFA_MODEL": "ollama/a"})
	if got := chosen(firm); got != "ollama/a" {
		t.Errorf("with NFA_MODEL the agent gets %q", got)
	}
	undo := firm.Pick("offline")
	if got := chosen(firm); got != "offline" {
		t.Errorf("after /model offline the agent gets %q", got)
	}
	undo()
	if got := chosen(firm); got != "ollama/a" {
		t.Errorf("after a pick that was taken back the agent gets %q", got)
	}
}

func TestSelector_ConnectAsksTheServerWithTheKey(t *testing.T) {
	server := llmtest.StartServer(llmtest.Answers(llmtest.Say("Hello."))...)
	t.Cleanup(server.Close)
	b := selectorWith(t, map[string]string{"NFA_BASE_URL": server.URL, "NFA_API_KEY": "sk-canary-1234567890", "NFA_MODEL": "m"})
	model, e, err := b.Connect(t.Context(), "")
	if err != nil || e.Name() != "custom/m" {
		t.Fatalf("Connect = %s, %v", e.Name(), err)
	}
	for _, err := range model.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "hello"}}}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := server.Requests()[0].Header.Get("Authorization"); got != "Bearer sk-canary-1234567890" {
		t.Errorf("the server received %q", got)
	}
}

func TestEndpoint_KnowsItsWindowAndItsCost(t *testing.T) {
	c := selectorWith(t, map[string]string{"DEEPSEEK_API_KEY": "sk-1234567890"})
	e, err := c.Choose(t.Context(), "deepseek/deepseek-v4-flash")
	if err != nil || e.Window() != 1_000_000 {
		t.Fatalf("window %d, %v", e.Window(), err)
	}
	usage := llm.Usage{InputTokens: 1_000_000, OutputTokens: 1_000_000}
	if cost := e.Cost(); cost == nil || cost(usage).String() != "0.42" {
		t.Errorf("a million of each does not cost 0.42")
	}
	unknown, err := c.Choose(t.Context(), "deepseek/deepseek-v99")
	if err != nil || unknown.Window() != 0 || unknown.Cost() != nil {
		t.Errorf("of an unknown model: window %d, a cost %v, %v", unknown.Window(), unknown.Cost() != nil, err)
	}
}

func TestSelector_AKeyringThatLostAKeySaysHowToSetIt(t *testing.T) {
	o := testOptions(t, nil)
	o.Keys = credential.Open(t.TempDir(), failingKeyring{}, 0, nil)
	if _, err := o.Keys.Set(t.Context(), "deepseek", "sk-canary-1234567890"); err != nil {
		t.Fatal(err)
	}
	_, err := catalog.NewSelector(o).Choose(t.Context(), "")
	if err == nil || !strings.Contains(err.Error(), "set it again with: nfa auth set deepseek") {
		t.Errorf("Choose: %v", err)
	}
}

// failingKeyring stores keys but cannot return them.
type failingKeyring struct{}

func (failingKeyring) Get(string) (string, error) { return "", credential.ErrNotFound }
func (failingKeyring) Set(string, string) error   { return nil }
func (failingKeyring) Delete(string) error        { return credential.ErrNotFound }

// The sentence names the provider and where the key is from.
func TestOpen_AFailureHasASentenceForPeople(t *testing.T) {
	for status, want := range map[int]string{
		http.StatusUnauthorized:    "OpenAI rejected the API key from OPENAI_API_KEY. Fix it with /setup, or switch with /model.",
		http.StatusPaymentRequired: "The account of the API key from OPENAI_API_KEY at OpenAI has no credit. Add credit, or switch with /model.",
		http.StatusTeapot:          "",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, `{"error":{"message":"no"}}`, status) }))
		b := selectorWith(t, map[string]string{"OPENAI_API_KEY": "sk-1234567890", "OPENAI_BASE_URL": server.URL})
		e, err := b.Choose(t.Context(), "openai/gpt-6-luna")
		if err != nil {
			t.Fatal(err)
		}
		test, err := b.TestModel(t.Context(), e)
		if err != nil || llm.SentenceOf(test.Err()) != want {
			t.Errorf("status %d: %q, %v, want %q", status, llm.SentenceOf(test.Err()), err, want)
		}
		if rejected := b.KeyRejected(e.Provider); rejected != (status == http.StatusUnauthorized) {
			t.Errorf("status %d: rejected is %v", status, rejected)
		}
		server.Close()
	}
}
