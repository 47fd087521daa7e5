package cli_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/usage"
)

func envFrom(variables map[string]string) func(string) string {
	return func(name string) string { return variables[name] }
}

func TestCommand_IsReadAsAShellWould(t *testing.T) {
	for _, tc := range []struct {
		name, command string
		want          []string
	}{
		{"words", "code --wait", []string{"code", "--wait"}},
		{"double quotes", `"/opt/my editor/ed" -n`, []string{"/opt/my editor/ed", "-n"}},
		{"single quotes", `emacs --eval '(message "hi")'`, []string{"emacs", "--eval", `(message "hi")`}},
		{"quotes within a word", `vim -c'set tw=72'`, []string{"vim", "-cset tw=72"}},
		{"an empty word", `ed ''`, []string{"ed", ""}},
		{"a kept blank", `/opt/my\ editor -n`, []string{"/opt/my editor", "-n"}},
		{"a kept quote", `ed "say \"hi\""`, []string{"ed", `say "hi"`}},
		{"a path of Windows", `C:\tools\ed.exe /w`, []string{`C:\tools\ed.exe`, "/w"}},
		{"a backslash in single quotes", `ed 'a\b'`, []string{"ed", `a\b`}},
		{"nothing is expanded", `ed $HOME`, []string{"ed", "$HOME"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cmd, err := cli.EditorCommand(envFrom(map[string]string{"VISUAL": tc.command}), "a file")
			if err != nil {
				t.Fatalf("VISUAL=%s: %v", tc.command, err)
			}
			if diff := cmp.Diff(append(tc.want, "a file"), cmd.Args); diff != "" {
				t.Errorf("VISUAL=%s (-want +got):\n%s", tc.command, diff)
			}
		})
	}
}

func TestCommand_RefusesWhatNamesNoProgramAndSaysWhichVariable(t *testing.T) {
	for _, command := range []string{`''`, `"vi`, `'vi --x`} {
		cmd, err := cli.EditorCommand(envFrom(map[string]string{"EDITOR": command}), "f")
		if mistake := (*usage.Error)(nil); !errors.As(err, &mistake) || !strings.HasPrefix(err.Error(), "EDITOR="+command+": ") {
			t.Errorf("EDITOR=%s: %v, %v, want a misuse that names it", command, cmd, err)
		}
	}
}

func TestCommand_VisualComesBeforeEditorAndABlankOneSaysNothing(t *testing.T) {
	for _, tc := range []struct {
		name, visual, editor, want string
	}{
		{"both", "emacs", "ed", "emacs"},
		{"a blank one", " ", "ed", "ed"},
		{"the second alone", "", "ed", "ed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cmd, err := cli.EditorCommand(envFrom(map[string]string{"VISUAL": tc.visual, "EDITOR": tc.editor}), "f")
			if err != nil || cmd.Args[0] != tc.want {
				t.Errorf("VISUAL=%q EDITOR=%q: %v, %v, want %s", tc.visual, tc.editor, cmd, err, tc.want)
			}
		})
	}
}

func TestCommand_WhereNoneIsNamedIsOneThatTheSystemHas(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if cmd, err := cli.EditorCommand(envFrom(nil), "f"); err == nil || !strings.Contains(err.Error(), "set VISUAL or EDITOR") {
		t.Errorf("of no editor: %v, %v", cmd, err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("what is a program goes by its name there")
	}
	writeProgram(t, filepath.Join(os.Getenv("PATH"), "vi"), "exit 0")
	cmd, err := cli.EditorCommand(envFrom(nil), "f")
	if err != nil || filepath.Base(cmd.Args[0]) != "vi" || cmd.Args[1] != "f" {
		t.Errorf("Command = %v, %v, want vi f", cmd, err)
	}
}

func TestCommand_APathMayHoldBlanks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("what is a program goes by its name there")
	}
	path := filepath.Join(t.TempDir(), "my editor")
	writeProgram(t, path, "exit 0")
	cmd, err := cli.EditorCommand(envFrom(map[string]string{"VISUAL": path}), "f")
	if err != nil || !cmp.Equal(cmd.Args, []string{path, "f"}) {
		t.Errorf("VISUAL=%s: %v, %v", path, cmd, err)
	}
}

func TestRunEditor_SaysWhichEditorFailed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the scripts of this test are of a shell")
	}
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good"), filepath.Join(dir, "bad")
	writeProgram(t, good, `echo written > "$1"`)
	writeProgram(t, bad, "exit 3")
	file := filepath.Join(dir, "text")
	if err := cli.RunEditor(exec.Command(good, file)); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "written\n" {
		t.Errorf("the editor wrote %q, %v", text, err)
	}
	var exit *exec.ExitError
	if err := cli.RunEditor(exec.Command(bad, file)); !errors.As(err, &exit) || !strings.Contains(err.Error(), "run the editor "+bad) {
		t.Errorf("Run = %v, want how it ended, and its name", err)
	}
}

// writeProgram writes a script that can be run.
func writeProgram(t *testing.T, path, script string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

// FuzzCommand checks that splitCommand returns quoted words unchanged.
func FuzzCommand(f *testing.F) {
	f.Add("vi", "a b")
	f.Add(`C:\x`, `it's "so"`)
	f.Fuzz(func(t *testing.T, program, argument string) {
		_, _ = cli.EditorCommand(envFrom(map[string]string{"VISUAL": program + " " + argument}), "f")
		args := []string{strings.ToValidUTF8("p"+program, ""), strings.ToValidUTF8(argument, "")}
		quoted := make([]string, len(args))
		for i, w := range args {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'"'"'`) + "'"
		}
		cmd, err := cli.EditorCommand(envFrom(map[string]string{"VISUAL": strings.Join(quoted, " ")}), "f")
		if err != nil {
			t.Fatalf("VISUAL=%q: %v", quoted, err)
		}
		if diff := cmp.Diff(append(args, "f"), cmd.Args); diff != "" {
			t.Errorf("words (-want +got):\n%s", diff)
		}
	})
}
