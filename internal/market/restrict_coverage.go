package market

import (
	"context"
	"fmt"
)

// PriceSource provides quotes and bars.
type PriceSource interface {
	QuoteSource
	BarSource
}

// RestrictCoverage limits a source to the symbols that covers accepts; others yield ErrNotCovered
// without a request. Otherwise a US source could return an unrelated US share for a London symbol,
// and use up its quota.
func RestrictCoverage(name string, from PriceSource, covers func(Symbol) bool) PriceSource {
	return &restrictedSource{name: name, from: from, covers: covers}
}

type restrictedSource struct {
	name   string
	from   PriceSource
	covers func(Symbol) bool
}

func (o *restrictedSource) notCovered(op string, sym Symbol) error {
	return &SourceError{Source: o.name, Op: fmt.Sprintf("%s of %s", op, sym), Err: ErrNotCovered}
}

func (o *restrictedSource) Quote(ctx context.Context, sym Symbol) (Quote, error) {
	if !o.covers(sym) {
		return Quote{}, o.notCovered("quote", sym)
	}
	return o.from.Quote(ctx, sym)
}

func (o *restrictedSource) Bars(ctx context.Context, sym Symbol, r Range) (Series, error) {
	if !o.covers(sym) {
		return Series{}, o.notCovered("bars", sym)
	}
	return o.from.Bars(ctx, sym, r)
}
