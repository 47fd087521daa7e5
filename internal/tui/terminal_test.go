package tui_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tui"
)

func TestHasLightBackground_ReadsTheEnvironment(t *testing.T) {
	for _, tt := range []struct {
		name         string
		environ      []string
		light, known bool
	}{
		{"nothing", []string{"TERM=xterm", "XCOLORFGBG=0;15"}, false, false},
		{"white", []string{"TERM=xterm", "COLORFGBG=0;15"}, true, true},
		{"grey", []string{"COLORFGBG=0;7"}, true, true},
		{"black", []string{"COLORFGBG=15;0"}, false, true},
		{"three parts", []string{"COLORFGBG=15;default;0"}, false, true},
		{"nonsense", []string{"COLORFGBG="}, false, true},
	} {
		if light, known := tui.HasLightBackground(tt.environ); light != tt.light || known != tt.known {
			t.Errorf("%s: Light = %t, %t, want %t, %t", tt.name, light, known, tt.light, tt.known)
		}
	}
}

func TestQuitOnSignal_FollowsTheContextAndCallsOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	quits := make(chan struct{}, 2)
	stop := tui.QuitOnSignal(ctx, func() { quits <- struct{}{} }, func() bool { return false })
	cancel()
	<-quits
	stop()
	if len(quits) != 0 {
		t.Error("quit was called twice")
	}
}

func TestWatchEnd_ReportsTheEndAndPassesOnWhatIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(path, []byte("typed"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for name, in := range map[string]io.Reader{"a file": file, "no file": strings.NewReader("typed")} {
		ends := 0
		watched := tui.WatchEOF(in, func() { ends++ })
		buf := make([]byte, 16)
		if n, err := watched.Read(buf); string(buf[:n]) != "typed" || err != nil || ends != 0 {
			t.Errorf("%s: Read = %q, %v with %d ends, want what was typed", name, buf[:n], err, ends)
		}
		if _, err := watched.Read(buf); !errors.Is(err, io.EOF) || ends != 1 {
			t.Errorf("%s: Read at the end = %v with %d ends, want io.EOF and one", name, err, ends)
		}
	}
}

func TestWatchEOF_ATerminalStaysAFile(t *testing.T) {
	watched, ok := tui.WatchEOF(os.Stdin, func() {}).(interface{ Fd() uintptr })
	if !ok || watched.Fd() != os.Stdin.Fd() {
		t.Error("the descriptor of the terminal is lost")
	}
}

func TestHyperlinks_AreForTerminalsKnownToMakeThem(t *testing.T) {
	for environ, want := range map[string]bool{
		"": false, "TERM=xterm-256color": false, "TERM=xterm-kitty": true, "TERM=foot-extra": true, "TERM=dumb TERM_PROGRAM=vscode": false,
		"TERM=xterm-256color TERM_PROGRAM=iTerm.app": true, "TERM=xterm-256color VTE_VERSION=7200": true, "TERM=xterm VTE_VERSION=4000": false,
		"TERM=tmux-256color VTE_VERSION=7200": false, "TERM=xterm-kitty TMUX=/tmp/x": false, "WT_SESSION=1": true, "KONSOLE_VERSION=230804": true,
	} {
		if got := tui.SupportsHyperlinks(strings.Fields(environ)); got != want {
			t.Errorf("Hyperlinks(%q) = %t, want %t", environ, got, want)
		}
	}
}
