package tui_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// TestK23_AnActionContinuesAfterItsEditor runs a real program, this test binary, as the editor.
func TestK23_AnActionContinuesAfterItsEditor(t *testing.T) {
	for _, tt := range []struct {
		name, flag string
		failed     bool
	}{
		{"ends well", "-test.run=^$", false},
		{"fails", "-test.no-such-flag", true},
		{"is interrupted, and the chat is not", "-test.run=^TestHelper_InterruptsTheChat$", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd, got := exec.Command(os.Args[0], tt.flag), make(chan error, 1)
			cmd.Env = append(os.Environ(), "NFA_TEST_EDITOR=1")
			cmd.Stderr = io.Discard // the editor's own output is not ours to check
			edit := func(string) (tui.ActionResult, error) {
				return tui.ActionResult{Exec: &tui.ExecRequest{Cmd: cmd, Then: func(err error) (tui.ActionResult, error) {
					got <- err
					return tui.ActionResult{}, nil
				}}}, nil
			}
			cfg := listScreenWith(nil)()
			open := cfg.Commands[0].Open
			cfg.Commands[0].Open = func() *tui.ListScreen {
				s := open()
				s.Actions = []tui.ListAction{{Action: "x", Name: "edit", WithoutItem: true, Run: edit}}
				return s
			}
			term, ended := started(t, t.Context(), cfg)
			term.typeKeys(t, "/s\r\tx")
			select {
			case err := <-got:
				if (err != nil) != tt.failed {
					t.Errorf("Then got %v, want an error: %t", err, tt.failed)
				}
			case <-time.After(time.Minute):
				t.Fatal("Then was not called")
			}
			if cmd.Stdin != term.in {
				t.Errorf("the editor read from %T, want the terminal itself", cmd.Stdin)
			}
			term.typeKeys(t, "\x03\x03")
			if end := <-ended; end.err != nil || !term.restored() {
				t.Errorf("Run = %v, terminal restored: %t", end.err, term.restored())
			}
		})
	}
}

// TestHelper_InterruptsTheChat is not a test: another test runs it as an editor that the user interrupts.
func TestHelper_InterruptsTheChat(t *testing.T) {
	if os.Getenv("NFA_TEST_EDITOR") == "" {
		t.Skip("runs as the editor of another test")
	}
	chat, err := os.FindProcess(os.Getppid())
	if err != nil || chat.Signal(os.Interrupt) != nil {
		os.Exit(3) // a system without this signal
	}
}

// hostileListScreen returns a list screen with hostile text in every field.
func hostileListScreen(text func() string) func() *tui.ListScreen {
	outcomes := []tui.ActionResult{
		{Message: text()}, {Show: text()},
		{Confirm: &tui.ConfirmRequest{Question: text(), Detail: []string{text(), text()}, Yes: func() (tui.ActionResult, error) { return tui.ActionResult{}, errors.New(text()) }}},
		{Ask: &tui.ActionForm{Title: text(), Fields: []widget.FormField{{Name: text(), About: text(), Hint: text(), Value: text(), Problem: text()}},
			Fill: func(map[string]string) (tui.ActionResult, error) { return tui.ActionResult{}, errors.New(text()) }}},
	}
	item := func(name string) tui.ListItem {
		return tui.ListItem{Name: name, Title: text(), Group: text(), About: text(), Marks: []string{text(), text()}, Problem: len(name)%2 == 0}
	}
	return func() *tui.ListScreen {
		s := &tui.ListScreen{Title: text(), Empty: text(), Items: func() []tui.ListItem { return []tui.ListItem{item(text()), item("b" + text()), item("cc")} }}
		s.Read = func(name string) (string, error) {
			if name == "cc" {
				return "", errors.New(text())
			}
			return text(), nil
		}
		for i, o := range outcomes {
			run := func(string) (tui.ActionResult, error) { return o, nil }
			s.Actions = append(s.Actions, tui.ListAction{Action: string(rune('1' + i)), Name: text(), About: text(), Run: run})
		}
		s.Actions = append(s.Actions, tui.ListAction{Action: "5", Name: "write", Run: func(string) (tui.ActionResult, error) { return tui.ActionResult{Compose: text()}, nil }})
		return s
	}
}

func TestSafety_NoControlSequenceReachesTheScreenFromAShelf(t *testing.T) {
	cfg := func() tui.Config {
		return tui.Config{Commands: []tui.Command{{Name: "s", Open: hostileListScreen(func() string { return hostile })}}}
	}
	onScreen(t, cfg, 80, 30, func(s *screen) {
		s.ask("/s")
		s.shows("› xevil y")
		for _, key := range []string{"1", "2", "?", "esc", "end", "3", "n", "4", "ctrl+r", "esc", "/"} {
			checkFrame(t, s, 80, 30)
			s.press(key)
		}
		s.send(tea.PasteMsg{Content: hostile})
		checkFrame(t, s, 80, 30)
		s.press("esc", "5")
		checkFrame(t, s, 80, 30)
	})
}

// TestSafety_AListScreenNeverExceedsTheScreen shows list screens with text of all widths on screens of random
// sizes, down to zero.
func TestSafety_AListScreenNeverExceedsTheScreen(t *testing.T) {
	t.Parallel()
	keys := []string{"up", "down", "pgdown", "end", "home", "tab", "enter", "esc", "/", "?", "1", "2", "3", "4", "n", "y", "backspace", "ctrl+r", "right"}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 3))
		text := func() string { return randomText(r, 12) + hostile[:r.IntN(len(hostile))] }
		cfg := func() tui.Config {
			return tui.Config{Commands: []tui.Command{{Name: "s", Open: hostileListScreen(text)}}}
		}
		width, height := r.IntN(130), r.IntN(40)
		onScreen(t, cfg, width, height, func(s *screen) {
			for range 40 {
				if r.IntN(8) == 0 {
					s.ask("/s") // it may have been closed
				}
				s.press(keys[r.IntN(len(keys))])
				s.wait(time.Duration(r.IntN(2)) * 500 * time.Millisecond)
				checkFrame(t, s, width, height)
				width, height = r.IntN(130), r.IntN(40)
				s.send(tea.WindowSizeMsg{Width: width, Height: height})
				checkFrame(t, s, width, height)
			}
		})
	}
}

func TestK23_WithoutColorEveryMarkIsStillThere(t *testing.T) {
	onListScreen(t, newLibrary(), func(s *screen) {
		if strings.Contains(s.model.View().Content, "\x1b") {
			t.Fatal("the plain theme draws escapes")
		}
		s.shows("› Compare assets", "! half-done", "disabled", "builtin")
	})
}
