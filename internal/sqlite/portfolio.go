package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/nfa-cli/nfa/internal/sqlstore"
)

// PortfolioStore is an open store of the user's portfolio and documents. It is safe for concurrent
// use, also by several processes. A person can read the file with the sqlite3 program and fix a row
// in it. A row that is invalid afterwards is an error that names the row.
//
// Before the first change of a day the file is copied to a file next to it, such as
// book.db.backup-20261122, and before a new version of the program changes its tables. The newest
// seven copies are kept. To restore one, quit every running nfa, move book.db, and book.db-wal and
// book.db-shm if they exist, to another place, and copy the backup to book.db. A backup must not be
// combined with a log from another time.
type PortfolioStore struct {
	sqlstore.Portfolio
	file   *DB
	now    func() time.Time
	notice func(string)
	// readOnlyErr is why the file is read-only: it or its folder is not writable.
	readOnlyErr error
}

var _ sqlstore.Engine = (*PortfolioStore)(nil)

// maxConnections allows readers next to a writer, and a change that loads the ledger again while it
// is made.
const maxConnections = 8

// OpenPortfolioStore opens the portfolio file at path, like Open, but never replaces a damaged
// file: damage is an error with the next step, and the file keeps every byte. A file of a newer
// program is an error too (ErrNewer). A file that is not writable, because of permissions or a full
// disk, is opened read-only, and every change returns an error that says so.
func OpenPortfolioStore(ctx context.Context, path string, opts Options) (*PortfolioStore, error) {
	opts = opts.withDefaults()
	if err := CheckPortfolioMissing(path); err != nil {
		return nil, err
	}
	b := &PortfolioStore{now: opts.Now, notice: opts.Notice}
	b.Portfolio = sqlstore.NewPortfolio(b)
	l := portfolioLayout()
	l.beforeMigrate = func(ctx context.Context, pool *sql.DB, have int) error {
		return b.backUpSchema(ctx, pool, path, have)
	}
	file, err := openAs(ctx, path, opts, l)
	if isUnwritable(err) || isDiskFull(err) {
		b.readOnlyErr = readOnlyError(path, err)
		if err = b.readOnlyErr; fileSize(path) > 0 {
			file, err = openReadOnly(ctx, path, l)
		}
	}
	if err != nil {
		return nil, explainPortfolioError(path, explainNewer(path, err))
	}
	file.db.SetMaxOpenConns(maxConnections)
	b.file = file
	return b, nil
}

// Close closes the file.
func (b *PortfolioStore) Close() error { return b.file.Close() }

// Read runs do on a consistent snapshot.
func (b *PortfolioStore) Read(ctx context.Context, do func(sqlstore.Tx) error) (err error) {
	defer b.explainError(&err)
	tx, err := b.file.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback() // it only reads
	if err := checkCurrentSchema(ctx, tx); err != nil {
		return err
	}
	return do(tx)
}

// checkCurrentSchema returns ErrNewer if a newer program has changed the tables since the file was
// opened, because this program could misread them.
func checkCurrentSchema(ctx context.Context, tx sqlstore.Tx) error {
	have, err := schemaVersion(ctx, tx)
	if err != nil {
		return err
	}
	return checkVersion(portfolioLayout(), have)
}

// Write applies all of do, or nothing. It waits up to ten seconds for another process that writes,
// and returns nil when the data is on disk.
func (b *PortfolioStore) Write(ctx context.Context, do func(sqlstore.Tx) error) (err error) {
	defer b.explainError(&err)
	if b.readOnlyErr != nil {
		return fmt.Errorf("write portfolio: %w", b.readOnlyErr)
	}
	if err := b.backUpToday(ctx); err != nil {
		return err
	}
	err = b.file.inDurableTransaction(ctx, func(tx sqlstore.Tx) error {
		if err := checkCurrentSchema(ctx, tx); err != nil {
			return err
		}
		return markDamaged(do(tx))
	})
	if err != nil {
		return fmt.Errorf("write portfolio: %w", err)
	}
	return nil
}

// Refusal returns the rule of the tables that a statement broke.
func (b *PortfolioStore) Refusal(err error) error { return refusal(err) }

// Now returns the current time.
func (b *PortfolioStore) Now() time.Time { return b.now() }

// explainError marks damage, and describes SQLite's error for the user.
func (b *PortfolioStore) explainError(err *error) {
	if isDamaged(*err) {
		b.file.markSuspect() // the next start checks the whole file
		*err = portfolioDamagedError(b.file.path, *err)
		return
	}
	*err = explainPortfolioError(b.file.path, *err)
}

// explainPortfolioError adds the consequence for the portfolio to an SQLite error.
func explainPortfolioError(path string, err error) error {
	if errors.Is(err, errReadOnly) {
		return err
	}
	if isDiskFull(err) {
		return fmt.Errorf("%w: %w for %s; the portfolio is unchanged", err, errDiskFull, path)
	}
	switch errorCode(err) & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%w: another program is writing to %s; nothing was changed, try again", err, path)
	case sqlite3.SQLITE_READONLY:
		return readOnlyError(path, err)
	}
	return err
}

// Check reads the whole file, including parts that nothing has used yet. Damage is the error that
// OpenPortfolioStore returns for it.
func (b *PortfolioStore) Check(ctx context.Context) (err error) {
	defer b.explainError(&err)
	return checkIntegrity(ctx, b.file.db)
}
