// Package completion finds the symbols that what is being typed may become: the user's own
// first, then those that are known without them. No server is asked.
package completion

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
	// ownStand is how long the user's own symbols are taken as they were.
	ownStand = 30 * time.Second
	// mostSymbols is how many symbols are offered at once.
	mostSymbols = 20
)

// Symbols finds them. It is safe for concurrent use.
type Symbols struct {
	own   func(context.Context) []tui.Symbol
	known func(ctx context.Context, typed string) []tui.Symbol
	now   func() time.Time

	mu   sync.Mutex
	had  []tui.Symbol
	asOf time.Time
}

// New takes the user's own symbols, such as those of Own, and the search for others, such
// as Known. What is the user's own is asked for again after half a minute.
func New(own func(context.Context) []tui.Symbol, known func(ctx context.Context, typed string) []tui.Symbol, now func() time.Time) *Symbols {
	return &Symbols{own: own, known: known, now: now}
}

// Find gives what begins with what is typed, by its symbol or by a word of its name, and
// what the search finds by it. Each is there once, and twenty at most.
func (s *Symbols) Find(ctx context.Context, typed string) []tui.Symbol {
	s.mu.Lock()
	if s.asOf.IsZero() || s.now().Sub(s.asOf) > ownStand {
		s.had, s.asOf = s.own(ctx), s.now()
	}
	own := s.had
	s.mu.Unlock()
	var out []tui.Symbol
	seen := map[string]bool{}
	for _, o := range own {
		if begins(o.Symbol, typed) || slices.ContainsFunc(strings.Fields(o.Name), func(word string) bool { return begins(word, typed) }) {
			out = append(out, o)
			seen[o.Symbol] = true
		}
	}
	slices.SortStableFunc(out, func(a, b tui.Symbol) int { return cmp.Compare(rank(a, typed), rank(b, typed)) })
	for _, k := range s.known(ctx, typed) {
		if !seen[k.Symbol] {
			out = append(out, k)
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
