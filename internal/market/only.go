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

// Only is a source that is asked for nothing but what it deals in; the rest yields
// ErrNotCovered without a request. A source of American shares would answer for a
// symbol of London that some share of its own has, and spend its ration on it.
func Only(name string, from PriceSource, covers func(Symbol) bool) PriceSource {
	return &only{name: name, from: from, covers: covers}
}

type only struct {
	name   string
	from   PriceSource
	covers func(Symbol) bool
}

func (o *only) refused(doing string, sym Symbol) error {
	return &SourceError{Source: o.name, Doing: fmt.Sprintf("%s of %s", doing, sym), Err: ErrNotCovered}
}

func (o *only) Quote(ctx context.Context, sym Symbol) (Quote, error) {
	if !o.covers(sym) {
		return Quote{}, o.refused("quote", sym)
	}
	return o.from.Quote(ctx, sym)
}

func (o *only) Bars(ctx context.Context, sym Symbol, r Range) (Series, error) {
	if !o.covers(sym) {
		return Series{}, o.refused("bars", sym)
	}
	return o.from.Bars(ctx, sym, r)
}
