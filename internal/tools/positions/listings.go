package positions

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// maxListings limits the results of a search.
const maxListings = 10

// Listings finds the exchanges that list a security.
type Listings struct {
	Directory market.Directory
	Searches  market.SearchSource // used if the Directory has no match; nil disables it
}

// ByISIN returns the distinct listings of an ISIN: those of the directory, or if it has none, those
// that a search finds.
func (l Listings) ByISIN(ctx context.Context, isin string) ([]market.Instrument, error) {
	found, err := l.directoryByISIN(ctx, isin)
	if err != nil || len(found) > 0 || l.Searches == nil {
		return found, err
	}
	found, err = l.Searches.Search(ctx, isin, maxListings)
	if err != nil {
		return nil, toolkit.WithContext(err, "searching for %s", isin)
	}
	// A search by ISIN returns listings without repeating it. A different ISIN is a different
	// security.
	return distinctInstruments(found, func(i market.Instrument) bool { return i.ISIN == "" || i.ISIN == isin }), nil
}

// ByTicker returns the distinct listings of a ticker at any exchange: VOD and VOD.L. One with another
// ISIN is another security.
func (l Listings) ByTicker(ctx context.Context, ticker, isin string) ([]market.Instrument, error) {
	same := func(i market.Instrument) bool {
		base, _, _ := strings.Cut(string(i.Symbol), ".")
		return strings.EqualFold(base, ticker) && (i.ISIN == "" || isin == "" || i.ISIN == isin)
	}
	known, err := l.Directory.Instruments(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the known symbols: %w", err)
	}
	if l.Searches != nil {
		found, err := l.Searches.Search(ctx, ticker, maxListings)
		if err != nil {
			return nil, toolkit.WithContext(err, "searching for %s", ticker)
		}
		known = append(slices.Clone(known), found...)
	}
	return distinctInstruments(known, same), nil
}

func (l Listings) directoryByISIN(ctx context.Context, isin string) ([]market.Instrument, error) {
	var known []market.Instrument
	var err error
	if s, ok := l.Directory.(market.SearchSource); ok {
		known, err = s.Search(ctx, isin, maxListings)
	} else {
		known, err = l.Directory.Instruments(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("list the known symbols: %w", err)
	}
	return distinctInstruments(known, func(i market.Instrument) bool {
		return i.ISIN == isin || slices.ContainsFunc(i.Aliases, func(a string) bool { return strings.EqualFold(a, isin) })
	}), nil
}

// distinctInstruments returns the instruments that keep accepts, each once, with symbols spelled as
// in the ledger.
func distinctInstruments(all []market.Instrument, keep func(market.Instrument) bool) []market.Instrument {
	var out []market.Instrument
	for _, i := range all {
		sym, err := market.ParseSymbol(string(i.Symbol))
		if err != nil || !keep(i) || slices.ContainsFunc(out, func(o market.Instrument) bool { return o.Symbol == sym }) {
			continue
		}
		i.Symbol = sym
		out = append(out, i)
	}
	return out
}

// FormatListings lists listings for the user to choose from.
func FormatListings(found []market.Instrument) string {
	const limit = 8
	var names []string
	for _, i := range found[:min(len(found), limit)] {
		at := i.Exchange
		if at == "" {
			at = i.MIC
		}
		if at != "" {
			at = " at " + at
		}
		if currency := cmp.Or(i.TradingCurrency, reference.Describe(i.Symbol).TradingCurrency); currency != "" {
			at += ", " + currency
		}
		name := string(i.Symbol)
		if details := strings.TrimSpace(fmt.Sprintf("%.60s%s", i.Name, at)); details != "" {
			name += " (" + details + ")"
		}
		names = append(names, name)
	}
	if remaining := len(found) - limit; remaining > 0 {
		names = append(names, fmt.Sprintf("and %d more", remaining))
	}
	return strings.Join(names, " or ")
}
