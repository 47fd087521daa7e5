package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// TestAsk_EachFaultOfAServerHasItsOutcome asks a misbehaving server through the whole program, and checks the
// output, the exit code and the number of requests.
func TestAsk_EachFaultOfAServerHasItsOutcome(t *testing.T) {
	const whole = "The whole answer."
	outcomes := map[string]struct {
		code, requests int
		out, err       string
	}{
		"401":               {exitProvider, 1, "", "rejected the API key from NFA_API_KEY"},
		"429-twice-then-ok": {exitOK, 3, whole, ""},
		"429-forever":       {exitProvider, 4, "", "rate limit"},
		"503-twice-then-ok": {exitOK, 3, whole, ""},
		"context-too-long":  {exitProvider, 1, "", "maximum context length"},
		"cut":               {exitProvider, 2, "The whole", "incomplete"},
		"cut-in-line":       {exitProvider, 2, "The whole", "incomplete"},
		"cut-at-once":       {exitProvider, 2, "", "incomplete"},
		"cut-then-401":      {exitProvider, 2, "The whole", "rejected the API key from NFA_API_KEY"},
		"endless":           {exitProvider, 1, "The whole", "longer than 4 MiB"},
		"keep-alives":       {exitOK, 1, whole, ""},
		"empty-data":        {exitOK, 1, whole, ""},
		"multi-line-data":   {exitOK, 1, whole, ""},
		"bom":               {exitOK, 1, whole, ""},
		"crlf":              {exitOK, 1, whole, ""},
		"no-done":           {exitOK, 1, whole, ""},
		"error-event":       {exitOK, 2, whole, "overloaded"},
		"json-200":          {exitProvider, 1, "", "no such deployment"},
		"html-200":          {exitProvider, 1, "", "Sign in"},
		"no-index":          {exitOK, 1, whole, ""},
		"silence":           {exitProvider, 1, "", "timeout"},
		"mute":              {exitProvider, 1, "", "timeout"},
	}
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	for name, replies := range llmtest.Faults(llmtest.Say(whole)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, known := outcomes[name]
			if !known {
				t.Fatalf("no outcome is written down for %s", name)
			}
			server := llmtest.StartServer(replies...)
			t.Cleanup(server.Close)
			env := map[string]string{
				"NFA_HOME": filepath.Join(t.TempDir(), "nfa"), "NFA_BASE_URL": server.URL, "NFA_API_KEY": "sk-canary-1234567890", "NFA_MODEL": "m",
				"NFA_TIMEOUTS_IDLE": "1s", "NFA_TIMEOUTS_FIRST_BYTE": "1s", "NFA_KEY_STORE": "file", "NFA_DATA": "sample",
			}
			var out, errOut bytes.Buffer
			nothing, err := os.Open(os.DevNull)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = nothing.Close() })
			code := run([]string{"ask", "hi"}, terminal{in: nothing, out: &out, err: &errOut, env: func(key string) string { return env[key] }})
			if requests := len(server.Requests()); code != want.code || requests != want.requests {
				t.Errorf("exit code %d after %d requests, want %d after %d; stderr: %s", code, requests, want.code, want.requests, errOut.String())
			}
			if !strings.Contains(out.String(), want.out) || !strings.Contains(errOut.String(), want.err) {
				t.Errorf("stdout %q, stderr %q; want %q and %q", out.String(), errOut.String(), want.out, want.err)
			}
			if strings.Contains(out.String()+errOut.String(), "canary") {
				t.Error("the key was printed")
			}
		})
	}
}
