//go:build unix

// Package postgrestest starts a PostgreSQL server for tests.
package postgrestest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver named "pgx"
)

// Server is a server on a Unix socket, with a superuser named postgres who needs no password.
type Server struct {
	dir  string
	next atomic.Int64
	stop func()

	free []string // databases with tables that no test uses
}

// Start starts a server, or returns why there is none. The caller must call Stop.
func Start() (*Server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	// A short path: the socket's must have at most 107 bytes.
	dir, err := os.MkdirTemp("/tmp", "nfa-pg-")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir}
	account, err := serverAccount(dir)
	if err != nil {
		return nil, err
	}
	run := func(name string, args ...string) *exec.Cmd {
		c := exec.Command(filepath.Join(bin, name), args...)
		c.Dir, c.SysProcAttr = dir, account
		return c
	}
	data := filepath.Join(dir, "data")
	if out, err := run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	args := []string{"-D", data, "-c", "unix_socket_directories=" + dir}
	for _, setting := range []string{
		"listen_addresses=", "max_connections=100", "fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "jit=off", "shared_buffers=32MB", "wal_level=minimal", "max_wal_senders=0",
	} { // cheap to start and to connect to
		args = append(args, "-c", setting)
	}
	server := run("postgres", args...)
	log, err := os.Create(filepath.Join(os.TempDir(), filepath.Base(dir)+".log"))
	if err != nil {
		return nil, err
	}
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		return nil, err
	}
	s.stop = func() {
		_ = server.Process.Signal(syscall.SIGINT) // a fast shutdown
		_ = server.Wait()
		_ = log.Close()
		_ = os.Remove(log.Name())
		_ = os.RemoveAll(dir)
	}
	if err := s.ready(); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// Stop ends the server and removes its files.
func (s *Server) Stop() { s.stop() }

// URL returns the address of a database for a role.
func (s *Server) URL(role, database string) string {
	return fmt.Sprintf("postgres://%s@/%s?host=%s", role, database, s.dir)
}

// Socket returns the path of the server's socket.
func (s *Server) Socket() string { return filepath.Join(s.dir, ".s.PGSQL.5432") }

// Database creates an empty database and returns its name.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	name := "test" + strconv.FormatInt(s.next.Add(1), 10)
	s.Exec(t, "postgres", "CREATE DATABASE "+name)
	return name
}

// Exec works like Run for tests.
func (s *Server) Exec(t testing.TB, database, statement string) {
	t.Helper()
	if err := s.Run(database, statement); err != nil {
		t.Fatal(err)
	}
}

// Run runs a statement as superuser.
func (s *Server) Run(database, statement string) error {
	db, err := sql.Open("pgx", s.URL("postgres", database))
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

// Folder returns the folder of the server's socket, which is the host in an address.
func (s *Server) Folder() string { return s.dir }

func (s *Server) ready() error {
	db, err := sql.Open("pgx", s.URL("postgres", "postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		err := db.PingContext(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Available returns why Start cannot start a server, or nil.
func Available() error {
	_, err := binaries()
	return err
}

// binaries returns the folder with the server's programs.
func binaries() (string, error) {
	var dirs []string
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			dirs = append(dirs, filepath.Dir(path))
		}
	}
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	slices.Sort(found)
	slices.Reverse(found)
	for _, dir := range append(dirs, found...) {
		if isProgram(filepath.Join(dir, "initdb")) && isProgram(filepath.Join(dir, "postgres")) {
			return dir, nil
		}
	}
	return "", fmt.Errorf("PostgreSQL not found; install it with: apt-get install postgresql")
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// serverAccount returns the account that runs the server, which refuses root.
func serverAccount(dir string) (*syscall.SysProcAttr, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL does not run as root: %w", err)
	}
	uid, err := strconv.Atoi(account.Uid)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.Atoi(account.Gid)
	if err != nil {
		return nil, err
	}
	if err := os.Chown(dir, uid, gid); err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}

// RequirePasswords makes the server ask a role for its password.
func (s *Server) RequirePasswords(t testing.TB, role string) {
	t.Helper()
	path := filepath.Join(s.dir, "data", "pg_hba.conf")
	rules, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append([]byte("local all "+role+" scram-sha-256\n"), rules...), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, "postgres", "SELECT pg_reload_conf()")
}
