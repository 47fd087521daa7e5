package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// TestKill_NothingThatWasShownIsLost kills the program in the middle of a turn,
// after a tool result and half an answer, and asks what the next start knows.
func TestKill_NothingThatWasShownIsLost(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	server := llmtest.StartServer(
		llmtest.Answer(llmtest.Call(llm.ToolCall{ID: "c1", Name: "quote", Arguments: `{"symbol":"AAPL"}`})),
		llmtest.Answer(llmtest.Turn{Text: []string{"Half an answer"}, Hold: hold}),
		llmtest.Answer(llmtest.Say("The rest.")),
	)
	defer server.Close()
	env := append(os.Environ(), "HOME="+t.TempDir(), "NFA_HOME="+filepath.Join(t.TempDir(), "home"),
		"NFA_BASE_URL="+server.URL, "NFA_MODEL=m", "NFA_API_KEY=")

	first := exec.Command("nfa", "ask", "--output", "stream-json", "price?")
	first.Env = env
	out, err := first.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "Half an answer") {
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()

	second := exec.Command("nfa", "ask", "--continue", "go on")
	second.Env = env
	if said, err := second.CombinedOutput(); err != nil || string(said) != "The rest.\n" {
		t.Fatalf("the next start says %q, %v", said, err)
	}
	var sent struct {
		Messages []struct{ Role, Content string }
	}
	requests := server.Requests()
	if err := json.Unmarshal(requests[len(requests)-1].Body, &sent); err != nil {
		t.Fatal(err)
	}
	var roles []string
	for _, m := range sent.Messages {
		roles = append(roles, m.Role)
	}
	if got := strings.Join(roles, " "); got != "system user assistant tool assistant user" {
		t.Errorf("the model reads %s", got)
	}
	if half := sent.Messages[4].Content; half != "Half an answer" {
		t.Errorf("of the answer that was cut it reads %q", half)
	}
	if !strings.Contains(sent.Messages[3].Content, "137.44") {
		t.Errorf("of the tool's result it reads %q", sent.Messages[3].Content)
	}
}
