package files_test

import (
	"os"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/tools/files"
)

func TestLook_TellsOfTheProgramAndTheTerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = r.Close(), w.Close() }()
	env := map[string]string{"TERM": "xterm-256color", "TERM_PROGRAM": "tmux", "USER": "alice", "HOSTNAME": "host"}
	got := files.InspectMachine("1.2.3", func(key string) string { return env[key] }, w)
	want := files.MachineFacts{
		OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(), Program: "1.2.3", CPUs: runtime.GOMAXPROCS(0),
		Terminal: files.MachineTerminal{Type: "xterm-256color", Program: "tmux"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(files.MachineFacts{}, "Memory")); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if m := got.Memory; m.Available > m.Total {
		t.Errorf("memory %+v: more available than there is", m)
	}
}

func TestLook_LetsNothingElseOfTheEnvironmentThrough(t *testing.T) {
	for _, value := range []string{"sk-key with spaces", "\x1b[2J", "/home/alice/.terminfo", "a\nb", string(make([]byte, 50))} {
		got := files.InspectMachine("1", func(string) string { return value }, os.Stdout)
		if got.Terminal.Type != "" || got.Terminal.Program != "" {
			t.Errorf("TERM=%q is told as %+v", value, got.Terminal)
		}
	}
}
