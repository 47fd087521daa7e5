package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/investor"
)

var _ investor.ProfileStore = (*PortfolioStore)(nil)

const documentProfile = "profile"

// Profile is who the investor is, and false where nobody said.
func (b *PortfolioStore) Profile(ctx context.Context) (p investor.Profile, ok bool, err error) {
	doc, ok, err := b.document(ctx, documentProfile, "")
	if err != nil || !ok {
		return investor.Profile{}, false, err
	}
	if err := json.Unmarshal(doc, &p); err != nil {
		return investor.Profile{}, false, fmt.Errorf("reading the profile: %w", err)
	}
	return p, true, nil
}

// SaveProfile puts p in the place of what was there, but not of what a newer
// program wrote, which is ErrNewer of the investor package.
func (b *PortfolioStore) SaveProfile(ctx context.Context, p investor.Profile) error {
	if err := p.Validate(); err != nil {
		return fmt.Errorf("keeping the profile: %w", err) // it could not be read again
	}
	doc, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("keeping the profile: %w", err)
	}
	return b.saveDocument(ctx, documentProfile, "", doc, func(tx *sql.Tx) error {
		stored, ok, err := readDocument(ctx, tx, documentProfile, "")
		if err != nil || !ok {
			return err
		}
		// One that does not read for another reason is replaced.
		if err := json.Unmarshal(stored, &investor.Profile{}); errors.Is(err, investor.ErrNewerVersion) {
			return fmt.Errorf("keeping the profile: %w", err)
		}
		return nil
	})
}
