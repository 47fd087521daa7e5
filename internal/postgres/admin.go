package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/text/secure/precis"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/sqlstore"
)

//go:embed migration/*.sql
var migrationFiles embed.FS

// migrations returns the statements that create the tables, in their order.
var migrations = sync.OnceValue(func() []string {
	names, err := fs.Glob(migrationFiles, "migration/*.sql")
	if err != nil {
		panic(err)
	}
	var all []string
	for _, name := range names {
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		all = append(all, string(text))
	}
	return all
})

// Init creates or updates the tables. The role must own the database and may create roles. Several programs
// may run it at once.
func Init(ctx context.Context, t Target) error {
	return administer(ctx, t, func(tx *sql.Tx) error {
		// The number has no meaning; every nfa uses the same.
		if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(7265133)"); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `CREATE SCHEMA IF NOT EXISTS nfa;
			CREATE TABLE IF NOT EXISTS nfa.migration (n int PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
			DO $$ BEGIN CREATE ROLE nfa_users NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`)
		if err != nil {
			return err
		}
		var have int
		if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(n), 0) FROM nfa.migration").Scan(&have); err != nil {
			return err
		}
		if have > len(migrations()) {
			return ErrNewer
		}
		for n, script := range migrations()[have:] {
			if _, err := tx.ExecContext(ctx, script); err != nil {
				return fmt.Errorf("update the tables to version %d: %w", have+n+1, err)
			}
			if _, err := tx.ExecContext(ctx, "INSERT INTO nfa.migration (n) VALUES ($1)", have+n+1); err != nil {
				return err
			}
		}
		return nil
	})
}

// roleName is a role that needs no quotes.
var roleName = lazyregexp.New(`^[a-z][a-z0-9_]{0,62}$`)

// AddUser creates a role for a user, or gives an existing role access. With an empty password, none
// is set.
func AddUser(ctx context.Context, t Target, name, password string) error {
	if !roleName().MatchString(name) || name == portfolio.AllOwners {
		return fmt.Errorf("invalid name %q: use lower-case letters, digits and _; the name all is reserved", name)
	}
	return administer(ctx, t, func(tx *sql.Tx) error {
		role := pgx.Identifier{name}.Sanitize()
		var exists bool
		if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1)", name).Scan(&exists); err != nil {
			return err
		}
		if !exists {
			if _, err := tx.ExecContext(ctx, "CREATE ROLE "+role+" LOGIN"); err != nil {
				return err
			}
		}
		if password != "" {
			verifier, err := scramVerifier(password)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "ALTER ROLE "+role+" PASSWORD '"+verifier+"'"); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "GRANT nfa_users TO "+role)
		return err
	})
}

// scramVerifier returns what the server stores instead of a password (RFC 5803), so that the password
// itself appears in no statement that the server may log.
func scramVerifier(password string) (string, error) {
	prepared, err := precis.OpaqueString.String(password)
	if err != nil {
		return "", fmt.Errorf("the password contains a character that is not allowed: %w", err)
	}
	const iterations = 4096 // PostgreSQL's own
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	salted, err := pbkdf2.Key(sha256.New, prepared, salt, iterations, sha256.Size)
	if err != nil {
		return "", err
	}
	sign := func(text string) []byte {
		mac := hmac.New(sha256.New, salted)
		mac.Write([]byte(text))
		return mac.Sum(nil)
	}
	stored := sha256.Sum256(sign("Client Key"))
	encode := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s", iterations, encode(salt), encode(stored[:]), encode(sign("Server Key"))), nil
}

// administer runs do as the owner of the database.
func administer(ctx context.Context, t Target, do func(*sql.Tx) error) error {
	s := &Store{target: t, book: t.User, db: connect(t, t.User)}
	defer s.db.Close()
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return s.explain(err)
	}
	defer tx.Rollback() // no effect after a commit
	if err := do(tx); err != nil {
		return s.explain(err)
	}
	return s.explain(tx.Commit())
}

// Level is a user's access level to the data of another user.
type Level string

// Levels.
const (
	View Level = "view" // the portfolio and the watchlist
	Edit Level = "edit" // everything
)

// Share lets another user open the data of the store's owner, who must be the current user.
func (s *Store) Share(ctx context.Context, grantee string, level Level) error {
	if !s.Own() {
		return errNotOwner
	}
	var exists bool
	if err := s.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1)", grantee).Scan(&exists); err != nil {
		return s.explain(err)
	}
	if !exists {
		return fmt.Errorf("there is no user %q in the store; its owner can add one with: nfa store adduser ADDRESS %s", grantee, grantee)
	}
	_, err := s.db.ExecContext(ctx, `INSERT INTO share (grantee, level) VALUES ($1, $2)
		ON CONFLICT (book, grantee) DO UPDATE SET level = excluded.level`, grantee, string(level))
	return s.explain(err)
}

var errNotOwner = errors.New("only the owner can share data; omit --owner")

// Unshare revokes the permission. It reports whether there was one.
func (s *Store) Unshare(ctx context.Context, grantee string) (bool, error) {
	if !s.Own() {
		return false, errNotOwner
	}
	result, err := s.db.ExecContext(ctx, "DELETE FROM share WHERE grantee = $1", grantee)
	if err != nil {
		return false, s.explain(err)
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// Saved reports whether a change was saved. IDs are in the message of ErrUncertain.
func (s *Store) Saved(ctx context.Context, id uuid.UUID) (saved bool, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM nfa.change WHERE id = $1)", id).Scan(&saved)
	return saved, s.explain(err)
}

// Permission is one user's access to the data of another.
type Permission struct {
	Book    string `json:"book"`
	Grantee string `json:"grantee"`
	Level   Level  `json:"level"`
}

// Ledgers returns the ledgers of all books that the user may open, their own first, as they were at one
// moment.
func (s *Store) Ledgers(ctx context.Context) (all []portfolio.OwnedLedger, err error) {
	err = engine{Store: s}.Read(ctx, func(tx sqlstore.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT book FROM nfa.books() ORDER BY book <> session_user, book")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var o portfolio.OwnedLedger
			if err := rows.Scan(&o.Owner); err != nil {
				return err
			}
			all = append(all, o)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		for i := range all {
			if _, err := tx.ExecContext(ctx, "SELECT set_config('nfa.book', ?, true)", all[i].Owner); err != nil { // for this transaction
				return err
			}
			if all[i].Ledger, err = sqlstore.LoadLedger(ctx, tx); err != nil {
				return fmt.Errorf("load portfolio for %s: %w", all[i].Owner, err)
			}
		}
		return nil
	})
	return all, err
}

// Permissions lists who may open the user's own book, and which other books the user may open.
func (s *Store) Permissions(ctx context.Context) (given, received []Permission, err error) {
	collect := func(query string) (all []Permission, err error) {
		rows, err := s.db.QueryContext(ctx, query)
		if err != nil {
			return nil, s.explain(err)
		}
		defer rows.Close()
		for rows.Next() {
			var p Permission
			if err := rows.Scan(&p.Book, &p.Grantee, &p.Level); err != nil {
				return nil, err
			}
			all = append(all, p)
		}
		return all, s.explain(rows.Err())
	}
	if given, err = collect("SELECT book, grantee, level FROM share ORDER BY grantee"); err != nil {
		return nil, nil, err
	}
	received, err = collect("SELECT book, session_user, level FROM nfa.books() WHERE book <> session_user ORDER BY book")
	return given, received, err
}
