//go:build unix

package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/nfa-cli/nfa/internal/postgres"
	"github.com/nfa-cli/nfa/internal/postgres/postgrestest"
)

// postgresAvailable returns nil if the tests can start a PostgreSQL server.
func postgresAvailable() error { return postgrestest.Available() }

// startPostgres starts a PostgreSQL server with an empty database nfa, and sets PGADDRESS to the part of
// its address that follows the user: @/nfa?host=FOLDER.
func startPostgres(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: postgres")
	}
	server, err := postgrestest.Start()
	ts.Check(err)
	ts.Defer(server.Stop)
	ts.Check(server.Run("postgres", "CREATE DATABASE nfa"))
	ts.Setenv("PGADDRESS", "@/nfa?host="+server.Folder())
}

// prepareSharedStore starts the server that the page about shared stores assumes.
func prepareSharedStore(r *reader) {
	if err := postgresAvailable(); err != nil {
		r.t.Skip(err)
	}
	server, err := postgrestest.Start()
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(server.Stop)
	if err := server.Run("postgres", "CREATE DATABASE nfa"); err != nil {
		r.t.Fatal(err)
	}
	for _, role := range []string{"postgres", "anna"} {
		r.placeholders["postgres://"+role+"@localhost/nfa"] = server.URL(role, "nfa")
	}
}

// sharedStoreOf starts a server and returns the address of its store for a new user.
func sharedStoreOf(t *testing.T, user string) string {
	t.Helper()
	server, err := postgrestest.Start()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(server.Stop)
	server.Exec(t, "postgres", "CREATE DATABASE nfa")
	for _, do := range []func(postgres.Target) error{
		func(o postgres.Target) error { return postgres.Init(t.Context(), o) },
		func(o postgres.Target) error { return postgres.AddUser(t.Context(), o, user, "") },
	} {
		owner, err := postgres.ParseURL(server.URL("postgres", "nfa"), "", false)
		if err == nil {
			err = do(owner)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return server.URL(user, "nfa")
}
