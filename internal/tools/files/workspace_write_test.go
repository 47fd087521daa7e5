package files_test

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

	"github.com/nfa-cli/nfa/internal/tools/files"
)

// remainingFiles returns the names in a folder, including hidden ones.
func remainingFiles(t testing.TB, dir string) string {
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

func readContent(t testing.TB, path string) string {
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
	dir, home := newFolders(t, nil)
	to, err := writeOne(openWorkspace(dir, home), "r.md", []byte("report"), false)
	if err != nil || to.Exists || to.Path != "r.md" || readContent(t, to.Abs) != "report" {
		t.Fatalf("Write = %+v, %v", to, err)
	}
	wantMode(t, to.Abs, 0o644)
	if got := remainingFiles(t, dir); got != "r.md" {
		t.Errorf("left behind: %s", got)
	}
}

func TestWrite_ReportsOfTheHomeAreForTheirOwnerAlone(t *testing.T) {
	dir, home := newFolders(t, nil)
	if err := os.RemoveAll(home); err != nil {
		t.Fatal(err)
	}
	w := openWorkspace(dir, home)
	if to, err := w.Target("nfa:reports/r.md"); err != nil || to.Exists {
		t.Fatalf("Target = %+v, %v", to, err)
	}
	if _, err := os.Stat(home); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("asking made the home: %v", err)
	}
	to, err := writeOne(w, "nfa:reports/r.md", []byte("report"), false)
	if err != nil || to.Path != "nfa:reports/r.md" {
		t.Fatalf("Write = %+v, %v", to, err)
	}
	wantMode(t, to.Abs, 0o600)
	wantMode(t, filepath.Dir(to.Abs), 0o700)
}

func TestWrite_WhatIsThereStaysUnlessReplaced(t *testing.T) {
	dir, home := newFolders(t, map[string]string{"work/r.md": "old"})
	path := filepath.Join(dir, "r.md")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	w := openWorkspace(dir, home)
	if _, err := writeOne(w, "r.md", []byte("new"), false); !errors.Is(err, fs.ErrExist) || readContent(t, path) != "old" {
		t.Errorf("Write over a file = %v and %q, want fs.ErrExist and the old one", err, readContent(t, path))
	}
	if to, err := w.Target("r.md"); err != nil || !to.Exists || to.Size != 3 {
		t.Errorf("Target = %+v, %v", to, err)
	}
	to, err := writeOne(w, "r.md", []byte("new"), true)
	if err != nil || !to.Exists || readContent(t, path) != "new" {
		t.Errorf("Write replacing = %+v, %v and %q", to, err, readContent(t, path))
	}
	wantMode(t, path, 0o640)
}

func TestWrite_NothingIsWrittenElsewhere(t *testing.T) {
	dir, home := newFolders(t, map[string]string{"work/sub/x": "", "home/skills/mine/SKILL.md": "x", "home/reports/r.md": "x"})
	makeLink(t, filepath.Dir(dir), filepath.Join(dir, "up"))
	makeLink(t, filepath.Join(filepath.Dir(dir), "target.md"), filepath.Join(dir, "link.md"))
	for path, want := range map[string]error{
		"../r.md": files.ErrOutsideWorkspace, "/r.md": files.ErrOutsideWorkspace, ".r.md": files.ErrHiddenFile, ".git/r.md": files.ErrHiddenFile,
		"secrets.md": files.ErrSecretFile, "up/r.md": files.ErrSymlink, "link.md": files.ErrSymlink, "sub": files.ErrNotFile,
		"gone/r.md": fs.ErrNotExist, "r\u202egnp.md": files.ErrInvisible, "SKILL.md": files.ErrReadOnly, "sub/skill.MD": files.ErrReadOnly,
		"nfa:skills/mine/notes.md": files.ErrReadOnly, "nfa:r.md": files.ErrReadOnly, "nfa:reports": files.ErrReadOnly,
		"nfa:config.yaml": files.ErrReadOnly, filepath.Join(home, "r.md"): files.ErrReadOnly, "": files.ErrNotFile,
	} {
		for _, replace := range []bool{false, true} {
			if to, err := writeOne(openWorkspace(dir, home), path, []byte("x"), replace); !errors.Is(err, want) {
				t.Errorf("Write(%q, replace %v) = %+v, %v; want %v", path, replace, to, err, want)
			}
		}
		if _, err := openWorkspace(dir, home).Target(path); !errors.Is(err, want) {
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
			dir, home := newFolders(t, files)
			w := openWorkspace(dir, home)
			w.SetWriteContent(func(f *os.File, data []byte) error {
				if _, err := f.Write(data[:len(data)/2]); err != nil {
					return err
				}
				return &fs.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
			})
			_, err := writeOne(w, "r.md", []byte("a long report"), true)
			if !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), dir) {
				t.Errorf("Write = %v, want the full disk, without the folder's name", err)
			}
			if before == "" && remainingFiles(t, dir) != "" || before != "" && (remainingFiles(t, dir) != "r.md" || readContent(t, filepath.Join(dir, "r.md")) != before) {
				t.Errorf("left behind: %s", remainingFiles(t, dir))
			}
		})
	}
}

func TestWrite_OfManyAtOnceOneMakesTheFile(t *testing.T) {
	dir, home := newFolders(t, nil)
	w := openWorkspace(dir, home)
	var made atomic.Int32
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			_, err := writeOne(w, "r.md", fmt.Appendf(nil, "report of %d", i), false)
			switch {
			case err == nil:
				made.Add(1)
			case !errors.Is(err, fs.ErrExist):
				t.Errorf("Write = %v, want fs.ErrExist", err)
			}
		})
	}
	wg.Wait()
	if got := readContent(t, filepath.Join(dir, "r.md")); made.Load() != 1 || !strings.HasPrefix(got, "report of ") || remainingFiles(t, dir) != "r.md" {
		t.Errorf("%d wrote, the file is %q beside %s; want one whole", made.Load(), got, remainingFiles(t, dir))
	}
}

// writeOne writes one file.
func writeOne(w *files.Workspace, path string, data []byte, replace bool) (files.WriteTarget, error) {
	to, err := w.WriteAll([]files.OutputFile{{Path: path, Data: data}}, replace)
	return to[0], err
}
