//go:build unix

package atomicfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/nfa-cli/nfa/internal/atomicfile"
)

func TestRead_DoesNotWaitForAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	if _, _, err := atomicfile.Read(path, 10); !errors.Is(err, atomicfile.ErrNotRegular) {
		t.Errorf("Read of a pipe = %v, want ErrNotRegular", err)
	}
}

// TestRead_IsOfWhatItOpened keeps swapping a file and a folder at the path, so that Read must check again
// what it opened.
func TestRead_IsOfWhatItOpened(t *testing.T) {
	dir := t.TempDir()
	path, file, folder := filepath.Join(dir, "link"), filepath.Join(dir, "file"), filepath.Join(dir, "folder")
	if err := errors.Join(os.WriteFile(file, []byte("text"), 0o600), os.Mkdir(folder, 0o700), os.Symlink(file, path)); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			next := filepath.Join(dir, "next")
			if err := errors.Join(os.Symlink([]string{folder, file}[i%2], next), os.Rename(next, path)); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 5000 {
		text, perm, err := atomicfile.Read(path, 10)
		if whole := err == nil && string(text) == "text" && perm == 0o600; !whole && !errors.Is(err, atomicfile.ErrNotRegular) {
			t.Errorf("Read = %q, %o, %v; want the file or ErrNotRegular", text, perm, err)
			break
		}
	}
	close(done)
	swapping.Wait()
}
