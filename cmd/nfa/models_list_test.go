package main

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/llm/openai"
	"github.com/nfa-cli/nfa/internal/llm/openai/provider"
)

// Four local servers that accept and stay silent are waited for together, and no
// longer than one.
func TestSurvey_SilentServersHoldNothingUp(t *testing.T) {
	over := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-over:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(over); silent.Close() })
	c := connectionsIn(t, nil)
	for _, name := range []string{"ollama", "lmstudio", "llamacpp", "vllm"} {
		c.catalogue = c.catalogue.With(provider.Own{Name: name, BaseURL: silent.URL + "/v1"})
	}
	start := time.Now()
	found, err := c.survey(t.Context(), false)
	if took := time.Since(start); err != nil || took > 3*probeTime {
		t.Errorf("the survey took %s, %v, want about %s", took, err, probeTime)
	}
	for _, p := range found {
		if p.Local && (p.Configured || p.Problem != "no answer within 300ms") {
			t.Errorf("%s: configured %v, problem %q", p.Name, p.Configured, p.Problem)
		}
	}
}

func TestSurvey_AsksNobodyOverTheNetworkUnasked(t *testing.T) {
	asked := false
	remote := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked = true
		http.Error(w, "busy", http.StatusServiceUnavailable)
	}))
	defer remote.Close()
	c := connectionsIn(t, map[string]string{"NFA_OFFLINE": "true", "XAI_API_KEY": "sk-1234567890"})
	c.catalogue = provider.New(provider.Provider{Name: "xai", Title: "xAI", BaseURL: remote.URL, KeyVars: []string{"XAI_API_KEY"}, Models: []provider.Model{{Name: "known"}}})
	for _, offline := range []bool{true, false} {
		c.cfg.Offline = offline
		found, err := c.survey(t.Context(), false)
		if err != nil || asked || len(found[0].Models) != 1 || !found[0].Configured {
			t.Errorf("offline %v: asked %v, found %+v, %v", offline, asked, found, err)
		}
	}
	found, err := c.survey(t.Context(), true)
	if err != nil || !asked || found[0].Problem == "" || len(found[0].Models) != 1 {
		t.Errorf("refreshed: asked %v, found %+v, %v; want the known models and the problem", asked, found, err)
	}
}

func TestServed_KeepsWhatIsKnownAndTakesWhatTheServerAdds(t *testing.T) {
	price := &provider.Price{Input: decimal.NewFromInt(1), Output: decimal.NewFromInt(2)}
	p := provider.Provider{Name: "x", Models: []provider.Model{{Name: "a", Window: 1000, Price: price, Vision: true}, {Name: "gone"}}}
	got := served(p, []openai.Offer{
		{Model: "a"}, {Model: "b", Window: 2000, Input: decimal.NewNullDecimal(decimal.NewFromInt(3)), Output: decimal.NewNullDecimal(decimal.NewFromInt(4))},
	}).Models
	want := []provider.Model{
		{Name: "a", Window: 1000, Price: price, Vision: true},
		{Name: "b", Window: 2000, Price: &provider.Price{Input: decimal.NewFromInt(3), Output: decimal.NewFromInt(4)}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTokensText_ReadsAsPeopleSayIt(t *testing.T) {
	for n, want := range map[int]string{0: "-", 131_072: "131K", 200_000: "200K", 1_048_576: "1M", 2_000_000: "2M"} {
		if got := tokensText(n); got != want {
			t.Errorf("tokensText(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestStrongerThanUser_NamesThePlaceThatOutranksTheFile(t *testing.T) {
	c := connectionsIn(t, map[string]string{"NFA_MODEL": "openai/gpt-5"})
	if got := strongerThanUser(c.cfg, "/home/x/config.yaml"); got != "env NFA_MODEL" {
		t.Errorf("with NFA_MODEL: %q", got)
	}
	if got := strongerThanUser(connectionsIn(t, nil).cfg, "/home/x/config.yaml"); got != "" {
		t.Errorf("with nothing: %q", got)
	}
}

func TestCatalogueOf_CarriesEveryWordOfTheSettings(t *testing.T) {
	yes := true
	cfg := &config.Config{Providers: []config.Provider{{Name: "home", BaseURL: "https://h.example/v1", KeyVars: []string{"H"}, Models: []config.Model{{
		Name: "m", Window: 9000, Reasoning: &yes, Vision: &yes,
		Prices: &config.Prices{Input: decimal.NewFromInt(1), Cached: decimal.NewNullDecimal(decimal.NewFromInt(2)), Output: decimal.NewFromInt(3)},
	}}}}}
	c, err := catalogueOf(cfg, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	got, _ := c.Lookup("home")
	want := provider.Model{
		Name: "m", Window: 9000, Reasoning: true, Vision: true,
		Price: &provider.Price{Input: decimal.NewFromInt(1), Cached: decimal.NewNullDecimal(decimal.NewFromInt(2)), Output: decimal.NewFromInt(3)},
	}
	if diff := cmp.Diff([]provider.Model{want}, got.Models); diff != "" || !slices.Equal(got.KeyVars, []string{"H"}) {
		t.Errorf("%+v (-want +got):\n%s", got, diff)
	}
}
