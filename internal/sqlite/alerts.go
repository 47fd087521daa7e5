package sqlite

import (
	"context"
	"fmt"

	"github.com/gofrs/flock"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/sqlstore"
)

// Alerts returns the store of alerts in this file.
func (d *DB) Alerts() alert.Store {
	return sqlstore.NewAlerts(durableEngine{sessionEngine{d}}, d.lockAlerts)
}

// lockAlerts locks a file, because the system releases it when the process dies.
func (d *DB) lockAlerts(context.Context) (release func(), err error) {
	l := flock.New(d.path + ".alerts.lock")
	ok, err := l.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("lock alerts: %w", err)
	case !ok:
		return nil, alert.ErrLocked
	}
	return func() { _ = l.Close() }, nil
}
