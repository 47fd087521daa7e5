//go:build unix

package postgres_test

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/postgres"
	"github.com/nfa-cli/nfa/internal/postgres/postgrestest"
	"github.com/nfa-cli/nfa/internal/session"
)

func TestParseURL(t *testing.T) {
	for _, c := range []struct {
		address  string
		insecure bool
		want     string // part of the error; "" for none
	}{
		{"postgres://anna@db.example.org/nfa", false, ""},
		{"postgres://anna@db.example.org/nfa?sslmode=verify-full", false, ""},
		{"postgres://anna@localhost/nfa", false, ""},
		{"postgres://anna@127.0.0.1:5433/nfa?sslmode=disable", false, ""},
		{"postgres://anna@/nfa?host=/var/run/postgresql", false, ""},
		{"postgres://anna@db.example.org/nfa?sslmode=require", true, ""},
		{"postgres://anna@db.example.org/nfa?sslmode=require", false, "store_insecure"},
		{"postgres://anna@db.example.org/nfa?sslmode=disable", true, "does not protect"},
		{"postgres://anna@db.example.org/nfa?sslmode=prefer", true, "does not protect"},
		{"postgres://anna:secret@db.example.org/nfa", false, "must not contain a password"},
		{"postgres://anna@db.example.org/nfa?password=secret", false, "must not contain a password"},
		{"postgres://anna@db.example.org/nfa?sslpassword=secret", false, "must not contain a password"},
		{"mysql://db.example.org/nfa?password=secret", false, "is not an address"},
		{"postgres://anna@/nfa?host=/tmp,db.example.org", false, "db.example.org would not be protected"},
		{"postgres://anna@/nfa?host=/tmp,db.example.org&sslmode=disable", true, "db.example.org would not be protected"},
		{"mysql://anna@db.example.org/nfa", false, "is not an address"},
		{"db.example.org", false, "is not an address"},
		{"", false, "is not an address"},
	} {
		_, err := postgres.ParseURL(c.address, "", c.insecure)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("ParseURL(%s) = %v, want %q", c.address, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error shows the password: %v", err)
		}
	}
}

// A server that the environment names instead of the address is protected as well.
func TestParseURL_AServerOfTheEnvironmentIsProtected(t *testing.T) {
	t.Setenv("PGHOST", "db.example.org")
	for _, address := range []string{"postgres://anna@/nfa", "postgres://anna@/nfa?sslmode=disable"} {
		if _, err := postgres.ParseURL(address, "", false); err == nil || !strings.Contains(err.Error(), "db.example.org would not be protected") {
			t.Errorf("ParseURL(%s) = %v", address, err)
		}
	}
	if _, err := postgres.ParseURL("postgres://anna@/nfa?sslmode=verify-full", "", false); err != nil {
		t.Error(err)
	}
}

func TestOpen_SaysWhatToDo(t *testing.T) {
	db := postgrestest.New(t, "anna")
	empty := postgrestest.Empty(t)
	parse := func(address string) postgres.Target {
		target, err := postgres.ParseURL(address, "", false)
		must(t, err)
		return target
	}
	for _, c := range []struct {
		name   string
		target postgres.Target
		book   string
		want   string
	}{
		{"a superuser", db.Target(t, "postgres"), "", "superuser"},
		{"no tables", empty.Target(t, "anna"), "", "nfa store init"},
		{"an unknown role", db.Target(t, "nobody"), "", "refused nobody"},
		{"no server", parse("postgres://anna@/nfa?host=/nowhere"), "", "cannot reach the store"},
		{"no database", parse(db.URL("anna", "missing")), "", "createdb missing"},
		{"a server without encryption", parse("postgres://anna@" + answer(t, nil) + "/nfa?sslmode=require"), "", "ssl = on"},
		{"a certificate of an unknown authority", parse("postgres://anna@" + answer(t, certificate(t)) + "/nfa?sslmode=verify-full"), "", "cannot verify the identity of"},
		{"a book that is not shared", db.Target(t, "anna"), "ben", "nfa store share anna"},
	} {
		s, err := postgres.Open(t.Context(), c.target, postgres.Options{Book: c.book})
		if err == nil {
			_ = s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	db.Exec(t, db.Name, "INSERT INTO nfa.migration (n) VALUES (999)")
	defer db.Exec(t, db.Name, "DELETE FROM nfa.migration WHERE n = 999")
	if _, err := postgres.Open(t.Context(), db.Target(t, "anna"), postgres.Options{}); !errors.Is(err, postgres.ErrNewer) {
		t.Errorf("Open of newer tables = %v, want ErrNewer", err)
	}
	if err := postgres.Init(t.Context(), db.Target(t, "postgres")); !errors.Is(err, postgres.ErrNewer) {
		t.Errorf("Init of newer tables = %v, want ErrNewer", err)
	}
}

// answer listens on this machine and answers the question for encryption: no, or yes with a certificate.
func answer(t *testing.T, certificates []tls.Certificate) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = io.ReadFull(conn, make([]byte, 8)) // SSLRequest
			if certificates == nil {
				_, _ = conn.Write([]byte("N"))
			} else {
				_, _ = conn.Write([]byte("S"))
				_ = tls.Server(conn, &tls.Config{Certificates: certificates}).Handshake()
			}
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}

// certificate is not signed by an authority that this machine trusts.
func certificate(t *testing.T) []tls.Certificate {
	server := httptest.NewUnstartedServer(nil)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.TLS.Certificates
}

// If the server refuses a change, the change must not be lost silently.
func TestUpdate_SaysWhyTheServerRefuses(t *testing.T) {
	db := postgrestest.New(t, "anna", "rita")
	raise := func(code string) string {
		return "CREATE OR REPLACE FUNCTION nfa.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '" + code + "'; END $$"
	}
	db.Exec(t, db.Name, raise("53100")+"; CREATE TRIGGER fail BEFORE INSERT ON nfa.account EXECUTE FUNCTION nfa.fail()")
	defer db.Exec(t, db.Name, "DROP FUNCTION nfa.fail() CASCADE")
	db.Exec(t, db.Name, "ALTER ROLE rita SET default_transaction_read_only = on")
	for _, c := range []struct{ name, role, code, want string }{
		{"the disk is full", "anna", "53100", "is full; nothing was changed"},
		{"a slow server", "anna", "57014", "did not answer within 10 seconds"},
		{"too many connections", "anna", "53300", "max_connections"},
		{"a role that may only read", "rita", "53100", "is read-only"},
	} {
		db.Exec(t, db.Name, raise(c.code))
		add := portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("main")}}
		err := db.Open(t, c.role, postgres.Options{}).Portfolio().Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) { return add, nil })
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestInit_AtOnceMakesTheTablesOnce(t *testing.T) {
	db := postgrestest.Empty(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if err := postgres.Init(t.Context(), db.Target(t, "postgres")); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if err := postgres.AddUser(t.Context(), db.Target(t, "postgres"), "anna", ""); err != nil {
		t.Fatal(err)
	}
	db.Open(t, "anna", postgres.Options{})
}

// The server accepts a password that AddUser set.
func TestAddUser_SetsThePassword(t *testing.T) {
	db := postgrestest.New(t)
	const password = "korrektes Pferd ü"
	if err := postgres.AddUser(t.Context(), db.Target(t, "postgres"), "carl", password); err != nil {
		t.Fatal(err)
	}
	db.RequirePasswords(t, "carl")
	for _, c := range []struct{ given, want string }{{password, ""}, {"wrong", "nfa auth set store"}} {
		target, err := postgres.ParseURL(db.URL("carl", db.Name), c.given, false)
		if err != nil {
			t.Fatal(err)
		}
		s, err := postgres.Open(t.Context(), target, postgres.Options{})
		if err == nil {
			_ = s.Close()
		}
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), c.given)) {
			t.Errorf("with %q: %v, want %q", c.given, err, c.want)
		}
	}
}

func TestLocks_OneWriterOnAllMachines(t *testing.T) {
	const id = "20261121-150405-abcdef"
	db := postgrestest.New(t, "anna")
	here, there := db.Open(t, "anna", postgres.Options{}).Locks(), db.Open(t, "anna", postgres.Options{}).Locks()
	release, err := here.Acquire(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := there.Acquire(t.Context(), id); !errors.Is(err, session.ErrLocked) {
		t.Errorf("Acquire elsewhere = %v, want ErrLocked", err)
	}
	if held, err := there.Locked(t.Context()); err != nil || !held[id] {
		t.Errorf("Locked = %v, %v", held, err)
	}
	release()
	again, err := there.Acquire(t.Context(), id)
	if err != nil {
		t.Fatalf("Acquire after release = %v", err)
	}
	again()
}

// A machine that was offline, such as a sleeping laptop, does not write to a session that was continued
// elsewhere. Its own clock does not matter.
func TestLocks_ALostLeaseEndsWriting(t *testing.T) {
	const id = "20261121-150405-abcdef"
	db := postgrestest.New(t, "anna")
	here := db.Open(t, "anna", postgres.Options{Now: func() time.Time { return time.Now().AddDate(0, 0, 1) }})
	there := db.Open(t, "anna", postgres.Options{})
	entry := session.Entry{Kind: session.KindUser, Message: llm.Message{Content: "hi"}}
	must(t, here.Sessions().Create(t.Context(), session.Session{ID: id}))
	releaseHere, err := here.Locks().Acquire(t.Context(), id)
	must(t, err)
	defer releaseHere()
	if err := there.Sessions().Append(t.Context(), id, entry); !errors.Is(err, session.ErrLocked) {
		t.Errorf("Append without the lease = %v, want ErrLocked", err)
	}
	sleep := func() { db.Exec(t, db.Name, "UPDATE nfa.lease SET until = now() - interval '1 second'") }
	sleep()
	must(t, here.Sessions().Append(t.Context(), id, entry)) // nobody has taken it
	sleep()
	releaseThere, err := there.Locks().Acquire(t.Context(), id)
	must(t, err)
	must(t, there.Sessions().Append(t.Context(), id, entry))
	for range 2 {
		if err := here.Sessions().Append(t.Context(), id, entry); !errors.Is(err, session.ErrLocked) {
			t.Errorf("Append after the lease was lost = %v, want ErrLocked", err)
		}
		releaseThere()
		db.Exec(t, db.Name, "DELETE FROM nfa.lease")
	}
	if _, entries, err := there.Sessions().Load(t.Context(), id); err != nil || len(entries) != 2 {
		t.Errorf("%d entries, %v; want 2", len(entries), err)
	}
}

// A connection that stays idle in the middle of a change does not block others for good.
func TestPortfolio_ServerEndsWhatItWasAskedToEnd(t *testing.T) {
	db := postgrestest.New(t, "anna")
	s := db.Open(t, "anna", postgres.Options{})
	mustUpdate(t, s.Portfolio(), portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("main")}})
	runs := 0
	err := s.Portfolio().Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		if runs++; runs == 1 { // the server restarts while the change is made
			db.Exec(t, db.Name, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'anna'")
		}
		return portfolio.Change{Add: []portfolio.Transaction{portfoliotest.Purchase("a", "main")}}, nil
	})
	l, loadErr := s.Portfolio().Ledger(t.Context())
	if err != nil || loadErr != nil || runs != 2 || len(l.Transactions) != 1 {
		t.Errorf("Update = %v after %d runs, %d transactions, %v; want it repeated once", err, runs, len(l.Transactions), loadErr)
	}
}
