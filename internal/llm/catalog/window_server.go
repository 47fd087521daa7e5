package catalog

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

// serverTimeout limits all requests to a local server together. Tests raise it.
var serverTimeout = localTimeout

// isLocal reports whether a provider's server runs on this machine or in a private network.
func isLocal(p Provider) bool { return p.Local || isLocalAddress(p.BaseURL) }

// isLocalAddress reports whether the host is this machine or has a private address. Names
// are not resolved, because that would be a request to the network.
func isLocalAddress(baseURL string) bool {
	u, err := url.Parse(strings.TrimSpace(baseURL))
	if err != nil {
		return false
	}
	addr, err := netip.ParseAddr(u.Hostname())
	return openai.IsLoopback(u.Hostname()) || err == nil && addr.Unmap().IsPrivate()
}

// serverWindow is the report of a local server on the window of a model.
type serverWindow struct {
	tokens int  // of the model when loaded; 0 if unknown
	most   int  // that the model supports; 0 if unknown
	ollama bool // the server is Ollama
}

// windowServer requests the window of a model from a local server.
type windowServer struct {
	client *http.Client
	base   string // with the version: "http://127.0.0.1:11434/v1"
	root   string // without it
	key    string // secret
	model  string
}

// askServer sends the requests for the kind of server. If the kind is unknown, it sends those
// for every kind at the same time.
func (e Endpoint) askServer(ctx context.Context) serverWindow {
	ctx, cancel := context.WithTimeout(ctx, serverTimeout)
	defer cancel()
	base := strings.TrimRight(strings.TrimSpace(e.Provider.BaseURL), "/")
	base = strings.TrimSuffix(base, "/chat/completions")
	s := windowServer{
		client: &http.Client{
			// Neither a proxy nor a redirect may lead to another machine.
			Transport:     &http.Transport{DisableKeepAlives: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		base: base, root: strings.TrimSuffix(base, "/v1"), key: e.key, model: e.Model,
	}
	var asks []func(context.Context) serverWindow
	switch e.Provider.Name {
	case "ollama":
		asks = append(asks, s.askOllama)
	case "lmstudio":
		asks = append(asks, s.askLMStudio)
	case "llamacpp":
		asks = append(asks, s.askLlamaCpp)
	case "vllm":
		asks = append(asks, s.askVLLM)
	default:
		asks = append(asks, s.askOllama, s.askLMStudio, s.askLlamaCpp, s.askVLLM)
	}
	reported := make([]serverWindow, len(asks))
	var running crash.WaitGroup
	for i, ask := range asks {
		running.Go(func() { reported[i] = ask(ctx) })
	}
	running.Wait()
	var best serverWindow
	for _, r := range reported {
		switch {
		case r.ollama || plausibleWindow(r.tokens):
			return r
		case best.most == 0:
			best = r
		}
	}
	return best
}

// askOllama returns num_ctx of the Modelfile, because requests to /v1 load the model with it,
// else the window of the loaded model. Ollama does not load a model with its maximum.
func (s windowServer) askOllama(ctx context.Context) serverWindow {
	var show struct {
		Parameters string                     `json:"parameters"` // lines of a Modelfile: "num_ctx 8192"
		RemoteHost string                     `json:"remote_host"`
		Info       map[string]json.RawMessage `json:"model_info"`
	}
	var loaded struct {
		Models []struct {
			Name   string `json:"name"`
			Window int    `json:"context_length"`
		} `json:"models"`
	}
	body, _ := json.Marshal(map[string]string{"model": s.model}) // strings are always JSON
	var running crash.WaitGroup
	running.Go(func() { s.fetch(ctx, http.MethodPost, s.root+"/api/show", string(body), &show) })
	running.Go(func() { s.fetch(ctx, http.MethodGet, s.root+"/api/ps", "", &loaded) })
	running.Wait()

	var w serverWindow
	var family string
	_ = json.Unmarshal(show.Info["general.architecture"], &family)
	_ = json.Unmarshal(show.Info[family+".context_length"], &w.most)
	w.tokens = modelfileWindow(show.Parameters)
	if loaded.Models != nil {
		w.ollama = true
		for _, m := range loaded.Models {
			if withTag(m.Name) == withTag(s.model) && w.tokens == 0 {
				w.tokens = m.Window
			}
		}
	}
	if w.tokens == 0 && show.RemoteHost != "" {
		w.tokens = w.most // Ollama's cloud always provides the maximum
	}
	return w
}

// modelfileWindow returns num_ctx in the parameters of a Modelfile, or 0.
func modelfileWindow(parameters string) int {
	for line := range strings.Lines(parameters) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "num_ctx" {
			tokens, _ := strconv.Atoi(fields[1])
			return tokens
		}
	}
	return 0
}

// withTag returns the full name of an Ollama model: qwen3 means qwen3:latest.
func withTag(model string) string {
	if strings.Contains(model[strings.LastIndexByte(model, '/')+1:], ":") {
		return model
	}
	return model + ":latest"
}

// askLlamaCpp queries llama-server, which serves one model.
func (s windowServer) askLlamaCpp(ctx context.Context) serverWindow {
	var props struct {
		Settings struct {
			Window int `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	s.fetch(ctx, http.MethodGet, s.root+"/props", "", &props)
	return serverWindow{tokens: props.Settings.Window}
}

// askLMStudio reads the list of LM Studio's own API, because the one at /v1 has no windows.
func (s windowServer) askLMStudio(ctx context.Context) serverWindow {
	return s.askList(ctx, s.root+"/api/v0/models")
}

func (s windowServer) askVLLM(ctx context.Context) serverWindow {
	return s.askList(ctx, s.base+"/models")
}

// askList looks the model up in a list of LM Studio or vLLM.
func (s windowServer) askList(ctx context.Context, address string) serverWindow {
	var list struct {
		Data []struct {
			ID          string `json:"id"`
			State       string `json:"state"`                 // LM Studio: "loaded" or "not-loaded"
			Loaded      int    `json:"loaded_context_length"` // LM Studio
			Max         int    `json:"max_context_length"`    // LM Studio: that the model supports
			MaxModelLen int    `json:"max_model_len"`         // vLLM
		} `json:"data"`
	}
	s.fetch(ctx, http.MethodGet, address, "", &list)
	for _, m := range list.Data {
		if m.ID != s.model {
			continue
		}
		for _, tokens := range []int{m.MaxModelLen, m.Loaded} {
			if plausibleWindow(tokens) {
				return serverWindow{tokens: tokens}
			}
		}
		// LM Studio loads a model on the first request, with less than its maximum.
		if m.State == "not-loaded" {
			return serverWindow{most: m.Max}
		}
		return serverWindow{tokens: m.Max}
	}
	return serverWindow{}
}

// fetch decodes a JSON response into into. Fields of another type, error responses and pages
// that are not JSON leave zero values.
func (s windowServer) fetch(ctx context.Context, method, address, body string, into any) {
	const maxBody = 4 << 20
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return
	}
	req.Header.Set("User-Agent", "nfa")
	if s.key != "" && (req.URL.Scheme == "https" || openai.IsLoopback(req.URL.Hostname())) { // never unencrypted over a network
		req.Header.Set("Authorization", "Bearer "+s.key)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err == nil {
		_ = json.Unmarshal(text, into)
	}
}
