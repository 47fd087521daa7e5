package importer

import (
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// joinSplits makes one transaction of the two lines of a split: the whole holding closed
// as it was, and opened as it is since. It returns the other lines.
func (r *trading212Reader) joinSplits(lines []trading212Row) []trading212Row {
	closed, opened := map[string][]int{}, map[string][]int{}
	for i, l := range lines {
		switch {
		case !l.shares.Decimal.IsPositive():
		case l.action == "stock split close":
			closed[l.splitKey()] = append(closed[l.splitKey()], i)
		case l.action == "stock split open":
			opened[l.splitKey()] = append(opened[l.splitKey()], i)
		}
	}
	left := make([]trading212Row, 0, len(lines))
	for i, l := range lines {
		before, after := closed[l.splitKey()], opened[l.splitKey()]
		half := len(before) == 1 && len(after) == 1 && (before[0] == i || after[0] == i)
		switch {
		case !half:
			left = append(left, l)
		case after[0] == i:
			r.recordSplit(lines[before[0]], l)
		}
	}
	return left
}

// splitKey is equal for the two lines of a split.
func (l trading212Row) splitKey() string {
	return l.ticker + " " + l.moment.UTC().Format(time.DateOnly)
}

func (r *trading212Reader) recordSplit(before, after trading212Row) {
	kind := portfolio.KindSplit
	switch after.shares.Decimal.Cmp(before.shares.Decimal) {
	case 0:
		r.collector.Ignore(before.row, "a change that left as many shares as before")
		r.collector.Ignore(after.row, "a change that left as many shares as before")
		return
	case -1:
		kind = portfolio.KindReverseSplit
	}
	t, err := after.newSecurityTransaction(kind)
	if err != nil {
		r.collector.Problem(before.row, "%v", err)
		r.collector.Problem(after.row, "%v", err)
		return
	}
	t.New, t.Old = after.shares.Decimal, before.shares.Decimal
	r.add(t, after, before)
}
