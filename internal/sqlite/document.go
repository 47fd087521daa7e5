package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// maxDocumentBytes is the largest that is kept, in bytes.
const maxDocumentBytes = 1 << 20

const documentMapping = "csv_mapping"

// Mapping is the JSON in which it is kept how the columns of a file are read. Where
// none has the name it reports false.
func (b *PortfolioStore) Mapping(ctx context.Context, name string) (doc json.RawMessage, ok bool, err error) {
	return b.document(ctx, documentMapping, name)
}

// SaveMapping keeps doc, which is JSON, in the place of what had the name.
func (b *PortfolioStore) SaveMapping(ctx context.Context, name string, doc json.RawMessage) error {
	return b.saveDocument(ctx, documentMapping, name, doc, func(*sql.Tx) error { return nil })
}

// Mappings lists the names of all, sorted.
func (b *PortfolioStore) Mappings(ctx context.Context) (names []string, err error) {
	return b.documents(ctx, documentMapping)
}

func (b *PortfolioStore) document(ctx context.Context, kind, name string) (doc json.RawMessage, ok bool, err error) {
	defer b.explainError(&err)
	return readDocument(ctx, b.file.db, kind, name)
}

func readDocument(ctx context.Context, q queryer, kind, name string) (json.RawMessage, bool, error) {
	var text string
	err := q.QueryRowContext(ctx, "SELECT content FROM document WHERE kind = ? AND name = ?", kind, name).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("reading the document %s %q: %w", kind, name, err)
	}
	return json.RawMessage(text), true, nil
}

// saveDocument writes doc where check, which sees what is there, has nothing
// against it.
func (b *PortfolioStore) saveDocument(ctx context.Context, kind, name string, doc json.RawMessage, check func(*sql.Tx) error) error {
	if len(doc) > maxDocumentBytes {
		return fmt.Errorf("keeping the document %s %q: longer than %d bytes", kind, name, maxDocumentBytes)
	}
	if !json.Valid(doc) {
		return fmt.Errorf("keeping the document %s %q: not valid JSON", kind, name)
	}
	return b.withWriteTx(ctx, func(tx *sql.Tx) error {
		if err := check(tx); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO document (kind, name, content, changed_at) VALUES (?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET content = excluded.content, changed_at = excluded.changed_at`, kind, name, string(doc), b.now().UTC().Format(time.RFC3339))
		if err != nil {
			return fmt.Errorf("keeping the document %s %q: %w", kind, name, err)
		}
		return nil
	})
}

func (b *PortfolioStore) documents(ctx context.Context, kind string) (names []string, err error) {
	defer b.explainError(&err)
	rows, err := b.file.db.QueryContext(ctx, "SELECT name FROM document WHERE kind = ? ORDER BY name", kind)
	if err != nil {
		return nil, fmt.Errorf("listing the documents of kind %s: %w", kind, err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("listing the documents of kind %s: %w", kind, err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("listing the documents of kind %s: %w", kind, err)
	}
	return names, nil
}
