package catalog_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

// fakeServer answers requests such as "GET /props" with fixed texts, and others with 404. It
// counts all of them.
type fakeServer struct {
	*httptest.Server
	requests atomic.Int32
}

func startServer(t *testing.T, answers map[string]string) *fakeServer {
	t.Helper()
	f := &fakeServer{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.requests.Add(1)
		answer, ok := answers[r.Method+" "+r.URL.Path]
		if body, _ := io.ReadAll(r.Body); r.Method == http.MethodPost && string(body) != `{"model":"m"}` {
			ok = false
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(f.Close)
	return f
}

// openEndpoint returns the model m of a provider whose server is at baseURL.
func openEndpoint(t *testing.T, provider, baseURL string) catalog.Endpoint {
	t.Helper()
	o := testOptions(t, nil)
	if provider == catalog.Custom {
		o.BaseURL = baseURL
	} else {
		o.Catalog = o.Catalog.WithOverrides(catalog.Override{Name: provider, BaseURL: baseURL})
	}
	e, err := catalog.NewSelector(o).Choose(t.Context(), provider+"/m")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestResolveWindow_AsksEachKindOfLocalServer(t *testing.T) {
	catalog.AwaitServers(t)
	const (
		// Replies of Ollama 0.12, shortened.
		show       = `{"parameters":"stop \"<|im_end|>\"","model_info":{"general.architecture":"qwen3","qwen3.context_length":40960}}`
		showSet    = `{"parameters":"stop \"<|im_end|>\"\nnum_ctx                        16384","model_info":{"general.architecture":"qwen3","qwen3.context_length":40960}}`
		showSmall  = `{"model_info":{"general.architecture":"llama","llama.context_length":2048}}`
		showCloud  = `{"remote_host":"https://ollama.com:443","model_info":{"general.architecture":"gptoss","gptoss.context_length":131072}}`
		psNone     = `{"models":[]}`
		psLoaded   = `{"models":[{"name":"other:latest","context_length":9000},{"name":"m:latest","context_length":32768}]}`
		props      = `{"default_generation_settings":{"n_ctx":12288},"total_slots":1}`
		lmLoaded   = `{"data":[{"id":"other","loaded_context_length":9000},{"id":"m","state":"loaded","max_context_length":131072,"loaded_context_length":10000}]}`
		lmMax      = `{"data":[{"id":"m","state":"loaded","max_context_length":32768}]}`
		lmUnloaded = `{"data":[{"id":"m","state":"not-loaded","max_context_length":131072}]}`
		lmSmall    = `{"data":[{"id":"m","state":"not-loaded","max_context_length":2048}]}`
		vllm       = `{"data":[{"id":"m","max_model_len":24000}]}`
		lmUnknown  = `{"error":"Unexpected endpoint or method. (GET /props)"}` // with status 200
	)
	for _, row := range []struct {
		name, provider string
		answers        map[string]string
		want           int
		origin         string
	}{
		{"Ollama, loaded", "ollama", map[string]string{"POST /api/show": show, "GET /api/ps": psLoaded}, 32768, "server"},
		{"Ollama, num_ctx in the Modelfile", "ollama", map[string]string{"POST /api/show": showSet, "GET /api/ps": psNone}, 16384, "server"},
		{"Ollama, the maximum is not the window", "ollama", map[string]string{"POST /api/show": show, "GET /api/ps": psNone}, 4096, "assumed"},
		{"Ollama, a model that holds less than the default", "ollama", map[string]string{"POST /api/show": showSmall, "GET /api/ps": psNone}, 2048, "server"},
		{"Ollama, a model in its cloud", "ollama", map[string]string{"POST /api/show": showCloud, "GET /api/ps": psNone}, 131072, "server"},
		{"Ollama, without /api/show", "ollama", map[string]string{"GET /api/ps": psLoaded}, 32768, "server"},
		{"llama.cpp", "llamacpp", map[string]string{"GET /props": props}, 12288, "server"},
		{"LM Studio, loaded", "lmstudio", map[string]string{"GET /api/v0/models": lmLoaded}, 10000, "server"},
		{"LM Studio, loaded, an older version", "lmstudio", map[string]string{"GET /api/v0/models": lmMax}, 32768, "server"},
		{"LM Studio, not loaded", "lmstudio", map[string]string{"GET /api/v0/models": lmUnloaded}, 8192, "assumed"},
		{"LM Studio, not loaded, a small model", "lmstudio", map[string]string{"GET /api/v0/models": lmSmall}, 2048, "server"},
		{"vLLM", "vllm", map[string]string{"GET /v1/models": vllm}, 24000, "server"},
		{"a server of one's own that is Ollama", "custom", map[string]string{"POST /api/show": show, "GET /api/ps": psNone}, 4096, "assumed"},
		{"a server of one's own that is llama.cpp", "custom", map[string]string{"GET /props": props}, 12288, "server"},
		{"a server of one's own that is LM Studio", "custom", map[string]string{
			"GET /api/v0/models": lmLoaded, "GET /props": lmUnknown, "GET /api/ps": lmUnknown, "POST /api/show": lmUnknown,
		}, 10000, "server"},
		{"a server of one's own that is vLLM", "home", map[string]string{"GET /v1/models": vllm}, 24000, "server"},
		{"a server that tells nothing", "home", nil, 8192, "assumed"},
	} {
		t.Run(row.name, func(t *testing.T) {
			server := startServer(t, row.answers)
			e := openEndpoint(t, row.provider, server.URL+"/v1")
			if e.Window() != 0 || e.WindowOrigin() != "assumed" || server.requests.Load() != 0 {
				t.Errorf("unasked: %d, %q, after %d requests", e.Window(), e.WindowOrigin(), server.requests.Load())
			}
			if got, origin := e.ResolveWindow(t.Context()); got != row.want || origin != row.origin {
				t.Errorf("ResolveWindow = %d, %q, want %d, %q", got, origin, row.want, row.origin)
			}
			if e.Window() != row.want || e.WindowOrigin() != row.origin {
				t.Errorf("afterwards: %d, %q", e.Window(), e.WindowOrigin())
			}
		})
	}
}

func TestResolveWindow_BadAnswersFallBackToTheDefault(t *testing.T) {
	catalog.AwaitServers(t)
	everywhere := func(text string) map[string]string {
		return map[string]string{"POST /api/show": text, "GET /api/ps": text, "GET /props": text, "GET /api/v0/models": text, "GET /v1/models": text}
	}
	for name, answers := range map[string]map[string]string{
		"HTML":  everywhere("<!doctype html><title>Sign in</title>"),
		"empty": everywhere(""), "null": everywhere("null"), "a list": everywhere("[1,2]"), "cut off": everywhere(`{"data":[{"id":"m","max_model_len":240`),
		"no data": everywhere(`{"data":null,"models":{},"model_info":[],"default_generation_settings":7}`),
		"zero":    everywhere(`{"data":[{"id":"m","max_model_len":0}],"default_generation_settings":{"n_ctx":0}}`),
		"negative": everywhere(`{"data":[{"id":"m","max_model_len":-4096,"max_context_length":-1}],"default_generation_settings":{"n_ctx":-1},
			"parameters":"num_ctx -5","model_info":{"general.architecture":"a","a.context_length":-1}}`),
		"huge": everywhere(`{"data":[{"id":"m","max_model_len":1e30,"loaded_context_length":9000000000}],"default_generation_settings":{"n_ctx":99999999999999999999},
			"parameters":"num_ctx 99999999999999999999","model_info":{"general.architecture":"a","a.context_length":1e99}}`),
		"text":          everywhere(`{"data":[{"id":"m","max_model_len":"many"}],"default_generation_settings":{"n_ctx":"8"},"parameters":"num_ctx lots"}`),
		"another model": everywhere(`{"data":[{"id":"n","max_model_len":24000}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			server := startServer(t, answers)
			for provider, want := range map[string]int{"ollama": 4096, "lmstudio": 8192, "llamacpp": 8192, "vllm": 8192, "custom": 8192} {
				got, origin := openEndpoint(t, provider, server.URL+"/v1").ResolveWindow(t.Context())
				if got != want || origin != "assumed" {
					t.Errorf("%s: %d, %q, want %d by default", provider, got, origin, want)
				}
			}
		})
	}
}

// Waits for the timeout that a user would see.
func TestResolveWindow_ASilentOrAbsentServerIsNotWaitedFor(t *testing.T) {
	over := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-over:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(over); silent.Close() })
	for name, address := range map[string]string{"silent": silent.URL + "/v1", "absent": "http://127.0.0.1:1/v1"} {
		e := openEndpoint(t, "ollama", address)
		if got, origin := e.ResolveWindow(t.Context()); got != 4096 || origin != "assumed" {
			t.Errorf("%s: %d, %q", name, got, origin)
		}
		if e.Window() != 4096 {
			t.Errorf("%s: the default is not kept: %d", name, e.Window())
		}
	}
}

func TestResolveWindow_AsksOnceForAConnection(t *testing.T) {
	catalog.AwaitServers(t)
	server := startServer(t, map[string]string{"GET /props": `{"default_generation_settings":{"n_ctx":12288}}`})
	e := openEndpoint(t, "llamacpp", server.URL+"/v1/")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if got, origin := e.ResolveWindow(canceled); got != 8192 || origin != "assumed" || e.Window() != 0 {
		t.Errorf("canceled: %d, %q, kept %d", got, origin, e.Window())
	}
	var running sync.WaitGroup
	for range 8 {
		same := e // a copy, as the program makes them
		running.Go(func() {
			if got, origin := same.ResolveWindow(t.Context()); got != 12288 || origin != "server" {
				t.Errorf("%d, %q", got, origin)
			}
		})
	}
	running.Wait()
	if n := server.requests.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestResolveWindow_SendsTheKeyAndFollowsNoRedirect(t *testing.T) {
	catalog.AwaitServers(t)
	elsewhere := startServer(t, nil)
	var authorization atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		authorization.Store(r.Header.Get("Authorization"))
		http.Redirect(w, r, elsewhere.URL, http.StatusFound)
	}))
	t.Cleanup(server.Close)
	e, err := selectorWith(t, map[string]string{"NFA_BASE_URL": server.URL, "NFA_API_KEY": "sk-canary-1234567890"}).Choose(t.Context(), "m")
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := e.ResolveWindow(t.Context()); got != 8192 || elsewhere.requests.Load() != 0 || authorization.Load() != "Bearer sk-canary-1234567890" {
		t.Errorf("window %d, %d requests after the redirect, authorization %v", got, elsewhere.requests.Load(), authorization.Load())
	}
}

// 0.0.0.0 reaches this machine on most systems and is neither loopback nor private, so it
// stands for a hosted provider whose requests can be counted.
func TestResolveWindow_NeverAsksAHostedProviderAndNobodyOffline(t *testing.T) {
	server := startServer(t, map[string]string{"GET /v1/models": `{"data":[{"id":"m","max_model_len":24000}]}`})
	hosted := openEndpoint(t, "home", strings.Replace(server.URL, "127.0.0.1", "0.0.0.0", 1)+"/v1")
	if got, origin := hosted.ResolveWindow(t.Context()); got != 128000 || origin != "assumed" || hosted.Window() != 128000 {
		t.Errorf("hosted: %d, %q", got, origin)
	}
	offline := selectorWith(t, map[string]string{"NFA_OFFLINE": "true", "NFA_BASE_URL": server.URL + "/v1", "NFA_MODEL": "m"})
	offline.Pick("ollama/m")
	e, err := offline.EndpointFor(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if got, origin := e.ResolveWindow(t.Context()); got != 0 || origin != "" {
		t.Errorf("offline: %d, %q", got, origin)
	}
	if n := server.requests.Load(); n != 0 {
		t.Errorf("%d requests", n)
	}
}

func TestResolveWindow_SettingsThenTheModelListThenTheTable(t *testing.T) {
	o := testOptions(t, map[string]string{"X_KEY": "sk-1234567890"})
	o.Catalog = catalog.NewCatalog(catalog.Provider{
		Name: "x", Title: "X", BaseURL: "https://x.example/v1", KeyVars: []string{"X_KEY"}, Models: []catalog.Model{
			{Name: "set", Window: 7000}, {Name: "listed", Window: 7000}, {Name: "absurd", Window: 7000}, {Name: "plain", Window: 7000}, {Name: "unlisted", Window: 7000},
		},
	}).WithOverrides(catalog.Override{Name: "x", Models: []catalog.ModelOverride{{Name: "set", Window: 6000}}})
	b := catalog.NewSelector(o)
	open := func(name string) catalog.Endpoint {
		e, err := b.Choose(t.Context(), "x/"+name)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	early := open("listed")
	if early.Window() != 7000 || early.WindowOrigin() != "table" {
		t.Errorf("before the list is known: %d, %q", early.Window(), early.WindowOrigin())
	}
	x, _ := o.Catalog.Lookup("x")
	b.KeepList(x, openai.ListedModel{Model: "set", Window: 5000}, openai.ListedModel{Model: "listed", Window: 5000},
		openai.ListedModel{Model: "absurd", Window: 3}, openai.ListedModel{Model: "plain"})
	for name, want := range map[string]struct {
		tokens int
		origin string
	}{
		"set": {6000, "settings"}, "listed": {5000, "model list"}, "absurd": {7000, "table"},
		"plain": {7000, "table"}, "unlisted": {7000, "table"}, "new": {128000, "assumed"},
	} {
		if got, origin := open(name).ResolveWindow(t.Context()); got != want.tokens || origin != want.origin {
			t.Errorf("%s: %d, %q, want %d, %q", name, got, origin, want.tokens, want.origin)
		}
	}
	if early.Window() != 5000 || early.WindowOrigin() != "model list" {
		t.Errorf("an endpoint from before the list: %d, %q", early.Window(), early.WindowOrigin())
	}
}

func TestResolveWindow_ASettingForALocalModelAsksNobody(t *testing.T) {
	server := startServer(t, nil)
	o := testOptions(t, nil)
	o.Catalog = o.Catalog.WithOverrides(catalog.Override{Name: "ollama", BaseURL: server.URL + "/v1", Models: []catalog.ModelOverride{{Name: "m", Window: 16000}}})
	e, err := catalog.NewSelector(o).Choose(t.Context(), "ollama/m")
	if err != nil {
		t.Fatal(err)
	}
	if got, origin := e.ResolveWindow(t.Context()); got != 16000 || origin != "settings" || server.requests.Load() != 0 {
		t.Errorf("%d, %q, after %d requests", got, origin, server.requests.Load())
	}
}

func TestIsLocalAddress_IsThisMachineOrAPrivateAddress(t *testing.T) {
	for address, want := range map[string]bool{
		"http://localhost:1/v1": true, "http://LOCALHOST": true, "http://llm.localhost": true, "http://127.0.0.2:1": true, "http://[::1]:1/v1": true,
		"https://192.168.1.7/v1": true, "https://10.0.0.1": true, "https://172.16.0.1": true, "https://[fd00::1]/v1": true, "http://[::ffff:127.0.0.1]:1": true,
		"https://api.openai.com/v1": false, "https://172.32.0.1": false, "https://8.8.8.8": false, "https://localhost.example": false,
		"https://10.0.0.1.example": false, "": false, "%": false, "localhost:11434": false,
	} {
		if got := catalog.IsLocalAddress(address); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
}
