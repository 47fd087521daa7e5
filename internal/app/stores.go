package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/skill"
)

// Stores holds the user's data: one database for sessions and skills, one for the portfolio, and one that
// caches price history. If the setting store is set, a server holds the data of all three. Everything is
// opened on first use.
type Stores struct {
	*Database
	Shared    *SharedStore // nil without the setting store
	Portfolio *PortfolioStore
	Bars      *BarStore
	home      string
	replay    *Database // alerts as of past days
}

func openStores(s Settings, log zerolog.Logger, notice func(string)) *Stores {
	shared, records := newSharedStore(s, log), NewPortfolioStore(s.Home, s.Now, notice)
	records.shared = shared
	bars := NewBarStore(filepath.Join(s.Home, "cache", "bars.db"), s.Now, func(text string) { log.Warn().Msg(text) })
	bars.shared = shared
	return &Stores{
		Shared:   shared,
		Database: NewDatabase(s.Home, notice), Portfolio: records, home: s.Home,
		replay: NewDatabase(filepath.Join(s.Home, "cache", "alerts-replay"), notice),
		Bars:   bars,
	}
}

// Sessions opens the saved sessions.
func (s *Stores) Sessions(ctx context.Context) (session.Store, error) {
	if s.Shared != nil {
		return s.Shared.Sessions(ctx)
	}
	db, err := s.Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("open the sessions in %s: %w; choose another data folder with --home or NFA_HOME", humanize.ShortPath(s.home), err)
	}
	return db.Sessions(), nil
}

// Skills returns the stored skills.
func (s *Stores) Skills() skill.Store {
	if s.Shared != nil {
		return s.Shared.Skills()
	}
	return s.Database.Skills()
}

// Exists reports whether there may be sessions.
func (s *Stores) Exists() bool { return s.Shared != nil || s.Database.Exists() }

// Locks returns the locks of sessions.
func (s *Stores) Locks() session.Locker {
	if s.Shared != nil {
		return s.Shared
	}
	return session.NewLocks(filepath.Join(s.home, "cache", "locks"))
}

// Close closes everything that was opened.
func (s *Stores) Close() error {
	return errors.Join(s.Shared.Close(), s.Database.Close(), s.replay.Close(), s.Portfolio.Close(), s.Bars.Close())
}

// sessionLocks holds the sessions that this process has locked for writing.
type sessionLocks struct {
	locks session.Locker

	mu   sync.Mutex
	held map[string]func() // releases it
}

// acquire locks a session for writing, or returns session.ErrLocked.
func (l *sessionLocks) acquire(ctx context.Context, id string) error {
	release, err := l.locks.Acquire(ctx, id)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held[id] = release
	return nil
}

func (l *sessionLocks) release(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if release, ok := l.held[id]; ok {
		release()
		delete(l.held, id)
	}
}

// releaseOthers releases every session but one; "" releases all.
func (l *sessionLocks) releaseOthers(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for other, release := range l.held {
		if other != id {
			release()
			delete(l.held, other)
		}
	}
}

func (l *sessionLocks) owns(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held[id] != nil
}

// HasNoData reports whether the user has recorded nothing that a tool could show.
func (a *App) HasNoData(ctx context.Context, tool string) bool {
	store := a.Stores.Portfolio
	switch tool {
	case "watchlist":
		watches, err := store.Watches(ctx)
		return err == nil && len(watches) == 0
	case "decision_journal":
		decisions, err := store.Decisions(ctx)
		return err == nil && len(decisions) == 0
	}
	ledger, err := store.Ledger(ctx)
	return err == nil && len(ledger.Transactions) == 0
}
