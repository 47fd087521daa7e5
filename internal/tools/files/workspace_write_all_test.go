package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/files"
)

func twoFiles(a, b string) []files.OutputFile {
	return []files.OutputFile{{Path: "r.md", Data: []byte(a)}, {Path: "r.json", Data: []byte(b), Private: true}}
}

func TestWriteTogether_MakesAllOfThem(t *testing.T) {
	dir, home := newFolders(t, map[string]string{"work/r.md": "old"})
	to, err := openWorkspace(dir, home).WriteAll(twoFiles("one", "two"), true)
	if err != nil || len(to) != 2 || !to[0].Exists || to[1].Exists || to[1].Path != "r.json" {
		t.Fatalf("WriteTogether = %+v, %v", to, err)
	}
	if readContent(t, to[0].Abs) != "one" || readContent(t, to[1].Abs) != "two" || remainingFiles(t, dir) != "r.json r.md" {
		t.Errorf("%q and %q in %s", readContent(t, to[0].Abs), readContent(t, to[1].Abs), remainingFiles(t, dir))
	}
	info, err := os.Stat(to[1].Abs)
	if err != nil || info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
		t.Errorf("the private one has mode %v, %v", info.Mode(), err)
	}
}

func TestWriteTogether_OneThatCannotBeMadeLeavesAllAsTheyWere(t *testing.T) {
	for name, files := range map[string][]files.OutputFile{
		"the second is there": {{Path: "new.md", Data: []byte("x")}, {Path: "r.json", Data: []byte("x")}},
		"the first is there":  {{Path: "r.json", Data: []byte("x")}, {Path: "new.md", Data: []byte("x")}},
		"the second outside":  {{Path: "new.md", Data: []byte("x")}, {Path: "../r.json", Data: []byte("x")}},
	} {
		dir, home := newFolders(t, map[string]string{"work/r.json": "old"})
		if to, err := openWorkspace(dir, home).WriteAll(files, false); err == nil {
			t.Errorf("%s: WriteTogether = %+v, want an error", name, to)
		}
		if remainingFiles(t, dir) != "r.json" || readContent(t, filepath.Join(dir, "r.json")) != "old" {
			t.Errorf("%s: left %s", name, remainingFiles(t, dir))
		}
	}
}

func TestWriteTogether_AFullDiskAtTheSecondLeavesAllAsTheyWere(t *testing.T) {
	dir, home := newFolders(t, map[string]string{"work/r.md": "old"})
	w := openWorkspace(dir, home)
	w.SetWriteContent(func(f *os.File, data []byte) error {
		if string(data) == "two" {
			return &fs.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
		}
		_, err := f.Write(data)
		return err
	})
	if _, err := w.WriteAll(twoFiles("one", "two"), true); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "r.json") {
		t.Errorf("WriteTogether = %v, want the full disk, and the file's name", err)
	}
	if remainingFiles(t, dir) != "r.md" || readContent(t, filepath.Join(dir, "r.md")) != "old" {
		t.Errorf("left %s with %q", remainingFiles(t, dir), readContent(t, filepath.Join(dir, "r.md")))
	}
}

// A folder takes the place of the first file, which gets its name last.
func TestWriteTogether_WhatTakesTheNameMeanwhileTakesAllBack(t *testing.T) {
	for name, before := range map[string]map[string]string{
		"the second is new":      nil,
		"the second is replaced": {"work/r.json": "old"},
	} {
		dir, home := newFolders(t, before)
		w := openWorkspace(dir, home)
		w.SetWriteContent(func(f *os.File, data []byte) error {
			_, err := f.Write(data)
			if string(data) == "two" {
				err = errors.Join(err, os.Mkdir(filepath.Join(dir, "r.md"), 0o700))
			}
			return err
		})
		if _, err := w.WriteAll(twoFiles("one", "two"), true); err == nil {
			t.Errorf("%s: a file was put in the place of a folder", name)
		}
		want := "r.md"
		if before != nil {
			want = "r.json r.md"
			if got := readContent(t, filepath.Join(dir, "r.json")); got != "old" {
				t.Errorf("%s: it holds %q, want what it held", name, got)
			}
		}
		if left := remainingFiles(t, dir); left != want {
			t.Errorf("%s: left %s, want %s", name, left, want)
		}
	}
}
