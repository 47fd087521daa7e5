package lots

import "github.com/nfa-cli/nfa/internal/portfolio"

// lotQueue is a heap of lots, the next to be taken first. It is written out because
// each trade goes through it, and package heap costs twice the time.
type lotQueue struct {
	lots   []*lot
	method portfolio.Method
	short  bool // short positions are closed oldest first, whatever the method
}

// comesBefore tells whether a is taken before b.
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

// costsMoreThan puts lots of unknown cost last. Costs in different currencies cannot be
// compared without rates: those of the currency that is first by name go first.
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

func (q *lotQueue) push(l *lot) {
	q.lots = append(q.lots, l)
	q.up(l, len(q.lots)-1)
}

func (q *lotQueue) remove(i int) {
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
func (q *lotQueue) fix(i int) {
	l := q.lots[i]
	q.down(l, i)
	if q.lots[i] == l {
		q.up(l, i)
	}
}

// rebuild follows a change of all.
func (q *lotQueue) rebuild() {
	for i := len(q.lots)/2 - 1; i >= 0; i-- {
		q.down(q.lots[i], i)
	}
}

func (q *lotQueue) up(l *lot, i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !q.comesBefore(l, q.lots[parent]) {
			break
		}
		q.put(q.lots[parent], i)
		i = parent
	}
	q.put(l, i)
}

func (q *lotQueue) down(l *lot, i int) {
	for {
		child := 2*i + 1
		if child >= len(q.lots) {
			break
		}
		if right := child + 1; right < len(q.lots) && q.comesBefore(q.lots[right], q.lots[child]) {
			child = right
		}
		if !q.comesBefore(q.lots[child], l) {
			break
		}
		q.put(q.lots[child], i)
		i = child
	}
	q.put(l, i)
}

func (q *lotQueue) put(l *lot, i int) { q.lots[i], l.queueIndex = l, i }
