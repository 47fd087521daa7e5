package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// modules is the output of go version -m for a program, in the format of Go 1.26.
const modules = "dist/nfa.exe: go1.26.8\n" +
	"\tpath\tgithub.com/nfa-cli/nfa/cmd/nfa\n" +
	"\tmod\tgithub.com/nfa-cli/nfa\tv0.1.0\t\n" +
	"\tdep\tgithub.com/PaesslerAG/gval\tv1.2.4\th1:rhX7MpjJlcxYwL2eTTYIOBUyEKZ+A96T9vQySWkVUiU=\n" +
	"\tdep\tgopkg.in/old\tv2.0.0+incompatible\n" +
	"\t=>\tgithub.com/new/old\tv2.1.0\th1:rhX7MpjJlcxYwL2eTTYIOBUyEKZ+A96T9vQySWkVUiU=\n" +
	"\tbuild\tGOOS=windows\n" +
	"\tbuild\tvcs.revision=0123456789abcdef\n" +
	"\tbuild\tvcs.time=2026-01-02T03:04:05Z\n"

func TestSBOM_OfThisProgramAndOfAnother(t *testing.T) {
	for _, c := range []struct {
		name, in string
		args     []string
		code     int
	}{
		{"this one", "", []string{"version", "--sbom"}, exitOK},
		{"another", modules, []string{"version", "--sbom", "-"}, exitOK},
		{"nothing was piped in", "", []string{"version", "--sbom", "-"}, exitUsage},
		{"words", "hello\nworld\n", []string{"version", "--sbom", "-"}, exitUsage},
		{"a list that is none", "a: go1.26\n\tdep\tx\n", []string{"version", "--sbom", "-"}, exitUsage},
		{"a program without modules", "a: go1.26\n", []string{"version", "--sbom", "-"}, exitFailure},
		{"too long", "a: go1.26\n" + strings.Repeat("\tpath\tx\n", 1<<18), []string{"version", "--sbom", "-"}, exitFailure},
		{"a file", "", []string{"version", "--sbom", "nfa"}, exitUsage},
		{"both forms", "", []string{"version", "--sbom", "--json"}, exitOK},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errOut strings.Builder
			code := run(c.args, terminal{in: pipedIn(t, c.in), out: &out, err: &errOut, env: func(string) string { return "" }})
			if code != c.code {
				t.Fatalf("nfa %v = %d, want %d\n%s", c.args, code, c.code, errOut.String())
			}
			var got struct {
				Format     string            `json:"bomFormat"`
				Components []json.RawMessage `json:"components"`
			}
			if code != exitOK {
				return
			}
			if err := json.Unmarshal([]byte(out.String()), &got); err != nil || got.Format != "CycloneDX" || len(got.Components) < 2 {
				t.Errorf("nfa %v = %+v, %v, want a bill of CycloneDX with its components", c.args, got, err)
			}
		})
	}
}

// pipedIn returns an open file with a text, to be used as standard input.
func pipedIn(t *testing.T, text string) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in")
	write(t, path, []byte(text))
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
