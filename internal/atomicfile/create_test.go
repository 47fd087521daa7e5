package atomicfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/nfa-cli/nfa/internal/atomicfile"
)

func TestCreate_ReplacesAFileOnlyOnRequest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	if err := atomicfile.Create(path, []byte("one"), 0o600, false); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Create(path, []byte("two"), 0o600, false); !errors.Is(err, atomicfile.ErrExists) || err.Error() != path+" already exists" {
		t.Errorf("a second time: %v, want that it is there", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "one" {
		t.Errorf("the file holds %q, want what was there", text)
	}
	if err := atomicfile.Create(path, []byte("two"), 0o600, true); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "two" {
		t.Errorf("the file holds %q, want what was put in its place", text)
	}
}
