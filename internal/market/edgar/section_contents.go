package edgar

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

const (
	// maxLinesBefore and after are how many lines around the place that a link leads to
	// its heading may stand: an anchor sits above a page's head, or in the row of
	// the heading.
	maxLinesBefore = 3
	maxLinesAfter  = 12
	// maxAnchorDistance is how much text, in bytes, may stand between them.
	maxAnchorDistance = 1500
)

// itemStart is where an item begins.
type itemStart struct {
	line  int
	title string // as the document gives it
}

// startsByContents finds where items begin by the links of the table of contents. A link
// names its item by number, by title alone, by its id, or by the line it stands
// in.
func startsByContents(p documentText, o outline, heads []headingLine) map[int]itemStart {
	targets := contentsTargets(p, o, heads, true)
	if len(targets) < minContentsLines {
		// Some filers end with an index that leads back.
		if back := contentsTargets(p, o, heads, false); isIndex(maps.Values(back)) {
			targets = back
		}
	}
	return moveToHeadings(p, targets, heads)
}

// isIndex reports whether lines that links lead back to are those of an index:
// headings that all lead back to the contents are none.
func isIndex(lines iter.Seq[int]) bool {
	all := slices.Sorted(lines)
	links := len(all)
	distinct := len(slices.Compact(all))
	return distinct >= minContentsLines && 2*distinct >= links
}

// contentsTargets gives the line that each entry's first link leads to.
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
			continue // "Part II", whose title is that of an item too
		}
		for _, entry := range linkedEntries(o, l, beside, part) {
			if _, ok := targets[entry]; !ok {
				targets[entry] = to
			}
		}
	}
	return targets
}

// linkedEntries tells which items a link is of.
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

// idHeading reads "item 1a risk factors", as an id says it.
func idHeading(id string) (heading, bool) {
	rest, ok := cutWord(id, "item")
	if !ok {
		return heading{}, false
	}
	number, rest := numberOf(rest)
	return heading{numbers: []string{number}, title: strings.TrimSpace(rest)}, number != ""
}

func isPage(text string) bool { return strings.Trim(text, "0123456789 ") == "" }
