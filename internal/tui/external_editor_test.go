package tui_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tui"
)

func createDraftFile(t *testing.T, text string) tui.DraftFile {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	s, err := tui.CreateDraftFile(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func checkRemoved(t *testing.T, s tui.DraftFile) {
	t.Helper()
	if _, err := os.Stat(filepath.Dir(s.Path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestFile_TheEditedTextReplacesTheDraft(t *testing.T) {
	s := createDraftFile(t, "a draft")
	if text, err := os.ReadFile(s.Path); err != nil || string(text) != "a draft\n" {
		t.Fatalf("the editor reads %q, %v", text, err)
	}
	if err := os.WriteFile(s.Path, []byte("a draft\nof two lines\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := s.ReadBack(nil); got != (tui.EditResult{Text: "a draft\nof two lines", Changed: true}) {
		t.Errorf("Finish = %+v", got)
	}
	checkRemoved(t, s)
}

func TestFile_AnUnchangedFileChangesNothing(t *testing.T) {
	s := createDraftFile(t, "a draft")
	if got := s.ReadBack(nil); got != (tui.EditResult{}) {
		t.Errorf("Finish = %+v", got)
	}
	checkRemoved(t, s)
}

func TestFile_AnUnusableFileIsKeptAndItsPathReported(t *testing.T) {
	for name, row := range map[string]struct {
		left  func(path string) error
		ended error
		want  string
	}{
		"the editor failed": {func(path string) error { return os.WriteFile(path, []byte("half"), 0o600) }, errors.New("exit status 1"), "exit status 1"},
		"too long":          {func(path string) error { return os.WriteFile(path, make([]byte, 1<<20+1), 0o600) }, nil, "larger than 1024 KiB"},
		"no ordinary file":  {func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) }, nil, "not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			s := createDraftFile(t, "a draft")
			if err := row.left(s.Path); err != nil {
				t.Fatal(err)
			}
			got := s.ReadBack(row.ended)
			if got.Changed || got.Err == nil || !strings.Contains(got.Err.Error(), row.want) || !strings.HasSuffix(got.Err.Error(), s.Path) {
				t.Errorf("Finish = %+v, want %q and the path", got, row.want)
			}
			if _, err := os.Lstat(s.Path); err != nil {
				t.Errorf("what was left is not kept: %v", err)
			}
		})
	}
}

func TestFile_ADeletedFileDoesNotChangeTheDraft(t *testing.T) {
	s := createDraftFile(t, "a draft")
	if err := os.Remove(s.Path); err != nil {
		t.Fatal(err)
	}
	got := s.ReadBack(nil)
	if got.Changed || got.Err == nil || !strings.Contains(got.Err.Error(), "file was deleted") {
		t.Errorf("Finish = %+v", got)
	}
	checkRemoved(t, s)
}
