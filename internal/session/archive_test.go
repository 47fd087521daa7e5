package session_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
)

func archived(t testing.TB, a session.Archive) []byte {
	t.Helper()
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func sample() session.Archive {
	cut := entry(session.KindNote, llm.Message{Role: llm.RoleAssistant, Reasoning: "hm"})
	cut.Display = json.RawMessage(`{"stop":"cancelled"}`)
	return session.NewArchive(
		session.Session{ID: "20261121-150405-abcdef", Title: "price?", Model: "m", CreatedAt: noon, UpdatedAt: noon, Agent: "advisor", Messages: 1},
		[]session.Entry{user("price?"), asks("a"), result("a"), cut})
}

func TestArchive_IsReadAsItWasWritten(t *testing.T) {
	for name, a := range map[string]session.Archive{
		"a conversation": sample(),
		"an empty one":   session.NewArchive(session.Session{ID: "20261121-150405-abcdef"}, nil),
	} {
		got, err := session.ReadArchive(bytes.NewReader(archived(t, a)))
		if err != nil {
			t.Fatalf("%s: ReadArchive = %v", name, err)
		}
		if diff := cmp.Diff(a, got); diff != "" {
			t.Errorf("%s (-written +read):\n%s", name, diff)
		}
	}
}

func TestReadArchive_RefusesWhatIsNoConversation(t *testing.T) {
	whole := string(archived(t, sample()))
	for name, row := range map[string]struct{ text, want string }{
		"nothing":            {"", "parse JSON"},
		"no JSON":            {"# Minutes", "parse JSON"},
		"cut":                {whole[:len(whole)-3], "parse JSON"},
		"two of them":        {whole + whole, "data after the end"},
		"another schema":     {strings.Replace(whole, "nfa.session", "chat.export", 1), `schema is "chat.export"`},
		"no version":         {strings.Replace(whole, `"version":1`, `"version":0`, 1), "version is missing"},
		"a newer version":    {strings.Replace(whole, `"version":1`, `"version":2`, 1), "update nfa"},
		"a path for an ID":   {strings.Replace(whole, "20261121-150405-abcdef", "../../etc/passwd", 1), "not a session ID"},
		"an unknown kind":    {strings.Replace(whole, `"kind":"note"`, `"kind":"order"`, 1), `entry 4: unknown kind "order"`},
		"a system message":   {strings.Replace(whole, `"role":"user"`, `"role":"system"`, 1), `entry 1: a message of kind user has the role "system"`},
		"a user's call":      {strings.Replace(whole, `"content":"price?"`, `"content":"","tool_calls":[{"name":"x"}]`, 1), "entry 1: a message of kind user has tool calls"},
		"a result of no one": {strings.Replace(whole, `"tool_call_id":"a"`, `"tool_call_id":" "`, 1), "entry 3: a tool result has no call ID"},
	} {
		if _, err := session.ReadArchive(strings.NewReader(row.text)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: ReadArchive = %v, want an error with %q", name, err, row.want)
		}
	}
}

// Every accepted archive can be saved, sent, written and read again.
func FuzzReadArchive(f *testing.F) {
	f.Add(archived(f, sample()))
	f.Add([]byte(`{"schema":"nfa.session","version":1,"session":{"id":"20261121-150405-abcdef"},"entries":[{"kind":"tool","message":{"role":"tool","tool_call_id":"x"}}]}`))
	f.Add([]byte(`{"schema":"nfa.session","version":1,"session":{"id":"20261121-150405-abcdef","created_at":"9999-12-31T23:59:59Z"},"entries":[null]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := session.ReadArchive(bytes.NewReader(text))
		if err != nil {
			return
		}
		for i, m := range session.Messages(a.Entries) {
			if m.Role == llm.RoleSystem {
				t.Errorf("message %d would be sent as the system's", i)
			}
		}
		once := archived(t, a)
		again, err := session.ReadArchive(bytes.NewReader(once))
		if err != nil {
			t.Fatalf("what was read and written is refused: %v", err)
		}
		if twice := archived(t, again); !bytes.Equal(once, twice) {
			t.Errorf("written twice:\n%s\n%s", once, twice)
		}
	})
}
