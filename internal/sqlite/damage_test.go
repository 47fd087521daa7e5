package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// newFilledStore creates a closed database with a session "a" of many pages.
func newFilledStore(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "nfa.db")
	db := open(t, path)
	if err := db.Sessions().Create(t.Context(), session.Session{ID: "a"}); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if err := db.Sessions().Append(t.Context(), "a", textEntry()); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func textEntry() session.Entry {
	return session.Entry{Kind: session.KindUser, Message: llm.Message{Content: strings.Repeat("words ", 40)}}
}

// alter changes the bytes of a closed file and returns the new ones.
func alter(t *testing.T, path string, change func([]byte) []byte) []byte {
	t.Helper()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := change(whole)
	if err := os.WriteFile(path, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	return changed
}

func execute(t *testing.T, path, statement string) {
	t.Helper()
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// openAside opens a damaged file and returns where it was set aside.
func openAside(t *testing.T, path string) (*sqlite.DB, string) {
	t.Helper()
	var notices []string
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{Notice: func(s string) { notices = append(notices, s) }})
	if err != nil {
		t.Fatalf("Open = %v, want a fresh database", err)
	}
	t.Cleanup(func() { db.Close() })
	if len(notices) != 1 {
		t.Fatalf("notices = %q, want one", notices)
	}
	_, rest, _ := strings.Cut(notices[0], "set aside as ")
	aside, _, _ := strings.Cut(rest, " and a new one")
	if _, err := os.Stat(aside); err != nil {
		t.Fatalf("notice %q names no file: %v", notices[0], err)
	}
	if all, err := db.Sessions().List(t.Context(), 0); err != nil || len(all) != 0 {
		t.Errorf("List = %v, %v, want an empty store", all, err)
	}
	return db, aside
}

func TestOpen_WhatIsNoSoundDatabaseOfOursIsSetAside(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, path string){
		"torn in the first block": func(t *testing.T, path string) {
			alter(t, path, func(b []byte) []byte { return b[:30] })
		},
		"torn in the middle": func(t *testing.T, path string) {
			alter(t, path, func(b []byte) []byte { return b[:len(b)/2+7] })
		},
		"marked read-only": func(t *testing.T, path string) {
			alter(t, path, func(b []byte) []byte { b[18] = 0x5a; return b })
		},
		"of no format": func(t *testing.T, path string) {
			alter(t, path, func(b []byte) []byte { b[44] = 0x5a; return b })
		},
		"version lost":         func(t *testing.T, path string) { execute(t, path, "PRAGMA user_version = 0") },
		"version impossible":   func(t *testing.T, path string) { execute(t, path, "PRAGMA user_version = 12345678") },
		"version negative":     func(t *testing.T, path string) { execute(t, path, "PRAGMA user_version = -7") },
		"tables lost":          func(t *testing.T, path string) { execute(t, path, "DROP TABLE entry") },
		"of another program":   func(t *testing.T, path string) { os.Remove(path); execute(t, path, "CREATE TABLE bookmark (url)") },
		"emptied, with a log":  func(t *testing.T, path string) { alterEmptied(t, path) },
		"last page of entries": func(t *testing.T, path string) { ruinEntries(t, path); touch(t, path+".suspect") },
	} {
		t.Run(name, func(t *testing.T) {
			path := newFilledStore(t)
			damage(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			db, aside := openAside(t, path)
			if after, err := os.ReadFile(aside); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the file set aside has changed (%v)", err)
			}
			if err := db.Sessions().Create(t.Context(), session.Session{ID: "b"}); err != nil {
				t.Errorf("Create in the new one = %v", err)
			}
		})
	}
}

func alterEmptied(t *testing.T, path string) {
	alter(t, path, func([]byte) []byte { return nil })
	if err := os.WriteFile(path+"-wal", []byte("the last words"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// ruinEntries overwrites every page except those of the schema and the sessions.
func ruinEntries(t *testing.T, path string) {
	alter(t, path, func(b []byte) []byte {
		for i := bytes.Index(b, []byte("words words")) &^ 4095; i < len(b); i++ {
			b[i] = 0xa5
		}
		return b
	})
}

func touch(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestOpen_LogOfAnEmptiedFileIsKeptBesideIt(t *testing.T) {
	path := newFilledStore(t)
	alterEmptied(t, path)
	_, aside := openAside(t, path)
	if log, err := os.ReadFile(aside + "-wal"); err != nil || string(log) != "the last words" {
		t.Errorf("the log set aside = %q, %v, want it as it was", log, err)
	}
}

func TestOpen_FilesSetAsideInOneSecondDoNotReplaceEachOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nfa.db")
	noon := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	for i := range 3 {
		if err := os.WriteFile(path, fmt.Appendf(nil, "no database, number %d", i), 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := sqlite.Open(t.Context(), path, sqlite.Options{Now: noon})
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
	}
	for i, name := range []string{".damaged-20261121-120000", ".damaged-20261121-120000-2", ".damaged-20261121-120000-3"} {
		if got, err := os.ReadFile(path + name); err != nil || !strings.HasSuffix(string(got), fmt.Sprint(i)) {
			t.Errorf("%s holds %q, %v, want number %d", name, got, err, i)
		}
	}
}

func TestOpen_DamageMetInUseIsSetAsideAtTheNextStart(t *testing.T) {
	path := newFilledStore(t)
	// A page of entries that is neither the root nor has the newest entries, so that opening does not read
	// it.
	alter(t, path, func(b []byte) []byte {
		leaf := bytes.Index(b, []byte(`"words words`))&^4095 + 4096
		leaf += bytes.Index(b[leaf:], []byte(`"words words`)) &^ 4095
		for i := leaf; i < leaf+4096; i++ {
			b[i] = 0xa5
		}
		return b
	})
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{Notice: func(s string) { t.Errorf("met at once: %s", s) }})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = db.Sessions().Load(t.Context(), "a"); err == nil || !strings.Contains(err.Error(), "restart nfa") {
		t.Fatalf("Load of a damaged session = %v, want an error that says what to do", err)
	}
	db.Close()
	again, _ := openAside(t, path)
	again.Close()
	open(t, path) // the mark went with the damaged file: no notice
}

func TestOpen_SuspicionThatProvesWrongIsForgotten(t *testing.T) {
	path := newFilledStore(t)
	touch(t, path+".suspect")
	if _, entries, err := open(t, path).Sessions().Load(t.Context(), "a"); err != nil || len(entries) != 50 {
		t.Errorf("Load = %d entries, %v, want all 50", len(entries), err)
	}
	if _, err := os.Stat(path + ".suspect"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the mark is still there: %v", err)
	}
}

func TestOpen_ANewerFileKeepsEveryByte(t *testing.T) {
	path := newFilledStore(t)
	execute(t, path, "PRAGMA journal_mode = DELETE")
	execute(t, path, "PRAGMA user_version = 999")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), path, sqlite.Options{}); !errors.Is(err, sqlite.ErrNewer) {
		t.Fatalf("Open = %v, want ErrNewer", err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file has changed (%v)", err)
	}
}

// However a file is damaged, the store accepts a new session at the second start at the latest.
func TestOpen_AfterRandomDamageTheSecondStartWorks(t *testing.T) {
	whole, err := os.ReadFile(newFilledStore(t))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 24 {
		broken := bytes.Clone(whole)
		for range 1 << random.IntN(12) {
			broken[random.IntN(len(broken))] = byte(random.Uint32())
		}
		path := filepath.Join(t.TempDir(), "nfa.db")
		if err := os.WriteFile(path, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		if err = useStore(t, path); errors.Is(err, sqlite.ErrNewer) {
			continue // refusing is all that can be done, and loses nothing
		}
		if err == nil {
			continue
		}
		if again := useStore(t, path); again != nil {
			t.Errorf("round %d: first start: %v; second start: %v", i, err, again)
		}
	}
}

// useStore simulates a start of the program: it reads the data and saves a new session. It fails
// only if the new session is not saved.
func useStore(t *testing.T, path string) error {
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	store := db.Sessions()
	_, _, _ = store.Load(t.Context(), "a")
	id := session.NewID(time.Now())
	if err := store.Create(t.Context(), session.Session{ID: id}); err != nil {
		return err
	}
	if err := store.Append(t.Context(), id, textEntry()); err != nil {
		return err
	}
	_, _, err = store.Load(t.Context(), id)
	return err
}

func TestOpen_WaitsWhileAnotherProcessOpens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nfa.db")
	if err := os.WriteFile(path, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := flock.New(path + ".lock")
	if err := other.Lock(); err != nil {
		t.Fatal(err)
	}
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if db, err := sqlite.Open(soon, path, sqlite.Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("Open while another opens = %v, %v, want it to wait for as long as it may", db, err)
	}
	if aside, _ := filepath.Glob(path + ".damaged-*"); len(aside) != 0 {
		t.Errorf("%v was set aside under the other's hands", aside)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	openAside(t, path)
}

func TestOpen_TwoProcessesOnOneDamagedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nfa.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	first, firstSays := startSecond(t, path)
	other, otherSays := startSecond(t, path)
	var ids []string
	for _, says := range []interface {
		Scan() bool
		Text() string
	}{firstSays, otherSays} {
		if says.Scan() {
			ids = append(ids, says.Text())
		}
		says.Scan() // its first entry is kept
	}
	_ = first.Process.Kill()
	_ = other.Process.Kill()
	_ = first.Wait()
	_ = other.Wait()
	if aside, err := filepath.Glob(path + ".damaged-*"); err != nil || len(aside) != 1 {
		t.Errorf("set aside: %v, %v, want one file", aside, err)
	}
	store := open(t, path).Sessions()
	for _, id := range ids {
		if _, entries, err := store.Load(t.Context(), id); err != nil || len(entries) == 0 {
			t.Errorf("session %s: %d entries, %v, want what was acknowledged", id, len(entries), err)
		}
	}
	if len(ids) != 2 {
		t.Errorf("%d processes opened the file, want 2", len(ids))
	}
}
