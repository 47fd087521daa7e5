package lots

import "github.com/nfa-cli/nfa/internal/portfolio"

// lotQueue is a heap of lots in the order in which they are taken.
type lotQueue struct {
	lots   []*lot
	method portfolio.Method
	short  bool // short positions are closed oldest first with any method
}

// comesBefore reports whether a is taken before b.
func (q *lotQueue) comesBefore(a, b *lot) bool {
	switch {
	case q.short:
	case q.method == portfolio.MethodLIFO:
		return a.older(b) > 0
	case q.method == portfolio.MethodHighestCost:
		return a.costsMoreThan(b)
	}
	return a.older(b) < 0
}

// costsMoreThan sorts lots of unknown cost last. Costs in different currencies cannot be compared
// without exchange rates, so lots are grouped by currency in alphabetical order.
func (l *lot) costsMoreThan(than *lot) bool {
	if l.cost.Valid != than.cost.Valid {
		return l.cost.Valid
	}
	if l.currency != than.currency {
		return l.currency < than.currency
	}
	if l.cost.Valid {
		if c := l.unitCost.Cmp(than.unitCost); c != 0 {
			return c > 0
		}
	}
	return l.older(than) < 0
}

// Len implements [heap.Interface].
func (q *lotQueue) Len() int { return len(q.lots) }

// Less implements [heap.Interface].
func (q *lotQueue) Less(i, j int) bool { return q.comesBefore(q.lots[i], q.lots[j]) }

// Swap implements [heap.Interface].
func (q *lotQueue) Swap(i, j int) {
	q.lots[i], q.lots[j] = q.lots[j], q.lots[i]
	q.lots[i].queueIndex, q.lots[j].queueIndex = i, j
}

// Push implements [heap.Interface].
func (q *lotQueue) Push(l any) {
	added := l.(*lot)
	added.queueIndex = len(q.lots)
	q.lots = append(q.lots, added)
}

// Pop implements [heap.Interface].
func (q *lotQueue) Pop() any {
	last := len(q.lots) - 1
	l := q.lots[last]
	q.lots[last] = nil
	q.lots = q.lots[:last]
	return l
}
