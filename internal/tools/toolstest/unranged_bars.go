package toolstest

import (
	"context"

	"github.com/nfa-cli/nfa/internal/market"
)

// UnrangedBars is a source that does not honour the range it is asked for.
type UnrangedBars struct{ market.BarSource }

// Bars are all that there are, whatever the range.
func (f UnrangedBars) Bars(ctx context.Context, sym market.Symbol, _ market.Range) (market.Series, error) {
	return f.BarSource.Bars(ctx, sym, market.Range{})
}
