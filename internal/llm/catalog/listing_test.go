package catalog_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm/catalog"
)

// Four local servers that accept connections and stay silent are awaited in parallel, for as long as one of
// them.
func TestListProviders_SilentServersHoldNothingUp(t *testing.T) {
	over := make(chan struct{})
	var waiting atomic.Int32
	var together atomic.Bool
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if waiting.Add(1) > 2 { // one that was given up may not know it yet
			together.Store(true)
		}
		defer waiting.Add(-1)
		select {
		case <-over:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(over); silent.Close() })
	o := testOptions(t, nil)
	for _, name := range []string{"ollama", "lmstudio", "llamacpp", "vllm"} {
		o.Catalog = o.Catalog.WithOverrides(catalog.Override{Name: name, BaseURL: silent.URL + "/v1"})
	}
	found, err := catalog.NewSelector(o).ListProviders(t.Context(), false)
	// Count concurrent requests instead of measuring time, because everything takes longer on a busy
	// machine.
	if err != nil || !together.Load() {
		t.Errorf("the servers were waited for one after another, %v", err)
	}
	for _, p := range found {
		if p.Local && (p.Configured || p.Problem != "no response within 300ms") {
			t.Errorf("%s: configured %v, problem %q", p.Name, p.Configured, p.Problem)
		}
	}
}

func TestListProviders_AsksNobodyOverTheNetworkUnasked(t *testing.T) {
	var asked atomic.Bool
	remote := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Store(true)
		http.Error(w, "busy", http.StatusServiceUnavailable)
	}))
	defer remote.Close()
	o := testOptions(t, map[string]string{"XAI_API_KEY": "sk-1234567890"})
	o.Catalog = catalog.NewCatalog(catalog.Provider{Name: "xai", Title: "xAI", BaseURL: remote.URL, KeyVars: []string{"XAI_API_KEY"}, Models: []catalog.Model{{Name: "known"}}})
	for _, offline := range []bool{true, false} {
		o.Offline = offline
		found, err := catalog.NewSelector(o).ListProviders(t.Context(), false)
		if err != nil || asked.Load() || len(found[0].Models) != 1 || !found[0].Configured {
			t.Errorf("offline %v: asked %v, found %+v, %v", offline, asked.Load(), found, err)
		}
	}
	found, err := catalog.NewSelector(o).ListProviders(t.Context(), true)
	if err != nil || !asked.Load() || found[0].Problem == "" || len(found[0].Models) != 1 {
		t.Errorf("refreshed: asked %v, found %+v, %v; want the known models and the problem", asked.Load(), found, err)
	}
}

func TestListProviders_KeepsWhatIsKnownAndTakesWhatTheServerAdds(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"data":[{"id":"a"},{"id":"b","context_length":2000,"pricing":{"prompt":"0.000003","completion":"0.000004"}}]}`)
	}))
	t.Cleanup(server.Close)
	o := testOptions(t, map[string]string{"X_KEY": "sk-1234567890"})
	o.Catalog = catalog.NewCatalog(catalog.Provider{Name: "x", Title: "X", BaseURL: server.URL, KeyVars: []string{"X_KEY"}, Models: []catalog.Model{
		{Name: "a", Window: 1000, Price: &catalog.Price{Input: decimal.NewFromInt(1), Output: decimal.NewFromInt(2)}, Vision: true}, {Name: "unlisted"},
	}})
	o.ListFile = filepath.Join(t.TempDir(), "cache", "models.json")
	found, err := catalog.NewSelector(o).ListProviders(t.Context(), true)
	if err != nil || len(found) != 1 {
		t.Fatalf("found %+v, %v", found, err)
	}
	known := catalog.ListedModel{Name: "x/a", Chosen: true, Window: 1000, Price: &catalog.ListedPrice{Input: "1", Output: "2"}, Vision: true}
	added := catalog.ListedModel{Name: "x/b", Window: 2000, Price: &catalog.ListedPrice{Input: "3", Output: "4"}}
	// Lists omit names that a server still accepts.
	want := []catalog.ListedModel{known, {Name: "x/unlisted", NotListed: true}, added}
	if diff := cmp.Diff(want, found[0].Models); diff != "" {
		t.Errorf("the server's list (-want +got):\n%s", diff)
	}
	// Another program reads the list for a day without a request.
	server.Close()
	for _, later := range []time.Duration{0, 23 * time.Hour, 25 * time.Hour} {
		o.Now = func() time.Time { return today.Add(later) }
		found, err = catalog.NewSelector(o).ListProviders(t.Context(), false)
		if err != nil || len(found) != 1 {
			t.Fatalf("found %+v, %v", found, err)
		}
		if later > 24*time.Hour {
			want = []catalog.ListedModel{known, {Name: "x/unlisted"}}
		}
		if diff := cmp.Diff(want, found[0].Models); diff != "" {
			t.Errorf("%s later (-want +got):\n%s", later, diff)
		}
	}
}

func TestTokens_ReadsAsPeopleSayIt(t *testing.T) {
	for n, want := range map[int]string{0: "-", 131_072: "131K", 200_000: "200K", 1_048_576: "1M", 2_000_000: "2M"} {
		if got := catalog.FormatTokens(n); got != want {
			t.Errorf("FormatTokens(%d) = %s, want %s", n, got, want)
		}
	}
}
