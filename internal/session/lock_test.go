package session_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nfa-cli/nfa/internal/session"
)

const lockID = "20261121-150405-abcdef"

// holderOf is the environment variable with the folder in which a re-executed test binary locks the
// session as a second process.
const holderOf = "NFA_SESSION_TEST_HOLDER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holderOf); dir != "" {
		_, err := session.NewLocks(dir).Acquire(context.Background(), lockID)
		fmt.Println(err)
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // until it is killed
		return
	}
	os.Exit(m.Run())
}

func acquire(t *testing.T, l session.Locks) (release func()) {
	t.Helper()
	release, err := l.Acquire(t.Context(), lockID)
	if err != nil {
		t.Fatalf("Acquire = %v", err)
	}
	return release
}

func wantLocked(t *testing.T, l session.Locks, want bool) {
	t.Helper()
	held, err := l.Locked(t.Context())
	if err != nil || held[lockID] != want {
		t.Errorf("Locked = %v, %v, want the session in it: %t", held, err, want)
	}
}

func TestLocks_OneHolderAtATime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache", "locks")
	locks := session.NewLocks(dir)
	wantLocked(t, locks, false)
	release := acquire(t, locks)
	wantLocked(t, session.NewLocks(dir), true)
	if _, err := session.NewLocks(dir).Acquire(t.Context(), lockID); !errors.Is(err, session.ErrLocked) {
		t.Errorf("Acquire of what is held = %v, want ErrLocked", err)
	}
	if other, err := locks.Acquire(t.Context(), "20261121-150405-zzzzzz"); err != nil {
		t.Errorf("Acquire of another session = %v", err)
	} else {
		other()
	}
	release()
	wantLocked(t, locks, false)
	acquire(t, locks)()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("%d files are left of the locks, %v", len(left), err)
	}
}

func TestLocks_EndWithTheProcessThatHeldThem(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holderOf+"="+dir)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if said, err := bufio.NewReader(out).ReadString('\n'); err != nil || said != "<nil>\n" {
		t.Fatalf("the other process says %q, %v", said, err)
	}
	locks := session.NewLocks(dir)
	if _, err := locks.Acquire(t.Context(), lockID); !errors.Is(err, session.ErrLocked) {
		t.Errorf("Acquire of what another process holds = %v, want ErrLocked", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	wantLocked(t, locks, false) // although its file still exists
	acquire(t, locks)()
}

func TestLocks_WhatIsNoIDNeverBecomesAPath(t *testing.T) {
	dir := t.TempDir()
	if _, err := session.NewLocks(filepath.Join(dir, "locks")).Acquire(t.Context(), "../victim"); err == nil {
		t.Error("Acquire(../victim) = nil, want an error")
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("it made %v", left)
	}
}

func TestLocks_AFolderThatCannotBeMadeIsAnErrorAndNotAHolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := session.NewLocks(filepath.Join(file, "locks")).Acquire(t.Context(), lockID); err == nil || errors.Is(err, session.ErrLocked) {
		t.Errorf("Acquire below a file = %v, want an error that is not ErrLocked", err)
	}
}

// The holder of a lock removes its file while others wait for it: none of them may end up with a lock on a
// removed file.
func TestLocks_NeverTwoHoldersWhileTheFileComesAndGoes(t *testing.T) {
	locks := session.NewLocks(t.TempDir())
	var holders, most, times atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 40 {
				release, err := locks.Acquire(t.Context(), lockID)
				if errors.Is(err, session.ErrLocked) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if n := holders.Add(1); n > most.Load() {
					most.Store(n)
				}
				times.Add(1)
				if _, err := locks.Locked(t.Context()); err != nil {
					t.Error(err)
				}
				holders.Add(-1)
				release()
			}
		})
	}
	wg.Wait()
	if most.Load() != 1 || times.Load() == 0 {
		t.Errorf("%d holders at once, %d times in all; want 1 at once", most.Load(), times.Load())
	}
}
