package importer

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
func (r *revolutReader) split(l revolutRow) (portfolio.Transaction, error) {
	t := l.newTransaction(portfolio.KindSplit)
	t.Currency = ""
	held, change := r.held[l.row.Line], l.quantity.Decimal
	if t.Symbol == "" || change.IsZero() || !l.total.IsZero() {
		return t, errors.New("a split without shares, or with cash; enter it by hand")
	}
	after := held.Add(change)
	if !held.IsPositive() || !after.IsPositive() {
		return t, fmt.Errorf("%s shares more or less by a split, and the file has not what was held before; enter the split by hand with its ratio, or export the whole history", change)
	}
	ratio, ok := revolutSplitRatio(held, after)
	if !ok {
		return t, fmt.Errorf("%s shares became %s, which is no ratio of small numbers: purchases before may be missing in the file; enter the split by hand", held, after)
	}
	t.New, t.Old = decimal.NewFromInt(ratio[0]), decimal.NewFromInt(ratio[1])
	if t.New.LessThan(t.Old) {
		t.Kind = portfolio.KindReverseSplit
	}
	return t, nil
}

// revolutSplitRatio finds the ratio of small numbers that two quantities have, up to their
// last digit: a whole number for one, either way, or two numbers up to ten. What was
// held wrongly would hardly have one.
func revolutSplitRatio(before, after decimal.Decimal) ([2]int64, bool) {
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

// merger is shares that became those of another company, by two lines of the same
// moment.
func (r *revolutReader) merger(l revolutRow) (portfolio.Transaction, error) {
	other, ok := r.partners[l.row.Line]
	if !ok {
		return portfolio.Transaction{}, errors.New("the other side of the merger is not in the file, or is not clear; enter it by hand")
	}
	from, to := l, other
	if from.quantity.Decimal.IsPositive() {
		from, to = to, from
	}
	t := from.newTransaction(portfolio.KindMerger)
	t.ToSymbol, t.New, t.Old, t.Currency = to.symbol, to.quantity.Decimal, from.quantity.Decimal.Neg(), ""
	if held := r.held[from.row.Line]; !held.Equal(t.Old) {
		return t, fmt.Errorf("%s %s were exchanged and the file says that %s were held; enter the merger by hand", t.Old, from.symbol, held)
	}
	return t, nil
}

// liquidation is a position that became cash: of so many shares a sale, and of all where
// the line does not say how many.
func (r *revolutReader) liquidation(l revolutRow) (portfolio.Transaction, error) {
	t := l.newTransaction(portfolio.KindMerger)
	t.Amount = l.total
	if t.Symbol == "" || !l.total.IsPositive() {
		return t, errors.New("it names no security, or no cash that came of it; enter it by hand")
	}
	if l.quantity.Valid && !l.quantity.Decimal.IsZero() {
		t.Kind, t.Quantity = portfolio.KindSell, l.quantity.Decimal.Abs()
	}
	return t, nil
}

// revolutShareCounts are how many shares of a line's security there were before its moment, by
// the lines of the file alone and by their numbers.
type revolutShareCounts map[int]decimal.Decimal

func countRevolutShares(lines []revolutRow) revolutShareCounts {
	bySymbol := map[market.Symbol][]revolutRow{}
	for _, l := range lines {
		if l.symbol != "" && l.quantity.Valid {
			bySymbol[l.symbol] = append(bySymbol[l.symbol], l)
		}
	}
	h := revolutShareCounts{}
	for _, all := range bySymbol {
		slices.SortStableFunc(all, func(a, b revolutRow) int { return a.time.Compare(b.time) })
		var held, before decimal.Decimal
		for i, l := range all {
			if i == 0 || l.time.After(all[i-1].time) {
				before = held
			}
			h[l.row.Line] = before
			held = held.Add(l.shareChange())
		}
	}
	return h
}

// shareChange is how many shares a line brought, or took.
func (l revolutRow) shareChange() decimal.Decimal {
	switch {
	case l.trade == portfolio.KindSell, l.kind == "MERGER - CASH", l.kind == "POSITION CLOSURE":
		return l.quantity.Decimal.Abs().Neg()
	case l.trade == portfolio.KindBuy, l.kind == "STOCK SPLIT", l.kind == "MERGER - STOCK", l.kind == "SPINOFF", l.kind == "SPIN-OFF":
		return l.quantity.Decimal
	}
	return decimal.Zero
}

// revolutPartners finds the lines that belong together, both ways: fees, taxes and cash
// that came back on the same day, and the two sides of a merger. A line that could
// belong to several belongs to none.
func revolutPartners(lines []revolutRow) map[int]revolutRow {
	type act struct {
		kind, what, currency string
		date                 time.Time
	}
	groups := map[act][]revolutRow{}
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
	found := map[int]revolutRow{}
	for _, group := range groups {
		if len(group) != 2 || !areRevolutOpposites(group[0], group[1]) {
			continue
		}
		found[group[0].row.Line], found[group[1].row.Line] = group[1], group[0]
	}
	return found
}

func areRevolutOpposites(a, b revolutRow) bool {
	if a.kind == "MERGER - STOCK" {
		return a.quantity.Decimal.Sign()*b.quantity.Decimal.Sign() < 0 && a.symbol != b.symbol
	}
	return a.total.Sign()*b.total.Sign() < 0
}
