package lots

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// applicationOrder puts transactions in the order in which they are applied, which does not
// depend on the order in which they were entered.
//
// Days come first. Within a day those that can change the same lots belong
// together: the transactions of an account and a symbol, and of others that a
// transfer, merger or spin-off of the day connects with them. They are in order of
// time where each trade and transfer has one, corporate actions without a time
// first; else in an order by rank: corporate actions, what brings in, what moves,
// what takes out; of those that give away, first what names its lots and last what
// may go short, because the others would take from it what it needs. What changes no
// lots stands apart: its order decides nothing.
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
	group int // of positionGroups.groups: its root
	// depth is how many moves of the day lead to this one.
	depth int
}

// positionGroups joins the places that a day's transactions connect.
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

// groupOf finds the group of a transaction, and joins it with those it reaches into.
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

// join keeps the place that is first by name as the root: it does not depend on
// which transaction was seen first.
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

// lotFreedom is how much a transaction leaves open of what it takes: only these lots,
// those that the method chooses, or even more than there is.
func lotFreedom(t *portfolio.Transaction) int {
	switch {
	case len(t.Lots) > 0:
		return 0
	case !t.Short:
		return 1
	}
	return 2
}

// Ranks that mean something beside their order.
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

// compareCanonical compares by what the transactions say, and by their IDs only where they
// say the same: entering a day's trades anew gives the same lots.
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
