package market

import (
	"context"
	"fmt"
)

// PriceSource gives quotes and bars.
type PriceSource interface {
	QuoteSource
	BarSource
}

// RestrictCoverage is a source that is asked for nothing but what it deals in; the rest yields
// ErrNotCovered without a request. A source of American shares would answer for a
// symbol of London that some share of its own has, and spend its ration on it.
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
