package cached

import (
	"context"
	"errors"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Key names a kept series.
type Key struct {
	Source string // as Options.Name
	Symbol market.Symbol
}

// Record is a series as it is kept. It has all bars from one day on.
type Record struct {
	Series market.Series // of a Load, with the bars that were asked for alone
	From   market.Date   // the first day that was asked for; zero is the listing
	Last   market.Date   // of the last bar, also where Series leaves it out
	// Whole is when all of it was last fetched at once; zero where that is not known, and
	// where a doubt has come up since.
	Whole time.Time
	// Revision is what Save needs to know that nobody else has saved meanwhile.
	Revision int64
}

// covers reports whether all bars in r that the source has are kept.
func (k Record) covers(r market.Range) bool {
	return k.From.IsZero() || !r.From.IsZero() && !r.From.Before(k.From)
}

// ErrChanged means that another process has saved the series meanwhile.
var ErrChanged = errors.New("kept series has changed")

// Store keeps series. It is safe for concurrent use, also by several processes.
type Store interface {
	// Load returns what is kept under k with the bars in r, and false where
	// nothing is. The provenance is that of the whole series.
	Load(ctx context.Context, k Key, r market.Range) (Record, bool, error)
	// Save keeps rec in place of what was kept from since on; a zero since
	// replaces it all. Otherwise the revision must still be that of the Load: if
	// not, the error is ErrChanged and nothing is kept.
	Save(ctx context.Context, k Key, rec Record, since market.Date) error
}
