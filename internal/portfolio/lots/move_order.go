package lots

import (
	"cmp"
	"slices"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// moveGraph finds how far into a day each move is: what goes from a to b comes before
// what goes on from b to c, whatever the names of a, b and c.
type moveGraph struct {
	sources map[moveTarget][]positionKey
	depths  map[moveTarget]int
}

// moveTarget is a place that moves of a rank reach.
type moveTarget struct {
	rank int
	positionKey
}

// orderMoves sorts anew where several moves of the day could depend on each other. The
// keys come sorted, so that a circle is cut at the same place each time.
func (g *positionGroups) orderMoves(keys []key) {
	var c moveGraph
	count := 0
	for i := range keys {
		count += c.addMove(keys[i].t)
	}
	if count < 2 {
		return
	}
	c.depths = make(map[moveTarget]int, count)
	for i := range keys {
		if t := keys[i].t; movesLots(t) {
			keys[i].depth = c.depth(moveTarget{rank(t), positionKey{t.Account, t.Symbol}})
		}
	}
	slices.SortFunc(keys, g.compare)
}

// movesLots tells whether lots of one place become lots of another.
func movesLots(t *portfolio.Transaction) bool {
	return t.ToSymbol != "" || t.ToAccount != "" && t.Symbol != ""
}

func (c *moveGraph) addMove(t *portfolio.Transaction) int {
	if !movesLots(t) {
		return 0
	}
	if c.sources == nil {
		c.sources = map[moveTarget][]positionKey{}
	}
	to := moveTarget{rank(t), positionKey{cmp.Or(t.ToAccount, t.Account), cmp.Or(t.ToSymbol, t.Symbol)}}
	c.sources[to] = append(c.sources[to], positionKey{t.Account, t.Symbol})
	return 1
}

// depth is the number of moves that lead to a place, one after the other.
func (c *moveGraph) depth(s moveTarget) int {
	if known, ok := c.depths[s]; ok {
		return known
	}
	c.depths[s] = 0 // where a circle comes back to
	deepest := 0
	for _, from := range c.sources[s] {
		deepest = max(deepest, 1+c.depth(moveTarget{s.rank, from}))
	}
	c.depths[s] = deepest
	return deepest
}
