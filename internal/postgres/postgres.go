// Package postgres stores nfa's data in a PostgreSQL database that several people and machines
// share. Each person has a role and a book, which is all of the person's data. Row-level security
// decides which books a role may read or change, so that a mistake in this program cannot show one
// person's data to another.
package postgres

import (
	"context"
	"crypto/tls"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/sqlstore"
)

// Errors of a store.
var (
	// ErrNewer means that a later version of nfa has changed the tables.
	ErrNewer = errors.New("the store was updated by a newer version of nfa; upgrade nfa")
	// ErrUncertain means that the connection was lost while a change was saved, and the server could
	// not be reached again to look for it.
	ErrUncertain = errors.New("the connection was lost while saving: the change may or may not have been saved")
	// ErrLost means that the connection was lost.
	ErrLost = errors.New("lost the connection to the store")
	// ErrViewOnly means that the person may view the book and not change it.
	ErrViewOnly = errors.New("you can view this portfolio but not change it")
)

// Limits of a connection.
const (
	connections    = 4
	connectTimeout = 5 * time.Second
	retries        = 3
	retryFor       = 30 * time.Second
)

// Options configures Open.
type Options struct {
	Book string // the role whose book is opened; "" for the user's own
	Now  func() time.Time
}

// Store is an open book. It is safe for concurrent use, also by several machines.
type Store struct {
	target Target
	book   string
	db     *sql.DB
	now    func() time.Time

	process uuid.UUID // holds the leases
	leases  sync.Map  // IDs of sessions that this process has acquired
}

// Open connects to a server and opens a book there. The caller must call Close.
func Open(ctx context.Context, t Target, o Options) (*Store, error) {
	s := &Store{target: t, book: o.Book, now: o.Now, process: uuid.New()}
	if s.book == "" {
		s.book = t.User
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.db = connect(t, s.book)
	if err := s.check(ctx); err != nil {
		_ = s.db.Close()
		return nil, err
	}
	return s, nil
}

func connect(t Target, book string) *sql.DB {
	config := t.config.Copy()
	config.ConnectTimeout = connectTimeout
	config.RuntimeParams["application_name"] = "nfa"
	prepare := func(ctx context.Context, c *pgx.Conn) error { // PgBouncer refuses them as startup parameters
		_, err := c.Exec(ctx, `SELECT set_config('nfa.book', $1, false), set_config('search_path', 'nfa', false), set_config('datestyle', 'ISO', false),
			set_config('statement_timeout', '10s', false), set_config('idle_in_transaction_session_timeout', '30s', false)`, book)
		return err
	}
	db := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(prepare))
	db.SetMaxOpenConns(connections)
	return db
}

// check returns an error if tables are missing or the user may not open the data.
func (s *Store) check(ctx context.Context) error {
	var privileged bool
	err := s.db.QueryRowContext(ctx, "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = session_user").Scan(&privileged)
	if err != nil {
		return s.explain(err)
	}
	if privileged {
		return fmt.Errorf("role %s is a superuser and can read everyone's data; add a role with: nfa store adduser ADDRESS NAME", s.target.User)
	}
	var version int
	if err := s.db.QueryRowContext(ctx, "SELECT coalesce(max(n), 0) FROM nfa.migration").Scan(&version); err != nil {
		return s.explain(err)
	}
	switch want := len(migrations()); {
	case version > want:
		return ErrNewer
	case version < want:
		return fmt.Errorf("the tables in %s are from an older version of nfa; the owner of the database must run: nfa store init", s.target)
	}
	var level sql.NullString
	if err := s.db.QueryRowContext(ctx, "SELECT nfa.level($1)", s.book).Scan(&level); err != nil {
		return s.explain(err)
	}
	if !level.Valid {
		return fmt.Errorf("you may not open the portfolio of %s; %s can share it with: nfa store share %s", s.book, s.book, s.target.User)
	}
	return nil
}

// Close closes the connections.
func (s *Store) Close() error { return s.db.Close() }

// Book returns the role whose book is open.
func (s *Store) Book() string { return s.book }

// Own reports whether the book is the person's own.
func (s *Store) Own() bool { return s.book == s.target.User }

// Target returns the address.
func (s *Store) Target() Target { return s.target }

// Portfolio returns the portfolio of the book.
func (s *Store) Portfolio() sqlstore.Portfolio {
	return sqlstore.NewPortfolio(engine{Store: s, exclusive: true})
}

// Sessions returns the sessions of the book.
func (s *Store) Sessions() session.Store { return sessions{sqlstore.NewSessions(engine{Store: s}), s} }

// Skills returns the skills of the book.
func (s *Store) Skills() skill.Store { return sqlstore.NewSkills(engine{Store: s, exclusive: true}) }

// Alerts returns the alerts of the book. A run holds a lease.
func (s *Store) Alerts() alert.Store {
	return sqlstore.NewAlerts(engine{Store: s, exclusive: true}, func(ctx context.Context) (release func(), err error) {
		release, err = s.Locks().Acquire(ctx, "alerts")
		if errors.Is(err, session.ErrLocked) {
			return nil, alert.ErrLocked
		}
		return release, err
	})
}

// engine runs transactions.
type engine struct {
	*Store
	book      string // what the transaction opens; "" is the store's
	exclusive bool   // changes of a book are made one after the other
	session   string // the session that is changed, or ""
}

func (e engine) Now() time.Time { return e.now() }

func (e engine) Read(ctx context.Context, do func(sqlstore.Tx) error) error {
	t, err := e.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return e.explain(err)
	}
	defer t.Rollback() // it only reads
	if err := e.openBook(ctx, t); err != nil {
		return e.explain(err)
	}
	return e.explain(do(tx{t}))
}

// openBook opens the book of the engine for one transaction.
func (e engine) openBook(ctx context.Context, t *sql.Tx) error {
	if e.book == "" {
		return nil
	}
	_, err := t.ExecContext(ctx, "SELECT set_config('nfa.book', $1, true)", e.book)
	return err
}

func (e engine) Erase(ctx context.Context, do func(sqlstore.Tx) error) error { return e.Write(ctx, do) }

// Write applies do in a transaction. If the connection is lost before the commit, or the server asks to
// repeat the transaction, do runs again. If the connection is lost during the commit, Write looks the
// change up by its ID.
func (e engine) Write(ctx context.Context, do func(sqlstore.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, retryFor)
	defer cancel()
	var err error
	for range 1 + retries {
		id := uuid.New()
		var again bool
		if again, err = e.attempt(ctx, id, do); !again {
			break
		}
	}
	return e.explain(err)
}

// attempt applies do once. again means that nothing was saved and the change may be repeated.
func (e engine) attempt(ctx context.Context, id uuid.UUID, do func(sqlstore.Tx) error) (again bool, err error) {
	conn, err := e.db.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Close() // returns it to the pool
	t, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return isLost(conn, err), err
	}
	defer t.Rollback() // no effect after a commit
	if err := e.begin(ctx, t, id); err != nil {
		return isLost(conn, err), err
	}
	if err := do(tx{t}); err != nil {
		return isLost(conn, err), err
	}
	err = t.Commit()
	if err == nil || isRefusal(err) {
		return isConflict(err), err
	}
	// The server may have committed although its answer did not arrive.
	saved, lookErr := e.Saved(ctx, id)
	if lookErr != nil {
		return false, fmt.Errorf("%w; before you repeat it, run: nfa store check %s (%w)", ErrUncertain, id, err)
	}
	if saved {
		return false, nil
	}
	return true, err
}

// begin records the ID of a change, waits for other changes, and checks who writes the session.
func (e engine) begin(ctx context.Context, t *sql.Tx, id uuid.UUID) error {
	if err := e.openBook(ctx, t); err != nil {
		return err
	}
	if e.exclusive {
		if _, err := t.ExecContext(ctx, "INSERT INTO book (version) VALUES (1) ON CONFLICT (book) DO UPDATE SET version = book.version + 1"); err != nil {
			return err
		}
	}
	if e.session != "" {
		if err := e.checkLease(ctx, t, e.session); err != nil {
			return err
		}
	}
	_, err := t.ExecContext(ctx, "INSERT INTO change (id) VALUES ($1)", id)
	return err
}

// isLost reports whether a statement failed because the connection was lost or the server asks to
// repeat the transaction.
func isLost(c *sql.Conn, err error) bool {
	if isConflict(err) {
		return true
	}
	closed := false
	rawErr := c.Raw(func(c any) error {
		closed = c.(*stdlib.Conn).Conn().IsClosed()
		return nil
	})
	return closed || rawErr != nil
}

// isRefusal reports whether the server answered with an error, so that nothing was saved.
func isRefusal(err error) bool {
	code := errorCode(err)
	return code != "" && !strings.HasPrefix(code, "57") && !strings.HasPrefix(code, "08")
}

// isConflict reports whether the server asks to repeat the transaction.
func isConflict(err error) bool {
	code := errorCode(err)
	return code == "40001" || code == "40P01"
}

func errorCode(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Refusal returns the rule of the tables that a statement broke, or nil.
func (s *Store) Refusal(err error) error {
	switch errorCode(err) {
	case "23505":
		return sqlstore.ErrUnique
	case "23503":
		return sqlstore.ErrForeign
	case "23514", "23502", "22P02", "22007", "22008", "22003":
		return sqlstore.ErrCheck
	}
	return nil
}

// explain adds the next step to an error of the server.
func (s *Store) explain(err error) error {
	switch code := errorCode(err); {
	case err == nil, errors.Is(err, ErrUncertain):
		return err
	case code == "42501" && !s.Own():
		return fmt.Errorf("%w; %s can allow it with: nfa store share %s --edit", ErrViewOnly, s.book, s.target.User)
	case code == "57014":
		return fmt.Errorf("%s did not answer within 10 seconds, or another program is changing the portfolio; nothing was changed, try again (%w)", s.target.Host, err)
	case code == "3F000", code == "42P01":
		return fmt.Errorf("database %s has no nfa tables; its owner must run: nfa store init (%w)", s.target.Database, err)
	case code == "28P01":
		return fmt.Errorf("%s refused the password for %s; save the correct password with: nfa auth set store (%w)", s.target.Host, s.target.User, err)
	case code == "28000":
		return fmt.Errorf("%s refused %s; check the name in the store setting, or ask the owner of the server (%w)", s.target.Host, s.target.User, err)
	case code == "3D000":
		return fmt.Errorf("%s has no database %s; the owner of the server can create it with: createdb %s (%w)", s.target.Host, s.target.Database, s.target.Database, err)
	case code == "25006":
		return fmt.Errorf("%s is read-only (a standby server or a read-only setting); nothing was changed (%w)", s.target.Host, err)
	case code == "53100":
		return fmt.Errorf("the disk on %s is full; nothing was changed; ask the owner of the server to free space (%w)", s.target.Host, err)
	case code == "53300":
		return fmt.Errorf("%s has too many connections; try again later, or ask its owner to raise max_connections (%w)", s.target.Host, err)
	}
	var connectErr *pgconn.ConnectError
	var certificateErr *tls.CertificateVerificationError
	switch {
	case !errors.As(err, &connectErr):
	case errors.As(err, &certificateErr):
		return fmt.Errorf("cannot verify the identity of %s; set its CA certificate with ?sslrootcert=FILE, or see docs/shared-store.md (%w)", s.target.Host, err)
	case strings.Contains(err.Error(), "refused TLS"): // pgconn has no type for it
		return fmt.Errorf("%s does not encrypt connections; the owner of the server can enable encryption with ssl = on in postgresql.conf (%w)", s.target.Host, err)
	default:
		return fmt.Errorf("cannot reach the store %s; check the network and the store setting, or delete the setting to use the data on this computer (%w)", s.target, oneLine{err})
	}
	var netErr net.Error
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, driver.ErrBadConn) || errors.As(err, &netErr) {
		return fmt.Errorf("%w, %s; nothing was changed, try again (%w)", ErrLost, s.target, err)
	}
	return err
}

// oneLine is an error of pgx, which lists each address on a separate line.
type oneLine struct{ error }

func (e oneLine) Error() string { return strings.Join(strings.Fields(e.error.Error()), " ") }
func (e oneLine) Unwrap() error { return e.error }
