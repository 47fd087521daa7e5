package sqlite

import (
	"context"
	"fmt"
)

// LimitPages limits the file to this many pages, as a full disk would.
func (b *PortfolioStore) LimitPages(ctx context.Context, pages int) error {
	b.file.db.SetMaxOpenConns(1) // the limit applies to one connection
	_, err := b.file.db.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", pages))
	return err
}

// SetShortTimeout makes the store not wait for other processes.
func (b *PortfolioStore) SetShortTimeout(ctx context.Context) error {
	b.file.db.SetMaxOpenConns(1)
	_, err := b.file.db.ExecContext(ctx, "PRAGMA busy_timeout = 1")
	return err
}
