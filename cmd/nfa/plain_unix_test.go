//go:build unix

package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// plainChat is a line-by-line chat in its own process.
type plainChat struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines *bufio.Scanner
	in    io.WriteCloser
}

func startPlainChat(t *testing.T, server *llmtest.Server, args ...string) *plainChat {
	t.Helper()
	// Without a limit, the test would wait forever for a line that never comes.
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, "nfa", append([]string{"--plain"}, args...)...)
	cmd.Env = newEnvironment(t, server)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return &plainChat{t, cmd, bufio.NewScanner(out), in}
}

func (s *plainChat) typeLine(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

// until reads until a line contains text, and fails if none does.
func (s *plainChat) until(text string) {
	s.t.Helper()
	var heard []string
	for s.lines.Scan() {
		heard = append(heard, s.lines.Text())
		if strings.Contains(s.lines.Text(), text) {
			return
		}
	}
	s.t.Fatalf("%q was never said, but:\n%s", text, strings.Join(heard, "\n"))
}

func (s *plainChat) interrupt() {
	s.t.Helper()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		s.t.Fatal(err)
	}
}

func TestPlain_CtrlCStopsTheAnswerAndThenLeaves(t *testing.T) {
	hold := make(chan struct{})
	server := llmtest.StartServer(
		llmtest.Answer(llmtest.Turn{Text: []string{"A first paragraph.\n\nHalf of another"}, Hold: hold}),
		llmtest.Answer(llmtest.Say("The rest.")),
	)
	defer server.Close()
	defer close(hold)
	s := startPlainChat(t, server)
	s.typeLine("go")
	s.until("Assistant: A first paragraph.")
	s.interrupt()
	s.until("Notice: Stopping. Press Ctrl+C again to quit.")
	s.until("Half of another")
	s.until("Notice: Stopped. The partial answer is kept.")
	s.typeLine("go on")
	s.until("Assistant: The rest.")
	s.typeLine("/cost") // shown when the turn is over
	s.until("conversation")
	s.interrupt()
	s.until("Notice: Press Ctrl+C again to quit.")
	s.interrupt()
	s.until("Continue this session with")
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("Ctrl+C twice: %v, want exit code 0", err)
	}
}
