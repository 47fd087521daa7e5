package importer

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// recordCorporateActions reads what companies did with their shares, where it is two lines of a
// day and occasion: shares that left, and others that came for the same sum.
func (r *degiroReader) recordCorporateActions() {
	outgoing, incoming := map[string][]int{}, map[string][]int{}
	for i, l := range r.lines {
		if l.class != degiroAction {
			continue
		}
		d, _ := parseDEGIROTrade(l.normalized)
		switch key := l.swapKey(d); l.direction(d) {
		case 1:
			incoming[key] = append(incoming[key], i)
		case -1:
			outgoing[key] = append(outgoing[key], i)
		}
	}
	for i, l := range r.lines {
		if l.class != degiroAction || r.used[i] {
			continue
		}
		d, _ := parseDEGIROTrade(l.normalized)
		key := l.swapKey(d)
		if len(outgoing[key]) != 1 || len(incoming[key]) != 1 || !r.recordConversion(outgoing[key][0], incoming[key][0]) {
			r.problem(i, "what a company did with its shares, which the file does not tell in two lines that fit: record it by hand as a split, merger, spin-off or reinvested dividend")
		}
	}
}

// swapKey is equal for the shares that left and those that came for them.
func (l degiroRow) swapKey(d degiroDescribedTrade) string {
	return l.dayKey() + " " + d.event + " " + l.currency + " " + l.change.Decimal.Abs().String()
}

// recordConversion records that all shares of one kind became others.
func (r *degiroReader) recordConversion(out, in int) bool {
	before, after := r.lines[out], r.lines[in]
	held, ok := before.shareQuantity()
	got, also := after.shareQuantity()
	if !ok || !also {
		return false
	}
	if !ValidISIN(before.isin) || !ValidISIN(after.isin) {
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
	t, err := before.newSecurityTransaction(kind)
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

// shareQuantity is the quantity of a line, where it can only be one number or the price
// tells which.
func (l degiroRow) shareQuantity() (decimal.Decimal, bool) {
	d, _ := parseDEGIROTrade(l.normalized)
	if read := NumberReadings(d.quantity, degiroUnknownSeparator); len(read) == 1 {
		return read[0], read[0].IsPositive()
	}
	quantity, _, err := l.readTrade(d)
	return quantity, err == nil
}
