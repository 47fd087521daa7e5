package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Bar is one line of a bar chart: a part with its formatted figures. Share and Figure may be "".
type Bar struct {
	Label, Share, Figure string
	Value                float64
}

// Bars returns the parts to draw in at most n lines. If there are more, the smallest are merged
// into the last line, so that the total stays the same. Shares in percent are given, or computed
// if the sum is positive.
func (s Spec) Bars(n int) []Bar {
	parts := mergeSmallest(knownParts(s.Parts), n)
	shares := roundedShares(parts, s.Unit)
	out := make([]Bar, len(parts))
	for i, one := range parts {
		out[i] = Bar{Label: CleanText(one.Label), Value: one.Value}
		if s.Unit != "%" {
			out[i].Figure = FormatFigure(one.Value, s.Unit)
		}
		if shares != nil {
			out[i].Share = FormatGrouped(shares[i], 1) + "%"
		}
	}
	return out
}

// knownParts are those that can be drawn.
func knownParts(parts []Part) []Part {
	return slices.DeleteFunc(slices.Clone(parts), func(one Part) bool { return !IsDrawable(one.Value) })
}

// mergeSmallest are at most n parts in their order, the last of them the sum of the
// smallest, and of those that are sums already.
func mergeSmallest(parts []Part, n int) []Part {
	if len(parts) <= n {
		return parts
	}
	bySize := make([]int, len(parts))
	for i := range bySize {
		bySize[i] = i
	}
	slices.SortStableFunc(bySize, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(parts[a].count(), parts[b].count()),
			cmp.Compare(math.Abs(parts[b].Value), math.Abs(parts[a].Value)),
		)
	})
	slices.Sort(bySize[:n-1])
	out := make([]Part, 0, n)
	for _, i := range bySize[:n-1] {
		out = append(out, parts[i])
	}
	var rest Part
	for _, i := range bySize[n-1:] {
		rest.Value += parts[i].Value
		rest.MergedCount += parts[i].count()
	}
	rest.Label = fmt.Sprintf("%d others", rest.MergedCount)
	return append(out, rest)
}

// count is how many parts there were before some were taken together.
func (p Part) count() int { return max(p.MergedCount, 1) }
