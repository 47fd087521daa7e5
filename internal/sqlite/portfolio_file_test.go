package sqlite_test

import (
	"database/sql"
	"os"
	"testing"
)

// ask returns the only value of a query on a closed file, or "" if there is none.
func ask(t testing.TB, path, query string) string {
	t.Helper()
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	var value sql.NullString
	if err := raw.QueryRow(query).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value.String
}

// attempt works like execute for statements that may fail.
func attempt(path, statement string) error {
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer raw.Close()
	raw.SetMaxOpenConns(1)
	_, err = raw.Exec(statement)
	return err
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	all, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, all, 0o600); err != nil {
		t.Fatal(err)
	}
}

// holdLock keeps a file locked for writing, as another program would, until release.
func holdLock(t *testing.T, path string) (release func()) {
	t.Helper()
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	raw.SetMaxOpenConns(1)
	if _, err := raw.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() { raw.Close() }
}
