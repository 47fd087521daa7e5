package sqlstore

import (
	"context"
	"fmt"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Portfolio stores the ledger, the investor profile, the watchlist, the decision journal and column
// mappings.
type Portfolio struct{ engine Engine }

var _ portfolio.Store = Portfolio{}

// NewPortfolio returns the portfolio that an engine holds.
func NewPortfolio(e Engine) Portfolio { return Portfolio{e} }

// Ledger loads the whole ledger.
func (s Portfolio) Ledger(ctx context.Context) (portfolio.Ledger, error) {
	var l portfolio.Ledger
	// Use one transaction, so that all parts are from the same moment.
	err := s.engine.Read(ctx, func(tx Tx) (err error) {
		l, err = LoadLedger(ctx, tx)
		return err
	})
	if err != nil {
		return portfolio.Ledger{}, fmt.Errorf("load portfolio: %w", err)
	}
	return l, nil
}

// Update calls change with the ledger and applies the change it returns. Additions are checked
// individually and against existing data; change must check that sold positions were held.
func (s Portfolio) Update(ctx context.Context, change func(portfolio.Ledger) (portfolio.Change, error)) error {
	var refused error // returned by change, not an error of the store
	err := s.engine.Write(ctx, func(tx Tx) error {
		refused = nil
		l, err := LoadLedger(ctx, tx)
		if err != nil {
			return err
		}
		c, err := change(l)
		if err != nil {
			refused = err
			return err
		}
		return s.recordChange(ctx, tx, l, c)
	})
	if refused != nil {
		return refused
	}
	return err
}
