package python_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/python"
)

const sandboxBuild = "not really WebAssembly, but bytes all the same"

func sha256Of(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// newServedStore returns a store whose file is served by handler.
func newServedStore(t *testing.T, handler http.HandlerFunc) *python.SandboxStore {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return python.NewSandboxStore(filepath.Join(t.TempDir(), "python"), python.SandboxDistribution{URL: server.URL, SHA256: sha256Of(sandboxBuild)})
}

func serveBuild(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", strconv.Itoa(len(sandboxBuild)))
	_, _ = w.Write([]byte(sandboxBuild))
}

// remainingFiles lists the files next to the lock.
func remainingFiles(t *testing.T, s *python.SandboxStore) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(s.Path()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.Name() != "install.lock" {
			names = append(names, e.Name())
		}
	}
	return names
}

func TestInstall_FetchesChecksAndKeepsItToTheUser(t *testing.T) {
	s := newServedStore(t, serveBuild)
	if err := s.Check(); !errors.Is(err, python.ErrSandboxNotInstalled) {
		t.Fatalf("Check of an empty store = %v, want ErrNotInstalled", err)
	}
	var last [2]int64
	if err := s.Install(t.Context(), func(done, total int64) { last = [2]int64{done, total} }); err != nil {
		t.Fatal(err)
	}
	if want := [2]int64{int64(len(sandboxBuild)), int64(len(sandboxBuild))}; last != want {
		t.Errorf("progress ended at %v, want %v", last, want)
	}
	if err := s.Check(); err != nil {
		t.Errorf("Check = %v, want nil", err)
	}
	info, err := os.Stat(s.Path())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("file mode %v, %v, want 0600", info.Mode(), err)
	}
	if diff := cmp.Diff([]string{filepath.Base(s.Path())}, remainingFiles(t, s)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
}

func TestInstall_WhatGoesWrongLeavesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		serve http.HandlerFunc
		want  string
	}{
		"another file": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("evil")) }, "checksum mismatch"},
		"truncated": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(sandboxBuild))
		}, "unexpected EOF"},
		"truncated without a length": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(sandboxBuild[:10]))
		}, "checksum mismatch"},
		"server dies": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(sandboxBuild)))
			_, _ = w.Write([]byte(sandboxBuild[:10]))
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, "EOF"},
		"not found":     {http.NotFound, "status 404"},
		"announced big": {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "1000000000") }, "more than 128 MB"},
		"sent elsewhere in the clear": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://example.com/python.wasm", http.StatusFound)
		}, "use https, or http on this machine"},
		"sent round": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) }, "redirects"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServedStore(t, c.serve)
			if err := s.Install(t.Context(), nil); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Install = %v, want %q", err, c.want)
			}
			if left := remainingFiles(t, s); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			if err := s.Check(); !errors.Is(err, python.ErrSandboxNotInstalled) {
				t.Errorf("Check = %v, want ErrNotInstalled", err)
			}
		})
	}
}

func TestInstall_AServerThatFallsSilentIsLeft(t *testing.T) {
	gone := make(chan struct{})
	s := newServedStore(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(sandboxBuild)))
		_, _ = w.Write([]byte(sandboxBuild[:10]))
		_ = http.NewResponseController(w).Flush()
		<-gone
	})
	defer close(gone)
	s.SetStallTimeout(100 * time.Millisecond)
	if err := s.Install(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "nothing received for 100ms") {
		t.Errorf("Install = %v, want that nothing was received", err)
	}
}

func TestInstall_CancellationEndsTheDownload(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newServedStore(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(sandboxBuild[:10]))
		_ = http.NewResponseController(w).Flush()
		cancel()
		<-r.Context().Done()
	})
	if err := s.Install(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Install = %v, want context.Canceled", err)
	}
	if left := remainingFiles(t, s); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestInstall_ManyAtOnceFetchOnce(t *testing.T) {
	var fetched atomic.Int32
	first := newServedStore(t, func(w http.ResponseWriter, r *http.Request) {
		fetched.Add(1)
		serveBuild(w, r)
	})
	url := first.URL()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			// Each has a store of its own, as in separate processes.
			s := python.NewSandboxStore(filepath.Dir(first.Path()), python.SandboxDistribution{URL: url, SHA256: sha256Of(sandboxBuild)})
			if err := s.Install(t.Context(), nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := fetched.Load(); n != 1 {
		t.Errorf("fetched %d times, want once", n)
	}
}

func TestInstall_ReplacesWhatWasDamagedAndSweepsUp(t *testing.T) {
	s := newServedStore(t, serveBuild)
	if err := s.Install(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	partial := filepath.Join(filepath.Dir(s.Path()), ".python-123.partial")
	for _, name := range []string{s.Path(), partial} {
		if err := os.WriteFile(name, []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Check(); !errors.Is(err, python.ErrSandboxDamaged) {
		t.Errorf("Check = %v, want ErrDamaged", err)
	}
	if err := s.Install(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Errorf("Check after Install = %v", err)
	}
	if _, err := os.Stat(partial); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what a killed installation left is still there: %v", err)
	}
}

func TestInstall_AddressesAndHashesThatCannotBeTrusted(t *testing.T) {
	for name, d := range map[string]python.SandboxDistribution{
		"in the clear":   {URL: "http://example.com/python.wasm", SHA256: sha256Of(sandboxBuild)},
		"a file":         {URL: "file:///etc/passwd", SHA256: sha256Of(sandboxBuild)},
		"looks local":    {URL: "http://127.0.0.1.example.com/x", SHA256: sha256Of(sandboxBuild)},
		"no address":     {SHA256: sha256Of(sandboxBuild)},
		"no hash":        {URL: "https://example.com/python.wasm"},
		"hash too short": {URL: "https://example.com/python.wasm", SHA256: "abc"},
	} {
		t.Run(name, func(t *testing.T) {
			s := python.NewSandboxStore(t.TempDir(), d)
			if err := s.Install(t.Context(), nil); err == nil {
				t.Error("Install = nil, want an error before anything is fetched")
			}
			if err := s.Check(); !errors.Is(err, python.ErrSandboxNotInstalled) {
				t.Errorf("Check = %v, want ErrNotInstalled", err)
			}
		})
	}
}
