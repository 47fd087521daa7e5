package section

import (
	"cmp"
	"maps"
	"slices"
)

// settle moves where the contents lead to the heading of the item, where that
// stands near. Items that share a target are looked for up to the next one.
func settle(p plain, targets map[int]int, heads []head) map[int]start {
	lines := slices.Compact(slices.Sorted(maps.Values(targets)))
	shared := make(map[int]int)
	for _, line := range targets {
		shared[line]++
	}
	starts := make(map[int]start)
	for entry, line := range targets {
		until := line + after
		if shared[line] > 1 {
			until = len(p.lines)
		}
		if i, _ := slices.BinarySearch(lines, line+1); i < len(lines) {
			until = min(until, lines[i])
		}
		starts[entry] = start{line: line}
		h, ok := headBetween(heads, entry, line-before, until)
		if ok && (shared[line] > 1 || p.distance(line, h.line) <= apart) {
			starts[entry] = start{line: h.line, title: h.title}
		}
	}
	return starts
}

// distance is how much text, in bytes, stands between the beginnings of two
// lines.
func (p plain) distance(a, b int) int {
	return max(p.lines[a].from-p.lines[b].from, p.lines[b].from-p.lines[a].from)
}

// headBetween returns the first heading of an entry between two lines, the
// second exclusive.
func headBetween(heads []head, entry, from, to int) (head, bool) {
	i, _ := slices.BinarySearchFunc(heads, from, func(h head, line int) int { return cmp.Compare(h.line, line) })
	for ; i < len(heads) && heads[i].line < to; i++ {
		if !heads[i].listed && slices.Contains(heads[i].entries, entry) {
			return heads[i], true
		}
	}
	return head{}, false
}

// headed finds where items begin by lines that read like their headings. Of
// several such lines the most certain counts, then the one with most text below
// it: a mere mention is followed by the next heading soon.
func headed(p plain, heads []head) map[int]start {
	type candidate struct {
		start
		rank rank
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
		found := candidate{start{line: first.line, title: first.title}, first.rank, end - p.lines[first.line].from}
		for _, entry := range first.entries {
			if have, ok := best[entry]; !ok || found.rank > have.rank || found.rank == have.rank && found.size > have.size {
				best[entry] = found
			}
		}
		from = to
	}
	starts := make(map[int]start, len(best))
	for entry, c := range best {
		starts[entry] = c.start
	}
	return starts
}
