package lots

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// applicationOrder returns the transactions in the order in which they are applied, which does not
// depend on the order of entry.
//
// Transactions are sorted by date. Within a day, those that can change the same lots form a group:
// the transactions of one account and symbol, and those connected with them by a transfer, merger
// or spin-off. If every trade and transfer of a group has a time, they are sorted by time, after
// corporate actions without a time. Otherwise they are sorted by rank: corporate actions,
// acquisitions, moves, disposals. Among disposals, those that name their lots come first and those
// that may go short last, because the others would take the shares they need. The order of
// transactions that change no lots does not matter.
func applicationOrder(ts []portfolio.Transaction) []*portfolio.Transaction {
	keys := make([]key, len(ts))
	for i := range ts {
		keys[i].t = &ts[i]
	}
	slices.SortStableFunc(keys, func(a, b key) int { return a.t.Date.Compare(b.t.Date) })
	var g positionGroups
	for from := 0; from < len(keys); {
		to := from + 1
		for to < len(keys) && keys[to].t.Date.Equal(keys[from].t.Date) {
			to++
		}
		if to-from > 1 {
			g.arrangeDay(keys[from:to])
		}
		from = to
	}
	ordered := make([]*portfolio.Transaction, len(ts))
	for i := range keys {
		ordered[i] = keys[i].t
	}
	return ordered
}

type key struct {
	t     *portfolio.Transaction
	group int // root in positionGroups.groups
	// depth is the number of moves of the day that precede this one.
	depth int
}

// positionGroups groups the positions that a day's transactions connect.
type positionGroups struct {
	index  map[positionKey]int
	groups []group
}

type group struct {
	positionKey
	root    int
	untimed bool
}

func (g *positionGroups) arrangeDay(keys []key) {
	if g.index == nil {
		g.index = make(map[positionKey]int, len(keys))
	}
	clear(g.index)
	g.groups = g.groups[:0]
	for i := range keys {
		keys[i].group = g.groupOf(keys[i].t)
	}
	for i := range keys {
		keys[i].group = g.root(keys[i].group)
		if t := keys[i].t; t.Time.IsZero() && rank(t) > lastActionRank {
			g.groups[keys[i].group].untimed = true
		}
	}
	slices.SortFunc(keys, g.compare)
	g.orderMoves(keys)
}

// groupOf returns the group of a transaction, joined with the groups of the other positions it
// affects.
func (g *positionGroups) groupOf(t *portfolio.Transaction) int {
	if rank(t) >= cashOnlyRank {
		return g.indexOf(positionKey{t.Account, ""})
	}
	in := g.indexOf(positionKey{t.Account, t.Symbol})
	if t.ToSymbol != "" {
		g.join(in, g.indexOf(positionKey{t.Account, t.ToSymbol}))
	}
	if t.ToAccount != "" {
		g.join(in, g.indexOf(positionKey{t.ToAccount, t.Symbol}))
	}
	return in
}

func (g *positionGroups) indexOf(p positionKey) int {
	i, ok := g.index[p]
	if !ok {
		i = len(g.groups)
		g.index[p], g.groups = i, append(g.groups, group{positionKey: p, root: i})
	}
	return i
}

func (g *positionGroups) root(i int) int {
	for g.groups[i].root != i {
		g.groups[i].root = g.groups[g.groups[i].root].root
		i = g.groups[i].root
	}
	return i
}

// join makes the alphabetically first position the root, so that the result does not depend on the
// order of calls.
func (g *positionGroups) join(i, j int) {
	i, j = g.root(i), g.root(j)
	if g.groups[j].positionKey.compare(g.groups[i].positionKey) < 0 {
		i, j = j, i
	}
	g.groups[j].root = i
}

func (p positionKey) compare(other positionKey) int {
	return cmp.Or(strings.Compare(p.account, other.account), cmp.Compare(p.symbol, other.symbol))
}

func (g *positionGroups) compare(a, b key) int {
	if a.group != b.group {
		return g.groups[a.group].positionKey.compare(g.groups[b.group].positionKey)
	}
	if !g.groups[a.group].untimed {
		if c := a.t.Time.Compare(b.t.Time); c != 0 {
			return c
		}
	}
	if c := cmp.Or(cmp.Compare(rank(a.t), rank(b.t)), cmp.Compare(a.depth, b.depth), cmp.Compare(lotFreedom(a.t), lotFreedom(b.t))); c != 0 {
		return c
	}
	return compareCanonical(a.t, b.t)
}

// lotFreedom ranks how freely a transaction chooses its lots: named lots, lots chosen by the
// method, or short sales.
func lotFreedom(t *portfolio.Transaction) int {
	switch {
	case len(t.Lots) > 0:
		return 0
	case !t.Short:
		return 1
	}
	return 2
}

// Ranks with a meaning beyond their order.
const (
	lastActionRank = 3
	cashOnlyRank   = 8
)

func rank(t *portfolio.Transaction) int {
	switch t.Kind {
	case portfolio.KindSplit, portfolio.KindReverseSplit:
		return 0
	case portfolio.KindSpinOff:
		return 1
	case portfolio.KindMerger:
		return 2
	case portfolio.KindReturnOfCapital:
		return lastActionRank
	case portfolio.KindTransferIn, portfolio.KindBuy, portfolio.KindReinvest:
		return 4
	case portfolio.KindTransferOut:
		switch {
		case t.Symbol == "":
			return cashOnlyRank
		case t.ToAccount != "":
			return 5
		}
		return 7
	case portfolio.KindSell:
		return 6
	}
	return cashOnlyRank
}

// compareCanonical compares content first and IDs last, so that entering a day's trades again gives
// the same lots.
func compareCanonical(a, b *portfolio.Transaction) int {
	if c := cmp.Or(
		strings.Compare(string(a.Kind), string(b.Kind)),
		cmp.Compare(a.Symbol, b.Symbol), strings.Compare(a.Account, b.Account),
		cmp.Compare(a.ToSymbol, b.ToSymbol), strings.Compare(a.ToAccount, b.ToAccount),
		strings.Compare(a.Currency, b.Currency),
	); c != 0 {
		return c
	}
	for _, pair := range [][2]decimal.Decimal{
		{a.Quantity, b.Quantity}, {a.Amount, b.Amount}, {a.Fee, b.Fee}, {a.Tax, b.Tax}, {a.ToAmount, b.ToAmount}, {a.New, b.New}, {a.Old, b.Old},
	} {
		if c := pair[0].Cmp(pair[1]); c != 0 {
			return c
		}
	}
	return cmp.Or(
		a.Acquired.Compare(b.Acquired), a.Time.Compare(b.Time),
		strings.Compare(a.Source, b.Source), strings.Compare(a.SourceID, b.SourceID), strings.Compare(a.ID, b.ID),
	)
}

// moveGraph computes the depth of each move of a day: a move from a to b precedes one from b to c,
// independent of their names.
type moveGraph struct {
	sources map[moveTarget][]positionKey
	depths  map[moveTarget]int
}

// moveTarget is a position that receives lots by moves of one rank.
type moveTarget struct {
	rank int
	positionKey
}

// orderMoves sorts again if several moves of the day may depend on each other. The keys must be
// sorted, so that cycles are always broken at the same place.
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

// movesLots reports whether the transaction turns lots of one position into lots of another.
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

// depth returns the length of the longest chain of moves that leads to s.
func (c *moveGraph) depth(s moveTarget) int {
	if known, ok := c.depths[s]; ok {
		return known
	}
	c.depths[s] = 0 // breaks cycles
	deepest := 0
	for _, from := range c.sources[s] {
		deepest = max(deepest, 1+c.depth(moveTarget{s.rank, from}))
	}
	c.depths[s] = deepest
	return deepest
}
