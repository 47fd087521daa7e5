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

// maxBackups is the number of backups to keep; the oldest are deleted.
const maxBackups = 7

// backUpToday copies the portfolio file before the first change of a day. If that fails, the user
// is notified and the change continues, because an unrecorded transaction would certainly be
// lost. Nothing is written to a damaged file.
func (b *PortfolioStore) backUpToday(ctx context.Context) error {
	name := backupName(b.file.path, b.now().UTC().Format("20060102"))
	if isBackup(name) {
		return nil
	}
	err := b.backUpOnce(ctx, name)
	if err == nil || isDamaged(err) || ctx.Err() != nil {
		return err
	}
	b.notice(fmt.Sprintf("no backup of the portfolio was made today: %v", err))
	return nil
}

// backUpOnce lets only one of several processes make the backup.
func (b *PortfolioStore) backUpOnce(ctx context.Context, name string) error {
	unlock, err := lock(ctx, b.file.path)
	if err != nil {
		return err
	}
	defer unlock()
	var recorded bool
	err = b.file.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM account) OR EXISTS (SELECT 1 FROM document)").Scan(&recorded)
	if err != nil {
		return fmt.Errorf("back up portfolio: %w", err)
	}
	if !recorded || isBackup(name) {
		return nil
	}
	return backUp(ctx, b.file.db, b.file.path, name)
}

// backUpSchema copies the portfolio file before its tables are changed. The file is locked. If the
// copy fails, the tables are not changed.
func (b *PortfolioStore) backUpSchema(ctx context.Context, pool *sql.DB, path string, have int) error {
	name := backupName(path, fmt.Sprintf("%s-schema%d", b.now().UTC().Format("20060102"), have))
	if isBackup(name) {
		return nil // from an earlier attempt; more copies would displace other backups
	}
	return backUp(ctx, pool, path, name)
}

// backUp copies the whole file to name, which then is complete or missing, and deletes the oldest
// backups. It reads every row, so that a damaged file is not backed up.
func backUp(ctx context.Context, pool *sql.DB, path, name string) error {
	unfinished := path + ".unfinished"
	if err := os.Remove(unfinished); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("back up portfolio: %w", err)
	}
	// Otherwise SQLite would create it with the umask; it accepts an empty file.
	if err := makeFile(unfinished); err != nil {
		return fmt.Errorf("back up portfolio: %w", err)
	}
	defer os.Remove(unfinished) // no effect after the rename
	if _, err := pool.ExecContext(ctx, "VACUUM INTO ?", unfinished); err != nil {
		return fmt.Errorf("back up portfolio: %w", err)
	}
	if err := syncFile(unfinished); err != nil {
		return fmt.Errorf("back up portfolio: %w", err)
	}
	if err := os.Rename(unfinished, name); err != nil {
		return fmt.Errorf("back up portfolio: %w", err)
	}
	return pruneBackups(path, name)
}

// isBackup reports whether name is a backup. A link or an empty file is not one, and is replaced.
func isBackup(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().IsRegular() && info.Size() > 0
}

// syncFile waits until the file is on disk, because a power loss could otherwise leave only its
// name.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// pruneBackups deletes the oldest backups. Backups dated after the newest one count as the oldest: they
// were made while the clock was ahead, and would otherwise never be deleted.
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
			return fmt.Errorf("remove old backup: %w", err)
		}
	}
	return nil
}

func backupName(path, suffix string) string { return path + ".backup-" + suffix }

// PortfolioBackups lists the backups next to the portfolio file at path, newest first. Other files
// with similar names are ignored.
func PortfolioBackups(path string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("list backups: %w", err)
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

// isSchemaBackup reports whether a backup was made before a change of the tables.
func isSchemaBackup(backup string) bool {
	return strings.Contains(backup[strings.LastIndexByte(backup, '.')+1:], "-schema")
}
