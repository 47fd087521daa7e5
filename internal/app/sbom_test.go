package app_test

import (
	"encoding/json"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/app"
)

// buildModules is the output of go version -m for a program, in the format of Go 1.26.
const buildModules = "dist/nfa.exe: go1.26.8\n" +
	"\tpath\tgithub.com/nfa-cli/nfa/cmd/nfa\n" +
	"\tmod\tgithub.com/nfa-cli/nfa\tv0.1.0\t\n" +
	"\tdep\tgithub.com/PaesslerAG/gval\tv1.2.4\th1:rhX7MpjJlcxYwL2eTTYIOBUyEKZ+A96T9vQySWkVUiU=\n" +
	"\tdep\tgopkg.in/old\tv2.0.0+incompatible\n" +
	"\t=>\tgithub.com/new/old\tv2.1.0\th1:rhX7MpjJlcxYwL2eTTYIOBUyEKZ+A96T9vQySWkVUiU=\n" +
	"\tbuild\tGOOS=windows\n" +
	"\tbuild\tvcs.revision=0123456789abcdef\n" +
	"\tbuild\tvcs.time=2026-01-02T03:04:05Z\n"

func TestSBOM_ListsWhatTheLinkerWrote(t *testing.T) {
	info, err := app.ReadModules(strings.NewReader(buildModules))
	if err != nil {
		t.Fatal(err)
	}
	got, err := app.NewSBOM(info)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range append([]app.SBOMComponent{got.Metadata.Component}, got.Components...) {
		lines = append(lines, strings.Join([]string{c.Type, c.Name, c.Version, c.PURL}, " "))
	}
	want := []string{
		"application github.com/nfa-cli/nfa v0.1.0 pkg:golang/github.com/nfa-cli/nfa@v0.1.0",
		"library std go1.26.8 pkg:golang/std@1.26.8",
		"library github.com/PaesslerAG/gval v1.2.4 pkg:golang/github.com/PaesslerAG/gval@v1.2.4",
		"library github.com/new/old v2.1.0 pkg:golang/github.com/new/old@v2.1.0",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("the bill of a program (-want +got):\n%s", diff)
	}
	// The sum of gval's go.sum line in hexadecimal, by base64 -d | xxd -p.
	hash := []app.SBOMHash{{"SHA-256", "ae15fb3298c995cc58c0bd9e4d360838153210a67e03de93f6f4324969155225"}}
	if diff := cmp.Diff(hash, got.Components[1].Hashes); diff != "" {
		t.Errorf("the hash of gval (-want +got):\n%s", diff)
	}
	if got.Metadata.Timestamp != "2026-01-02T03:04:05Z" {
		t.Errorf("the bill is of %q, want the time of the commit", got.Metadata.Timestamp)
	}
}

func TestSBOM_AVersionThatIsNotKnownIsAbsent(t *testing.T) {
	bill, err := app.NewSBOM(&debug.BuildInfo{Main: debug.Module{Path: "example.org/a", Version: "(devel)"}})
	if got := bill.Metadata.Component; err != nil || got.Version != "" || got.PURL != "pkg:golang/example.org/a" || got.Hashes != nil {
		t.Errorf("the program of a (devel) module = %+v, %v, want no version and no hash", got, err)
	}
}

// FuzzReadModules checks that no input makes ReadModules panic, and that accepted input gives a
// valid document.
func FuzzReadModules(f *testing.F) {
	f.Add(buildModules)
	f.Add("")
	f.Add("a: go1.26\n\tdep\tx\tv1\t\n\t=>\n")
	f.Add("a: \n\t=>\tx\tv1\th1:\n")
	f.Add(": devel\n\tmod\t\t\t\n\tbuild\t=\n")
	f.Fuzz(func(t *testing.T, text string) {
		info, err := app.ReadModules(strings.NewReader(text))
		if err != nil {
			return
		}
		bill, err := app.NewSBOM(info)
		if err != nil {
			return
		}
		if _, err := json.Marshal(bill); err != nil {
			t.Errorf("the bill of %q has no JSON: %v", text, err)
		}
	})
}
