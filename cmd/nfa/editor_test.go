package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplitCommand_AsAShellWould(t *testing.T) {
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
			got, err := splitCommand(tc.command)
			if err != nil {
				t.Fatalf("splitCommand(%q) = %v", tc.command, err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("splitCommand(%q) (-want +got):\n%s", tc.command, diff)
			}
		})
	}
}

func TestSplitCommand_RefusesWhatNamesNoProgram(t *testing.T) {
	for _, command := range []string{``, `''`, ` `, `"vi`, `'vi --x`} {
		if got, err := splitCommand(command); err == nil {
			t.Errorf("splitCommand(%q) = %q, want an error", command, got)
		}
	}
}

// Whatever words there are, quoted they come back.
func FuzzSplitCommand(f *testing.F) {
	f.Add("vi", "a b")
	f.Add(`C:\x`, `it's "so"`)
	f.Fuzz(func(t *testing.T, program, argument string) {
		_, _ = splitCommand(program + " " + argument)
		words := []string{strings.ToValidUTF8("p"+program, ""), strings.ToValidUTF8(argument, "")}
		quoted := make([]string, len(words))
		for i, w := range words {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'"'"'`) + "'"
		}
		got, err := splitCommand(strings.Join(quoted, " "))
		if err != nil {
			t.Fatalf("splitCommand(%q) = %v", quoted, err)
		}
		if diff := cmp.Diff(words, got); diff != "" {
			t.Errorf("words (-want +got):\n%s", diff)
		}
	})
}
