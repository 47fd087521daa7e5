package bookkeeping

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// mostListings is how many a search is asked for.
const mostListings = 10

// listings are those of an ISIN: what the directory has, and only where it has none
// what a search finds.
func (d Deps) listings(ctx context.Context, isin string) ([]market.Instrument, error) {
	found, err := d.ofDirectory(ctx, isin)
	if err != nil || len(found) > 0 || d.Searches == nil {
		return found, err
	}
	found, err = d.Searches.Search(ctx, isin, mostListings)
	if err != nil {
		return nil, fmt.Errorf("searching for %s: %w", isin, err)
	}
	// A search by a number gives its listings without repeating the number; another
	// number is another security.
	return distinct(found, func(i market.Instrument) bool { return i.ISIN == "" || i.ISIN == isin }), nil
}

func (d Deps) ofDirectory(ctx context.Context, isin string) ([]market.Instrument, error) {
	var known []market.Instrument
	var err error
	if s, ok := d.Directory.(market.SearchSource); ok {
		known, err = s.Search(ctx, isin, mostListings)
	} else {
		known, err = d.Directory.Instruments(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("listing the known symbols: %w", err)
	}
	return distinct(known, func(i market.Instrument) bool {
		return i.ISIN == isin || slices.ContainsFunc(i.Aliases, func(a string) bool { return strings.EqualFold(a, isin) })
	}), nil
}

// distinct are the instruments that are wanted, once each and spelled as symbols of
// the book are.
func distinct(all []market.Instrument, wanted func(market.Instrument) bool) []market.Instrument {
	var out []market.Instrument
	for _, i := range all {
		sym, err := market.ParseSymbol(string(i.Symbol))
		if err != nil || !wanted(i) || slices.ContainsFunc(out, func(o market.Instrument) bool { return o.Symbol == sym }) {
			continue
		}
		i.Symbol = sym
		out = append(out, i)
	}
	return out
}
