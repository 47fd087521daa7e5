//go:build unix

package skill_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

// Opening a pipe would block forever.
func TestK4_PipeIsNotOpened(t *testing.T) {
	dir := skilltest.Files{"pipe/notes.txt": "x"}.Write(t)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe", skill.FileName), 0o644); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	if d := skilltest.WantOneSkipped(t, r); !errors.Is(d.Err, skill.ErrNotRegular) {
		t.Errorf("diagnostic = %+v, want a refusal", d)
	}
}
