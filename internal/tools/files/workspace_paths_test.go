package files_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tools/files"
)

func TestPaths_NamesWhatCanBeReadTheNearestFirst(t *testing.T) {
	dir, home := newFolders(t, sampleFiles)
	putFile(t, filepath.Join(dir, "sub", "deep", "c d.md"), "x")
	putFile(t, filepath.Join(dir, "z.csv"), "x")
	for _, folder := range []string{"node_modules", ".git", "sub/__pycache__"} {
		putFile(t, filepath.Join(dir, folder, "x.js"), "x")
	}
	makeLink(t, home, filepath.Join(dir, "linked"))
	want := []string{"a.md", "z.csv", "sub/b.csv", "sub/deep/c d.md"}
	got := openWorkspace(dir, home).Paths(t.Context())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Paths (-want +got):\n%s", diff)
	}
	for _, path := range got {
		if _, err := openWorkspace(dir, home).Read(path, 0, 0); err != nil {
			t.Errorf("Read(%q) = %v, which Paths lists", path, err)
		}
	}
}

func TestPaths_OfAHomeInTheFolderAreTheOpenOnes(t *testing.T) {
	dir, home := newFolders(t, sampleFiles)
	base := filepath.Dir(dir)
	got := openWorkspace(base, home).Paths(t.Context())
	for _, path := range got {
		if strings.Contains(path, "config") || strings.Contains(path, "nfa.db") {
			t.Errorf("Paths lists %s", path)
		}
	}
	if !slices.Contains(got, "nfa:reports/r.md") {
		t.Errorf("Paths = %v, want nfa:reports/r.md among them", got)
	}
}

func TestPaths_IsBoundedAndEndsWithItsContext(t *testing.T) {
	files.LimitPaths(t, 50)
	dir, home := newFolders(t, nil)
	for i := range 3 {
		folder := filepath.Join(dir, fmt.Sprintf("d%d", i))
		putFile(t, filepath.Join(folder, "first"), "")
		for j := range 18 {
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprint(j)), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	putFile(t, filepath.Join(dir, "near.md"), "")
	got := openWorkspace(dir, home).Paths(t.Context())
	if len(got) > 50 || len(got) < 45 || got[0] != "near.md" {
		t.Errorf("%d paths, the first %v; want at most 50 and near.md first", len(got), got[:1])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := openWorkspace(dir, home).Paths(ctx); len(got) != 0 {
		t.Errorf("with an ended context there are %d paths", len(got))
	}
	if got := openWorkspace(filepath.Join(dir, "gone"), home).Paths(t.Context()); len(got) != 0 {
		t.Errorf("in a folder that is not there are %v", got)
	}
}
