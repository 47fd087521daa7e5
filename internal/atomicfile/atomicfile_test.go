package atomicfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/atomicfile"
)

func TestRead_AWholeFileWithItsPermissions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	text, perm, err := atomicfile.Read(path, 4)
	if string(text) != "text" || err != nil || runtime.GOOS != "windows" && perm != 0o600 {
		t.Errorf("Read = %q, %o, %v; want all of it and 600", text, perm, err)
	}
}

func TestRead_WhatIsNoFileOfThatSizeIsRefused(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name, path string
		want       error
	}{
		{"nothing there", filepath.Join(dir, "none"), fs.ErrNotExist},
		{"a folder", dir, atomicfile.ErrNotRegular},
		{"a byte too many", large, atomicfile.ErrTooLarge},
	} {
		t.Run(row.name, func(t *testing.T) {
			if text, _, err := atomicfile.Read(row.path, 4); !errors.Is(err, row.want) || text != nil || !strings.Contains(err.Error(), row.path) {
				t.Errorf("Read = %q, %v; want %v of %s", text, err, row.want, row.path)
			}
		})
	}
}

func TestReplace_LeavesTheOldOrTheNewAndNothingBeside(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f.json")
	for _, text := range []string{"old", strings.Repeat("new", 1000), ""} {
		if err := atomicfile.Replace(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
		got, perm, err := atomicfile.Read(path, 1<<20)
		if string(got) != text || err != nil || runtime.GOOS != "windows" && perm != 0o640 {
			t.Errorf("after Replace: %d bytes, %o, %v; want %d and 640", len(got), perm, err, len(text))
		}
	}
	if err := atomicfile.Replace(filepath.Join(path, "below"), nil, 0o600); err == nil {
		t.Error("Replace below a file = nil")
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Replace(filepath.Join(dir, "folder"), []byte("x"), 0o600); err == nil {
		t.Error("Replace of a folder = nil")
	}
	wantNames(t, dir, "f.json", "folder")
}

func TestReplace_RemovesWhatItLeftLongAgoAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{
		".f-123.new": 2 * time.Hour, ".f-77.new": time.Minute, // may be being written
		".f-12a.new": 48 * time.Hour, ".f-.new": 48 * time.Hour, ".f-20240101": 48 * time.Hour, ".g-123.new": 48 * time.Hour,
	} {
		at := filepath.Join(dir, name)
		if err := os.WriteFile(at, []byte("a key"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(at, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := atomicfile.Replace(filepath.Join(dir, "f"), []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantNames(t, dir, ".f-.new", ".f-12a.new", ".f-20240101", ".f-77.new", ".g-123.new", "f")
}

func TestReplace_SetsThePermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps no such permissions")
	}
	path := filepath.Join(t.TempDir(), "f")
	for _, want := range []fs.FileMode{0o600, 0o644, 0o600, 0o400} {
		if err := atomicfile.Replace(path, nil, want); err != nil {
			t.Fatal(err)
		}
		if _, got, err := atomicfile.Read(path, 0); got != want || err != nil {
			t.Errorf("after Replace with %o the file has %o, %v", want, got, err)
		}
	}
}

func TestReplace_AtOnceOneOfThemStands(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if err := atomicfile.Replace(path, []byte(strings.Repeat(string(rune('a'+i)), 10_000)), 0o600); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	text, _, err := atomicfile.Read(path, 10_000)
	if err != nil || strings.Trim(string(text), string(text[:1])) != "" || len(text) != 10_000 {
		t.Errorf("%d bytes beginning %.5q, %v; want one text whole", len(text), text, err)
	}
	wantNames(t, dir, "f")
}

func wantNames(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if strings.Join(names, " ") != strings.Join(want, " ") {
		t.Errorf("the folder holds %q, want %q", names, want)
	}
}
