package tui_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/tui"
)

// terminal is the user's side of the screen: a test types keys into it and waits for output.
type terminal struct {
	in  io.Reader
	key io.WriteCloser

	mu    sync.Mutex
	drawn bytes.Buffer
	grown chan struct{}
}

// newTerminal returns a terminal whose input is a file, as that of real terminals is.
func newTerminal(t *testing.T) *terminal {
	t.Helper()
	in, key, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); key.Close() })
	return &terminal{in: in, key: key, grown: make(chan struct{}, 1)}
}

func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drawn.Write(p)
	select {
	case t.grown <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (t *terminal) output() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.drawn.String()
}

func (t *terminal) waitFor(tb testing.TB, what string) {
	tb.Helper()
	for !strings.Contains(t.output(), what) {
		select {
		case <-t.grown:
		case <-time.After(time.Minute):
			tb.Fatalf("the terminal never got %q, only %q", what, t.output())
		}
	}
}

// restored reports whether the terminal was restored: main screen, visible cursor,
// mouse and paste modes off.
func (t *terminal) restored() bool {
	out := t.output()
	for _, pair := range [][2]string{
		{ansi.SetModeAltScreenSaveCursor, ansi.ResetModeAltScreenSaveCursor},
		{ansi.SetModeBracketedPaste, ansi.ResetModeBracketedPaste},
		{ansi.SetModeMouseExtSgr, ansi.ResetModeMouseExtSgr},
		{ansi.ResetModeTextCursorEnable, ansi.SetModeTextCursorEnable},
	} {
		if strings.LastIndex(out, pair[1]) < strings.LastIndex(out, pair[0]) {
			return false
		}
	}
	return strings.Contains(out, ansi.ResetModeAltScreenSaveCursor)
}

// started runs a chat in a terminal until its first frame, and returns its end.
func started(t *testing.T, ctx context.Context, cfg tui.Config) (*terminal, <-chan ending) {
	t.Helper()
	term := newTerminal(t)
	if cfg.Input != nil {
		term.in = cfg.Input
	}
	cfg = complete(cfg)
	cfg.Input, cfg.Output, cfg.Environ = term.in, term, []string{"TERM=xterm-256color"}
	ended := make(chan ending, 1)
	go func() {
		result, err := tui.Run(ctx, cfg)
		ended <- ending{result, err}
	}()
	term.waitFor(t, ansi.SetModeAltScreenSaveCursor)
	return term, ended
}

type ending struct {
	result tui.Result
	err    error
}

func (t *terminal) typeKeys(tb testing.TB, keys string) {
	tb.Helper()
	if _, err := io.WriteString(t.key, keys); err != nil {
		tb.Fatal(err)
	}
}

func TestRun_EveryWayOutGivesTheTerminalBack(t *testing.T) {
	panics := func(context.Context, agent.Input, emit) (agent.TurnDone, error) { panic("a turn's CANARY") }
	isCrash := func(err error) bool {
		var at *crash.Site
		return errors.As(err, &at) && strings.Contains(at.Stack(), "tui_test.") && !strings.Contains(err.Error()+at.Stack(), "CANARY")
	}
	isNil := func(err error) bool { return err == nil }
	for _, tt := range []struct {
		name  string
		cfg   tui.Config
		leave func(*terminal, context.CancelFunc)
		want  func(error) bool
	}{
		{"ctrl+d", tui.Config{}, func(term *terminal, _ context.CancelFunc) { term.typeKeys(t, "\x04") }, isNil},
		{"ctrl+c twice", tui.Config{}, func(term *terminal, _ context.CancelFunc) { term.typeKeys(t, "\x03\x03") }, isNil},
		{"slash quit", tui.Config{}, func(term *terminal, _ context.CancelFunc) { term.typeKeys(t, "/quit\r") }, isNil},
		{"end of input", tui.Config{}, func(term *terminal, _ context.CancelFunc) { term.key.Close() }, isNil},
		{"canceled context", tui.Config{}, func(_ *terminal, cancel context.CancelFunc) { cancel() },
			func(err error) bool { return errors.Is(err, context.Canceled) }},
		{"terminate signal", tui.Config{}, func(*terminal, context.CancelFunc) { signalSelf(t, syscall.SIGTERM) }, isNil},
		{"hangup signal", tui.Config{}, func(*terminal, context.CancelFunc) { signalSelf(t, syscall.SIGHUP) }, isNil},
		{"panic in a turn", tui.Config{Conversation: &scripted{turns: []turnFunc{panics}}, Message: "go"},
			func(*terminal, context.CancelFunc) {}, isCrash},
		{"panic in Update", tui.Config{Start: func() tui.Conversation { panic("no CANARY") }},
			func(term *terminal, _ context.CancelFunc) { term.typeKeys(t, "/clear\r") }, isCrash},
		{"panic in a work", tui.Config{Commands: []tui.Command{{Name: "boom", Run: taskCommand(func(context.Context, string) (string, error) { panic("CANARY") })}}},
			func(term *terminal, _ context.CancelFunc) { term.typeKeys(t, "/boom\r") }, isCrash},
		{"panic in a command", tui.Config{Commands: []tui.Command{{Name: "boom", Run: tui.TextCommand(func(string) (string, error) { panic("CANARY") })}}},
			func(term *terminal, _ context.CancelFunc) { term.typeKeys(t, "/boom\r") }, isCrash},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			term, ended := started(t, ctx, tt.cfg)
			tt.leave(term, cancel)
			select {
			case end := <-ended:
				if !tt.want(end.err) {
					t.Errorf("Run = %v", end.err)
				}
			case <-time.After(time.Minute):
				t.Fatal("the chat did not end")
			}
			if !term.restored() {
				t.Errorf("the terminal was not restored: %q", term.output())
			}
		})
	}
}

// An editor that ignores the end of its terminal and SIGTERM must not keep the chat running, and must not be
// left behind.
func TestRun_AnEditorThatStaysDoesNotKeepTheChat(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell to be an editor")
	}
	for name, deaf := range map[string]string{"to its terminal": "HUP", "to everything": "HUP TERM"} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cfg := talk(turnAnswering("Fine."))()
			var editor *exec.Cmd
			cfg.Editor = func(string) (*exec.Cmd, error) {
				editor = exec.Command(sh, "-c", "trap '' "+deaf+"; echo editing; exec sleep 60")
				return editor, nil
			}
			term, ended := started(t, ctx, cfg)
			term.typeKeys(t, "\x07")
			term.waitFor(t, "editing")
			cancel()
			select {
			case <-ended:
			case <-time.After(time.Minute):
				t.Fatal("the chat is still there")
			}
			if editor.ProcessState == nil {
				t.Error("the editor is still there")
			}
		})
	}
}

func TestRun_EndsWithAnInputThatIsNoFile(t *testing.T) {
	in, key := io.Pipe()
	term, ended := started(t, t.Context(), tui.Config{Input: in})
	key.Close()
	if end := <-ended; end.err != nil || !term.restored() {
		t.Errorf("Run = %v, terminal restored: %t", end.err, term.restored())
	}
}

func signalSelf(t *testing.T, s os.Signal) {
	t.Helper()
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(s)
	}
	if err != nil {
		t.Skipf("this system cannot signal itself: %v", err)
	}
}

func TestRun_LeavingDuringATurnLetsItKeepItsTranscript(t *testing.T) {
	kept, running := false, make(chan struct{})
	slow := func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		close(running)
		<-ctx.Done()
		for range 200 { // while nobody reads it
			say(agent.TextDelta{Text: "late "})
		}
		kept = true
		return agent.TurnDone{Reason: agent.StopCancelled}, nil
	}
	term, ended := started(t, t.Context(), tui.Config{Conversation: &scripted{id: "s7", turns: []turnFunc{slow}}, Message: "go"})
	<-running
	term.key.Close()
	end := <-ended
	if end.err != nil || end.result.SessionID != "s7" {
		t.Errorf("Run = %+v, %v; want session s7 and no error", end.result, end.err)
	}
	if !kept {
		t.Error("Run returned before the turn had ended")
	}
}

func TestRun_QuittingDuringATaskLetsItSave(t *testing.T) {
	kept, running := false, make(chan struct{})
	slow := tui.Command{Name: "compact", Run: taskCommand(func(ctx context.Context, _ string) (string, error) {
		close(running)
		<-ctx.Done()
		kept = true
		return "", ctx.Err()
	})}
	term, ended := started(t, t.Context(), tui.Config{Commands: []tui.Command{slow}, Message: "/compact"})
	<-running
	term.typeKeys(t, "/quit\r") // /quit by itself cancels nothing
	if end := <-ended; end.err != nil {
		t.Errorf("Run = %v", end.err)
	}
	if !kept {
		t.Error("Run returned before the work had ended")
	}
}
