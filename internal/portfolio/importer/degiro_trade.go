package importer

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// recordTrades records what was bought and sold, with the exchange that paid for it and
// the fees of its order, and then the exchanges that are left.
func (r *degiroReader) recordTrades() {
	costs, first := r.orderCosts(), r.firstFills()
	free := r.unusedExchanges()
	for i, l := range r.lines {
		if r.used[i] || l.class != degiroTrade {
			continue
		}
		var charged []int
		if first[l.orderKey()] == i {
			charged = costs[l.orderKey()]
		}
		r.recordTrade(i, free, charged)
	}
	for _, p := range r.exchanges {
		if !r.used[p.paid] {
			r.recordExchange(p)
		}
	}
}

// orderCosts are the fees and taxes of each order and day.
func (r *degiroReader) orderCosts() map[string][]int {
	byOrder := map[string][]int{}
	for i, l := range r.lines {
		if group := l.orderKey(); group != "" && !r.used[i] && (l.class == degiroFee || l.class == degiroTax) && l.change.Decimal.IsNegative() {
			byOrder[group] = append(byOrder[group], i)
		}
	}
	return byOrder
}

// firstFills are the earliest trades of each order and day. DEGIRO charges an order
// once, however many trades fill it, and the earliest bears it.
func (r *degiroReader) firstFills() map[string]int {
	first := map[string]int{}
	for i, l := range r.lines {
		group := l.orderKey()
		if group == "" || l.class != degiroTrade {
			continue
		}
		if j, ok := first[group]; !ok || !l.moment.After(r.lines[j].moment) {
			first[group] = i
		}
	}
	return first
}

// unusedExchanges are the exchanges by the order and the sum in foreign currency that they
// were made for.
func (r *degiroReader) unusedExchanges() map[string][]degiroExchangePair {
	free := map[string][]degiroExchangePair{}
	for _, p := range r.exchanges {
		for _, i := range []int{p.paid, p.received} {
			if l := r.lines[i]; l.orderKey() != "" {
				key := degiroSettlementKey(l, l.change.Decimal)
				free[key] = append(free[key], p)
			}
		}
	}
	return free
}

// degiroSettlementKey is equal for a trade and the line of an exchange that made up for it.
func degiroSettlementKey(l degiroRow, amount decimal.Decimal) string {
	return l.orderKey() + " " + l.currency + " " + amount.String()
}

func (r *degiroReader) recordTrade(i int, free map[string][]degiroExchangePair, charged []int) {
	l := r.lines[i]
	d, _ := parseDEGIROTrade(l.normalized)
	kind, direction := portfolio.KindBuy, l.direction(d)
	if direction < 0 {
		kind = portfolio.KindSell
	}
	quantity, price, err := l.readTrade(d)
	switch {
	case err != nil:
		r.problem(i, "%v", err)
		return
	case direction == 0 || l.change.Decimal.IsZero():
		r.problem(i, "the word %q and the amount %s do not agree: compare the line with DEGIRO's statement", d.verb, l.change.Decimal)
		return
	}
	t, err := l.newSecurityTransaction(kind)
	if err != nil {
		r.problem(i, "%v", err)
		return
	}
	t.Quantity, t.Price = quantity, decimal.NewNullDecimal(price)
	lines := []int{i}
	if p, ok := r.takeExchange(l, free); ok {
		other := r.lines[p.paid]
		if kind == portfolio.KindSell {
			other = r.lines[p.received]
		}
		t.Currency, t.Amount = other.currency, other.change.Decimal.Abs()
		t.Price, t.Note = decimal.NullDecimal{}, r.priceNote(price, l, p)
		lines = append(lines, p.paid, p.received)
	}
	lines = append(lines, r.addCosts(&t, charged)...)
	r.add(t, lines...)
}

// takeExchange takes the exchange that made up for a trade, where one did to the cent.
func (r *degiroReader) takeExchange(l degiroRow, free map[string][]degiroExchangePair) (degiroExchangePair, bool) {
	if l.orderKey() == "" {
		return degiroExchangePair{}, false
	}
	key := degiroSettlementKey(l, l.change.Decimal.Neg())
	for len(free[key]) > 0 {
		p := free[key][0]
		free[key] = free[key][1:]
		if !r.used[p.paid] {
			return p, true
		}
	}
	return degiroExchangePair{}, false
}

// addCosts adds what the order cost, as far as it was paid in the same currency, and
// returns the lines of it; the rest stays for lines of its own.
func (r *degiroReader) addCosts(t *portfolio.Transaction, charged []int) []int {
	var lines []int
	for _, i := range charged {
		cost := r.lines[i]
		switch {
		case cost.currency != t.Currency:
			continue
		case cost.class == degiroTax:
			t.Tax = t.Tax.Sub(cost.change.Decimal)
		default:
			t.Fee = t.Fee.Sub(cost.change.Decimal)
		}
		lines = append(lines, i)
	}
	return lines
}
