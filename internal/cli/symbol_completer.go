package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/tui"
)

const (
	// userSymbolsTTL is how long the user's own symbols are cached.
	userSymbolsTTL = 30 * time.Second
	// maxSymbols is the maximum number of symbols that Find returns.
	maxSymbols = 20
)

// SymbolCompleter completes symbols. It is safe for concurrent use.
type SymbolCompleter struct {
	userSymbols func(context.Context) []tui.SymbolSuggestion
	search      func(ctx context.Context, typed string) []tui.SymbolSuggestion
	now         func() time.Time

	mu     sync.Mutex
	cached []tui.SymbolSuggestion
	asOf   time.Time
}

// NewSymbolCompleter returns a completer. own returns the user's symbols, for example from
// UserSymbols, and its result is cached for half a minute. known searches all others, for example
// KnownSymbols.
func NewSymbolCompleter(own func(context.Context) []tui.SymbolSuggestion, known func(ctx context.Context, typed string) []tui.SymbolSuggestion, now func() time.Time) *SymbolCompleter {
	return &SymbolCompleter{userSymbols: own, search: known, now: now}
}

// Find returns at most twenty distinct symbols: those whose symbol or a word of whose name starts
// with typed, then results of the search.
func (s *SymbolCompleter) Find(ctx context.Context, typed string) []tui.SymbolSuggestion {
	s.mu.Lock()
	if s.asOf.IsZero() || s.now().Sub(s.asOf) > userSymbolsTTL {
		s.cached, s.asOf = s.userSymbols(ctx), s.now()
	}
	userSymbols := s.cached
	s.mu.Unlock()
	var out []tui.SymbolSuggestion
	seen := map[string]bool{}
	for _, o := range userSymbols {
		if hasPrefixFold(o.Symbol, typed) || slices.ContainsFunc(strings.Fields(o.Name), func(word string) bool { return hasPrefixFold(word, typed) }) {
			out = append(out, o)
			seen[o.Symbol] = true
		}
	}
	slices.SortStableFunc(out, func(a, b tui.SymbolSuggestion) int { return cmp.Compare(matchRank(a, typed), matchRank(b, typed)) })
	for _, k := range s.search(ctx, typed) {
		if !seen[k.Symbol] {
			out = append(out, k)
		}
	}
	return out[:min(len(out), maxSymbols)]
}

// matchRank sorts matches of the symbol before matches of the name.
func matchRank(s tui.SymbolSuggestion, typed string) int {
	switch {
	case strings.EqualFold(s.Symbol, typed):
		return 0
	case hasPrefixFold(s.Symbol, typed):
		return 1
	}
	return 2
}

func hasPrefixFold(text, typed string) bool {
	return len(text) >= len(typed) && strings.EqualFold(text[:len(typed)], typed)
}
