package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// echoServer returns a server that repeats everything it received, including keys, together with hostile
// text.
func echoServer(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":{"message":"%s %s"},"detail":"%v %s"}`, r.URL, r.URL.RawQuery, r.Header, hostileText)
	}
}

// TestSecurity_ServersThatRepeatKeysAreNotRepeated runs every command that fetches data against
// servers that repeat what they received.
func TestSecurity_ServersThatRepeatKeysAreNotRepeated(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusUnauthorized, http.StatusTeapot} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			model := llmtest.StartServer()
			t.Cleanup(model.Close)
			tr := newTour(t, model)
			var keyed atomic.Bool
			repeat := echoServer(status)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(fmt.Sprint(r.URL, r.Header), "CANARY") {
					keyed.Store(true)
				}
				repeat(w, r)
			}))
			t.Cleanup(server.Close)
			for name, value := range markettest.NewFakeProviders(clock).Env(server.URL) {
				t.Setenv(name, value)
			}
			t.Setenv("NFA_DATA", "live")
			t.Setenv("NFA_SEC_CONTACT", "tests@example.com")
			for _, line := range []string{
				"quote AAPL", "history AAPL 1y", "fx EUR/USD", "news AAPL", "search apple", "filings AAPL", "statements AAPL", "ratios AAPL", "macro UNRATE", "macro yields",
				"doctor --live", "quote AAPL --json", "tools call web_search --args {\"query\":\"x\"}",
			} {
				tr.runCommand("", strings.Fields(line)...)
			}
			if !keyed.Load() {
				t.Error("no server received a key: the test checks nothing")
			}
			tr.checkStoredKeys()
			tr.checkPermissions()
		})
	}
}
