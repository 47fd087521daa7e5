package completion

import (
	"context"
	"slices"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/market/symbology"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/replay"
	"github.com/nfa-cli/nfa/internal/tui"
)

// Book is what the user holds and watches.
type Book interface {
	Ledger(ctx context.Context) (portfolio.Ledger, error)
	Watches(ctx context.Context) ([]journal.Watch, error)
}

// Own are the symbols of the book and of the watchlist. A book that cannot be read has
// none: whoever asks for it is told why.
func Own(ctx context.Context, b Book) []tui.Symbol {
	var out []tui.Symbol
	seen := map[market.Symbol]bool{}
	put := func(symbol market.Symbol, name, kind string) {
		if !seen[symbol] {
			out = append(out, tui.Symbol{Symbol: string(symbol), Name: name, Kind: kind})
		}
		seen[symbol] = true
	}
	if ledger, err := b.Ledger(ctx); err == nil {
		if book, err := replay.Open(ledger); err == nil && book.Advance(market.Date{}) == nil {
			for _, p := range book.Positions() {
				put(p.Symbol, p.Name, "held")
			}
		}
	}
	watches, _ := b.Watches(ctx)
	for _, w := range watches {
		put(w.Symbol, w.Note, "watched")
	}
	return out
}

// Known looks where the tools look: in the embedded table, or among the sample where
// nothing else can be had.
func Known(sampleAlone bool) func(ctx context.Context, typed string) []tui.Symbol {
	found := func(all []market.Instrument) []tui.Symbol {
		var out []tui.Symbol
		for _, i := range all {
			out = append(out, tui.Symbol{Symbol: string(i.Symbol), Name: i.Name, Kind: i.Kind})
		}
		return out
	}
	if sampleAlone {
		source := sample.New()
		return func(ctx context.Context, typed string) []tui.Symbol {
			all, err := source.Instruments(ctx)
			if err != nil {
				return nil
			}
			all = slices.DeleteFunc(slices.Clone(all), func(i market.Instrument) bool {
				return !begins(string(i.Symbol), typed) && !begins(i.Name, typed)
			})
			return found(all)
		}
	}
	table := symbology.New()
	return func(ctx context.Context, typed string) []tui.Symbol {
		all, err := table.Search(ctx, typed, mostSymbols)
		if err != nil {
			return nil
		}
		return found(all)
	}
}
