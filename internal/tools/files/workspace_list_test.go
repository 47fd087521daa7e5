package files_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/files"
)

func listedPaths(l files.FolderListing) string {
	var out []string
	for _, e := range l.Entries {
		path := e.Path
		if e.Kind == files.KindFolder {
			path += "/"
		}
		out = append(out, path)
	}
	return strings.Join(out, " ")
}

func TestList_NamesWhatMayBeReadAndCountsTheRest(t *testing.T) {
	dir, home := newFolders(t, sampleFiles)
	makeLink(t, "a.md", filepath.Join(dir, "link.md"))
	for _, c := range []struct {
		path, pattern, want string
		withheld            int
	}{
		{"", "", "a.md sub/", 6}, // .env .ssh id_rsa server.pem Secrets.yaml link.md
		{"sub", "", "sub/b.csv", 1}, {".", "*.csv", "sub/b.csv", 7}, {"", "**/*.csv", "sub/b.csv", 7}, {"", "*.md", "a.md", 7},
		{"", "?.md", "a.md", 7}, {"", "*.pdf", "", 7},
		{"nfa:", "", "nfa:reports/ nfa:skills/", 4}, // config.yaml nfa.db nfa.log skills.json
		{"nfa:reports", "", "nfa:reports/r.md", 0}, {home, "*.md", "nfa:reports/r.md nfa:skills/mine/SKILL.md", 4},
	} {
		got, err := openWorkspace(dir, home).List(t.Context(), c.path, c.pattern)
		if err != nil || listedPaths(got) != c.want || got.Withheld != c.withheld || got.Partial {
			t.Errorf("List(%q, %q) = %s, %d withheld, %v; want %s and %d", c.path, c.pattern, listedPaths(got), got.Withheld, err, c.want, c.withheld)
		}
	}
}

func TestList_RefusesWhatIsNoFolderOfItsOwn(t *testing.T) {
	dir, home := newFolders(t, sampleFiles)
	makeLink(t, "..", filepath.Join(dir, "up"))
	for path, want := range map[string]error{
		"..": files.ErrOutsideWorkspace, "/": files.ErrOutsideWorkspace, ".ssh": files.ErrHiddenFile, "up": files.ErrSymlink,
		"a.md": files.ErrNotFolder, "nfa:sessions": files.ErrOutsideWorkspace,
	} {
		if got, err := openWorkspace(dir, home).List(t.Context(), path, ""); !errors.Is(err, want) {
			t.Errorf("List(%q) = %s, %v; want %v", path, listedPaths(got), err, want)
		}
	}
	if _, err := openWorkspace(dir, home).List(t.Context(), "", "[a"); !errors.Is(err, files.ErrBadPattern) {
		t.Errorf("a broken pattern = %v, want ErrPattern", err)
	}
}

func TestList_IsBoundedAndSaysSo(t *testing.T) {
	dir, home := newFolders(t, nil)
	for i := range 250 {
		putFile(t, filepath.Join(dir, fmt.Sprintf("f%03d.md", i)), "")
	}
	got, err := openWorkspace(dir, home).List(t.Context(), "", "")
	if err != nil || len(got.Entries) != 200 || !got.Partial || got.Entries[0].Path != "f000.md" {
		t.Errorf("%d entries, partial %v, %v; want the first 200 and that there are more", len(got.Entries), got.Partial, err)
	}
	deep := dir
	for range 20 {
		deep = filepath.Join(deep, "d")
	}
	putFile(t, filepath.Join(deep, "bottom.txt"), "")
	if got, err := openWorkspace(dir, home).List(t.Context(), "", "*.txt"); err != nil || len(got.Entries) != 0 || !got.Partial {
		t.Errorf("too deep = %s, partial %v, %v", listedPaths(got), got.Partial, err)
	}
}

func TestList_EndsWithItsContext(t *testing.T) {
	dir, home := newFolders(t, sampleFiles)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openWorkspace(dir, home).List(ctx, "", "*"); !errors.Is(err, context.Canceled) {
		t.Errorf("List = %v, want context.Canceled", err)
	}
	if _, err := openWorkspace(dir, home).Usage(ctx, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("Usage = %v, want context.Canceled", err)
	}
}

func TestUsage_SumsUpByEntryTheLargestFirst(t *testing.T) {
	dir, home := newFolders(t, map[string]string{
		"home/nfa.db": strings.Repeat("x", 300), "home/skills/a/SKILL.md": strings.Repeat("x", 50), "home/skills/b/deep/x": strings.Repeat("x", 70),
		"home/.lock": "12345", "home/.cache/y": "67", "work/big.md": strings.Repeat("x", 1000),
	})
	makeLink(t, filepath.Join(dir, "big.md"), filepath.Join(home, "link"))
	got, err := openWorkspace(dir, home).Usage(t.Context(), "")
	if err != nil || got.Path != "nfa:" || got.Bytes != 427 || got.Files != 5 || got.Partial {
		t.Fatalf("Usage = %+v, %v; want 427 bytes in 5 files", got, err)
	}
	var parts []string
	for _, p := range got.Parts {
		parts = append(parts, fmt.Sprintf("%s %d/%d %v", p.Name, p.Bytes, p.Files, p.Kind == files.KindFolder))
	}
	if want := "nfa.db 300/1 false, skills 120/2 true, (hidden) 7/2 false, link 0/0 false"; strings.Join(parts, ", ") != want {
		t.Errorf("parts = %s, want %s", strings.Join(parts, ", "), want)
	}
	if got.Disk.Total == 0 || got.Disk.Free > got.Disk.Total {
		t.Errorf("the disk has %+v", got.Disk)
	}
	work, err := openWorkspace(dir, home).Usage(t.Context(), ".")
	if err != nil || work.Bytes != 1000 || work.Path != "." {
		t.Errorf("the working directory = %+v, %v", work, err)
	}
}

func TestUsage_OfAHomeThatIsNotThereAndOfWhatIsOutside(t *testing.T) {
	dir, home := newFolders(t, sampleFiles)
	got, err := openWorkspace(dir, filepath.Join(home, "not", "yet")).Usage(t.Context(), "")
	if err != nil || got.Bytes != 0 || got.Disk.Total == 0 {
		t.Errorf("a home to come = %+v, %v; want nothing in it and its disk", got, err)
	}
	for path, want := range map[string]error{"..": files.ErrOutsideWorkspace, ".ssh": files.ErrHiddenFile, "gone": os.ErrNotExist, "a.md": files.ErrNotFolder} {
		if _, err := openWorkspace(dir, home).Usage(t.Context(), path); !errors.Is(err, want) {
			t.Errorf("Usage(%q) = %v, want %v", path, err, want)
		}
	}
}
