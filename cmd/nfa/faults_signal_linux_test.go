package main

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// onTerminal starts the program on its own terminal and returns the end that a terminal window has.
func onTerminal(t *testing.T, env []string, args ...string) (*exec.Cmd, *os.File) {
	t.Helper()
	outside, inside := openTerminal(t)
	t.Cleanup(func() { _ = outside.Close() })
	cmd := exec.Command("nfa", args...)
	cmd.Env = append(env, "TERM=xterm-256color")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inside, inside, inside
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = inside.Close()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, outside
}

// waitForText reads the output on a terminal until it contains text.
func waitForText(t *testing.T, window *os.File, text string) {
	t.Helper()
	_ = window.SetReadDeadline(time.Now().Add(5 * time.Minute))
	var output bytes.Buffer
	piece := make([]byte, 4096)
	for !bytes.Contains(output.Bytes(), []byte(text)) {
		n, err := window.Read(piece)
		if err != nil {
			t.Fatalf("%v before %q was shown, after %.2000q", err, text, output.String())
		}
		output.Write(piece[:n])
	}
}

// TestTerminal_ClosedInAnAnswerLosesNothingAndLeavesNoProgram closes the window in the middle of an
// answer, so that the kernel hangs up. The program ends, and what was shown is saved.
func TestTerminal_ClosedInAnAnswerLosesNothingAndLeavesNoProgram(t *testing.T) {
	for name, args := range map[string][]string{
		"the chat":          {"chat", "go"},
		"the chat in lines": {"--plain", "chat", "go"},
		"ask":               {"ask", "go"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hold := make(chan struct{})
			server := llmtest.StartServer(llmtest.Answer(llmtest.Turn{Text: []string{"A first paragraph.\n\nHalf of another"}, Hold: hold}))
			defer server.Close()
			defer close(hold)
			env := newEnvironment(t, server)
			cmd, window := onTerminal(t, env, args...)
			waitForText(t, window, "first paragraph.")
			if err := window.Close(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // waiting for a program that does not end would block
			after := llmtest.StartServer(llmtest.Answer(llmtest.Say("The rest.")))
			defer after.Close()
			if output, err := nfaIn(t, append(env, "NFA_BASE_URL="+after.URL), "ask", "--continue", "go on"); err != nil || output != "The rest.\n" {
				t.Fatalf("the next start says %q, %v", output, err)
			}
			if sent := string(after.Requests()[0].Body); !strings.Contains(sent, "A first paragraph.") {
				t.Errorf("the model reads %s, want what was shown", sent)
			}
		})
	}
}

// TestSignal_AHangUpKeepsWhatWasShown checks that SIGHUP without a closed terminal, as after the end of an
// ssh connection, has the same effect.
func TestSignal_AHangUpKeepsWhatWasShown(t *testing.T) {
	// Tests under nohup ignore the signal, and so would the program.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	hold := make(chan struct{})
	defer close(hold)
	server := llmtest.StartServer(llmtest.Answer(llmtest.Turn{Text: []string{"Half an answer"}, Hold: hold}))
	defer server.Close()
	env := newEnvironment(t, server)
	cmd, lines := askUntil(t, env, "Half an answer")
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	_ = cmd.Wait()
	if out, err := nfaIn(t, env, "sessions", "list"); err != nil || !strings.Contains(out, "price?") || strings.Contains(out, "(open)") {
		t.Errorf("the list says %q, %v; want the session, open nowhere", out, err)
	}
	server.Add(llmtest.Answer(llmtest.Say("The rest.")))
	if output, err := nfaIn(t, env, "ask", "--continue", "go on"); err != nil || output != "The rest.\n" {
		t.Errorf("the next start says %q, %v", output, err)
	}
}

// nfa ... | head -1: the reader stops early. The program ends without a message, and the session is saved.
func TestPipe_ThatIsClosedEndsTheProgramWithoutAWord(t *testing.T) {
	for _, line := range []string{
		"nfa tools list --json | head -1",
		"nfa history ^GSPC max --json | head -1",
		"nfa ask --output stream-json 'How has the S&P 500 done since 2008?' | head -1",
		"nfa ask 'price of AAPL' | true",
		"printf 'price of AAPL\\nprice of MSFT\\n' | nfa --plain | head -1",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			shell := exec.Command("sh", "-c", line)
			shell.Env = append(os.Environ(), "HOME="+t.TempDir(), "NFA_HOME="+t.TempDir(), "NFA_KEY_STORE=file", "NFA_BASE_URL=", "NFA_API_KEY=", "GORACE=atexit_sleep_ms=0")
			var complaint bytes.Buffer
			shell.Stderr = &complaint
			if _, err := shell.Output(); err != nil || complaint.Len() > 0 {
				t.Errorf("%v, %.300s; want that nothing is said", err, complaint.String())
			}
			if !strings.HasPrefix(line, "nfa ask ") {
				return
			}
			if out, err := nfaIn(t, shell.Env, "sessions", "list"); err != nil || !strings.Contains(out, "offline") {
				t.Errorf("sessions list = %s, %v; want the conversation", out, err)
			}
		})
	}
}
