package workspace_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/nfa-cli/nfa/internal/workspace"
)

// left are the names in a folder, hidden ones too.
func left(t testing.TB, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func content(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func wantMode(t testing.TB, path string, want fs.FileMode) {
	t.Helper()
	if runtime.GOOS == "windows" {
		return // has no such bits
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&^0o022 != want&^0o022 {
		t.Errorf("%s has mode %v, %v; want %o", path, info.Mode(), err, want)
	}
}

func TestWrite_ANewFileIsWhole(t *testing.T) {
	dir, home := folders(t, nil)
	to, err := opened(dir, home).Write("r.md", []byte("report"), false)
	if err != nil || to.Exists || to.Path != "r.md" || content(t, to.Abs) != "report" {
		t.Fatalf("Write = %+v, %v", to, err)
	}
	wantMode(t, to.Abs, 0o644)
	if got := left(t, dir); got != "r.md" {
		t.Errorf("left behind: %s", got)
	}
}

func TestWrite_ReportsOfTheHomeAreForTheirOwnerAlone(t *testing.T) {
	dir, home := folders(t, nil)
	if err := os.RemoveAll(home); err != nil {
		t.Fatal(err)
	}
	w := opened(dir, home)
	if to, err := w.Target("nfa:reports/r.md"); err != nil || to.Exists {
		t.Fatalf("Target = %+v, %v", to, err)
	}
	if _, err := os.Stat(home); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("asking made the home: %v", err)
	}
	to, err := w.Write("nfa:reports/r.md", []byte("report"), false)
	if err != nil || to.Path != "nfa:reports/r.md" {
		t.Fatalf("Write = %+v, %v", to, err)
	}
	wantMode(t, to.Abs, 0o600)
	wantMode(t, filepath.Dir(to.Abs), 0o700)
}

func TestWrite_WhatIsThereStaysUnlessReplaced(t *testing.T) {
	dir, home := folders(t, map[string]string{"work/r.md": "old"})
	path := filepath.Join(dir, "r.md")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	w := opened(dir, home)
	if _, err := w.Write("r.md", []byte("new"), false); !errors.Is(err, fs.ErrExist) || content(t, path) != "old" {
		t.Errorf("Write over a file = %v and %q, want fs.ErrExist and the old one", err, content(t, path))
	}
	if to, err := w.Target("r.md"); err != nil || !to.Exists || to.Size != 3 {
		t.Errorf("Target = %+v, %v", to, err)
	}
	to, err := w.Write("r.md", []byte("new"), true)
	if err != nil || !to.Exists || content(t, path) != "new" {
		t.Errorf("Write replacing = %+v, %v and %q", to, err, content(t, path))
	}
	wantMode(t, path, 0o640)
}

func TestWrite_NothingIsWrittenElsewhere(t *testing.T) {
	dir, home := folders(t, map[string]string{"work/sub/x": "", "home/skills/mine/SKILL.md": "x", "home/reports/r.md": "x"})
	link(t, filepath.Dir(dir), filepath.Join(dir, "up"))
	link(t, filepath.Join(filepath.Dir(dir), "target.md"), filepath.Join(dir, "link.md"))
	for path, want := range map[string]error{
		"../r.md": workspace.ErrOutside, "/r.md": workspace.ErrOutside, ".r.md": workspace.ErrHidden, ".git/r.md": workspace.ErrHidden,
		"secrets.md": workspace.ErrSecret, "up/r.md": workspace.ErrLink, "link.md": workspace.ErrLink, "sub": workspace.ErrNotFile,
		"gone/r.md": fs.ErrNotExist, "SKILL.md": workspace.ErrReadOnly, "sub/skill.MD": workspace.ErrReadOnly,
		"nfa:skills/mine/notes.md": workspace.ErrReadOnly, "nfa:r.md": workspace.ErrReadOnly, "nfa:reports": workspace.ErrReadOnly,
		"nfa:config.yaml": workspace.ErrReadOnly, filepath.Join(home, "r.md"): workspace.ErrReadOnly, "": workspace.ErrNotFile,
	} {
		for _, replace := range []bool{false, true} {
			if to, err := opened(dir, home).Write(path, []byte("x"), replace); !errors.Is(err, want) {
				t.Errorf("Write(%q, replace %v) = %+v, %v; want %v", path, replace, to, err, want)
			}
		}
		if _, err := opened(dir, home).Target(path); !errors.Is(err, want) {
			t.Errorf("Target(%q) = %v, want %v as from Write", path, err, want)
		}
	}
	if _, err := os.Lstat(filepath.Join(filepath.Dir(dir), "target.md")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a link was written through")
	}
}

func TestWrite_AFullDiskLeavesNoHalfFile(t *testing.T) {
	for name, before := range map[string]string{"a new file": "", "one that is replaced": "old"} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			if before != "" {
				files["work/r.md"] = before
			}
			dir, home := folders(t, files)
			w := opened(dir, home)
			w.FailWriting(func(f *os.File, data []byte) error {
				if _, err := f.Write(data[:len(data)/2]); err != nil {
					return err
				}
				return &fs.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
			})
			_, err := w.Write("r.md", []byte("a long report"), true)
			if !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), dir) {
				t.Errorf("Write = %v, want the full disk, without the folder's name", err)
			}
			if before == "" && left(t, dir) != "" || before != "" && (left(t, dir) != "r.md" || content(t, filepath.Join(dir, "r.md")) != before) {
				t.Errorf("left behind: %s", left(t, dir))
			}
		})
	}
}

func TestWrite_OfManyAtOnceOneMakesTheFile(t *testing.T) {
	dir, home := folders(t, nil)
	w := opened(dir, home)
	var made atomic.Int32
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			_, err := w.Write("r.md", fmt.Appendf(nil, "report of %d", i), false)
			switch {
			case err == nil:
				made.Add(1)
			case !errors.Is(err, fs.ErrExist):
				t.Errorf("Write = %v, want fs.ErrExist", err)
			}
		})
	}
	wg.Wait()
	if got := content(t, filepath.Join(dir, "r.md")); made.Load() != 1 || !strings.HasPrefix(got, "report of ") || left(t, dir) != "r.md" {
		t.Errorf("%d wrote, the file is %q beside %s; want one whole", made.Load(), got, left(t, dir))
	}
}
