package sqlite

import (
	"context"
	"fmt"
	"strings"
)

// Check reads the whole file, also what no question has asked for yet. Damage is the
// error that OpenBook gives for it.
func (b *Book) Check(ctx context.Context) (err error) {
	defer b.explain(&err)
	var finding string
	if err := b.file.db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&finding); err != nil {
		return fmt.Errorf("checking the book: %w", err)
	}
	if finding != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, finding)
	}
	return nil
}

// BookBackups are the copies of the book at path that stand beside it, the newest
// first.
func BookBackups(path string) ([]string, error) { return backups(path) }

// isOfSchema tells a copy that was made before the tables were changed.
func isOfSchema(backup string) bool {
	return strings.Contains(backup[strings.LastIndexByte(backup, '.')+1:], "-schema")
}
