package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/session"
)

// A lease lasts a little longer than a machine may be without its network.
const (
	leaseFor   = 30 * time.Second
	renewEvery = 10 * time.Second
)

// Locks are leases in the database: they allow one writer for each session, also on other machines.
// A lease ends by itself when its holder has not renewed it. If it was taken meanwhile, the number of
// an entry is taken too, so that the next append fails instead of mixing two conversations.
type Locks struct {
	store *Store
	id    uuid.UUID // of this process
}

// Locks returns the locks of the book's sessions.
func (s *Store) Locks() *Locks { return &Locks{store: s, id: uuid.New()} }

// Acquire makes this process the writer of a session until it calls release. If another one is, it
// returns session.ErrLocked.
func (l *Locks) Acquire(ctx context.Context, id string) (release func(), err error) {
	if err := l.renew(ctx, id); err != nil {
		return nil, err
	}
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
				_ = l.renew(within, id) // tried again; if it was taken, the next append fails
				cancel()
			}
		}
	})
	return sync.OnceFunc(func() {
		close(stop)
		done.Wait()
		within, cancel := context.WithTimeout(background, connectTimeout)
		defer cancel()
		_, _ = l.store.db.ExecContext(within, "DELETE FROM lease WHERE session_id = $1 AND holder = $2", id, l.id) // it ends by itself
	}), nil
}

// renew takes or extends a lease.
func (l *Locks) renew(ctx context.Context, id string) error {
	result, err := l.store.db.ExecContext(ctx, `INSERT INTO lease (session_id, holder, until) VALUES ($1, $2, now() + $3 * interval '1 second')
		ON CONFLICT (book, session_id) DO UPDATE SET holder = excluded.holder, until = excluded.until
		WHERE lease.holder = excluded.holder OR lease.until < now()`, id, l.id, leaseFor.Seconds())
	if err != nil {
		return fmt.Errorf("lock session %s: %w", id, l.store.explain(err))
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return session.ErrLocked
	}
	return nil
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
