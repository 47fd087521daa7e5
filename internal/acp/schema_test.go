package acp_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// transcript records the messages of a connection.
type transcript struct {
	mu    sync.Mutex
	lines map[string]*bytes.Buffer // by sender
}

func (r *transcript) from(sender string) io.Writer {
	return writerFunc(func(p []byte) (int, error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.lines == nil {
			r.lines = map[string]*bytes.Buffer{}
		}
		if r.lines[sender] == nil {
			r.lines[sender] = &bytes.Buffer{}
		}
		return r.lines[sender].Write(p)
	})
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

type message struct {
	ID             json.RawMessage
	Method         string
	Params, Result any
}

func (r *transcript) messages(t *testing.T, sender string) []message {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []message
	if r.lines[sender] == nil {
		return nil
	}
	for line := range strings.Lines(r.lines[sender].String()) {
		var m message
		if err := json.Unmarshal([]byte(line), &m); err == nil {
			out = append(out, m)
		} else if strings.HasSuffix(line, "\n") {
			t.Errorf("%s sent %q: %v", sender, line, err)
		}
	}
	return out
}

// definitions are those of the messages that an agent sends.
var definitions = map[string]string{
	"session/update": "SessionNotification", "session/request_permission": "RequestPermissionRequest",
	"initialize": "InitializeResponse", "session/new": "NewSessionResponse", "session/load": "LoadSessionResponse", "session/resume": "ResumeSessionResponse",
	"session/list": "ListSessionsResponse", "session/close": "CloseSessionResponse", "session/prompt": "PromptResponse",
	"session/set_mode": "SetSessionModeResponse", "session/set_config_option": "SetSessionConfigOptionResponse",
}

// schemas are the definitions in the schema of the protocol, which the SDK carries.
var schemas = sync.OnceValues(func() (map[string]*jsonschema.Resolved, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/coder/acp-go-sdk").Output()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "schema", "schema.json"))
	if err != nil {
		return nil, err
	}
	out := map[string]*jsonschema.Resolved{}
	for _, name := range definitions {
		var all struct {
			Defs map[string]*jsonschema.Schema `json:"$defs"`
		}
		if err := json.Unmarshal(text, &all); err != nil {
			return nil, err
		}
		if out[name], err = (&jsonschema.Schema{Ref: "#/$defs/" + name, Defs: all.Defs}).Resolve(nil); err != nil {
			return nil, err
		}
	}
	return out, nil
})

// validate checks every message of the agent against the schema of the protocol.
func (r *transcript) validate(t *testing.T) {
	known, err := schemas()
	if err != nil {
		t.Logf("the messages were not checked: %v", err)
		return
	}
	asked := map[string]string{}
	for _, m := range r.messages(t, "editor") {
		if m.Method != "" {
			asked[string(m.ID)] = m.Method
		}
	}
	checked := 0
	for _, m := range r.messages(t, "agent") {
		method, value := m.Method, m.Params
		if method == "" {
			method, value = asked[string(m.ID)], m.Result
		}
		if value == nil {
			continue // an error
		}
		schema := known[definitions[method]]
		if schema == nil {
			t.Errorf("the agent sent %s, which has no schema here", method)
			continue
		}
		checked++
		if err := schema.Validate(value); err != nil {
			text, _ := json.Marshal(value)
			t.Errorf("%s: %v: %s", method, err, text)
		}
	}
	if checked == 0 {
		t.Error("no message was checked")
	}
}
