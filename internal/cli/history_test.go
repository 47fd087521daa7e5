package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/cli"
)

func fixedNoon() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

func historyIn(t *testing.T) (*cli.History, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history")
	return cli.NewHistory(path, fixedNoon), path
}

func addMessages(t *testing.T, f *cli.History, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err := f.Add(t.Context(), text); err != nil {
			t.Fatalf("Add(%.40q) = %v", text, err)
		}
	}
}

func readMessages(t *testing.T, f *cli.History) []string {
	t.Helper()
	got, err := f.Messages(t.Context())
	if err != nil {
		t.Fatalf("Messages = %v", err)
	}
	return got
}

func TestFile_KeepsMessagesForItsOwnerAlone(t *testing.T) {
	f, path := historyIn(t)
	if got := readMessages(t, f); len(got) != 0 {
		t.Fatalf("without a file there are %q", got)
	}
	addMessages(t, f, "one", "two\nlines", `"quoted" 中文`)
	if diff := cmp.Diff([]string{"one", "two\nlines", `"quoted" 中文`}, readMessages(t, cli.NewHistory(path, fixedNoon))); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	for _, name := range []string{path, path + ".lock"} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; want 0600", filepath.Base(name), info.Mode(), err)
		}
	}
}

func TestFile_AReadableFileIsMadePrivate(t *testing.T) {
	f, path := historyIn(t)
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	addMessages(t, f, "one")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode = %v, %v; want 0600", info.Mode(), err)
	}
}

func TestKeeps_WhatIsNotForTheDisk(t *testing.T) {
	for text, want := range map[string]bool{
		"How has VTI done?": true,
		"what is a secret ballot, and which password rules?": true,
		"/portfolio":                true,
		"compare sk-telecom and KT": true,
		"is risk-adjusted-return-better than a plain return":    true,
		" a private question":                                   false,
		"":                                                      false,
		"  \n ":                                                 false,
		"use sk-proj-abcdefghijklmnop please":                   false,
		"key: sk_live_0123456789abcdef":                         false,
		"OPENAI_API_KEY=abcd1234":                               false,
		`{"api_key": "abcd1234"}`:                               false,
		"my password: hunter22":                                 false,
		"Authorization: Bearer abcdefghijklmnop":                false,
		"nfa auth set deepseek 0123456789abcdef":                false,
		"ghp_0123456789abcdefghij":                              false,
		"AKIAIOSFODNN7EXAMPLE":                                  false,
		"-----BEGIN RSA PRIVATE KEY-----":                       false,
		strings.Repeat("x", cli.MaxHistoryMessage+1):            false,
		strings.TrimSpace(strings.Repeat("long enough ", 1000)): true,
	} {
		if got := cli.KeepsInHistory(text); got != want {
			t.Errorf("Keeps(%.60q) = %t, want %t", text, got, want)
		}
		f, path := historyIn(t)
		addMessages(t, f, text)
		if raw, err := os.ReadFile(path); (err == nil) != want {
			t.Errorf("after Add(%.60q) the file holds %.80q, %v", text, raw, err)
		}
	}
}

func TestFile_IsBoundedByMessages(t *testing.T) {
	f, path := historyIn(t)
	var whole strings.Builder
	for i := range cli.MaxHistoryMessages + 300 {
		fmt.Fprintf(&whole, `{"at":"2026-11-20T12:00:00Z","text":"message %d"}`+"\n", i)
	}
	if err := os.WriteFile(path, []byte(whole.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	addMessages(t, f, "the newest")
	got := readMessages(t, f)
	if len(got) > cli.MaxHistoryMessages || len(got) < cli.MaxHistoryMessages/2 || got[len(got)-1] != "the newest" || got[len(got)-2] != "message 2299" {
		t.Errorf("%d messages are kept, ending in %q", len(got), got[len(got)-2:])
	}
	if remaining, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(remaining) != 0 {
		t.Errorf("left behind: %v", remaining)
	}
}

func TestFile_IsBoundedByBytes(t *testing.T) {
	f, path := historyIn(t)
	long := strings.Repeat("0123456789 ", 1400)
	for i := range 100 {
		addMessages(t, f, fmt.Sprintf("%d %s", i, long))
		if info, err := os.Stat(path); err != nil || info.Size() > cli.MaxHistoryBytes {
			t.Fatalf("after %d the file has %d bytes, %v", i+1, info.Size(), err)
		}
	}
	if got := readMessages(t, f); len(got) < 40 || !strings.HasPrefix(got[len(got)-1], "99 ") {
		t.Errorf("%d messages are kept, the last %.10q", len(got), got[len(got)-1])
	}
}

func TestFile_ALargeFileIsReadFromItsEnd(t *testing.T) {
	f, path := historyIn(t)
	big := strings.Repeat("x", 3*cli.MaxHistoryBytes) + "\n" + `{"text":"the end"}` + "\n"
	if err := os.WriteFile(path, []byte(big), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := readMessages(t, f); len(got) != 1 || got[0] != "the end" {
		t.Errorf("Messages = %.60q", got)
	}
}

func TestFile_WhatIsLeftOfADeadProgramHidesNothing(t *testing.T) {
	f, path := historyIn(t)
	addMessages(t, f, "one")
	half, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = half.WriteString(`{"at":"2026-11-20T12:00:00Z","te`)
	if err := half.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	addMessages(t, f, "two")
	if diff := cmp.Diff([]string{"one", "two"}, readMessages(t, f)); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

func TestFile_AFolderOrLinkInItsPlaceIsRefused(t *testing.T) {
	f, path := historyIn(t)
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := f.Add(t.Context(), "one"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("Add = %v", err)
	}
	if _, err := f.Messages(t.Context()); err == nil {
		t.Error("Messages reads a folder")
	}
}

const otherProgramEnv = "NFA_TEST_HISTORY"

// TestFile_SeveralProgramsLoseNothing writes from many programs at the same time, also while the
// file is shortened. Only the oldest messages may be lost.
func TestFile_SeveralProgramsLoseNothing(t *testing.T) {
	const programs, each = 4, 25
	if path := os.Getenv(otherProgramEnv); path != "" {
		f := cli.NewHistory(path, fixedNoon)
		for i := range each {
			addMessages(t, f, fmt.Sprintf("%s %d", os.Getenv(otherProgramEnv+"_NAME"), i))
		}
		return
	}
	f, path := historyIn(t)
	// The file is almost full, so that one of the programs will shorten it.
	filler := strings.Repeat("y", 10_000)
	for range 104 {
		addMessages(t, f, filler)
	}
	var all sync.WaitGroup
	for p := range programs {
		all.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestFile_SeveralProgramsLoseNothing$")
			cmd.Env = append(os.Environ(), otherProgramEnv+"="+path, fmt.Sprintf("%s_NAME=p%d", otherProgramEnv, p))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("program %d: %v\n%s", p, err, out)
			}
		})
	}
	all.Wait()
	seen := map[string]bool{}
	for _, m := range readMessages(t, f) {
		seen[m] = true
	}
	for p := range programs {
		for i := range each {
			if name := fmt.Sprintf("p%d %d", p, i); !seen[name] {
				t.Errorf("%s is lost", name)
			}
		}
	}
}

// FuzzHistory checks that any file can be read and written to.
func FuzzHistory(f *testing.F) {
	f.Add([]byte(`{"text":"a"}` + "\n{"))
	f.Add([]byte("\x00\xff\n[]\n{\"text\":3}\n\"x\"\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		path := filepath.Join(t.TempDir(), "history")
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		file := cli.NewHistory(path, fixedNoon)
		before := len(readMessages(t, file))
		addMessages(t, file, "the last")
		after := readMessages(t, file)
		if len(after) != before+1 || after[before] != "the last" {
			t.Fatalf("%d messages became %q", before, after)
		}
	})
}

func BenchmarkHistory_Add(b *testing.B) {
	f := cli.NewHistory(filepath.Join(b.TempDir(), "history"), fixedNoon)
	for b.Loop() {
		if err := f.Add(b.Context(), "How has the S&P 500 done since 2008, and how bad did it get?"); err != nil {
			b.Fatal(err)
		}
	}
}
