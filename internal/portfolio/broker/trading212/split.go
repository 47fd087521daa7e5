package trading212

import (
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// splits makes one transaction of the two lines of a split: the whole holding closed
// as it was, and opened as it is since. It returns the other lines.
func (r *reader) splits(lines []line) []line {
	closed, opened := map[string][]int{}, map[string][]int{}
	for i, l := range lines {
		switch {
		case !l.shares.Decimal.IsPositive():
		case l.action == "stock split close":
			closed[l.occasion()] = append(closed[l.occasion()], i)
		case l.action == "stock split open":
			opened[l.occasion()] = append(opened[l.occasion()], i)
		}
	}
	left := make([]line, 0, len(lines))
	for i, l := range lines {
		before, after := closed[l.occasion()], opened[l.occasion()]
		half := len(before) == 1 && len(after) == 1 && (before[0] == i || after[0] == i)
		switch {
		case !half:
			left = append(left, l)
		case after[0] == i:
			r.split(lines[before[0]], l)
		}
	}
	return left
}

// occasion is equal for the two lines of a split.
func (l line) occasion() string { return l.ticker + " " + l.moment.UTC().Format(time.DateOnly) }

func (r *reader) split(before, after line) {
	kind := portfolio.KindSplit
	switch after.shares.Decimal.Cmp(before.shares.Decimal) {
	case 0:
		r.out.Ignore(before.row, "a change that left as many shares as before")
		r.out.Ignore(after.row, "a change that left as many shares as before")
		return
	case -1:
		kind = portfolio.KindReverseSplit
	}
	t, err := after.forSymbol(kind)
	if err != nil {
		r.out.Problem(before.row, "%v", err)
		r.out.Problem(after.row, "%v", err)
		return
	}
	t.New, t.Old = after.shares.Decimal, before.shares.Decimal
	r.add(t, after, before)
}
