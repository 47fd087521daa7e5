package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/nfa-cli/nfa/internal/investor"
)

// Decisions lists all of them, oldest first; those of a day by ID.
func (b *PortfolioStore) Decisions(ctx context.Context) (all []investor.Decision, err error) {
	defer b.explainError(&err)
	err = b.withReadTx(ctx, func(tx *sql.Tx) error {
		all, err = LoadDecisions(ctx, tx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	return all, nil
}

// PutDecision adds d, or puts it in the place of that of its ID.
func (b *PortfolioStore) PutDecision(ctx context.Context, d investor.Decision) error {
	if err := d.Validate(); err != nil {
		return err
	}
	entry, err := DecisionEntry(d)
	if err != nil {
		return fmt.Errorf("decision %s: %w: %w", d.ID, investor.ErrInvalidEntry, err)
	}
	return b.withWriteTx(ctx, func(tx *sql.Tx) error {
		if err := entry.Put(ctx, tx); err != nil {
			return fmt.Errorf("decision %s: %w", d.ID, err)
		}
		return nil
	})
}

// RemoveDecision takes one away. Where there is none it is ErrNotFound.
func (b *PortfolioStore) RemoveDecision(ctx context.Context, id string) error {
	return b.removeEntry(ctx, "DELETE FROM decision WHERE id = ?", id)
}
