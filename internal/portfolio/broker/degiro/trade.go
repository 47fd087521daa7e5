package degiro

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// trades records what was bought and sold, with the exchange that paid for it and
// the fees of its order, and then the exchanges that are left.
func (r *reader) trades() {
	costs, first := r.costs(), r.firstFills()
	free := r.freePairs()
	for i, l := range r.lines {
		if r.used[i] || l.class != trade {
			continue
		}
		var charged []int
		if first[l.group()] == i {
			charged = costs[l.group()]
		}
		r.trade(i, free, charged)
	}
	for _, p := range r.pairs {
		if !r.used[p.paid] {
			r.exchanged(p)
		}
	}
}

// costs are the fees and taxes of each order and day.
func (r *reader) costs() map[string][]int {
	of := map[string][]int{}
	for i, l := range r.lines {
		if group := l.group(); group != "" && !r.used[i] && (l.class == fee || l.class == tax) && l.change.Decimal.IsNegative() {
			of[group] = append(of[group], i)
		}
	}
	return of
}

// firstFills are the earliest trades of each order and day. DEGIRO charges an order
// once, however many trades fill it, and the earliest bears it.
func (r *reader) firstFills() map[string]int {
	first := map[string]int{}
	for i, l := range r.lines {
		group := l.group()
		if group == "" || l.class != trade {
			continue
		}
		if j, ok := first[group]; !ok || !l.moment.After(r.lines[j].moment) {
			first[group] = i
		}
	}
	return first
}

// freePairs are the exchanges by the order and the sum in foreign currency that they
// were made for.
func (r *reader) freePairs() map[string][]pair {
	free := map[string][]pair{}
	for _, p := range r.pairs {
		for _, i := range []int{p.paid, p.received} {
			if l := r.lines[i]; l.group() != "" {
				key := settles(l, l.change.Decimal)
				free[key] = append(free[key], p)
			}
		}
	}
	return free
}

// settles is equal for a trade and the line of an exchange that made up for it.
func settles(l line, by decimal.Decimal) string {
	return l.group() + " " + l.currency + " " + by.String()
}

func (r *reader) trade(i int, free map[string][]pair, charged []int) {
	l := r.lines[i]
	d, _ := dealOf(l.words)
	kind, direction := portfolio.KindBuy, l.direction(d)
	if direction < 0 {
		kind = portfolio.KindSell
	}
	quantity, price, err := l.read(d)
	switch {
	case err != nil:
		r.problem(i, "%v", err)
		return
	case direction == 0 || l.change.Decimal.IsZero():
		r.problem(i, "the word %q and the amount %s do not agree: compare the line with DEGIRO's statement", d.verb, l.change.Decimal)
		return
	}
	t, err := l.forSecurity(kind)
	if err != nil {
		r.problem(i, "%v", err)
		return
	}
	t.Quantity, t.Price = quantity, decimal.NewNullDecimal(price)
	lines := []int{i}
	if p, ok := r.paidWith(l, free); ok {
		other := r.lines[p.paid]
		if kind == portfolio.KindSell {
			other = r.lines[p.received]
		}
		t.Currency, t.Amount = other.currency, other.change.Decimal.Abs()
		t.Price, t.Note = decimal.NullDecimal{}, r.quoted(price, l, p)
		lines = append(lines, p.paid, p.received)
	}
	lines = append(lines, r.charge(&t, charged)...)
	r.add(t, lines...)
}

// paidWith takes the exchange that made up for a trade, where one did to the cent.
func (r *reader) paidWith(l line, free map[string][]pair) (pair, bool) {
	if l.group() == "" {
		return pair{}, false
	}
	key := settles(l, l.change.Decimal.Neg())
	for len(free[key]) > 0 {
		p := free[key][0]
		free[key] = free[key][1:]
		if !r.used[p.paid] {
			return p, true
		}
	}
	return pair{}, false
}

// charge adds what the order cost, as far as it was paid in the same currency, and
// returns the lines of it; the rest stays for lines of its own.
func (r *reader) charge(t *portfolio.Transaction, charged []int) []int {
	var lines []int
	for _, i := range charged {
		cost := r.lines[i]
		switch {
		case cost.currency != t.Currency:
			continue
		case cost.class == tax:
			t.Tax = t.Tax.Sub(cost.change.Decimal)
		default:
			t.Fee = t.Fee.Sub(cost.change.Decimal)
		}
		lines = append(lines, i)
	}
	return lines
}
