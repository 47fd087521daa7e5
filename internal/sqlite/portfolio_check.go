package sqlite

import (
	"context"
	"fmt"
	"strings"
)

// Check reads the whole file, also what no question has asked for yet. Damage is the
// error that OpenPortfolioStore gives for it.
func (b *PortfolioStore) Check(ctx context.Context) (err error) {
	defer b.explainError(&err)
	var finding string
	if err := b.file.db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&finding); err != nil {
		return fmt.Errorf("checking the book: %w", err)
	}
	if finding != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, finding)
	}
	return nil
}

// PortfolioBackups are the backups of the portfolio file at path, which are next to it, the newest
// first.
func PortfolioBackups(path string) ([]string, error) { return backups(path) }

// isSchemaBackup tells a copy that was made before the tables were changed.
func isSchemaBackup(backup string) bool {
	return strings.Contains(backup[strings.LastIndexByte(backup, '.')+1:], "-schema")
}
