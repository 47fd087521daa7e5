package catalog_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm/catalog"
)

var today = time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)

func TestChoose_TakesWhatIsWantedOrSaysWhatToDo(t *testing.T) {
	c := catalog.BuiltinCatalog().WithOverrides(catalog.Override{Name: "home", BaseURL: "http://127.0.0.1:9/v1", Models: []catalog.ModelOverride{{Name: "org/own"}}})
	for _, row := range []struct {
		name, wanted string
		keys         string // providers that have one
		want         string // provider/model
		wrong        string // part of the error instead
	}{
		{"nothing to hand", "", "", "", catalog.ErrNoProvider.Error()},
		{"the first with a key", "", "groq deepseek", "deepseek/deepseek-v4-flash", ""},
		{"by its whole name", "groq/llama-3.3-70b-versatile", "openai groq", "groq/llama-3.3-70b-versatile", ""},
		{"a model with a slash", "openrouter/openai/gpt-6.1-terra", "openrouter", "openrouter/openai/gpt-6.1-terra", ""},
		{"one the catalogue has never heard of", "openai/gpt-99", "openai", "openai/gpt-99", ""},
		{"a provider alone", "deepseek", "openai deepseek", "deepseek/deepseek-v4-flash", ""},
		{"a provider with a slash behind it", "deepseek/", "deepseek", "deepseek/deepseek-v4-flash", ""},
		{"a model alone", "kimi-k2.6", "openai moonshot", "moonshot/kimi-k2.6", ""},
		{"a model of one's own", "org/own", "", "home/org/own", ""},
		{"a new name goes to who has a key", "gpt-99", "xai openai", "openai/gpt-99", ""},
		{"local needs no key", "ollama/qwen3", "", "ollama/qwen3", ""},
		{"local needs a name", "ollama", "", "", "as ollama/NAME"},
		{"never another provider", "deepseek/deepseek-v4-pro", "openai openrouter", "", "set DEEPSEEK_API_KEY, or run: nfa auth set deepseek"},
		{"either variable", "gemini", "openai", "", "GEMINI_API_KEY or GOOGLE_API_KEY"},
		{"never another model", "kimi-k2.6", "openai", "", "nfa auth set moonshot"},
		{"an unknown provider", "openia/gpt-5", "openai", "", `unknown provider "openia"; known: openai,`},
		{"no server at all", "gpt-99", "", "", "needs a server"},
	} {
		t.Run(row.name, func(t *testing.T) {
			keys := strings.Fields(row.keys)
			got, err := c.Choose(row.wanted, func(p catalog.Provider) bool { return slices.Contains(keys, p.Name) }, today)
			if row.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), row.wrong) {
					t.Errorf("Choose(%q) = %v, %v, want an error with %q", row.wanted, got, err, row.wrong)
				}
				return
			}
			if name := got.Provider.Name + "/" + got.Model; err != nil || name != row.want || got.Reason == "" {
				t.Errorf("Choose(%q) = %s because %q, %v, want %s", row.wanted, name, got.Reason, err, row.want)
			}
		})
	}
	if _, err := c.Choose("", func(catalog.Provider) bool { return false }, today); !errors.Is(err, catalog.ErrNoProvider) {
		t.Errorf("nothing to hand: %v", err)
	}
}
