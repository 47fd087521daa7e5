package edgar

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
)

const (
	// maxLinesBefore and maxLinesAfter limit how far a heading may be from the target of a link: an
	// anchor may be above the page header or in the row of the heading.
	maxLinesBefore = 3
	maxLinesAfter  = 12
	// maxAnchorDistance limits the text between an anchor and the heading, in bytes.
	maxAnchorDistance = 1500
)

// itemStart is the start of an item.
type itemStart struct {
	line  int
	title string // as in the document
}

// startsByContents finds the starts of items by the links of the table of contents. A link identifies its
// item by number, by title, by its ID, or by its line.
func startsByContents(p documentText, o outline, heads []headingLine) map[int]itemStart {
	targets := contentsTargets(p, o, heads, true)
	if len(targets) < minContentsLines {
		// Some filers end with an index that links back.
		if back := contentsTargets(p, o, heads, false); isIndex(maps.Values(back)) {
			targets = back
		}
	}
	return moveToHeadings(p, targets, heads)
}

// isIndex reports whether the lines of back links form an index. Headings that all link back to the contents
// do not.
func isIndex(lines iter.Seq[int]) bool {
	all := slices.Sorted(lines)
	links := len(all)
	distinct := len(slices.Compact(all))
	return distinct >= minContentsLines && 2*distinct >= links
}

// contentsTargets returns the target line of each entry's first link.
func contentsTargets(p documentText, o outline, heads []headingLine, forward bool) map[int]int {
	targets := make(map[int]int)
	part, at := "", 0
	for _, l := range p.links {
		for ; at < len(heads) && heads[at].line <= l.line; at++ {
			if heads[at].part != "" {
				part = heads[at].part
			}
			for _, entry := range heads[at].entries {
				part = o.entries[entry].item.Part
			}
		}
		to, ok := p.anchorLines[l.target]
		if !ok || to == l.line || to > l.line != forward || len(l.text) >= maxLinkText || to >= len(p.lines) {
			continue
		}
		var beside headingLine
		if at > 0 && heads[at-1].line == l.line {
			beside = heads[at-1]
		}
		if beside.part != "" && len(beside.numbers) == 0 {
			continue // "Part II", whose title is also that of an item
		}
		for _, entry := range linkedEntries(o, l, beside, part) {
			if _, ok := targets[entry]; !ok {
				targets[entry] = to
			}
		}
	}
	return targets
}

// linkedEntries returns the items that a link is for.
func linkedEntries(o outline, l documentLink, beside headingLine, part string) []int {
	if h, ok := headingOf(strings.TrimSpace(l.text)); ok && len(h.numbers) > 0 {
		if len(beside.entries) > 0 {
			return beside.entries
		}
		return o.entriesByNumber(h, part)
	}
	if entry, ok := o.entryByTitle(l.text, part); ok {
		return []int{entry}
	}
	id := strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(l.target)
	if i := strings.Index(strings.ToLower(id), "item"); i >= 0 && !isPage(l.text) {
		if h, ok := idHeading(id[i:]); ok {
			return o.entriesByNumber(h, part)
		}
	}
	return beside.entries
}

func (o outline) entriesByNumber(h heading, part string) []int {
	if h.part != "" {
		part = h.part
	}
	var found []int
	for _, n := range h.numbers {
		if entry, ok := o.find(n, h.title, part, -1); ok {
			found = append(found, entry)
		}
	}
	return found
}

// idHeading matches an element ID such as "item 1a risk factors".
func idHeading(id string) (heading, bool) {
	numbers, rest := itemNumbersOf(id)
	return heading{numbers: numbers, title: strings.TrimSpace(rest)}, len(numbers) > 0
}

func isPage(text string) bool { return strings.Trim(text, "0123456789 ") == "" }

// moveToHeadings moves each target of the contents to the item's heading if it is near. For items that share
// a target, it searches up to the next target.
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

// distance returns the bytes of text between the starts of two lines.
func (p documentText) distance(a, b int) int {
	return max(p.lines[a].from-p.lines[b].from, p.lines[b].from-p.lines[a].from)
}

// headingBetween returns the first heading of an entry from one line up to, but not including,
// another.
func headingBetween(heads []headingLine, entry, from, to int) (headingLine, bool) {
	i, _ := slices.BinarySearchFunc(heads, from, func(h headingLine, line int) int { return cmp.Compare(h.line, line) })
	for ; i < len(heads) && heads[i].line < to; i++ {
		if !heads[i].listed && slices.Contains(heads[i].entries, entry) {
			return heads[i], true
		}
	}
	return headingLine{}, false
}

// startsByHeadings finds the starts of items by lines that look like their headings. Of several such lines
// the most certain one wins, then the one with the most text below it: after a mere mention, the next heading
// follows soon.
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
		// A heading repeated on later pages of the item does not end the item.
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
