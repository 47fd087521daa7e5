package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/investor"
)

var _ investor.ProfileStore = (*PortfolioStore)(nil)

// maxDocumentBytes is the maximum size of a document.
const maxDocumentBytes = 1 << 20

const documentMapping = "csv_mapping"

// Mapping returns the saved column mapping of a name as JSON, or false if there is none.
func (b *PortfolioStore) Mapping(ctx context.Context, name string) (doc json.RawMessage, ok bool, err error) {
	return b.document(ctx, documentMapping, name)
}

// SaveMapping saves doc, which is JSON, replacing any previous document of that name.
func (b *PortfolioStore) SaveMapping(ctx context.Context, name string, doc json.RawMessage) error {
	return b.saveDocument(ctx, documentMapping, name, doc, func(*sql.Tx) error { return nil })
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
		return nil, false, fmt.Errorf("read document %s %q: %w", kind, name, err)
	}
	return json.RawMessage(text), true, nil
}

// saveDocument saves doc if check, which may read the existing one, returns no error.
func (b *PortfolioStore) saveDocument(ctx context.Context, kind, name string, doc json.RawMessage, check func(*sql.Tx) error) error {
	if len(doc) > maxDocumentBytes {
		return fmt.Errorf("save document %s %q: longer than %d bytes", kind, name, maxDocumentBytes)
	}
	if !json.Valid(doc) {
		return fmt.Errorf("save document %s %q: not valid JSON", kind, name)
	}
	return b.withWriteTx(ctx, func(tx *sql.Tx) error {
		if err := check(tx); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO document (kind, name, content, changed_at) VALUES (?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET content = excluded.content, changed_at = excluded.changed_at`, kind, name, string(doc), b.now().UTC().Format(time.RFC3339))
		if err != nil {
			return fmt.Errorf("save document %s %q: %w", kind, name, err)
		}
		return nil
	})
}

// Mappings lists the names of all mappings, sorted.
func (b *PortfolioStore) Mappings(ctx context.Context) (names []string, err error) {
	defer b.explainError(&err)
	err = forRows(ctx, b.file.db, func(rows *sql.Rows) error {
		names = append(names, "")
		return rows.Scan(&names[len(names)-1])
	}, "SELECT name FROM document WHERE kind = ? ORDER BY name", documentMapping)
	if err != nil {
		return nil, fmt.Errorf("list documents of kind %s: %w", documentMapping, err)
	}
	return names, nil
}

const documentProfile = "profile"

// Profile returns the investor profile, or false if there is none.
func (b *PortfolioStore) Profile(ctx context.Context) (p investor.Profile, ok bool, err error) {
	doc, ok, err := b.document(ctx, documentProfile, "")
	if err != nil || !ok {
		return investor.Profile{}, false, err
	}
	if err := json.Unmarshal(doc, &p); err != nil {
		return investor.Profile{}, false, fmt.Errorf("read profile: %w", err)
	}
	return p, true, nil
}

// SaveProfile replaces the profile. It does not replace one that a newer program wrote
// (ErrNewerVersion).
func (b *PortfolioStore) SaveProfile(ctx context.Context, p investor.Profile) error {
	if err := p.Validate(); err != nil {
		return fmt.Errorf("save profile: %w", err) // it could not be read again
	}
	doc, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("save profile: %w", err)
	}
	return b.saveDocument(ctx, documentProfile, "", doc, func(tx *sql.Tx) error {
		stored, ok, err := readDocument(ctx, tx, documentProfile, "")
		if err != nil || !ok {
			return err
		}
		// A profile that cannot be read for another reason is replaced.
		if err := json.Unmarshal(stored, &investor.Profile{}); errors.Is(err, investor.ErrNewerVersion) {
			return fmt.Errorf("save profile: %w", err)
		}
		return nil
	})
}
