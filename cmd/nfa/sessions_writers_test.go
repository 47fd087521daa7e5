package main

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

func TestWriters_ASessionHasOneAndOthersAreOfferedACopy(t *testing.T) {
	hold := make(chan struct{})
	server := llmtest.StartServer(llmtest.Answer(llmtest.Say("One.")), llmtest.Answer(llmtest.Turn{Text: []string{"Half an answer"}, Hold: hold}))
	defer server.Close()
	defer close(hold)
	env := newEnvironment(t, server)
	id := askInSession(t, env, "", "one?")
	first, lines := startAsk(t, env, "--resume", id)
	for lines.Scan() && !strings.Contains(lines.Text(), "Half an answer") {
	}

	for _, args := range [][]string{{"ask", "--resume", id, "me too"}, {"ask", "--continue", "me too"}} {
		if _, err := nfaIn(t, env, args...); err == nil || !strings.Contains(err.Error(), "open in another nfa process; continue in a copy with --fork") {
			t.Errorf("%v = %v, want that it is open elsewhere", args, err)
		}
	}
	if _, err := nfaIn(t, env, "sessions", "delete", id, "--yes"); err == nil || !strings.Contains(err.Error(), "open in another nfa") {
		t.Errorf("deleting it = %v, want that it is open elsewhere", err)
	}
	if out, err := nfaIn(t, env, "sessions", "list"); err != nil || !strings.Contains(out, "one? (open)") {
		t.Errorf("the list says %q, %v, want it open", out, err)
	}
	if out, err := nfaIn(t, env, "sessions", "show", id); err != nil || !strings.Contains(out, "Half an answer") {
		t.Errorf("reading it gives %q, %v, want what came until now", out, err)
	}
	server.Add(llmtest.Answer(llmtest.Say("In the copy.")))
	if out, err := nfaIn(t, env, "ask", "--resume", id, "--fork", "me too"); err != nil || out != "In the copy.\n" {
		t.Errorf("in a copy the answer is %q, %v", out, err)
	}
	if a := exportedSession(t, env, id); strings.Contains(asText(t, a), "In the copy.") {
		t.Error("what was said in the copy is in the session")
	}

	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	server.Add(llmtest.Answer(llmtest.Say("Mine now.")))
	if out, err := nfaIn(t, env, "ask", "--resume", id, "me too"); err != nil || out != "Mine now.\n" {
		t.Errorf("after the writer's death the answer is %q, %v", out, err)
	}
}

func asText(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWriters_ProgramsOnOneHomeLoseNothing(t *testing.T) {
	server := llmtest.StartServer()
	defer server.Close()
	env := newEnvironment(t, server)
	const programs, questions = 4, 3
	for range programs * questions {
		server.Add(llmtest.Answer(llmtest.Say("The ", "answer.")))
	}
	ids := make([]string, programs)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			for range questions {
				ids[i] = askInSession(t, env, ids[i], "and?")
			}
		})
	}
	all.Wait()
	for _, id := range ids {
		a := exportedSession(t, env, id)
		if a.Session.Messages != questions || strings.Count(asText(t, a), `"content":"The answer."`) != questions {
			t.Errorf("session %s holds %d questions: %s", id, a.Session.Messages, asText(t, a))
		}
	}
}
