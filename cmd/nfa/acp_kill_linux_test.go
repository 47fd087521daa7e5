package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// If an editor is killed in the middle of a turn, no process stays behind, not even one of an MCP server, and
// the session is saved. Standard output carries only the protocol, even if a log is written.
func TestACP_AKilledEditorLeavesNoProcess(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	defer close(hold)
	server := llmtest.StartServer(llmtest.Answers(
		llmtest.Call(llm.ToolCall{ID: "c1", Name: "mcp_self_quote", Arguments: `{"symbols":["AAPL"]}`}),
		llmtest.Turn{Text: []string{"Half of an answer"}, Hold: hold},
	)...)
	defer server.Close()
	home := t.TempDir()
	env := []string{"HOME=" + home, "NFA_HOME=" + home, "PATH=" + os.Getenv("PATH"), "NFA_BASE_URL=" + server.URL, "NFA_MODEL=m", "NFA_DATA=sample", "NFA_KEY_STORE=file"}
	if out, err := nfaIn(t, env, "mcp", "add", "self", "--read", "quote", "--", "nfa", "mcp", "--offline"); err != nil {
		t.Fatal(err, out)
	}
	// The editor is a process that holds the other ends of nfa's pipes.
	nfaInput, input, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	editor := exec.Command("sleep", "1000")
	editor.Stdout = input
	if err := editor.Start(); err != nil {
		t.Fatal(err)
	}
	agent := exec.Command("nfa", "acp", "--log-level", "debug")
	agent.Env, agent.Stdin = env, nfaInput
	output, err := agent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	_ = nfaInput.Close()
	lines := bufio.NewScanner(output)
	lines.Buffer(nil, 1<<24)
	wait := func(text string) string {
		for lines.Scan() {
			if !json.Valid(lines.Bytes()) {
				t.Errorf("on standard output: %q", lines.Text())
			}
			if strings.Contains(lines.Text(), text) {
				return lines.Text()
			}
		}
		t.Fatalf("the output ended before %q", text)
		return ""
	}
	fmt.Fprintln(input, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`)
	wait("loadSession")
	fmt.Fprintf(input, `{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`+"\n", home)
	var opened struct {
		Result struct{ SessionID string }
	}
	if err := json.Unmarshal([]byte(wait(`"sessionId"`)), &opened); err != nil {
		t.Fatal(err)
	}
	for opened.Result.SessionID == "" { // an update came first
		if err := json.Unmarshal([]byte(wait(`"result"`)), &opened); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Fprintf(input, `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"price of AAPL"}]}}`+"\n", opened.Result.SessionID)
	wait("Half of an answer")
	started := childrenOf(t, agent.Process.Pid)
	if len(started) == 0 {
		t.Error("the MCP server does not run")
	}
	_ = input.Close()
	if err := editor.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = editor.Wait()
	ended := make(chan error, 1)
	go func() { ended <- agent.Wait() }()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("nfa runs a minute after the editor was killed")
		_ = agent.Process.Kill()
	}
	for _, pid := range started {
		if state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && !strings.Contains(string(state), ") Z ") {
			t.Errorf("process %d is left: %s", pid, state)
		}
	}
	if out, err := nfaIn(t, env, "sessions", "show", opened.Result.SessionID); err != nil || !strings.Contains(out, "Half of an answer") {
		t.Errorf("the session: %v\n%s", err, out)
	}
}

// childrenOf returns the processes that a process started.
func childrenOf(t *testing.T, pid int) []int {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	var all []int
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, field := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}
