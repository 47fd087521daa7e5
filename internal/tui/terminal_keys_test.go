package tui_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui"
)

// bytesSent types bytes into a real program and returns the resulting message.
func bytesSent(t *testing.T, keys string, change func(*tui.Config)) string {
	t.Helper()
	got := make(chan string, 1)
	takes := func(_ context.Context, in agent.Input, _ emit) (agent.TurnDone, error) {
		got <- in.Text
		return agent.TurnDone{Reason: agent.StopAnswered}, nil
	}
	cfg := tui.Config{Conversation: &scripted{id: "s1", turns: []turnFunc{takes, takes}}}
	if change != nil {
		change(&cfg)
	}
	term, ended := started(t, t.Context(), cfg)
	term.typeKeys(t, keys)
	var text string
	select {
	case text = <-got:
	case <-time.After(time.Minute):
		t.Errorf("after %q nothing was sent: %q", keys, term.output())
	}
	term.key.Close()
	<-ended
	return text
}

// What terminals send for keys: xterm and similar terminals, kitty's protocol, and xterm's modifyOtherKeys.
func TestTerminal_KeysThatTerminalsSend(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ keys, want string }{
		"Alt+Enter":                    {"one\x1b\rtwo\r", "one\ntwo"},
		"Ctrl+J":                       {"one\ntwo\r", "one\ntwo"},
		"Shift+Enter of kitty":         {"one\x1b[13;2utwo\r", "one\ntwo"},
		"Shift+Enter of xterm":         {"one\x1b[27;2;13~two\r", "one\ntwo"},
		"Alt+Enter of kitty":           {"one\x1b[13;3utwo\r", "one\ntwo"},
		"Ctrl+J of kitty":              {"one\x1b[106;5utwo\r", "one\ntwo"},
		"Alt+B":                        {"one two\x1bbx\r", "one xtwo"},
		"Alt+F":                        {"one two\x01\x1bfx\r", "onex two"},
		"Ctrl+Left":                    {"one two\x1b[1;5Dx\r", "one xtwo"},
		"Ctrl+Right":                   {"one two\x01\x1b[1;5Cx\r", "onex two"},
		"Alt+Left":                     {"one two\x1b[1;3Dx\r", "one xtwo"},
		"Ctrl+W":                       {"one two\x17x\r", "one x"},
		"Alt+Backspace":                {"one two\x1b\x7fx\r", "one x"},
		"Alt+D":                        {"one two\x01\x1bdx\r", "x two"},
		"Ctrl+U":                       {"one two\x15x\r", "x"},
		"Ctrl+K":                       {"one two\x1bb\x0bx\r", "one x"},
		"Ctrl+A and Ctrl+E":            {"b\x01a\x05c\r", "abc"},
		"Home and End":                 {"b\x1b[Ha\x1b[Fc\r", "abc"},
		"Delete":                       {"xab\x01\x1b[3~\r", "ab"},
		"Ctrl+_":                       {"one two\x1f\r", "one"},
		"Ctrl+_ of kitty":              {"one two\x1b[45;6u\r", "one"},
		"Ctrl+/ of kitty":              {"one two\x1b[47;5u\r", "one"},
		"Ctrl+Y":                       {"one two\x1f\x19\r", "one two"},
		"a paste":                      {"\x1b[200~a\rb\nc\x1b[201~\r", "a\nb\nc"},
		"letters of an input method":   {"中文\x7f文\r", "中文"},
		"an earlier message by Ctrl+R": {"\x12one\r\r", "one of before"},
	} {
		t.Run(name, func(t *testing.T) {
			got := bytesSent(t, tt.keys, func(cfg *tui.Config) {
				if strings.HasPrefix(tt.keys, "\x12") {
					cfg.History = append(cfg.History, userEntry("one of before"))
				}
			})
			if got != tt.want {
				t.Errorf("%q sends %q, want %q", tt.keys, got, tt.want)
			}
		})
	}
}

const asEditor = "NFA_TEST_EDITOR"

// TestEditor_Helper is the editor of the tests below.
func TestEditor_Helper(t *testing.T) {
	mode, file, _ := strings.Cut(os.Getenv(asEditor), " ")
	if mode == "" {
		t.Skip("it is run by other tests")
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	file0, _ := os.Stat(file)
	folder, _ := os.Stat(filepath.Dir(file))
	if file0.Mode().Perm() != 0o600 || folder.Mode().Perm() != 0o700 {
		t.Fatalf("the file is %v in a folder %v", file0.Mode(), folder.Mode())
	}
	switch mode {
	case "deletes":
		err = os.Remove(file)
	case "appends", "appends-and-fails":
		err = os.WriteFile(file, append(before, "and \x1b[31mthis\n\n"...), 0o600)
	case "grows":
		err = os.WriteFile(file, make([]byte, 2<<20), 0o600)
	}
	if err != nil || strings.HasSuffix(mode, "fails") {
		t.Fatal("the editor failed", err)
	}
}

func TestEditor_ReturnsTheTextAndLosesNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		mode, said, want string
		leaves           bool
	}{
		"it writes":            {"appends", "this", "a draft\nand this", false},
		"it changes nothing":   {"looks", "", "a draft", false},
		"it fails":             {"fails", "message is unchanged", "a draft", false},
		"it writes and fails":  {"appends-and-fails", "the edited text", "a draft", true},
		"it deletes the file":  {"deletes", "deleted", "a draft", false},
		"it writes too much":   {"grows", "the edited text", "a draft", true},
		"there is no such one": {"", "message is unchanged", "a draft", false},
	} {
		t.Run(name, func(t *testing.T) {
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			ran := make(chan string, 1)
			k := &storedHistory{}
			got := make(chan string, 1)
			cfg := tui.Config{InputHistory: k, Conversation: &scripted{id: "s1", turns: []turnFunc{
				func(_ context.Context, in agent.Input, _ emit) (agent.TurnDone, error) {
					got <- in.Text
					return agent.TurnDone{Reason: agent.StopAnswered}, nil
				},
			}}}
			cfg.Editor = func(file string) (*exec.Cmd, error) {
				ran <- file
				if tt.mode == "" {
					return exec.Command(filepath.Join(temp, "none")), nil
				}
				cmd := exec.Command(os.Args[0], "-test.run=^TestEditor_Helper$")
				cmd.Env = append(os.Environ(), asEditor+"="+tt.mode+" "+file)
				return cmd, nil
			}
			term, ended := started(t, t.Context(), cfg)
			term.typeKeys(t, "\x1b[48;24;200;0;0t") // the terminal's size, as the terminal reports it
			term.waitFor(t, "Not financial advice")
			term.typeKeys(t, "a draft\x07")
			file := <-ran
			if tt.said != "" {
				term.waitFor(t, tt.said)
			}
			// The program has the terminal back once the folder is read or gone.
			for !tt.leaves {
				if _, err := os.Stat(filepath.Dir(file)); err != nil {
					break
				}
				time.Sleep(time.Millisecond)
			}
			term.typeKeys(t, "\r")
			if text := <-got; text != tt.want {
				t.Errorf("sent %q, want %q", text, tt.want)
			}
			if left, err := os.ReadDir(temp); err != nil || (len(left) > 0) != tt.leaves {
				t.Errorf("%d folders are left, %v; want some: %t", len(left), err, tt.leaves)
			}
			term.key.Close()
			<-ended
		})
	}
}
