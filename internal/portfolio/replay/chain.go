package replay

import (
	"cmp"
	"slices"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// chain finds how far into a day each move is: what goes from a to b comes before
// what goes on from b to c, whatever the names of a, b and c.
type chain struct {
	sources map[step][]place
	depths  map[step]int
}

// step is a place that moves of a rank reach.
type step struct {
	rank int
	place
}

// follow sorts anew where several moves of the day could depend on each other. The
// keys come sorted, so that a circle is cut at the same place each time.
func (g *grouping) follow(keys []key) {
	var c chain
	count := 0
	for i := range keys {
		count += c.note(keys[i].t)
	}
	if count < 2 {
		return
	}
	c.depths = make(map[step]int, count)
	for i := range keys {
		if t := keys[i].t; moves(t) {
			keys[i].depth = c.depth(step{rank(t), place{t.Account, t.Symbol}})
		}
	}
	slices.SortFunc(keys, g.compare)
}

// moves tells whether lots of one place become lots of another.
func moves(t *portfolio.Transaction) bool {
	return t.ToSymbol != "" || t.ToAccount != "" && t.Symbol != ""
}

func (c *chain) note(t *portfolio.Transaction) int {
	if !moves(t) {
		return 0
	}
	if c.sources == nil {
		c.sources = map[step][]place{}
	}
	to := step{rank(t), place{cmp.Or(t.ToAccount, t.Account), cmp.Or(t.ToSymbol, t.Symbol)}}
	c.sources[to] = append(c.sources[to], place{t.Account, t.Symbol})
	return 1
}

// depth is the number of moves that lead to a place, one after the other.
func (c *chain) depth(s step) int {
	if known, ok := c.depths[s]; ok {
		return known
	}
	c.depths[s] = 0 // where a circle comes back to
	deepest := 0
	for _, from := range c.sources[s] {
		deepest = max(deepest, 1+c.depth(step{s.rank, from}))
	}
	c.depths[s] = deepest
	return deepest
}
