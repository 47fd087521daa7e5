package catalog_test

import (
	"net/url"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
)

func TestBuiltin_EveryRowIsSane(t *testing.T) {
	names := map[string]bool{}
	variables := map[string]string{}
	for _, p := range catalog.BuiltinCatalog().Providers() {
		if !regexp.MustCompile(`^[a-z0-9]+$`).MatchString(p.Name) || names[p.Name] || p.Title == "" {
			t.Errorf("provider %q (%s): a name of its own and a title are needed", p.Name, p.Title)
		}
		names[p.Name] = true
		for _, v := range p.KeyVars {
			if other, taken := variables[v]; taken {
				t.Errorf("%s is the variable of %s and of %s", v, other, p.Name)
			}
			variables[v] = p.Name
		}
		checkAddress(t, p)
		checkModels(t, p)
	}
	for _, name := range []string{
		"openai", "anthropic", "gemini", "deepseek", "xai", "mistral", "groq", "openrouter", "moonshot", "qwen", "zai", "minimax", "together",
		"cerebras", "huggingface", "ollama", "lmstudio", "llamacpp", "vllm",
	} {
		if !names[name] {
			t.Errorf("%s is not in the catalogue", name)
		}
	}
}

// checkAddress requires https for remote servers and a loopback address for local ones, so that a
// key is never sent unencrypted.
func checkAddress(t *testing.T, p catalog.Provider) {
	t.Helper()
	u, err := url.Parse(p.BaseURL)
	switch {
	case err != nil:
		t.Errorf("%s: %v", p.Name, err)
	case p.Local && (u.Scheme != "http" || u.Hostname() != "127.0.0.1" || u.Port() == "" || p.NeedsKey()):
		t.Errorf("%s is local at %s with keys %v", p.Name, p.BaseURL, p.KeyVars)
	case !p.Local && (u.Scheme != "https" || u.User != nil || u.RawQuery != "" || !p.NeedsKey()):
		t.Errorf("%s is at %s with keys %v", p.Name, p.BaseURL, p.KeyVars)
	}
}

func checkModels(t *testing.T, p catalog.Provider) {
	t.Helper()
	if _, err := time.Parse(time.DateOnly, p.AsOf); err != nil && !p.Local {
		t.Errorf("%s: facts as of %q", p.Name, p.AsOf)
	}
	if p.Default(today) == "" && !p.Local {
		t.Errorf("%s has no model to take unasked", p.Name)
	}
	for _, name := range p.Defaults {
		if m, ok := p.Model(name); !ok || m.Ends != "" {
			t.Errorf("%s/%s is a default: known %v, ends %q", p.Name, name, ok, m.Ends)
		}
	}
	for name, r := range p.Retired {
		_, ends := time.Parse(time.DateOnly, r.Ends)
		if use, ok := p.Model(r.Use); ends != nil || !ok || use.Ends != "" {
			t.Errorf("%s/%s ends %q, use %q", p.Name, name, r.Ends, r.Use)
		}
	}
	seen := map[string]bool{}
	for _, m := range p.Models {
		if m.Name == "" || seen[m.Name] || m.Window < 8_000 || m.Window > 10_000_000 {
			t.Errorf("%s/%s: window %d, named before: %v", p.Name, m.Name, m.Window, seen[m.Name])
		}
		seen[m.Name] = true
		if m.Price != nil {
			checkPrice(t, p.Name+"/"+m.Name, *m.Price)
		}
	}
}

// checkPrice catches prices per token or per thousand, and shifted columns: cached input always costs less
// than other input, and input no more than output.
func checkPrice(t *testing.T, name string, price catalog.Price) {
	t.Helper()
	low, high := decimal.RequireFromString("0.001"), decimal.NewFromInt(200)
	if price.Input.LessThan(low) || price.Output.GreaterThan(high) || price.Input.GreaterThan(price.Output) {
		t.Errorf("%s costs %s and %s", name, price.Input, price.Output)
	}
	if price.Cached.Valid && (price.Cached.Decimal.Sign() <= 0 || !price.Cached.Decimal.LessThan(price.Input)) {
		t.Errorf("%s costs %s, cached %s", name, price.Input, price.Cached.Decimal)
	}
}

func testCatalog() *catalog.Catalog {
	return catalog.NewCatalog(
		catalog.Provider{Name: "one", Title: "One", BaseURL: "https://one.example/v1", KeyVars: []string{"ONE_KEY"}, Models: []catalog.Model{
			{Name: "a", Window: 1000, Price: price("2", "0.5", "8"), Reasoning: true}, {Name: "b"},
		}},
		catalog.Provider{Name: "two", Title: "Two", BaseURL: "https://two.example/v1", Models: []catalog.Model{{Name: "b", Window: 5}}},
	)
}

func price(input, cached, output string) *catalog.Price {
	p := &catalog.Price{Input: decimal.RequireFromString(input), Output: decimal.RequireFromString(output)}
	if cached != "" {
		p.Cached = decimal.NewNullDecimal(decimal.RequireFromString(cached))
	}
	return p
}

func TestPrice_CountsCachedInputAtItsOwnPrice(t *testing.T) {
	c := testCatalog().WithOverrides(catalog.Override{Name: "one", Models: []catalog.ModelOverride{{Name: "uncached", Price: price("2", "", "8")}}})
	for _, row := range []struct {
		name, model string
		usage       llm.Usage
		want        string
	}{
		// 600k at 2, 400k at 0.5 and 250k at 8 dollars a million.
		{"all three", "a", llm.Usage{InputTokens: 1_000_000, CachedTokens: 400_000, OutputTokens: 250_000}, "3.4"},
		{"one token each", "a", llm.Usage{InputTokens: 1, OutputTokens: 1}, "0.00001"},
		{"no price for the cache", "uncached", llm.Usage{InputTokens: 1_000_000, CachedTokens: 400_000}, "2"},
		{"more cached than there was", "a", llm.Usage{InputTokens: 100, CachedTokens: 900}, "0.00005"},
	} {
		t.Run(row.name, func(t *testing.T) {
			one, _ := c.Lookup("one")
			m, _ := one.Model(row.model)
			if got := m.Price.Cost(row.usage); !got.Equal(decimal.RequireFromString(row.want)) {
				t.Errorf("Of(%+v) = %s, want %s", row.usage, got, row.want)
			}
		})
	}
}

func TestWith_LaysTheUsersWordsOverTheCatalogue(t *testing.T) {
	base, yes := testCatalog(), true
	c := base.WithOverrides(
		catalog.Override{Name: "one", KeyVars: []string{"MINE"}, Models: []catalog.ModelOverride{{Name: "a", Window: 2000}, {Name: "new", Vision: &yes}}},
		catalog.Override{Name: "home", BaseURL: "http://127.0.0.1:9/v1", Models: []catalog.ModelOverride{{Name: "h", Window: 7, Price: price("1", "", "2")}}},
	)
	one, _ := c.Lookup("one")
	want := []catalog.Model{
		{Name: "a", Window: 2000, WindowOrigin: "settings", Price: price("2", "0.5", "8"), Reasoning: true}, {Name: "b"}, {Name: "new", Vision: true},
	}
	if diff := cmp.Diff(want, one.Models); diff != "" || one.KeyVars[0] != "MINE" || one.BaseURL != "https://one.example/v1" {
		t.Errorf("one = %+v (-want +got):\n%s", one, diff)
	}
	home, ok := c.Lookup("home")
	if !ok || home.NeedsKey() || len(home.Models) != 1 || c.Providers()[2].Name != "home" {
		t.Errorf("home = %+v, %v", home, ok)
	}
	below, _ := base.Lookup("one")
	if m, _ := below.Model("a"); m.Window != 1000 {
		t.Errorf("the catalogue below was changed: window %d", m.Window)
	}
}

func TestAt_LeavesPricesBehindUnlessTheHostStays(t *testing.T) {
	one, _ := testCatalog().Lookup("one")
	if m, _ := one.WithBaseURL("https://ONE.example/v2").Model("a"); m.Price == nil {
		t.Error("another path on the same host lost the prices")
	}
	elsewhere := one.WithBaseURL("https://proxy.example/v1")
	if m, _ := elsewhere.Model("a"); m.Price != nil || m.Window != 1000 || elsewhere.BaseURL != "https://proxy.example/v1" {
		t.Errorf("at another host: %+v at %s", m, elsewhere.BaseURL)
	}
	if m, _ := one.Model("a"); m.Price == nil {
		t.Error("At changed the provider it was asked of")
	}
}

func TestServing_FindsEveryProviderOfAModelInOrder(t *testing.T) {
	var names []string
	for _, p := range testCatalog().Serving("b") {
		names = append(names, p.Name)
	}
	if diff := cmp.Diff([]string{"one", "two"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := testCatalog().Serving("z"); len(got) != 0 {
		t.Errorf("z is served by %v", got)
	}
}
