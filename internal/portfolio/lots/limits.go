package lots

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Bounds of what actions may do to lots. Each split, spin-off, merger, move or return
// of capital looks at all lots of a holding, so that a forged ledger of a hundred
// thousand of them over ten thousand lots would take hours. No honest one comes near:
// a purchase each week and capital paid back each month for thirty years are 280,000.
const (
	maxLotChanges = 10_000_000
	// newRecordWeight is what a lot or a disposal that an action leaves behind counts for: those
	// fill memory, beside the time.
	newRecordWeight = 5
	// maxSplits is of one security in one account.
	maxSplits = 500
)

// checkActionLimit refuses an action where those before it changed too many lots.
func (e *Engine) checkActionLimit(t *portfolio.Transaction) error {
	if e.lotChanges < maxLotChanges {
		return nil
	}
	return fmt.Errorf("%w: splits, spin-offs, mergers, moves and returns of capital changed %d lots before this %s, and %d are the most that a book may have",
		portfolio.ErrInvalid, e.lotChanges, t.Kind, maxLotChanges)
}

func (h *position) checkSplitLimit() error {
	if h.splits < maxSplits {
		return nil
	}
	return fmt.Errorf("%w: %s in %q is split more than %d times: look for what was recorded twice", portfolio.ErrInvalid, h.symbol, h.account.Name, maxSplits)
}
