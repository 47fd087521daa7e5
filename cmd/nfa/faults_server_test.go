package main

import (
	"bytes"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// streamReply returns a reply whose body is an event stream.
func streamReply(write func(w http.ResponseWriter, r *http.Request)) llmtest.Reply {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		write(w, r)
	}
}

// replyWithHeader returns a reply with a false header.
func replyWithHeader(name, value string, status int) llmtest.Reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(name, value)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "word")
	}
}

func data(text string) string { return "data: " + text + "\n\n" }

// malformedReplies returns replies that are not valid in any format.
func malformedReplies() map[string]llmtest.Reply {
	noise := bytes.Repeat([]byte{0xff, 0x00, 0x1b, '[', 0x9b, '\r', 0xc3}, 500)
	return map[string]llmtest.Reply{
		"noise":         streamReply(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(noise) }),
		"noise in data": streamReply(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, data(string(noise))) }),
		"no JSON":       streamReply(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, data("{\"choices\":[{")) }),
		"a list":        streamReply(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, data("[1,2,3]")) }),
		"other types": streamReply(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, data(`{"choices":"none","usage":[]}`))
		}),
		"nesting": streamReply(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, data(strings.Repeat(`{"choices":[`, 20_000)))
		}),
		"a picture":     llmtest.Page(http.StatusOK, "image/png", string(noise)),
		"nothing":       llmtest.Page(http.StatusOK, "text/event-stream", ""),
		"a false gzip":  replyWithHeader("Content-Encoding", "gzip", http.StatusOK),
		"a false place": replyWithHeader("Location", "http://127.0.0.1:1/", http.StatusFound),
		"500":           llmtest.Page(http.StatusInternalServerError, "text/html", string(noise)),
		"502":           llmtest.Page(http.StatusBadGateway, "text/html", "<html><h1>Bad Gateway</h1></html>"),
		"504":           llmtest.Page(http.StatusGatewayTimeout, "text/html", ""),
		"418":           llmtest.Page(http.StatusTeapot, "text/plain", "short and stout"),
	}
}

// A server that keeps sending garbage is asked a few times. The error names it and says what to do, and
// nothing that it sends affects the terminal.
func TestAsk_RubbishOfAServerIsNoAnswerAndEnds(t *testing.T) {
	const most = 4000 // including all retries
	for name, reply := range malformedReplies() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.StartServer(slices.Repeat([]llmtest.Reply{reply}, 20)...)
			defer server.Close()
			code, out, errOut := askServer(t, server)
			if code != exitProvider || out != "" || !strings.Contains(errOut, "custom") {
				t.Errorf("ask = %d, %.200q, %.400q; want 4, no answer and the server named", code, out, errOut)
			}
			if strings.ContainsAny(errOut, "\x1b\x00\u009b") || strings.Contains(errOut, "canary") || len(errOut) > most {
				t.Errorf("of the rubbish are said %d bytes, %.400q", len(errOut), errOut)
			}
			if n := len(server.Requests()); n > 5 {
				t.Errorf("it was asked %d times", n)
			}
		})
	}
}

// askServer asks a server, with a timeout of 300 ms unless the settings have another.
func askServer(t *testing.T, server *llmtest.Server, settings ...string) (code int, out, errOut string) {
	t.Helper()
	cmd := exec.Command("nfa", "ask", "hi")
	cmd.Env = append(newEnvironment(t, server), "NFA_API_KEY=sk-canary-1234567890", "NFA_KEY_STORE=file",
		"NFA_TIMEOUTS_IDLE=300ms", "NFA_TIMEOUTS_FIRST_BYTE=5s")
	cmd.Env = append(cmd.Env, settings...)
	var o, e strings.Builder
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}
