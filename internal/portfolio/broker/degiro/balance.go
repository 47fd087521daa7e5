package degiro

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/pattern"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// checkBalances compares each balance with the one before it in the same currency
// and what the line says it changed by. The statement begins with the newest line;
// one that somebody turned around fits better the other way.
func (r *reader) checkBalances() {
	down, up := r.jumps(true), r.jumps(false)
	if len(up) < len(down) {
		down = up
	}
	for _, j := range down {
		l := r.lines[j.line]
		r.out.Problem(l.rows[0], "the balance was %s %s before this line and is %s after it, which is not what it says: lines are missing around it; export the statement again",
			j.before, l.held, l.balance.Decimal)
	}
}

// jump is a line whose balance does not follow from the one before.
type jump struct {
	line   int
	before decimal.Decimal
}

func (r *reader) jumps(newestFirst bool) []jump {
	var found []jump
	last := map[string]decimal.Decimal{}
	for k := range r.lines {
		i := k
		if newestFirst {
			i = len(r.lines) - 1 - k
		}
		l := r.lines[i]
		if !l.balance.Valid || l.change.Valid && l.currency != l.held {
			continue
		}
		before, known := last[l.held]
		if known && !l.explains(l.balance.Decimal.Sub(before)) {
			found = append(found, jump{i, before})
		}
		last[l.held] = l.balance.Decimal
	}
	return found
}

// atEnd matches the sum of a transfer that has none in its own column.
var atEnd = pattern.Lazy(`([0-9][0-9.,' ]*) [a-z]{3}$`)

// explains reports whether the line changes the balance by so much. Transfers from
// and to the bank name their sum in words and without a sign.
func (l line) explains(by decimal.Decimal) bool {
	if l.change.Valid {
		return l.change.Decimal.Equal(by)
	}
	match := atEnd().FindStringSubmatch(l.words)
	if match == nil {
		return l.class == internal
	}
	for _, said := range sheet.Readings(match[1], unsure) {
		if said.Equal(by.Abs()) {
			return true
		}
	}
	return false
}
