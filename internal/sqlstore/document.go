package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/investor"
)

var _ investor.ProfileStore = Portfolio{}

// maxDocumentBytes is the maximum size of a document.
const maxDocumentBytes = 1 << 20

const documentMapping = "csv_mapping"

// Mapping returns the saved column mapping of a name as JSON, or false if there is none.
func (s Portfolio) Mapping(ctx context.Context, name string) (doc json.RawMessage, ok bool, err error) {
	return s.document(ctx, documentMapping, name)
}

// SaveMapping saves doc, which is JSON, replacing any previous document of that name.
func (s Portfolio) SaveMapping(ctx context.Context, name string, doc json.RawMessage) error {
	return s.saveDocument(ctx, documentMapping, name, doc, func(Tx) error { return nil })
}

func (s Portfolio) document(ctx context.Context, kind, name string) (doc json.RawMessage, ok bool, err error) {
	err = s.engine.Read(ctx, func(tx Tx) (err error) {
		doc, ok, err = readDocument(ctx, tx, kind, name)
		return err
	})
	return doc, ok, err
}

func readDocument(ctx context.Context, tx Tx, kind, name string) (json.RawMessage, bool, error) {
	var text string
	err := tx.QueryRowContext(ctx, "SELECT content FROM document WHERE kind = ? AND name = ?", kind, name).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read document %s %q: %w", kind, name, err)
	}
	return json.RawMessage(text), true, nil
}

// saveDocument saves doc if check, which may read the existing one, returns no error.
func (s Portfolio) saveDocument(ctx context.Context, kind, name string, doc json.RawMessage, check func(Tx) error) error {
	if len(doc) > maxDocumentBytes {
		return fmt.Errorf("save document %s %q: longer than %d bytes", kind, name, maxDocumentBytes)
	}
	if !json.Valid(doc) {
		return fmt.Errorf("save document %s %q: not valid JSON", kind, name)
	}
	return s.engine.Write(ctx, func(tx Tx) error {
		if err := check(tx); err != nil {
			return err
		}
		err := updateOrInsert(ctx, tx, "document", []string{"content", "changed_at"}, []any{string(doc), formatTimestamp(s.engine.Now())},
			[]string{"kind", "name"}, []any{kind, name})
		if err != nil {
			return fmt.Errorf("save document %s %q: %w", kind, name, err)
		}
		return nil
	})
}

// Mappings lists the names of all mappings, sorted.
func (s Portfolio) Mappings(ctx context.Context) (names []string, err error) {
	err = s.engine.Read(ctx, func(tx Tx) error {
		return forRows(ctx, tx, func(rows *sql.Rows) error {
			names = append(names, "")
			return rows.Scan(&names[len(names)-1])
		}, "SELECT name FROM document WHERE kind = ? ORDER BY name", documentMapping)
	})
	if err != nil {
		return nil, fmt.Errorf("list documents of kind %s: %w", documentMapping, err)
	}
	return names, nil
}

const documentProfile = "profile"

// Profile returns the investor profile, or false if there is none.
func (s Portfolio) Profile(ctx context.Context) (p investor.Profile, ok bool, err error) {
	doc, ok, err := s.document(ctx, documentProfile, "")
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
func (s Portfolio) SaveProfile(ctx context.Context, p investor.Profile) error {
	if err := p.Validate(); err != nil {
		return fmt.Errorf("save profile: %w", err) // it could not be read again
	}
	doc, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("save profile: %w", err)
	}
	return s.saveDocument(ctx, documentProfile, "", doc, func(tx Tx) error {
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
