package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// PortfolioStore is an open store of what the user has recorded, with the documents that
// belong to it. It is safe for concurrent use, also by several processes on one
// file. A person can read the file with the sqlite3 program, and mend a row in it:
// what then does not read is an error that names the row.
//
// Before the first change of a day the file is copied beside itself, as
// book.db.backup-20261122, and before a new version of the program changes its
// tables; the newest seven copies stay. To go back, end every nfa, move book.db,
// and book.db-wal and book.db-shm where they are there, to another place and copy
// the backup to book.db. Two files of a backup and a log of another time would
// not fit together.
type PortfolioStore struct {
	file   *DB
	now    func() time.Time
	notice func(string)
	// readOnlyErr is why the file is only read: it or its folder cannot be written to.
	readOnlyErr error
}

var _ portfolio.Store = (*PortfolioStore)(nil)

// maxConnections leaves connections for readers next to a writer, and for a change that reads the
// ledger once more while it is made.
const maxConnections = 8

// OpenPortfolioStore opens the portfolio file at path as Open does the sessions, but never puts an
// empty file in the place of a damaged one: damage is an error that says what to do, and the file
// keeps every byte. A file of a newer program is an error, too (ErrNewer). A file that cannot be
// written to, because of permissions or a full disk, is opened read-only, and every change returns
// an error that says so.
func OpenPortfolioStore(ctx context.Context, path string, opts Options) (*PortfolioStore, error) {
	opts = opts.withDefaults()
	b := &PortfolioStore{now: opts.Now, notice: opts.Notice}
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

// Close gives the file back.
func (b *PortfolioStore) Close() error { return b.file.Close() }

// Ledger loads all of it.
func (b *PortfolioStore) Ledger(ctx context.Context) (_ portfolio.Ledger, err error) {
	defer b.explainError(&err)
	var l portfolio.Ledger
	// One transaction, so that all parts are of the same moment.
	err = b.withReadTx(ctx, func(tx *sql.Tx) error {
		l, err = loadLedger(ctx, tx)
		return err
	})
	if err != nil {
		return portfolio.Ledger{}, fmt.Errorf("loading the book: %w", err)
	}
	return l, nil
}

// Update has change look at the ledger and does what it returns. It waits up to ten
// seconds for another one that is under way. What is added is checked alone and
// against what is recorded; whether all that is sold was held is for change to ask.
func (b *PortfolioStore) Update(ctx context.Context, change func(portfolio.Ledger) (portfolio.Change, error)) error {
	var refused error // by change: nothing of ours
	err := b.withWriteTx(ctx, func(tx *sql.Tx) error {
		l, err := loadLedger(ctx, tx)
		if err != nil {
			return err
		}
		c, err := change(l)
		if err != nil {
			refused = err
			return err
		}
		return recordChange(ctx, tx, l, c, b.now())
	})
	if refused != nil {
		return refused
	}
	return err
}

// withReadTx runs do while nothing that it sees can change.
func (b *PortfolioStore) withReadTx(ctx context.Context, do func(*sql.Tx) error) error {
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

// checkCurrentSchema fails with ErrNewer if a newer program has changed the tables since the file
// was opened, because this program could misread them.
func checkCurrentSchema(ctx context.Context, tx *sql.Tx) error {
	have, err := schemaVersion(ctx, tx)
	if err != nil {
		return err
	}
	return checkVersion(portfolioLayout(), have)
}

// withWriteTx does all of what do does, or nothing; when it returns nil the disk has it.
func (b *PortfolioStore) withWriteTx(ctx context.Context, do func(*sql.Tx) error) (err error) {
	defer b.explainError(&err)
	if b.readOnlyErr != nil {
		return fmt.Errorf("writing to the book: %w", b.readOnlyErr)
	}
	if err := b.backUpToday(ctx); err != nil {
		return err
	}
	err = b.file.inDurableTransaction(ctx, func(tx *sql.Tx) error {
		if err := checkCurrentSchema(ctx, tx); err != nil {
			return err
		}
		return do(tx)
	})
	if err != nil {
		return fmt.Errorf("writing to the book: %w", err)
	}
	return nil
}

// explainError notes damage, and says in the user's words what SQLite says in its own.
func (b *PortfolioStore) explainError(err *error) {
	if isDamaged(*err) {
		b.file.markSuspect() // the next start checks all of it
		*err = portfolioDamagedError(b.file.path, *err)
		return
	}
	*err = explainPortfolioError(b.file.path, *err)
}

// explainPortfolioError adds to an error of SQLite what it means for the portfolio.
func explainPortfolioError(path string, err error) error {
	if errors.Is(err, errReadOnly) {
		return err
	}
	if isDiskFull(err) {
		return fmt.Errorf("%w: %w for %s; the book is as it was", err, errDiskFull, path)
	}
	switch errorCode(err) & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%w: another program is writing to %s; nothing was done, try again", err, path)
	case sqlite3.SQLITE_READONLY:
		return readOnlyError(path, err)
	}
	return err
}

// Check reads the whole file, including parts that no question has needed yet. Damage is the error
// that OpenPortfolioStore returns for it.
func (b *PortfolioStore) Check(ctx context.Context) (err error) {
	defer b.explainError(&err)
	return checkIntegrity(ctx, b.file.db)
}
