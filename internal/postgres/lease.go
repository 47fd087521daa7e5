package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/sqlstore"
)

// A lease outlasts two renewals that fail.
const (
	leaseFor   = 30 * time.Second
	renewEvery = 10 * time.Second
)

// Locks are leases in the database: they allow one writer per session, even across machines. A lease
// expires if its holder does not renew it; the server's clock decides. If another process has taken it in
// the meantime, the holder can no longer append to the session.
type Locks struct{ store *Store }

// Locks returns the locks of the book's sessions.
func (s *Store) Locks() *Locks { return &Locks{s} }

// Acquire makes this process the writer of a session until it calls release. If another process is the
// writer, it returns session.ErrLocked.
func (l *Locks) Acquire(ctx context.Context, id string) (release func(), err error) {
	taken, err := l.exec(ctx, `INSERT INTO lease (session_id, holder, until) VALUES ($1, $2, now() + $3 * interval '1 second')
		ON CONFLICT (book, session_id) DO UPDATE SET holder = excluded.holder, until = excluded.until
		WHERE lease.holder = excluded.holder OR lease.until < now()`, id, l.store.process, leaseFor.Seconds())
	if err != nil {
		return nil, fmt.Errorf("lock session %s: %w", id, err)
	}
	if !taken {
		return nil, session.ErrLocked
	}
	l.store.leases.Store(id, true)
	background := context.WithoutCancel(ctx)
	stop := make(chan struct{})
	var done crash.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(renewEvery)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				within, cancel := context.WithTimeout(background, renewEvery)
				// It is tried again. If the lease was taken, the next append fails.
				_, _ = l.exec(within, "UPDATE lease SET until = now() + $3 * interval '1 second' WHERE session_id = $1 AND holder = $2", id, l.store.process, leaseFor.Seconds())
				cancel()
			}
		}
	})
	return sync.OnceFunc(func() {
		close(stop)
		done.Wait()
		l.store.leases.Delete(id)
		within, cancel := context.WithTimeout(background, connectTimeout)
		defer cancel()
		_, _ = l.exec(within, "DELETE FROM lease WHERE session_id = $1 AND holder = $2", id, l.store.process) // otherwise it expires
	}), nil
}

// exec reports whether a statement changed a row.
func (l *Locks) exec(ctx context.Context, statement string, args ...any) (bool, error) {
	result, err := l.store.db.ExecContext(ctx, statement, args...)
	if err != nil {
		return false, l.store.explain(err)
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// checkLease returns session.ErrLocked if another process writes a session, or has written it since this
// one acquired it. It keeps others from acquiring it until the transaction ends.
func (s *Store) checkLease(ctx context.Context, t *sql.Tx, id string) error {
	var holder uuid.UUID
	var valid bool
	err := t.QueryRowContext(ctx, "SELECT holder, until > now() FROM lease WHERE session_id = $1 FOR UPDATE", id).Scan(&holder, &valid)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if _, acquired := s.leases.Load(id); holder != s.process && (acquired || valid) {
		return session.ErrLocked
	}
	return nil
}

// sessions are the sessions of a book. Only the holder of a lease can append.
type sessions struct {
	sqlstore.Sessions
	store *Store
}

func (s sessions) Append(ctx context.Context, id string, entries ...session.Entry) error {
	return sqlstore.NewSessions(engine{Store: s.store, session: id}).Append(ctx, id, entries...)
}

// Locked returns the sessions being written, including those of this process.
func (l *Locks) Locked(ctx context.Context) (map[string]bool, error) {
	rows, err := l.store.db.QueryContext(ctx, "SELECT session_id FROM lease WHERE until > now()")
	if err != nil {
		return nil, fmt.Errorf("find open sessions: %w", l.store.explain(err))
	}
	defer rows.Close()
	held := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		held[id] = true
	}
	return held, rows.Err()
}
