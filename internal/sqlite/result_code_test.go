package sqlite_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/nfa-cli/nfa/internal/sqlite"
)

// The package does not import the driver's constants; it has the numbers written out.
func TestNumbers_AreThoseOfTheDriver(t *testing.T) {
	want := map[string]int{
		"ERROR": sqlite3.SQLITE_ERROR, "CONSTRAINT": sqlite3.SQLITE_CONSTRAINT, "CONSTRAINT_CHECK": sqlite3.SQLITE_CONSTRAINT_CHECK,
		"CONSTRAINT_FOREIGNKEY": sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY, "CONSTRAINT_NOTNULL": sqlite3.SQLITE_CONSTRAINT_NOTNULL,
		"CONSTRAINT_UNIQUE": sqlite3.SQLITE_CONSTRAINT_UNIQUE,
	}
	if diff := cmp.Diff(want, sqlite.ResultCodes()); diff != "" {
		t.Errorf("numbers, -driver +written out:\n%s", diff)
	}
}
