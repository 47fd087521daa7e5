package sqlite_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/alert/alerttest"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// childEnv is the environment variable with the file that a re-executed test binary works on as a second
// process.
const childEnv = "NFA_SQLITE_TEST_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		os.Exit(child(path))
	}
	if path := os.Getenv(portfolioChildEnv); path != "" {
		os.Exit(portfolioChild(path))
	}
	flag.Parse()
	if err := checkSchemas(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// child appends to a session until it is killed, and prints each number once it is saved.
func child(path string) int {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	store := db.Sessions()
	id := session.NewID(time.Now())
	if err := store.Create(ctx, session.Session{ID: id}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(id)
	for n := 0; ; n++ {
		e := session.Entry{Kind: session.KindUser, At: time.Now(), Message: llm.Message{Content: strconv.Itoa(n)}}
		if err := store.Append(ctx, id, e); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(n)
	}
}

func open(t testing.TB, path string) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{Notice: func(s string) { t.Errorf("unexpected notice: %s", s) }})
	if err != nil {
		t.Fatalf("Open(%s) = %v", path, err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestSessions_HoldTheContract(t *testing.T) {
	sessiontest.Run(t, func(t *testing.T) session.Store {
		return open(t, filepath.Join(t.TempDir(), "nfa.db")).Sessions()
	})
}

func TestAlerts_HoldTheContract(t *testing.T) {
	alerttest.RunStore(t, func(t *testing.T) alert.Store { return open(t, filepath.Join(t.TempDir(), "nfa.db")).Alerts() })
}

func TestOpen_FilesAreForTheUserAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "home")
	db := open(t, filepath.Join(dir, "nfa.db"))
	if err := db.Sessions().Create(t.Context(), session.Session{ID: "a"}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %o, %v, want 700", info.Mode().Perm(), err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files, %v, want the database and its log", len(files), err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o, %v, want 600", f.Name(), info.Mode().Perm(), err)
		}
	}
}

func TestOpen_AFileOpenToAllIsClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nfa.db")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	open(t, path)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %o, %v, want 600", info.Mode().Perm(), err)
	}
}

func TestOpen_WhatWasKeptIsThereAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a file with 50% odd & ?chars#.db")
	db := open(t, path)
	if err := db.Sessions().Create(t.Context(), session.Session{ID: "a", Title: "kept"}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if s, _, err := open(t, path).Sessions().Load(t.Context(), "a"); err != nil || s.Title != "kept" {
		t.Fatalf("Load = %+v, %v", s, err)
	}
}

func TestOpen_ADamagedFileIsSetAsideAndSaid(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"text":             func([]byte) []byte { return []byte("This is not a database, but it is long enough to look at.") },
		"header destroyed": func(b []byte) []byte { copy(b, "garbage garbage garbage"); return b },
		"schema destroyed": func(b []byte) []byte {
			for i := 100; i < 4096; i++ {
				b[i] = 0xff
			}
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "nfa.db")
			db := open(t, path)
			if err := db.Sessions().Create(t.Context(), session.Session{ID: "a"}); err != nil {
				t.Fatal(err)
			}
			db.Close()
			whole, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			broken := damage(whole)
			if err := os.WriteFile(path, broken, 0o600); err != nil {
				t.Fatal(err)
			}
			notice := ""
			again, err := sqlite.Open(t.Context(), path, sqlite.Options{Notice: func(s string) { notice = s }})
			if err != nil {
				t.Fatalf("Open = %v, want a fresh database", err)
			}
			defer again.Close()
			if all, err := again.Sessions().List(t.Context(), 0); err != nil || len(all) != 0 {
				t.Errorf("List = %v, %v, want an empty store", all, err)
			}
			aside, err := filepath.Glob(path + ".damaged-*")
			if err != nil || len(aside) != 1 || !strings.Contains(notice, aside[0]) {
				t.Fatalf("set aside: %v, said: %q", aside, notice)
			}
			if !strings.Contains(notice, "sessions and stored skills") {
				t.Errorf("the notice does not say what is lost from sight: %q", notice)
			}
			if kept, err := os.ReadFile(aside[0]); err != nil || string(kept) != string(broken) {
				t.Errorf("the file set aside was changed (%v)", err)
			}
		})
	}
}

func TestOpen_RandomDamageNeverPanicsAndNeverDeletes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "whole.db")
	db := open(t, path)
	store := db.Sessions()
	if err := store.Create(t.Context(), session.Session{ID: "a"}); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		e := session.Entry{Kind: session.KindUser, Message: llm.Message{Content: strings.Repeat("words ", 40)}}
		if err := store.Append(t.Context(), "a", e); err != nil {
			t.Fatal(err)
		}
	}
	db.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 20 {
		broken := append([]byte(nil), whole...)
		for range 1 + random.IntN(64) {
			broken[random.IntN(len(broken))] = byte(random.Uint32())
		}
		broken = broken[:len(broken)-random.IntN(len(broken))/2]
		victim := filepath.Join(t.TempDir(), fmt.Sprintf("%d.db", i))
		if err := os.WriteFile(victim, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := sqlite.Open(t.Context(), victim, sqlite.Options{})
		if err == nil {
			// Damage deep in the file is found when it is read, and is an error, not a crash.
			_, _, _ = db.Sessions().Load(t.Context(), "a")
			db.Close()
		}
		if left, err := filepath.Glob(victim + "*"); err != nil || len(left) == 0 {
			t.Fatalf("nothing is left of %s", victim)
		}
	}
}

func TestOpen_ANewerFileIsRefusedAndLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nfa.db")
	open(t, path).Close()
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Exec("PRAGMA user_version = 999"); err != nil {
		t.Fatal(err)
	}
	raw.Close()
	if _, err := sqlite.Open(t.Context(), path, sqlite.Options{}); !errors.Is(err, sqlite.ErrNewer) {
		t.Fatalf("Open = %v, want ErrNewer", err)
	}
	if aside, _ := filepath.Glob(path + ".damaged-*"); len(aside) != 0 {
		t.Errorf("it was set aside as %v", aside)
	}
}

func TestOpen_APlaceThatCannotHoldAFileIsAnError(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"below a file": filepath.Join(file, "nfa.db"),
		"a directory":  dir,
	} {
		t.Run(name, func(t *testing.T) {
			if db, err := sqlite.Open(t.Context(), path, sqlite.Options{}); err == nil {
				db.Close()
				t.Fatal("Open = nil, want an error")
			}
			if aside, _ := filepath.Glob(path + ".damaged-*"); len(aside) != 0 {
				t.Errorf("%v was set aside", aside)
			}
		})
	}
}

// startSecond starts another process on the file and returns its output.
func startSecond(t *testing.T, path string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

func TestAppend_KillLosesNothingThatWasAcknowledged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nfa.db")
	for round := range 6 {
		cmd, says := startSecond(t, path)
		says.Scan()
		id, last := says.Text(), -1
		for says.Scan() {
			n, err := strconv.Atoi(says.Text())
			if err != nil {
				t.Fatalf("the child says %q", says.Text())
			}
			if last = n; n == 20+37*round {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = cmd.Wait()
		entries := 0
		_, kept, err := open(t, path).Sessions().Load(t.Context(), id)
		if err != nil {
			t.Fatalf("round %d: Load = %v", round, err)
		}
		for i, e := range kept {
			if e.Message.Content != strconv.Itoa(i) {
				t.Fatalf("round %d: entry %d is %q", round, i, e.Message.Content)
			}
			entries++
		}
		if entries <= last {
			t.Fatalf("round %d: %d entries kept, but number %d was acknowledged", round, entries, last)
		}
	}
}

func TestOpen_TwoProcessesOnOneNewFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nfa.db")
	var ids []string
	type process struct {
		cmd  *exec.Cmd
		says *bufio.Scanner
	}
	var all []process
	for range 3 {
		cmd, says := startSecond(t, path)
		all = append(all, process{cmd, says})
	}
	for _, p := range all {
		p.says.Scan()
		ids = append(ids, p.says.Text())
		for range 30 {
			if !p.says.Scan() {
				t.Fatal("a process stopped while another wrote")
			}
		}
	}
	for _, p := range all {
		_ = p.cmd.Process.Kill()
		for p.says.Scan() {
		}
		_ = p.cmd.Wait()
	}
	store := open(t, path).Sessions()
	for _, id := range ids {
		if _, entries, err := store.Load(t.Context(), id); err != nil || len(entries) < 30 {
			t.Errorf("session %s has %d entries, %v, want at least 30", id, len(entries), err)
		}
	}
}
