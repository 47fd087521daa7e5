package main

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/attachment"
	"github.com/nfa-cli/nfa/internal/history"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/market/symbology"
	"github.com/nfa-cli/nfa/internal/portfolio/replay"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/workspace"
)

// helpWriting gives the chat what helps a user write: earlier messages, their
// editor, files and symbols.
func (h *house) helpWriting(ctx context.Context, g *globals, chat *tui.Config) {
	if h.cfg.History == "on" {
		chat.Memory = history.New(filepath.Join(h.home, "history"), clock)
	}
	chat.Editor = g.editor
	files := func() *workspace.Workspace { return workspace.New(workspace.Options{Dir: ".", Home: h.home}) }
	chat.Files = func() []string {
		ctx, cancel := context.WithTimeout(ctx, listingPatience)
		defer cancel()
		return files().Paths(ctx)
	}
	chat.Attach = func(in agent.Input) (agent.Input, error) { return attachment.Add(files(), in) }
	offers := &symbolOffers{held: h.ownSymbols, search: h.symbolSearch()}
	chat.Symbols = func(typed string) []tui.Symbol { return offers.find(ctx, typed) }
}

const (
	// listingPatience is how long the files of a folder are looked for.
	listingPatience = 2 * time.Second
	// ownStand is how long the book's symbols are taken as they were.
	ownStand = 30 * time.Second
	// mostSymbols is how many symbols are offered at once.
	mostSymbols = 20
)

// symbolOffers finds symbols for what is typed: the user's own first.
type symbolOffers struct {
	held   func(context.Context) []tui.Symbol
	search func(ctx context.Context, typed string) []tui.Symbol

	mu   sync.Mutex
	own  []tui.Symbol
	asOf time.Time
}

func (o *symbolOffers) find(ctx context.Context, typed string) []tui.Symbol {
	o.mu.Lock()
	if o.asOf.IsZero() || clock().Sub(o.asOf) > ownStand {
		o.own, o.asOf = o.held(ctx), clock()
	}
	own := o.own
	o.mu.Unlock()
	var out []tui.Symbol
	seen := map[string]bool{}
	for _, s := range own {
		if begins(s.Symbol, typed) || slices.ContainsFunc(strings.Fields(s.Name), func(word string) bool { return begins(word, typed) }) {
			out = append(out, s)
			seen[s.Symbol] = true
		}
	}
	slices.SortStableFunc(out, func(a, b tui.Symbol) int { return cmp.Compare(rank(a, typed), rank(b, typed)) })
	for _, s := range o.search(ctx, typed) {
		if !seen[s.Symbol] {
			out = append(out, s)
		}
	}
	return out[:min(len(out), mostSymbols)]
}

// rank puts what is found by its symbol before what is found by its name.
func rank(s tui.Symbol, typed string) int {
	switch {
	case strings.EqualFold(s.Symbol, typed):
		return 0
	case begins(s.Symbol, typed):
		return 1
	}
	return 2
}

func begins(text, typed string) bool {
	return len(text) >= len(typed) && strings.EqualFold(text[:len(typed)], typed)
}

// ownSymbols are those of the book and the watchlist. A book that cannot be read
// offers none: whoever asks for it is told why.
func (h *house) ownSymbols(ctx context.Context) []tui.Symbol {
	var out []tui.Symbol
	seen := map[market.Symbol]bool{}
	put := func(symbol market.Symbol, name, kind string) {
		if !seen[symbol] {
			out = append(out, tui.Symbol{Symbol: string(symbol), Name: name, Kind: kind})
		}
		seen[symbol] = true
	}
	if ledger, err := h.book.Ledger(ctx); err == nil {
		if book, err := replay.Open(ledger); err == nil && book.Advance(market.Date{}) == nil {
			for _, p := range book.Positions() {
				put(p.Symbol, p.Name, "held")
			}
		}
	}
	watches, _ := h.book.Watches(ctx)
	for _, w := range watches {
		put(w.Symbol, w.Note, "watched")
	}
	return out
}

// symbolSearch looks where the tools look: in the embedded table, or among the
// sample where nothing else can be had. Neither asks a server.
func (h *house) symbolSearch() func(context.Context, string) []tui.Symbol {
	found := func(all []market.Instrument) []tui.Symbol {
		var out []tui.Symbol
		for _, i := range all {
			out = append(out, tui.Symbol{Symbol: string(i.Symbol), Name: i.Name, Kind: i.Kind})
		}
		return out
	}
	if h.onSample() {
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
