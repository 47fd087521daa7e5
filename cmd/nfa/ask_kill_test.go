package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// TestKill_NothingThatWasShownIsLost kills the program in the middle of a turn, after a tool result and half
// an answer, and checks what the next start finds.
func TestKill_NothingThatWasShownIsLost(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	server := llmtest.StartServer(
		llmtest.Answer(llmtest.Call(llm.ToolCall{ID: "c1", Name: "quote", Arguments: `{"symbol":"AAPL"}`})),
		llmtest.Answer(llmtest.Turn{Text: []string{"Half an answer"}, Hold: hold}),
		llmtest.Answer(llmtest.Say("The rest.")),
	)
	defer server.Close()
	env := newEnvironment(t, server)
	first, _ := askUntil(t, env, "Half an answer")
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()

	second := exec.Command("nfa", "ask", "--continue", "go on")
	second.Env = env
	if output, err := second.CombinedOutput(); err != nil || string(output) != "The rest.\n" {
		t.Fatalf("the next start says %q, %v", output, err)
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

// newEnvironment returns an environment with an empty home and the model at server.
func newEnvironment(t *testing.T, server *llmtest.Server) []string {
	t.Helper()
	return append(os.Environ(), "HOME="+t.TempDir(), "NFA_HOME="+filepath.Join(t.TempDir(), "home"),
		"NFA_BASE_URL="+server.URL, "NFA_MODEL=m", "NFA_API_KEY=", "GORACE=atexit_sleep_ms=0")
}

// askUntil starts an ask and reads its events until one contains text. The scanner returns the events after
// it.
func askUntil(t *testing.T, env []string, text string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command("nfa", "ask", "--output", "stream-json", "price?")
	cmd.Env = env
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), text) {
	}
	return cmd, lines
}

func TestInterrupt_KeepsThePartAndExitsAsShellsCountIt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals to send")
	}
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			hold := make(chan struct{})
			defer close(hold)
			server := llmtest.StartServer(llmtest.Answer(llmtest.Turn{Text: []string{"Half an answer"}, Hold: hold}))
			defer server.Close()
			env := newEnvironment(t, server)
			cmd, lines := askUntil(t, env, "Half an answer")
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			last := ""
			for lines.Scan() {
				last = lines.Text()
			}
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
				t.Errorf("exits with %d, want %d", code, exitInterrupted)
			}
			if !strings.Contains(last, `"stop_reason":"cancelled"`) || !strings.Contains(last, "Half an answer") {
				t.Errorf("the last line is %s", last)
			}
			server.Add(llmtest.Answer(llmtest.Say("The rest.")))
			if output, err := nfaIn(t, env, "ask", "--continue", "go on"); err != nil || output != "The rest.\n" {
				t.Errorf("the next start says %q, %v", output, err)
			}
		})
	}
}
