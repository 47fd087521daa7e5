package importer

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// checkBalances compares each balance with the one before it in the same currency
// and what the line says it changed by. The statement begins with the newest line;
// one that somebody turned around fits better the other way.
func (r *degiroReader) checkBalances() {
	down, up := r.balanceGaps(true), r.balanceGaps(false)
	if len(up) < len(down) {
		down = up
	}
	for _, j := range down {
		l := r.lines[j.line]
		r.collector.Problem(l.rows[0], "the balance was %s %s before this line and is %s after it, which is not what it says: lines are missing around it; export the statement again",
			j.before, l.balanceCurrency, l.balance.Decimal)
	}
}

// degiroBalanceGap is a line whose balance does not follow from the one before.
type degiroBalanceGap struct {
	line   int
	before decimal.Decimal
}

func (r *degiroReader) balanceGaps(newestFirst bool) []degiroBalanceGap {
	var found []degiroBalanceGap
	last := map[string]decimal.Decimal{}
	for k := range r.lines {
		i := k
		if newestFirst {
			i = len(r.lines) - 1 - k
		}
		l := r.lines[i]
		if !l.balance.Valid || l.change.Valid && l.currency != l.balanceCurrency {
			continue
		}
		before, known := last[l.balanceCurrency]
		if known && !l.explainsChange(l.balance.Decimal.Sub(before)) {
			found = append(found, degiroBalanceGap{i, before})
		}
		last[l.balanceCurrency] = l.balance.Decimal
	}
	return found
}

// degiroTrailingAmount matches the sum of a transfer that has none in its own column.
var degiroTrailingAmount = lazyregexp.New(`([0-9][0-9.,' ]*) [a-z]{3}$`)

// explainsChange reports whether the line changes the balance by so much. Transfers from
// and to the bank name their sum in words and without a sign.
func (l degiroRow) explainsChange(amount decimal.Decimal) bool {
	if l.change.Valid {
		return l.change.Decimal.Equal(amount)
	}
	match := degiroTrailingAmount().FindStringSubmatch(l.normalized)
	if match == nil {
		return l.class == degiroInternal
	}
	for _, reading := range NumberReadings(match[1], degiroUnknownSeparator) {
		if reading.Equal(amount.Abs()) {
			return true
		}
	}
	return false
}
