package cli

import (
	"context"
	"slices"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/tui"
)

// SymbolReader reads the user's portfolio and watchlist.
type SymbolReader interface {
	Ledger(ctx context.Context) (portfolio.Ledger, error)
	Watches(ctx context.Context) ([]investor.WatchedSymbol, error)
}

// UserSymbols returns the symbols of the portfolio and the watchlist. A portfolio that cannot be
// read contributes none; the portfolio commands report why.
func UserSymbols(ctx context.Context, b SymbolReader) []tui.SymbolSuggestion {
	var out []tui.SymbolSuggestion
	seen := map[market.Symbol]bool{}
	add := func(symbol market.Symbol, name, kind string) {
		if !seen[symbol] {
			out = append(out, tui.SymbolSuggestion{Symbol: string(symbol), Name: name, Kind: kind})
		}
		seen[symbol] = true
	}
	if ledger, err := b.Ledger(ctx); err == nil {
		if engine, err := lots.New(ledger); err == nil && engine.Advance(market.Date{}) == nil {
			for _, p := range engine.Positions() {
				add(p.Symbol, p.Name, "held")
			}
		}
	}
	watches, _ := b.Watches(ctx)
	for _, w := range watches {
		add(w.Symbol, w.Note, "watched")
	}
	return out
}

// KnownSymbols returns a search over the symbols that the tools know: the built-in table, or only
// the sample data.
func KnownSymbols(sampleOnly bool) func(ctx context.Context, typed string) []tui.SymbolSuggestion {
	toSymbols := func(all []market.Instrument) []tui.SymbolSuggestion {
		var out []tui.SymbolSuggestion
		for _, i := range all {
			out = append(out, tui.SymbolSuggestion{Symbol: string(i.Symbol), Name: i.Name, Kind: i.Kind})
		}
		return out
	}
	if sampleOnly {
		source := feed.NewSampleSource()
		return func(ctx context.Context, typed string) []tui.SymbolSuggestion {
			all, err := source.Instruments(ctx)
			if err != nil {
				return nil
			}
			all = slices.DeleteFunc(slices.Clone(all), func(i market.Instrument) bool {
				return !hasPrefixFold(string(i.Symbol), typed) && !hasPrefixFold(i.Name, typed)
			})
			return toSymbols(all)
		}
	}
	table := reference.NewSymbolTable()
	return func(ctx context.Context, typed string) []tui.SymbolSuggestion {
		all, err := table.Search(ctx, typed, maxSymbols)
		if err != nil {
			return nil
		}
		return toSymbols(all)
	}
}
