package replay

import "github.com/nfa-cli/nfa/internal/portfolio"

// queue is a heap of lots, the next to be taken first. It is written out because
// each trade goes through it, and package heap costs twice the time.
type queue struct {
	lots   []*lot
	method portfolio.Method
	short  bool // short positions are closed oldest first, whatever the method
}

// next tells whether a is taken before b.
func (q *queue) next(a, b *lot) bool {
	switch {
	case q.short:
	case q.method == portfolio.MethodLIFO:
		return a.older(b) > 0
	case q.method == portfolio.MethodHighestCost:
		return a.dearer(b)
	}
	return a.older(b) < 0
}

// dearer puts lots of unknown cost last. Costs in different currencies cannot be
// compared without rates: those of the currency that is first by name go first.
func (l *lot) dearer(than *lot) bool {
	if l.cost.Valid != than.cost.Valid {
		return l.cost.Valid
	}
	if l.currency != than.currency {
		return l.currency < than.currency
	}
	if l.cost.Valid {
		if c := l.unit.Cmp(than.unit); c != 0 {
			return c > 0
		}
	}
	return l.older(than) < 0
}

func (q *queue) push(l *lot) {
	q.lots = append(q.lots, l)
	q.up(l, len(q.lots)-1)
}

func (q *queue) remove(i int) {
	last := len(q.lots) - 1
	moved := q.lots[last]
	q.lots[last] = nil
	q.lots = q.lots[:last]
	if i < last {
		q.put(moved, i)
		q.fix(i)
	}
}

// fix follows a change of the lot at i.
func (q *queue) fix(i int) {
	l := q.lots[i]
	q.down(l, i)
	if q.lots[i] == l {
		q.up(l, i)
	}
}

// arrange follows a change of all.
func (q *queue) arrange() {
	for i := len(q.lots)/2 - 1; i >= 0; i-- {
		q.down(q.lots[i], i)
	}
}

func (q *queue) up(l *lot, i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !q.next(l, q.lots[parent]) {
			break
		}
		q.put(q.lots[parent], i)
		i = parent
	}
	q.put(l, i)
}

func (q *queue) down(l *lot, i int) {
	for {
		child := 2*i + 1
		if child >= len(q.lots) {
			break
		}
		if right := child + 1; right < len(q.lots) && q.next(q.lots[right], q.lots[child]) {
			child = right
		}
		if !q.next(q.lots[child], l) {
			break
		}
		q.put(q.lots[child], i)
		i = child
	}
	q.put(l, i)
}

func (q *queue) put(l *lot, i int) { q.lots[i], l.at = l, i }
