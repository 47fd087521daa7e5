package market

import (
	"context"
	"errors"
	"time"
)

// BarKey identifies a stored series.
type BarKey struct {
	Source string // the provider's name
	Symbol Symbol
}

// StoredBars is a stored series that has all bars since a first day.
type StoredBars struct {
	Series Series // Load returns only the requested bars
	From   Date   // the first requested day; zero is the listing
	Last   Date   // date of the last bar, also if Series omits it
	// FullFetchAt is when the whole series was last fetched at once. It is zero if that is unknown or if the
	// series has become suspect since.
	FullFetchAt time.Time
	// Revision lets Save detect that another process has saved since the Load.
	Revision int64
}

// Covers reports whether all bars in r that the source has are stored.
func (k StoredBars) Covers(r Range) bool {
	return k.From.IsZero() || !r.From.IsZero() && !r.From.Before(k.From)
}

// ErrBarsChanged means that another process has saved the series since it was loaded.
var ErrBarsChanged = errors.New("stored series has changed")

// BarStore stores series of bars. It is safe for concurrent use, also by several processes.
type BarStore interface {
	// Load returns the bars in r stored under k, and false if there are none. The provenance is
	// that of the whole series.
	Load(ctx context.Context, k BarKey, r Range) (StoredBars, bool, error)
	// Save replaces the stored bars from since on with those of rec. A zero since replaces the whole series;
	// otherwise the revision must still be that of the Load, or else the error is ErrBarsChanged and nothing
	// is stored.
	Save(ctx context.Context, k BarKey, rec StoredBars, since Date) error
}
