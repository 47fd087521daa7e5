package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCompile_LinksAPackageOnce(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "internal", "small"), 0o700); err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(root, "internal", "small", "small_test.go")
	for name, text := range map[string]string{filepath.Join(root, "go.mod"): "module small\n", source: "package small\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := bench{root: root, work: t.TempDir(), compiled: map[string]string{}}
	first, err := b.compile(t.Context(), "small")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(first); err != nil {
		t.Error(err)
	}
	if err := os.Remove(source); err != nil { // nothing is left to link
		t.Fatal(err)
	}
	if again, err := b.compile(t.Context(), "small"); again != first || err != nil {
		t.Errorf("compile again = %q, %v, want %q", again, err, first)
	}
	if binary, err := b.compile(t.Context(), "another"); err == nil {
		t.Errorf("compile of a package that is not there = %q, want an error", binary)
	}
}

func TestStarts_AreNoneWithoutPseudoTerminals(t *testing.T) {
	b := bench{root: t.TempDir(), work: t.TempDir(), terminals: filepath.Join(t.TempDir(), "ptmx")}
	if got, err := b.starts(t.Context(), "nfa"); got != nil || err != nil {
		t.Errorf("starts = %v, %v, want none", got, err)
	}
}
