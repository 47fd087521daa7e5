package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
)

// The number of kills and the seed of their times. Longer runs can set higher values.
var (
	kills    = flag.Int("kills", 4, "how often the program is killed at a random moment")
	killSeed = flag.Uint64("killseed", 7, "the seed of those moments")
)

// streamReader reads the output of `ask --output stream-json` and records what was shown.
type streamReader struct {
	session string
	text    string   // since the last result
	results []string // of calls, by their IDs
}

// readLine reads a line of the stream.
func (s *streamReader) readLine(t *testing.T, line []byte) (kind string) {
	t.Helper()
	var e struct{ Type, Session, Text, ID string }
	if err := json.Unmarshal(line, &e); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	switch e.Type {
	case "session":
		s.session = e.Session
	case "text_delta":
		s.text += e.Text
	case "tool_result":
		s.results, s.text = append(s.results, e.ID), ""
	}
	return e.Type
}

// nfaIn runs the program and returns its standard output.
func nfaIn(t *testing.T, env []string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("nfa", args...)
	cmd.Env = env
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("nfa %s: %w: %s", strings.Join(args, " "), err, complaint.String())
	}
	return string(out), err
}

// exportedSession returns a session as another process reads it.
func exportedSession(t *testing.T, env []string, id string) session.Archive {
	t.Helper()
	out, err := nfaIn(t, env, "sessions", "show", id, "--json")
	if err != nil {
		t.Fatal(err)
	}
	a, err := session.ReadArchive(strings.NewReader(out))
	if err != nil {
		t.Fatalf("session %s as it is kept: %v", id, err)
	}
	return a
}

// checkSaved compares the saved session with what was shown.
func (s *streamReader) checkSaved(t *testing.T, a session.Archive) {
	t.Helper()
	text, results := "", []string{}
	for _, e := range a.Entries {
		switch e.Kind {
		case session.KindTool:
			results, text = append(results, e.Message.ToolCallID), ""
		case session.KindDelta, session.KindAssistant:
			text += e.Message.Content
		}
	}
	if a.Entries[0].Kind != session.KindUser || !strings.HasPrefix(text, s.text) {
		t.Errorf("shown was %q, kept is %q", s.text, text)
	}
	for _, id := range s.results {
		if !slices.Contains(results, id) {
			t.Errorf("the result of %s was shown, kept are those of %v", id, results)
		}
	}
}

// wellFormed checks that servers accept a request: each call is followed by its result, and each result has a
// call.
func wellFormed(t *testing.T, body []byte) (roles []string) {
	t.Helper()
	var sent struct {
		Messages []struct {
			Role       string
			ToolCallID string                `json:"tool_call_id"`
			ToolCalls  []struct{ ID string } `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatal(err)
	}
	var open []string
	for _, m := range sent.Messages {
		roles = append(roles, m.Role)
		if m.Role == "tool" {
			if len(open) == 0 || open[0] != m.ToolCallID {
				t.Fatalf("a result of %s, where %v are awaited", m.ToolCallID, open)
			}
			open = open[1:]
			continue
		}
		if len(open) > 0 {
			t.Fatalf("a message of %s, where the results of %v are awaited", m.Role, open)
		}
		for _, c := range m.ToolCalls {
			open = append(open, c.ID)
		}
	}
	return roles
}

// pacedReply sends the text of a turn in pieces, each when next allows it.
func pacedReply(pieces int, next <-chan struct{}) llmtest.Reply {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range pieces {
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"piece %d, \"}}]}\n\n", i)
			w.(http.Flusher).Flush()
			select {
			case <-next:
			case <-r.Context().Done():
				return
			}
		}
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}
}

// TestKill_AtAnyMomentNothingThatWasShownIsLost kills the program at random times: before, during and after
// tools, at any piece of an answer, and a fraction of a millisecond later, in the middle of the next
// operation. What was shown must be saved, and the conversation must continue.
func TestKill_AtAnyMomentNothingThatWasShownIsLost(t *testing.T) {
	random := rand.New(rand.NewPCG(*killSeed, 11))
	const pieces = 6
	for round := range *kills {
		// session, two calls, two results, usage, then pieces
		moment := 1 + random.IntN(6+pieces)
		later := time.Duration(random.IntN(3000)) * time.Microsecond
		t.Run(fmt.Sprintf("round %d, line %d", round, moment), func(t *testing.T) {
			t.Parallel()
			next := make(chan struct{}, pieces)
			server := llmtest.StartServer(
				llmtest.Answer(llmtest.Call(
					llm.ToolCall{ID: "c1", Name: "quote", Arguments: `{"symbols":["AAPL"]}`},
					llm.ToolCall{ID: "c2", Name: "returns_stats", Arguments: `{"symbol":"^GSPC","from":"2008-01-01"}`},
				)), pacedReply(pieces, next))
			defer server.Close()
			env := newEnvironment(t, server)
			cmd, lines := startAsk(t, env)
			var seen streamReader
			for range moment {
				if !lines.Scan() {
					t.Fatal("the answer ended before the kill")
				}
				if seen.readLine(t, lines.Bytes()) == "text_delta" {
					next <- struct{}{}
				}
			}
			<-time.After(later)
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			for lines.Scan() { // what was already in the pipe was also shown
				seen.readLine(t, lines.Bytes())
			}
			_ = cmd.Wait()
			checkAfterKill(t, env, server, seen)
		})
	}
}

// checkAfterKill compares the saved session with what was shown, and continues the session.
func checkAfterKill(t *testing.T, env []string, server *llmtest.Server, seen streamReader) {
	t.Helper()
	list, err := nfaIn(t, env, "sessions", "list", "--json")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(list, seen.session) {
		// It has an ID, but was killed before it showed anything.
		if seen.text != "" || len(seen.results) > 0 {
			t.Fatalf("session %s is not kept, and showed %+v", seen.session, seen)
		}
		return
	}
	seen.checkSaved(t, exportedSession(t, env, seen.session))
	// A request that the killed program had not sent yet may still be scripted.
	last := llmtest.StartServer(llmtest.Answer(llmtest.Say("The rest.")))
	defer last.Close()
	env = append(env, "NFA_BASE_URL="+last.URL)
	if output, err := nfaIn(t, env, "ask", "--resume", seen.session, "go on"); err != nil || output != "The rest.\n" {
		t.Fatalf("the next start says %q, %v", output, err)
	}
	roles := wellFormed(t, last.Requests()[0].Body)
	if roles[1] != "user" || roles[len(roles)-1] != "user" {
		t.Errorf("the model reads %v", roles)
	}
}

func startAsk(t *testing.T, env []string, more ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command("nfa", append([]string{"ask", "--output", "stream-json", "price?"}, more...)...)
	cmd.Env = env
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	return cmd, lines
}

// TestKill_WhileRoomIsMade kills the program before, during and after writing a summary for a server that
// rejects the conversation as too long.
func TestKill_WhileRoomIsMade(t *testing.T) {
	tooLong := llmtest.Status(http.StatusBadRequest, "This model's maximum context length is 8192 tokens")
	summary := llmtest.Answer(llmtest.Say("They asked for prices."))
	for name, row := range map[string]struct {
		before    []llmtest.Reply // what is still answered
		summaries int
	}{
		"before the summary":   {nil, 0},
		"during the summary":   {[]llmtest.Reply{tooLong}, 0},
		"after the summary":    {[]llmtest.Reply{tooLong, summary}, 1},
		"during the next step": {[]llmtest.Reply{tooLong, summary, llmtest.Answer(llmtest.Call(llm.ToolCall{ID: "c1", Name: "quote", Arguments: `{"symbols":["AAPL"]}`}))}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.StartServer(llmtest.Answers(llmtest.Say("One."), llmtest.Say("Two."), llmtest.Say("Three."))...)
			defer server.Close()
			env := newEnvironment(t, server)
			id := ""
			for _, question := range []string{"one?", "two?", "three?"} {
				id = askInSession(t, env, id, question)
			}
			reached := make(chan struct{})
			server.Add(row.before...)
			server.Add(func(_ http.ResponseWriter, r *http.Request) {
				close(reached)
				<-r.Context().Done()
			})
			cmd, _ := startAsk(t, env, "--resume", id)
			<-reached
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			a := exportedSession(t, env, id)
			summaries, questions := 0, 0
			for _, e := range a.Entries {
				switch e.Kind {
				case session.KindSummary:
					summaries++
				case session.KindUser:
					questions++
				}
			}
			if summaries != row.summaries || questions != 4 {
				t.Errorf("%d summaries and %d questions are kept, want %d and 4", summaries, questions, row.summaries)
			}
			checkAfterKill(t, env, server, streamReader{session: id})
		})
	}
}

// askInSession asks a question in a session, or in a new one, and returns the session's ID.
func askInSession(t *testing.T, env []string, id, question string) string {
	t.Helper()
	args := []string{"ask", "--output", "json", question}
	if id != "" {
		args = append(args, "--resume", id)
	}
	out, err := nfaIn(t, env, args...)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct{ Session string }
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Session
}
