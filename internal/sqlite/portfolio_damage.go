package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"
)

// openIrreplaceable opens a file that must never be replaced.
func openIrreplaceable(ctx context.Context, path string, l layout) (*DB, error) {
	if err := checkPortfolioBackups(path); err != nil {
		return nil, err
	}
	if err := inspectReadOnly(ctx, path, l); isDamaged(err) {
		return nil, portfolioDamagedError(path, err)
	}
	db, err := open(ctx, path, l)
	if isDamaged(err) {
		return nil, portfolioDamagedError(path, err)
	}
	return db, err
}

// inspectReadOnly checks a file like open, but cannot write to it. A connection that can write
// merges the log into the file when it is closed, which is harmful if either is damaged. Errors
// other than damage are left to open.
func inspectReadOnly(ctx context.Context, path string, l layout) error {
	if fileSize(path) <= 0 {
		return inspectEmpty(path, fileSize(path+"-wal"))
	}
	if err := inspectHeader(path, l); err != nil {
		return err
	}
	if fileSize(path+"-journal") > 0 {
		return nil // it must be rolled back before anything can be read
	}
	pool, err := sql.Open("sqlite", dsn(path)+readOnlyParams(path))
	if err != nil {
		return err
	}
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	return inspectContent(ctx, pool, path, l)
}

func inspectContent(ctx context.Context, pool *sql.DB, path string, l layout) error {
	if err := checkSuspect(ctx, pool, path); err != nil {
		return err
	}
	if err := checkCompatible(ctx, pool, l); err != nil {
		return err
	}
	have, err := schemaVersion(ctx, pool)
	if err != nil {
		return err
	}
	if files, err := l.scripts(); err != nil || have != len(files) {
		return err // of an older version, which the migration checks
	}
	if err := checkSchema(ctx, pool, l); err != nil {
		return err
	}
	return probe(ctx, pool, l)
}

// inspectEmpty distinguishes a portfolio file that was never used from one that was emptied.
func inspectEmpty(path string, log int64) error {
	if log > 0 {
		return fmt.Errorf("%w: the file is empty or missing, but its log is not", errDamaged)
	}
	if fileSize(path) < 0 {
		return nil
	}
	existing, err := PortfolioBackups(path)
	if err == nil && len(existing) > 0 {
		return fmt.Errorf("%w: the file is empty, but backups of it exist", errDamaged)
	}
	return err
}

// fileSize returns -1 if there is no file.
func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return -1
	}
	return info.Size()
}

// portfolioDamagedError adds the next step to an error about a damaged portfolio file.
func portfolioDamagedError(path string, err error) error {
	if errors.Is(err, ErrPortfolioDamaged) {
		return err
	}
	existing, listErr := PortfolioBackups(path)
	if listErr != nil || len(existing) == 0 {
		return fmt.Errorf("%w %s: %w; nothing was changed, and there is no backup next to it. To start a new portfolio, move the file with its "+
			"-wal and -shm files to another place, and keep them: sqlite3 with .recover can read the intact parts", ErrPortfolioDamaged, path, err)
	}
	return fmt.Errorf("%w %s: %w; nothing was changed. To continue, quit every running nfa, move the file with its -wal and -shm files "+
		"to another place, and copy the newest backup, %s, to its path", ErrPortfolioDamaged, path, err, existing[0])
}

// ErrPortfolioDamaged means that a portfolio file is damaged. The file is left unchanged, and the
// error says what to do and names the newest backup.
var ErrPortfolioDamaged = errors.New("damaged portfolio")

// ErrPortfolioMissing means that a portfolio file is gone, although there was one. No new one is started.
var ErrPortfolioMissing = errors.New("portfolio file is missing")

// CheckPortfolioMissing returns nil if there is a portfolio file, or if there has never been one. Otherwise
// the error is ErrPortfolioMissing and says how to restore it.
func CheckPortfolioMissing(path string) error {
	if fileSize(path) >= 0 || fileSize(path+"-wal") > 0 {
		return nil // a log without its file is damage
	}
	if err := checkPortfolioBackups(path); err != nil {
		return err
	}
	// The lock file remains after the first use. If it is new, another process is just creating the
	// portfolio.
	used, err := os.Stat(path + ".lock")
	if err != nil || time.Since(used.ModTime()) < time.Minute || fileSize(path) >= 0 {
		return nil
	}
	return fmt.Errorf("%w: %s was used before, and there is no backup next to it; restore it, or delete %s.lock to start a new portfolio", ErrPortfolioMissing, path, path)
}

// checkPortfolioBackups returns an error if there is no file, but a backup of it.
func checkPortfolioBackups(path string) error {
	if fileSize(path) >= 0 || fileSize(path+"-wal") > 0 {
		return nil
	}
	backups, err := PortfolioBackups(path)
	if err != nil || len(backups) == 0 {
		return nil // without the folder there are none
	}
	return fmt.Errorf("%w: %s; restore the newest backup with: cp %s %s; to start a new portfolio, move its backups to another folder", ErrPortfolioMissing, path, backups[0], path)
}
