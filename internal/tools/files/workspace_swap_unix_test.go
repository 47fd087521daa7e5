//go:build unix

package files_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/files"
)

func TestRead_PipesAndSocketsAreNotWaitedFor(t *testing.T) {
	dir, home := newFolders(t, nil)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Skipf("no sockets here: %v", err)
	}
	defer func() { _ = l.Close() }()
	for _, name := range []string{"pipe", "s"} {
		if _, err := openWorkspace(dir, home).Read(name, 0, 0); !errors.Is(err, files.ErrNotFile) {
			t.Errorf("Read(%s) = %v, want ErrNotFile", name, err)
		}
	}
	if _, err := openWorkspace("/", home).Read("proc/1/environ", 0, 0); !errors.Is(err, files.ErrNotFile) {
		t.Errorf("Read of a program's environment = %v, want ErrNotFile", err)
	}
}

// Another process keeps swapping a file for a link. Only permitted data is read, or nothing.
func TestRead_ASwappedLinkGainsNothing(t *testing.T) {
	dir, home := newFolders(t, map[string]string{"work/f.md": "open", "work/.k": "canary"})
	w := openWorkspace(dir, home)
	inDir := func(name string) string { return filepath.Join(dir, name) }
	makeLink(t, ".k", inDir(".link"))
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			// A rename swaps the file in one step. The links are hard, so that they can be created again.
			_, _ = os.Link(inDir("f.md"), inDir(".a")), os.Rename(inDir(".a"), inDir("door"))
			_, _ = os.Link(inDir(".link"), inDir(".b")), os.Rename(inDir(".b"), inDir("door"))
		}
	})
	defer wg.Wait()
	defer close(stop)
	read := 0
	for range 4_000 {
		got, err := w.Read("door", 0, 0)
		if err == nil && got.Text != "open" {
			t.Fatalf("Read = %q while links were swapped", got.Text)
		}
		if err == nil {
			read++
		}
	}
	if read == 0 {
		t.Error("the file was never read: the swapping hid it all the time")
	}
}
