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

// Clear is a statement that empties the tables.
const Clear = `SET session_replication_role = replica; -- in any order
	DO $$ DECLARE t text; BEGIN
		FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'nfa' AND tablename <> 'migration' LOOP
			EXECUTE format('DELETE FROM nfa.%I', t);
		END LOOP;
	END $$`

// New returns a database with nfa's empty tables and users. Tests share databases one after the other,
// because creating one takes longer than most tests. The test is skipped if there is no PostgreSQL,
// and fails if NFA_REQUIRE_POSTGRES is set.
func New(t testing.TB, users ...string) Database {
	t.Helper()
	d := Database{Server: start(t)}
	if n := len(d.free); n > 0 {
		d.Name, d.free = d.free[n-1], d.free[:n-1]
		d.Exec(t, d.Name, Clear)
	} else {
		d.Name = d.Database(t)
		if err := postgres.Init(t.Context(), d.Target(t, "postgres")); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { d.free = append(d.free, d.Name) })
	owner := d.Target(t, "postgres")
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
	s := start(t)
	return Database{Server: s, Name: s.Database(t)}
}

// start starts the server of this test binary, once.
func start(t testing.TB) *Server {
	t.Helper()
	started = true
	s, err := server()
	if err != nil {
		if os.Getenv("NFA_REQUIRE_POSTGRES") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return s
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
