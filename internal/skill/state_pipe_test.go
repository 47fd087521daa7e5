//go:build unix

package skill_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/nfa-cli/nfa/internal/skill"
)

func TestOpen_APipeInThePlaceOfTheFileIsSaidAndNotWaitedFor(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "skills.json")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	s, err := skill.OpenState(t.Context(), home)
	if err == nil || s.Disabled("a") {
		t.Errorf("Open over a pipe = %v, want an error and nothing disabled", err)
	}
}
