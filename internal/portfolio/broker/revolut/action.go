package revolut

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// split tells the ratio of a split, of which Revolut writes only how many shares
// came or went, by what the file says was held before.
func (r *reader) split(l line) (portfolio.Transaction, error) {
	t := l.begin(portfolio.KindSplit)
	t.Currency = ""
	held, change := r.held[l.row.Line], l.quantity.Decimal
	if t.Symbol == "" || change.IsZero() || !l.total.IsZero() {
		return t, errors.New("a split without shares, or with cash; enter it by hand")
	}
	after := held.Add(change)
	if !held.IsPositive() || !after.IsPositive() {
		return t, fmt.Errorf("%s shares more or less by a split, and the file has not what was held before; enter the split by hand with its ratio, or export the whole history", change)
	}
	ratio, ok := ratioOf(held, after)
	if !ok {
		return t, fmt.Errorf("%s shares became %s, which is no ratio of small numbers: purchases before may be missing in the file; enter the split by hand", held, after)
	}
	t.New, t.Old = decimal.NewFromInt(ratio[0]), decimal.NewFromInt(ratio[1])
	if t.New.LessThan(t.Old) {
		t.Kind = portfolio.KindReverseSplit
	}
	return t, nil
}

// ratioOf finds the ratio of small numbers that two quantities have, up to their
// last digit: a whole number for one, either way, or two numbers up to ten. What was
// held wrongly would hardly have one.
func ratioOf(before, after decimal.Decimal) ([2]int64, bool) {
	fits := func(n, o int64) bool {
		off := before.Mul(decimal.NewFromInt(n)).Sub(after.Mul(decimal.NewFromInt(o))).Abs()
		return off.LessThanOrEqual(decimal.New(n+o, min(before.Exponent(), after.Exponent(), -4)))
	}
	for o := int64(1); o <= 10; o++ {
		for n := int64(1); n <= 10; n++ {
			if n != o && fits(n, o) {
				return [2]int64{n, o}, true
			}
		}
	}
	for n := int64(11); n <= 100; n++ {
		if fits(n, 1) {
			return [2]int64{n, 1}, true
		}
		if fits(1, n) {
			return [2]int64{1, n}, true
		}
	}
	return [2]int64{}, false
}

// merged is shares that became those of another company, by two lines of the same
// moment.
func (r *reader) merged(l line) (portfolio.Transaction, error) {
	other, ok := r.partners[l.row.Line]
	if !ok {
		return portfolio.Transaction{}, errors.New("the other side of the merger is not in the file, or is not clear; enter it by hand")
	}
	from, to := l, other
	if from.quantity.Decimal.IsPositive() {
		from, to = to, from
	}
	t := from.begin(portfolio.KindMerger)
	t.ToSymbol, t.New, t.Old, t.Currency = to.symbol, to.quantity.Decimal, from.quantity.Decimal.Neg(), ""
	if held := r.held[from.row.Line]; !held.Equal(t.Old) {
		return t, fmt.Errorf("%s %s were exchanged and the file says that %s were held; enter the merger by hand", t.Old, from.symbol, held)
	}
	return t, nil
}

// closed is a position that became cash: of so many shares a sale, and of all where
// the line does not say how many.
func (r *reader) closed(l line) (portfolio.Transaction, error) {
	t := l.begin(portfolio.KindMerger)
	t.Amount = l.total
	if t.Symbol == "" || !l.total.IsPositive() {
		return t, errors.New("it names no security, or no cash that came of it; enter it by hand")
	}
	if l.quantity.Valid && !l.quantity.Decimal.IsZero() {
		t.Kind, t.Quantity = portfolio.KindSell, l.quantity.Decimal.Abs()
	}
	return t, nil
}

// holdings are how many shares of a line's security there were before its moment, by
// the lines of the file alone and by their numbers.
type holdings map[int]decimal.Decimal

func holdingsOf(lines []line) holdings {
	of := map[market.Symbol][]line{}
	for _, l := range lines {
		if l.symbol != "" && l.quantity.Valid {
			of[l.symbol] = append(of[l.symbol], l)
		}
	}
	h := holdings{}
	for _, all := range of {
		slices.SortStableFunc(all, func(a, b line) int { return a.time.Compare(b.time) })
		var held, before decimal.Decimal
		for i, l := range all {
			if i == 0 || l.time.After(all[i-1].time) {
				before = held
			}
			h[l.row.Line] = before
			held = held.Add(l.change())
		}
	}
	return h
}

// change is how many shares a line brought, or took.
func (l line) change() decimal.Decimal {
	switch {
	case l.trade == portfolio.KindSell, l.kind == "MERGER - CASH", l.kind == "POSITION CLOSURE":
		return l.quantity.Decimal.Abs().Neg()
	case l.trade == portfolio.KindBuy, l.kind == "STOCK SPLIT", l.kind == "MERGER - STOCK", l.kind == "SPINOFF", l.kind == "SPIN-OFF":
		return l.quantity.Decimal
	}
	return decimal.Zero
}

// partners finds the lines that belong together, both ways: fees, taxes and cash
// that came back on the same day, and the two sides of a merger. A line that could
// belong to several belongs to none.
func partners(lines []line) map[int]line {
	type act struct {
		kind, what, currency string
		date                 time.Time
	}
	groups := map[act][]line{}
	for _, l := range lines {
		key := act{kind: l.kind, date: l.date, currency: l.currency}
		switch {
		case l.kind == "MERGER - STOCK" && l.quantity.Valid && l.symbol != "" && l.total.IsZero():
			key.date = l.time.Truncate(time.Minute)
		case l.kind == "DIVIDEND TAX (CORRECTION)", l.kind == "CUSTODY FEE", l.kind == "CUSTODY FEE REVERSAL":
			key.kind, key.what = l.kind[:len("CUSTODY FEE")], string(l.symbol)+" "+l.total.Abs().String()
		case l.transfer && l.symbol == "":
			key.kind, key.what = "TRANSFER", l.total.Abs().String()
		default:
			continue
		}
		groups[key] = append(groups[key], l)
	}
	found := map[int]line{}
	for _, group := range groups {
		if len(group) != 2 || !opposite(group[0], group[1]) {
			continue
		}
		found[group[0].row.Line], found[group[1].row.Line] = group[1], group[0]
	}
	return found
}

func opposite(a, b line) bool {
	if a.kind == "MERGER - STOCK" {
		return a.quantity.Decimal.Sign()*b.quantity.Decimal.Sign() < 0 && a.symbol != b.symbol
	}
	return a.total.Sign()*b.total.Sign() < 0
}
