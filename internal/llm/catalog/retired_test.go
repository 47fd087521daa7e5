package catalog_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
)

// With any single key, the default is a model that has not ended, even years after the table was made.
func TestDefault_HasNotEnded(t *testing.T) {
	for _, now := range []string{"2026-11-22", "2026-12-12", "2029-01-01"} {
		day, _ := time.Parse(time.DateOnly, now)
		for _, p := range catalog.BuiltinCatalog().Providers() {
			if p.Local {
				continue
			}
			o := testOptions(t, map[string]string{p.KeyVars[0]: "sk-1234567890"})
			o.Now = func() time.Time { return day }
			b := catalog.NewSelector(o)
			e, err := b.Choose(t.Context(), "")
			if err != nil || e.Provider.Name != p.Name || b.Ending(e) != "" || e.Window() == 0 {
				t.Errorf("%s, %s: %s, window %d, %q, %v", now, p.Name, e.Name(), e.Window(), b.Ending(e), err)
			}
		}
	}
}

func TestDefault_SkipsWhatHasEnded(t *testing.T) {
	model := func(name, ends string) catalog.Model { return catalog.Model{Name: name, Ends: ends} }
	for _, row := range []struct {
		name   string
		models []catalog.Model
		want   string // or part of the error
	}{
		{"the second of the defaults", []catalog.Model{model("first", "2026-11-22"), model("second", ""), model("other", "")}, "second"},
		{"a model that ends tomorrow", []catalog.Model{model("first", "2026-11-23")}, "first"},
		{"any other model", []catalog.Model{model("first", "2026-01-01"), model("other", "")}, "other"},
		{"none", []catalog.Model{model("first", "2026-01-01")}, "models list --refresh"},
	} {
		c := catalog.NewCatalog(catalog.Provider{Name: "x", Title: "X", BaseURL: "https://x.example", KeyVars: []string{"X"}, Models: row.models, Defaults: []string{"first", "second"}})
		for _, wanted := range []string{"", "x"} {
			got, err := c.Choose(wanted, func(catalog.Provider) bool { return true }, today)
			if got.Model != row.want && (err == nil || !strings.Contains(err.Error(), row.want)) {
				t.Errorf("%s, %q: %q, %v; want %s", row.name, wanted, got.Model, err, row.want)
			}
		}
	}
}

func TestEnding_IsSaidSixtyDaysAheadAndOnceADay(t *testing.T) {
	o := testOptions(t, map[string]string{"OPENAI_API_KEY": "sk-1234567890"})
	o.ListFile = filepath.Join(t.TempDir(), "models.json")
	on := func(day, model string) (*catalog.Selector, catalog.Endpoint) {
		o.Now = func() time.Time { now, _ := time.Parse(time.DateOnly, day); return now }
		b := catalog.NewSelector(o)
		e, err := b.Choose(t.Context(), model)
		if err != nil {
			t.Fatal(err)
		}
		return b, e
	}
	const want = "gpt-5-mini will be retired on 2026-12-11. Run: nfa models use openai/gpt-6-luna"
	past := strings.Replace(want, "will be", "was", 1)
	for day, text := range map[string]string{"2026-10-11": "", "2026-10-12": want, "2026-12-10": want, "2026-12-11": past, "2026-12-12": past} {
		b, e := on(day, "openai/gpt-5-mini")
		if got := b.Ending(e); got != text {
			t.Errorf("on %s: %q, want %q", day, got, text)
		}
	}
	if b, e := on("2026-11-22", "openai/gpt-6-luna"); b.Ending(e) != "" {
		t.Errorf("a model without an end: %q", b.Ending(e))
	}
	for _, row := range []struct{ day, want string }{{"2026-11-22", want}, {"2026-11-22", ""}, {"2026-11-23", want}} {
		b, e := on(row.day, "openai/gpt-5-mini")
		if got := b.NewEnding(e); got != row.want {
			t.Errorf("at a start on %s: %q, want %q", row.day, got, row.want)
		}
	}
}

// A model that the user chose is requested even after its end; only the server decides.
func TestEnded_TheErrorOfTheServerNamesTheReplacement(t *testing.T) {
	for _, status := range []int{http.StatusNotFound, http.StatusBadRequest} {
		var asked int
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked++
			http.Error(w, `{"error":{"code":"model_not_found","message":"The model does not exist"}}`, status)
		}))
		o := testOptions(t, map[string]string{"OPENAI_API_KEY": "sk-1234567890", "OPENAI_BASE_URL": server.URL})
		o.Now = func() time.Time { return time.Date(2026, 12, 12, 0, 0, 0, 0, time.UTC) }
		b := catalog.NewSelector(o)
		e, err := b.Choose(t.Context(), "openai/gpt-5-mini")
		if err != nil {
			t.Fatal(err)
		}
		m, err := b.Open(e)
		if err != nil {
			t.Fatal(err)
		}
		for _, err = range m.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "hello"}}}) {
		}
		if asked != 1 || llm.KindOf(err) != llm.KindModelUnknown || !strings.Contains(err.Error(), "nfa models use openai/gpt-6-luna") {
			t.Errorf("%d: asked %d times, %v", status, asked, err)
		}
		server.Close()
	}
}

// The rows whose prices catwalk gives in different columns, compared with the providers' pages.
func TestBuiltin_CachedPrices(t *testing.T) {
	c := catalog.BuiltinCatalog()
	for name, want := range map[string]string{
		"openai/gpt-5.1": "1.25 0.125 10", "anthropic/claude-opus-5": "5 0.5 25", "moonshot/kimi-k3": "3 0.3 15", "xai/grok-4.5": "2 0.3 6", "deepseek/deepseek-v4-flash": "0.14 0.0028 0.28",
	} {
		provider, model, _ := strings.Cut(name, "/")
		p, _ := c.Lookup(provider)
		m, ok := p.Model(model)
		if !ok || m.Price == nil || m.Price.Input.String()+" "+m.Price.Cached.Decimal.String()+" "+m.Price.Output.String() != want {
			t.Errorf("%s: %+v, want %s", name, m.Price, want)
		}
	}
}

func TestWire_BelongsToTheServer(t *testing.T) {
	for _, row := range []struct {
		name     string
		override catalog.Override
		want     string
	}{
		{"OpenAI's own server", catalog.Override{}, "responses"},
		{"a proxy speaks chat completions", catalog.Override{BaseURL: "https://proxy.example/v1"}, ""},
		{"unless the user says otherwise", catalog.Override{BaseURL: "https://proxy.example/v1", Wire: "responses"}, "responses"},
		{"the user's word for OpenAI", catalog.Override{Wire: "chat"}, "chat"},
	} {
		row.override.Name = "openai"
		if p, _ := catalog.BuiltinCatalog().WithOverrides(row.override).Lookup("openai"); p.Wire != row.want {
			t.Errorf("%s: %q, want %q", row.name, p.Wire, row.want)
		}
	}
}
