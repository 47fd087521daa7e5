package sqlite

import (
	"context"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/sqlstore"
)

// Bars is an open store of price history. It is safe for concurrent use, also by several processes.
type Bars struct {
	*DB
	sqlstore.Bars
	maxBytes int64 // maximum size of the file
}

// maxBarsBytes limits the size of the file: some five thousand symbols of forty years, which is
// enough for years of questions and fits on any disk.
const maxBarsBytes = 512 << 20

// OpenBars opens the price history at path, like Open. It is a separate file, because prices can be
// fetched again and may be deleted.
func OpenBars(ctx context.Context, path string, opts Options) (*Bars, error) {
	db, err := openAs(ctx, path, opts, barsLayout())
	if err != nil {
		return nil, err
	}
	b := &Bars{DB: db, maxBytes: maxBarsBytes}
	b.Bars = sqlstore.NewBars(sessionEngine{db}, func(ctx context.Context, tx sqlstore.Tx, keep market.BarKey) error {
		return evictOldSeries(ctx, tx, keep, b.maxBytes)
	})
	return b, nil
}

// evictOldSeries deletes the least recently fetched series, a tenth at a time, while the file is
// larger than maxBytes, until it is at nine tenths of that. The series of k is kept. SQLite reuses
// the pages.
func evictOldSeries(ctx context.Context, tx sqlstore.Tx, k market.BarKey, maxBytes int64) error {
	for limit := maxBytes; ; limit = maxBytes - maxBytes/10 {
		var used int64
		err := tx.QueryRowContext(ctx, `SELECT (p.page_count - f.freelist_count) * s.page_size
			FROM pragma_page_count p, pragma_freelist_count f, pragma_page_size s`).Scan(&used)
		if err != nil || used <= limit {
			return err
		}
		deleted, err := tx.ExecContext(ctx, `DELETE FROM series WHERE (source, symbol) IN (
			SELECT source, symbol FROM series WHERE (source, symbol) <> (?, ?)
			ORDER BY julianday(cover ->> '$.provenance.fetched_at') LIMIT (SELECT count(*) / 10 + 1 FROM series))`, k.Source, string(k.Symbol))
		if err != nil {
			return err
		}
		if n, err := deleted.RowsAffected(); err != nil || n == 0 {
			return err
		}
	}
}
