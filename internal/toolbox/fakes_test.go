package toolbox_test

import (
	"context"

	"github.com/nfa-cli/nfa/internal/market"
)

// forgetful is a source that does not honour the range it is asked for.
type forgetful struct{ market.BarSource }

func (f forgetful) Bars(ctx context.Context, sym market.Symbol, _ market.Range) (market.Series, error) {
	return f.BarSource.Bars(ctx, sym, market.Range{})
}

// failing are quotes that fail for some symbols with an error of the source.
type failing struct {
	market.QuoteSource
	with map[market.Symbol]error
}

func (f failing) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	if err := f.with[sym]; err != nil {
		return market.Quote{}, err
	}
	return f.QuoteSource.Quote(ctx, sym)
}
