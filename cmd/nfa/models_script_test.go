package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"
)

// startCatalog implements the script command "catalogue FILE MODEL...". It starts a server that lists these models,
// and writes settings in which it is Ollama and, for requests with a key, xAI. No other local server is
// found, even if one runs on this computer.
func startCatalog(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: catalogue FILE MODEL...")
	}
	server := httptest.NewServer(listOf(args[1:]...))
	ts.Defer(server.Close)
	path := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o700))
	ts.Check(os.WriteFile(path, []byte(localProviders(server.URL)), 0o600))
}

// listOf serves a list of models at /v1/models, and at /keyed/v1/models for requests with the key sk-script.
func listOf(models ...string) http.Handler {
	mux := http.NewServeMux()
	list := func(w http.ResponseWriter, _ *http.Request) {
		type entry struct {
			ID string `json:"id"`
		}
		var entries []entry
		for _, m := range models {
			entries = append(entries, entry{m})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": entries})
	}
	mux.HandleFunc("GET /v1/models", list)
	mux.HandleFunc("GET /keyed/v1/models", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sk-script-12345678" {
			http.Error(w, `{"error":{"message":"wrong key"}}`, http.StatusUnauthorized)
			return
		}
		list(w, r)
	})
	return mux
}

// localProviders returns settings in which only the server at url runs.
func localProviders(url string) string {
	text := "# my servers\nproviders:\n"
	for name, base := range map[string]string{
		"ollama": url + "/v1", "xai": url + "/keyed/v1",
		// Port 1 of loopback refuses at once.
		"lmstudio": "http://127.0.0.1:1/v1", "llamacpp": "http://127.0.0.1:1/v1", "vllm": "http://127.0.0.1:1/v1",
	} {
		text += fmt.Sprintf("  %s:\n    base_url: %s # moved\n", name, base)
	}
	return text
}
