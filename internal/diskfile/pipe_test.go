//go:build unix

package diskfile_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/nfa-cli/nfa/internal/diskfile"
)

func TestRead_DoesNotWaitForAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	if _, _, err := diskfile.Read(path, 10); !errors.Is(err, diskfile.ErrNotRegular) {
		t.Errorf("Read of a pipe = %v, want ErrNotRegular", err)
	}
}
