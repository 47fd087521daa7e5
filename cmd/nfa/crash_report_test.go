package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// canaryCrash is a value that must not appear anywhere after a panic.
const canaryCrash = "sk-CANARY-of-a-panic"

// panicWriter is a writer that panics with the bytes it receives.
type panicWriter struct{}

func (panicWriter) Write(p []byte) (int, error) { panic(canaryCrash + string(p)) }

// runCrashing runs nfa with a terminal that has a part that panics. It returns the output.
func runCrashing(t *testing.T, home string, term terminal, line ...string) (output string) {
	t.Helper()
	var errOut bytes.Buffer
	term.err = &errOut
	if term.in == nil {
		term.in = typedInput(t, "hello\n")
	}
	if term.env == nil {
		term.env = os.Getenv
	}
	if code := run(append([]string{"--home", home}, line...), term); code != exitFailure {
		t.Errorf("nfa %s = %d, want %d", strings.Join(line, " "), code, exitFailure)
	}
	return errOut.String()
}

// typedInput returns a file with that text, to be used as standard input.
func typedInput(t *testing.T, text string) *os.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "typed")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// A panic value may be a key or an amount: the user sees one line without it, and the log has the functions
// and their lines, but not the value.
func TestCrash_AnywhereInAVerbShowsNoValue(t *testing.T) {
	t.Chdir(t.TempDir())
	broken := func(key string) string {
		if key == "NFA_MODEL" {
			panic(canaryCrash)
		}
		return os.Getenv(key)
	}
	for _, row := range []struct {
		name, place string
		world       terminal
		line        []string
	}{
		{"reading the settings", "TestCrash_AnywhereInAVerbShowsNoValue", terminal{out: new(bytes.Buffer), env: broken}, []string{"tools", "list"}},
		{"printing a list", "panicWriter.Write", terminal{out: panicWriter{}}, []string{"tools", "list"}},
		{"printing an answer", "panicWriter.Write", terminal{out: panicWriter{}}, []string{"ask", "--offline", "What is AAPL at?"}},
		{"printing one in JSON", "panicWriter.Write", terminal{out: panicWriter{}}, []string{"ask", "--offline", "--output", "json", "What is AAPL at?"}},
		{"a tool by hand", "panicWriter.Write", terminal{out: panicWriter{}}, []string{"--offline", "quote", "AAPL"}},
		{"the chat in lines", "panicWriter.Write", terminal{out: panicWriter{}}, []string{"--offline", "chat", "--plain"}},
		{"help", "panicWriter.Write", terminal{out: panicWriter{}}, []string{"--help"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			home := filepath.Join(t.TempDir(), "home")
			output := runCrashing(t, home, row.world, row.line...)
			if want := "nfa: internal error; details are in "; strings.Count(output, "\n") != 1 || !strings.HasPrefix(output, want) || !strings.HasSuffix(output, "nfa.log\n") {
				t.Errorf("said %q; want one line, %q and the log", output, want)
			}
			logged, err := os.ReadFile(filepath.Join(home, "nfa.log"))
			if err != nil || !strings.Contains(string(logged), row.place) || !strings.Contains(string(logged), "crash_report_test.go:") || !strings.Contains(string(logged), "cmd/nfa.run") {
				t.Errorf("the log has %s, %v; want %s with its file and line", logged, err, row.place)
			}
			if strings.Contains(output+string(logged), "CANARY") || strings.Contains(string(logged), "AAPL") {
				t.Errorf("the value is shown: %s\n%s", output, logged)
			}
		})
	}
}

func TestCrash_WhereThereIsNoLogTheStackIsShownAndNoValue(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	if err := os.WriteFile(home, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	output := runCrashing(t, home, terminal{out: panicWriter{}}, "version")
	if strings.Contains(output, "CANARY") || !strings.HasPrefix(output, "nfa: internal error:\n") || !strings.Contains(output, "crash_report_test.go:") {
		t.Errorf("said %q; want the place and no value", output)
	}
}
