package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxBackups stay; the oldest go first.
const maxBackups = 7

// backUpToday copies the portfolio file before the first change of a day. If that fails, the user
// is notified and the change continues, because a transaction that is not recorded is lost for
// certain; but nothing is written to a damaged file.
func (b *PortfolioStore) backUpToday(ctx context.Context) error {
	name := backupName(b.file.path, b.now().UTC().Format("20060102"))
	if isBackup(name) {
		return nil
	}
	err := b.backUpOnce(ctx, name)
	if err == nil || isDamaged(err) || ctx.Err() != nil {
		return err
	}
	b.notice(fmt.Sprintf("the book was not backed up today: %v", err))
	return nil
}

// backUpOnce leaves it to one of several processes.
func (b *PortfolioStore) backUpOnce(ctx context.Context, name string) error {
	unlock, err := lock(ctx, b.file.path)
	if err != nil {
		return err
	}
	defer unlock()
	var recorded bool
	err = b.file.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM account) OR EXISTS (SELECT 1 FROM document)").Scan(&recorded)
	if err != nil {
		return fmt.Errorf("backing up the book: %w", err)
	}
	if !recorded || isBackup(name) {
		return nil
	}
	return backUp(ctx, b.file.db, b.file.path, name)
}

// backUpSchema copies the portfolio file before its tables are changed. It is called while the file
// is locked; if it fails, the tables are not changed.
func (b *PortfolioStore) backUpSchema(ctx context.Context, pool *sql.DB, path string, have int) error {
	name := backupName(path, fmt.Sprintf("%s-schema%d", b.now().UTC().Format("20060102"), have))
	if isBackup(name) {
		return nil // of an earlier attempt: further ones would push the others out
	}
	return backUp(ctx, pool, path, name)
}

// backUp copies the whole file to name, which then is complete or absent, and deletes the oldest
// backups. It reads every row, so that a damaged file is not backed up.
func backUp(ctx context.Context, pool *sql.DB, path, name string) error {
	unfinished := path + ".unfinished"
	if err := os.Remove(unfinished); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("backing up the book: %w", err)
	}
	// SQLite would make it by the umask, and takes one that is empty.
	if err := makeFile(unfinished); err != nil {
		return fmt.Errorf("backing up the book: %w", err)
	}
	defer os.Remove(unfinished) // after the renaming there is none
	if _, err := pool.ExecContext(ctx, "VACUUM INTO ?", unfinished); err != nil {
		return fmt.Errorf("backing up the book: %w", err)
	}
	if err := syncFile(unfinished); err != nil {
		return fmt.Errorf("backing up the book: %w", err)
	}
	if err := os.Rename(unfinished, name); err != nil {
		return fmt.Errorf("backing up the book: %w", err)
	}
	return pruneBackups(path, name)
}

// isBackup is false for a link and for an empty file, which keep nothing: a copy
// takes their place.
func isBackup(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().IsRegular() && info.Size() > 0
}

// syncFile waits until the disk has a file: a name that outlives a power cut while
// what it names does not would be no backup.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// pruneBackups counts those of days after the newest for the oldest: they were made
// while the clock was ahead, and would else outlive all that come.
func pruneBackups(path, newest string) error {
	existing, err := PortfolioBackups(path)
	if err != nil {
		return err
	}
	slices.SortStableFunc(existing, func(a, b string) int {
		switch early := a <= newest; {
		case early == (b <= newest):
			return 0
		case early:
			return -1
		}
		return 1
	})
	for _, old := range existing[min(maxBackups, len(existing)):] {
		if err := os.Remove(old); err != nil {
			return fmt.Errorf("removing an old backup: %w", err)
		}
	}
	return nil
}

func backupName(path, suffix string) string { return path + ".backup-" + suffix }

// PortfolioBackups lists the backups next to the portfolio file at path, the newest first. Other
// files of a similar name are not listed.
func PortfolioBackups(path string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("listing the backups: %w", err)
	}
	var found []string
	for _, f := range entries {
		suffix, ok := strings.CutPrefix(f.Name(), backupName(filepath.Base(path), ""))
		if ok && isBackupSuffix(suffix) && f.Type().IsRegular() {
			found = append(found, filepath.Join(filepath.Dir(path), f.Name()))
		}
	}
	slices.Sort(found)
	slices.Reverse(found)
	return found, nil
}

func isBackupSuffix(suffix string) bool {
	day, schema, marked := strings.Cut(suffix, "-schema")
	return len(day) == len("20060102") && allDigits(day) && (!marked || schema != "" && allDigits(schema))
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// isSchemaBackup reports whether a copy was made before the tables were changed.
func isSchemaBackup(backup string) bool {
	return strings.Contains(backup[strings.LastIndexByte(backup, '.')+1:], "-schema")
}
