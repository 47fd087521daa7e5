//go:build unix

package postgrestest

import (
	"database/sql"
	"os"
	"sync"
	"testing"

	"github.com/nfa-cli/nfa/internal/postgres"
)

var server = sync.OnceValues(Start)

// Main runs the tests of a package and stops the server that they started.
func Main(m *testing.M) {
	code := m.Run()
	if started {
		if s, err := server(); err == nil {
			s.Stop()
		}
	}
	os.Exit(code)
}

var started bool

// Database is a database with nfa's tables.
type Database struct {
	*Server
	Name string
}

// New makes a database with nfa's tables and users. The test is skipped if there is no PostgreSQL,
// and fails if NFA_REQUIRE_POSTGRES is set.
func New(t testing.TB, users ...string) Database {
	t.Helper()
	d := Empty(t)
	owner := d.Target(t, "postgres")
	if err := postgres.Init(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	for _, name := range users {
		if err := postgres.AddUser(t.Context(), owner, name, ""); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// Empty makes a database without tables.
func Empty(t testing.TB) Database {
	t.Helper()
	started = true
	s, err := server()
	if err != nil {
		if os.Getenv("NFA_REQUIRE_POSTGRES") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return Database{Server: s, Name: s.Database(t)}
}

// Target returns the address of the database for a role.
func (d Database) Target(t testing.TB, role string) postgres.Target {
	t.Helper()
	target, err := postgres.ParseURL(d.URL(role, d.Name), "", false)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// Open opens a book as a role. The test closes it.
func (d Database) Open(t testing.TB, role string, o postgres.Options) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), d.Target(t, role), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// Raw opens a connection of a role without nfa.
func (d Database) Raw(t testing.TB, role string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", d.URL(role, d.Name))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1) // its settings hold for all statements
	t.Cleanup(func() { _ = db.Close() })
	return db
}
