package sqlite_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
)

var update = flag.Bool("update", false, "write the schemas anew")

// checkSchemas compares the embedded schemas, which every start checks files against, with the result of
// the migrations. It runs before all tests, because with wrong schemas every test would fail.
func checkSchemas() error {
	for text, folder := range map[string]string{
		"schema.sql": "migration", "schema_bars.sql": "migration/bars", "schema_book.sql": "migration/book",
	} {
		want, err := createdSchema(folder)
		if err != nil {
			return err
		}
		written, err := os.ReadFile(text)
		switch {
		case err != nil:
			return err
		case string(written) == want:
		case *update:
			if err := os.WriteFile(text, []byte(want), 0o644); err != nil {
				return err
			}
			return fmt.Errorf("%s is written anew; run the tests again", text)
		default:
			return fmt.Errorf("%s is not what the migrations make; go test ./internal/sqlite -update writes it (-written +made):\n%s", text, cmp.Diff(string(written), want))
		}
	}
	return nil
}

// createdSchema applies the migrations of a folder and describes the result.
func createdSchema(folder string) (string, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return "", err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection has a memory of its own
	scripts, err := filepath.Glob(folder + "/*.sql")
	if err != nil {
		return "", err
	}
	for _, name := range scripts {
		script, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		if _, err := db.Exec(string(script)); err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
	}
	rows, err := db.Query("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY tbl_name, type DESC, name")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var b strings.Builder
	for rows.Next() {
		var kind, name, table string
		var text sql.NullString
		if err := rows.Scan(&kind, &name, &table, &text); err != nil {
			return "", err
		}
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString("-- " + kind + " " + name + " on " + table + "\n")
		if text.Valid {
			b.WriteString(text.String + ";\n")
		}
	}
	return b.String(), rows.Err()
}

// newStoreOfVersion creates a file as an earlier version of the program left it.
func newStoreOfVersion(t *testing.T, path string, version int) {
	t.Helper()
	scripts, err := filepath.Glob("migration/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range scripts[:version] {
		script, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		execute(t, path, string(script))
	}
	execute(t, path, fmt.Sprintf("PRAGMA user_version = %d", version))
}

func TestMigrate_CoversOfOldSessionsAreFilledIn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nfa.db")
	newStoreOfVersion(t, path, 2)
	execute(t, path, `INSERT INTO session VALUES ('a', 'Old', 'm', 0, 0), ('b', 'Odd', 'm', 0, 0), ('c', 'Empty', 'm', 0, 0)`)
	execute(t, path, `INSERT INTO entry VALUES
		('a', 1, 0, 'user', '{}', '{"profile":"analyst"}'), ('a', 2, 0, 'assistant', '{}', NULL),
		('a', 3, 0, 'user', '{}', '{"profile":"planner"}'), ('b', 1, 0, 'user', '{}', 'no JSON')`)
	all, err := open(t, path).Sessions().List(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range all {
		got[s.ID] = fmt.Sprintf("%d %s", s.Messages, s.Agent)
	}
	if diff := cmp.Diff(map[string]string{"a": "2 planner", "b": "1 ", "c": "0 "}, got); diff != "" {
		t.Errorf("messages and agents (-want +got):\n%s", diff)
	}
}

func TestOpen_ASchemaThatSQLiteTakesAndWeDoNotIsDamage(t *testing.T) {
	for name, change := range map[string][2]string{
		"name of a column":    {"created_at INTEGER", "crea\x00ed_at INTEGER"},
		"another column":      {"created_at INTEGER", "crextad_at INTEGER"},
		"type of a column":    {"at         INTEGER", "at         ANY    "},
		"what an index is of": {"updated_at DESC, id DESC", "created_at DESC, id DESC"},
	} {
		t.Run(name, func(t *testing.T) {
			path := newFilledStore(t)
			alter(t, path, func(b []byte) []byte {
				changed := bytes.Replace(b, []byte(change[0]), []byte(change[1]), 1)
				if bytes.Equal(changed, b) || len(changed) != len(b) {
					t.Fatalf("%q is not in the file", change[0])
				}
				return changed
			})
			openAside(t, path)
		})
	}
}

func TestOpen_WhatOthersHaveAddedToOurTablesIsLeftAlone(t *testing.T) {
	path := newFilledStore(t)
	execute(t, path, "CREATE VIEW latest AS SELECT * FROM session; CREATE INDEX own ON entry (kind)")
	if _, entries, err := open(t, path).Sessions().Load(t.Context(), "a"); err != nil || len(entries) != 50 {
		t.Errorf("Load = %d entries, %v, want all 50", len(entries), err)
	}
}

func TestDelete_NothingOfItIsLeftInTheFiles(t *testing.T) {
	// Rows within a page, over a few pages, and over very many.
	for _, times := range []int{3, 900, 60_000} {
		t.Run(fmt.Sprint(times), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "nfa.db")
			store := open(t, path).Sessions()
			for _, id := range []string{"a", "b"} {
				text := strings.Repeat("holdings of "+id+" ", times)
				display, err := json.Marshal(map[string]string{"text": text})
				if err != nil {
					t.Fatal(err)
				}
				first := session.Entry{Kind: session.KindUser, Message: llm.Message{Content: text}, Display: display}
				piece := session.Entry{Kind: session.KindDelta, Message: llm.Message{Content: text}}
				whole := session.Entry{Kind: session.KindAssistant, Message: llm.Message{Content: text}}
				if err := store.Create(t.Context(), session.Session{ID: id, Title: "title of " + id}, first, piece, piece, whole, first); err != nil {
					t.Fatal(err)
				}
			}
			if err := store.Delete(t.Context(), "a"); err != nil {
				t.Fatal(err)
			}
			all := filesAt(t, path)
			for text, want := range map[string]bool{"holdings of a": false, "title of a": false, "holdings of b": true} {
				if got := bytes.Contains(all, []byte(text)); got != want {
					t.Errorf("%q in the files: %t, want %t", text, got, want)
				}
			}
		})
	}
}

// filesAt returns the bytes of a database and its journals.
func filesAt(t *testing.T, path string) []byte {
	t.Helper()
	files, err := filepath.Glob(path + "*")
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	return all
}

func TestAppend_PiecesThatAnAnswerReplacesAreNotLeftInTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nfa.db")
	db := open(t, path)
	store := db.Sessions()
	if err := store.Create(t.Context(), session.Session{ID: "a"}); err != nil {
		t.Fatal(err)
	}
	piece := session.Entry{Kind: session.KindDelta, Message: llm.Message{Content: "a piece of text"}}
	whole := session.Entry{Kind: session.KindAssistant, Message: llm.Message{Content: "the answer"}}
	if err := store.Append(t.Context(), "a", piece, piece, whole); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil { // the log is written back
		t.Fatal(err)
	}
	all := filesAt(t, path)
	if bytes.Contains(all, []byte("a piece of text")) || !bytes.Contains(all, []byte("the answer")) {
		t.Error("the file holds a piece that was replaced, or not the answer")
	}
}
