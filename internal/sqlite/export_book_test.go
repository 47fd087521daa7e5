package sqlite

import (
	"context"
	"fmt"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Hold gives the book a disk of so many pages.
func (b *Book) Hold(ctx context.Context, pages int) error {
	b.file.db.SetMaxOpenConns(1) // the bound is of a connection
	_, err := b.file.db.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", pages))
	return err
}

// Impatient has the book not wait for others.
func (b *Book) Impatient(ctx context.Context) error {
	b.file.db.SetMaxOpenConns(1)
	_, err := b.file.db.ExecContext(ctx, "PRAGMA busy_timeout = 1")
	return err
}

// PagesKept asks the connection that a lone writer has how many pages it may keep.
func (b *Book) PagesKept(ctx context.Context) (setting int, err error) {
	err = b.file.db.QueryRowContext(ctx, "PRAGMA cache_size").Scan(&setting)
	return setting, err
}

// ThroughRow writes a transaction as SQLite is given it and reads it as SQLite
// gives it back.
func ThroughRow(t portfolio.Transaction) (portfolio.Transaction, error) {
	row, err := rowOf(t)
	if err != nil {
		return portfolio.Transaction{}, err
	}
	text := ""
	for i, value := range row {
		if i > 0 {
			text += separator
		}
		switch v := value.(type) {
		case bool:
			text += map[bool]string{true: "1", false: "0"}[v]
		case string:
			text += v
		}
	}
	return ReadRow(text)
}

// ReadRow reads a row as SQLite gives it.
func ReadRow(text string) (portfolio.Transaction, error) { return newRowParser().transaction(1, text) }
