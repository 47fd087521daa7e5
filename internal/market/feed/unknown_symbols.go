package feed

import (
	"context"
	"errors"
	"sync"

	"github.com/nfa-cli/nfa/internal/market"
)

// knownSource remembers, until the program ends, which symbols a price source does not know, so that other
// calls and tools do not request them again.
type knownSource struct {
	market.PriceSource
	name    string
	unknown *sync.Map // of market.Symbol
}

// knownBatchSource is a knownSource that returns many quotes in one request.
type knownBatchSource struct {
	knownSource
	batch market.BatchQuoteSource
}

func rememberUnknown(name string, from market.PriceSource) market.PriceSource {
	known := knownSource{from, name, &sync.Map{}}
	if batch, ok := from.(market.BatchQuoteSource); ok {
		return knownBatchSource{known, batch}
	}
	return known
}

// check returns ErrUnknownSymbol if the source has already said that it does not know sym.
func (k knownSource) check(op string, sym market.Symbol) error {
	if _, unknown := k.unknown.Load(sym); unknown {
		return &market.SourceError{Source: k.name, Op: op + " of " + string(sym), Err: market.ErrUnknownSymbol}
	}
	return nil
}

func (k knownSource) note(sym market.Symbol, err error) {
	if errors.Is(err, market.ErrUnknownSymbol) {
		k.unknown.Store(sym, true)
	}
}

func (k knownSource) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	if err := k.check("quote", sym); err != nil {
		return market.Quote{}, err
	}
	q, err := k.PriceSource.Quote(ctx, sym)
	k.note(sym, err)
	return q, err
}

func (k knownSource) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	if err := k.check("bars", sym); err != nil {
		return market.Series{}, err
	}
	s, err := k.PriceSource.Bars(ctx, sym, r)
	k.note(sym, err)
	return s, err
}

// Quotes requests all symbols but those the source does not know.
func (k knownBatchSource) Quotes(ctx context.Context, symbols []market.Symbol) (map[market.Symbol]market.Quote, error) {
	var asked []market.Symbol
	for _, sym := range symbols {
		if k.check("quote", sym) == nil {
			asked = append(asked, sym)
		}
	}
	if len(asked) == 0 {
		return map[market.Symbol]market.Quote{}, nil
	}
	return k.batch.Quotes(ctx, asked)
}
