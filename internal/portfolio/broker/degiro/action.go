package degiro

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// corporate reads what companies did with their shares, where it is two lines of a
// day and occasion: shares that left, and others that came for the same sum.
func (r *reader) corporate() {
	left, came := map[string][]int{}, map[string][]int{}
	for i, l := range r.lines {
		if l.class != action {
			continue
		}
		d, _ := dealOf(l.words)
		switch key := l.swap(d); l.direction(d) {
		case 1:
			came[key] = append(came[key], i)
		case -1:
			left[key] = append(left[key], i)
		}
	}
	for i, l := range r.lines {
		if l.class != action || r.used[i] {
			continue
		}
		d, _ := dealOf(l.words)
		key := l.swap(d)
		if len(left[key]) != 1 || len(came[key]) != 1 || !r.became(left[key][0], came[key][0]) {
			r.problem(i, "what a company did with its shares, which the file does not tell in two lines that fit: record it by hand as a split, merger, spin-off or reinvested dividend")
		}
	}
}

// swap is equal for the shares that left and those that came for them.
func (l line) swap(d deal) string {
	return l.at() + " " + d.occasion + " " + l.currency + " " + l.change.Decimal.Abs().String()
}

// became records that all shares of one kind became others.
func (r *reader) became(out, in int) bool {
	before, after := r.lines[out], r.lines[in]
	held, ok := before.shares()
	got, also := after.shares()
	if !ok || !also {
		return false
	}
	if !broker.ValidISIN(before.isin) || !broker.ValidISIN(after.isin) {
		return false
	}
	kind := portfolio.KindMerger
	if before.isin == after.isin {
		switch got.Cmp(held) {
		case 0:
			r.ignore(out, "the same shares under another name")
			r.ignore(in, "the same shares under another name")
			return true
		case 1:
			kind = portfolio.KindSplit
		default:
			kind = portfolio.KindReverseSplit
		}
	}
	t, err := before.forSecurity(kind)
	if err != nil {
		return false
	}
	t.Currency, t.Amount = "", decimal.Zero // the two sums are opposite
	t.New, t.Old = got, held
	if kind == portfolio.KindMerger {
		t.ToSymbol = market.Symbol(after.isin)
		t.Note = "became " + after.product
	}
	r.add(t, out, in)
	return true
}

// shares is the quantity of a line, where it can only be one number or the price
// tells which.
func (l line) shares() (decimal.Decimal, bool) {
	d, _ := dealOf(l.words)
	if read := sheet.Readings(d.quantity, unsure); len(read) == 1 {
		return read[0], read[0].IsPositive()
	}
	quantity, _, err := l.read(d)
	return quantity, err == nil
}
