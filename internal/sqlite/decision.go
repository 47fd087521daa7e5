package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/sqlite/table"
)

// Decisions lists all of them, oldest first; those of a day by ID.
func (b *Book) Decisions(ctx context.Context) (all []journal.Decision, err error) {
	defer b.explain(&err)
	err = b.reading(ctx, func(tx *sql.Tx) error {
		all, err = table.LoadDecisions(ctx, tx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	return all, nil
}

// PutDecision adds d, or puts it in the place of that of its ID.
func (b *Book) PutDecision(ctx context.Context, d journal.Decision) error {
	if err := d.Validate(); err != nil {
		return err
	}
	entry, err := table.DecisionOf(d)
	if err != nil {
		return fmt.Errorf("decision %s: %w: %w", d.ID, journal.ErrInvalid, err)
	}
	return b.writing(ctx, func(tx *sql.Tx) error {
		if err := entry.Put(ctx, tx); err != nil {
			return fmt.Errorf("decision %s: %w", d.ID, err)
		}
		return nil
	})
}

// RemoveDecision takes one away. Where there is none it is ErrNotFound.
func (b *Book) RemoveDecision(ctx context.Context, id string) error {
	return b.removeEntry(ctx, "DELETE FROM decision WHERE id = ?", id)
}
