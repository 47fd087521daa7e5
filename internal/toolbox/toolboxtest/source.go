package toolboxtest

import (
	"context"

	"github.com/nfa-cli/nfa/internal/market"
)

// Forgetful is a source that does not honour the range it is asked for.
type Forgetful struct{ market.BarSource }

// Bars are all that there are, whatever the range.
func (f Forgetful) Bars(ctx context.Context, sym market.Symbol, _ market.Range) (market.Series, error) {
	return f.BarSource.Bars(ctx, sym, market.Range{})
}
