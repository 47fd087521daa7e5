package edgar

import (
	"cmp"
	"maps"
	"slices"
)

// moveToHeadings moves where the contents lead to the heading of the item, where that
// stands near. Items that share a target are looked for up to the next one.
func moveToHeadings(p documentText, targets map[int]int, heads []headingLine) map[int]itemStart {
	lines := slices.Compact(slices.Sorted(maps.Values(targets)))
	shared := make(map[int]int)
	for _, line := range targets {
		shared[line]++
	}
	starts := make(map[int]itemStart)
	for entry, line := range targets {
		until := line + maxLinesAfter
		if shared[line] > 1 {
			until = len(p.lines)
		}
		if i, _ := slices.BinarySearch(lines, line+1); i < len(lines) {
			until = min(until, lines[i])
		}
		starts[entry] = itemStart{line: line}
		h, ok := headingBetween(heads, entry, line-maxLinesBefore, until)
		if ok && (shared[line] > 1 || p.distance(line, h.line) <= maxAnchorDistance) {
			starts[entry] = itemStart{line: h.line, title: h.title}
		}
	}
	return starts
}

// distance is how much text, in bytes, stands between the beginnings of two
// lines.
func (p documentText) distance(a, b int) int {
	return max(p.lines[a].from-p.lines[b].from, p.lines[b].from-p.lines[a].from)
}

// headingBetween returns the first heading of an entry between two lines, the
// second exclusive.
func headingBetween(heads []headingLine, entry, from, to int) (headingLine, bool) {
	i, _ := slices.BinarySearchFunc(heads, from, func(h headingLine, line int) int { return cmp.Compare(h.line, line) })
	for ; i < len(heads) && heads[i].line < to; i++ {
		if !heads[i].listed && slices.Contains(heads[i].entries, entry) {
			return heads[i], true
		}
	}
	return headingLine{}, false
}

// startsByHeadings finds where items begin by lines that read like their headings. Of
// several such lines the most certain counts, then the one with most text below
// it: a mere mention is followed by the next heading soon.
func startsByHeadings(p documentText, heads []headingLine) map[int]itemStart {
	type candidate struct {
		itemStart
		rank headingRank
		size int
	}
	best := make(map[int]candidate)
	for from := 0; from < len(heads); {
		first := heads[from]
		to := from + 1
		if first.listed || len(first.entries) == 0 {
			from = to
			continue
		}
		// A heading that comes again on the item's later pages does not end it.
		for to < len(heads) && (len(heads[to].entries) == 0 || slices.Equal(heads[to].entries, first.entries)) && !heads[to].listed {
			if len(heads[to].entries) > 0 && heads[to].rank > first.rank {
				first.rank, first.title = heads[to].rank, heads[to].title
			}
			to++
		}
		end := len(p.text)
		if to < len(heads) {
			end = p.lines[heads[to].line].from
		}
		found := candidate{itemStart{line: first.line, title: first.title}, first.rank, end - p.lines[first.line].from}
		for _, entry := range first.entries {
			if have, ok := best[entry]; !ok || found.rank > have.rank || found.rank == have.rank && found.size > have.size {
				best[entry] = found
			}
		}
		from = to
	}
	starts := make(map[int]itemStart, len(best))
	for entry, c := range best {
		starts[entry] = c.itemStart
	}
	return starts
}
