package section

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

const (
	// before and after are how many lines around the place that a link leads to
	// its heading may stand: an anchor sits above a page's head, or in the row of
	// the heading.
	before = 3
	after  = 12
	// apart is how much text, in bytes, may stand between them.
	apart = 1500
)

// start is where an item begins.
type start struct {
	line  int
	title string // as the document gives it
}

// linked finds where items begin by the links of the table of contents. A link
// names its item by number, by title alone, by its id, or by the line it stands
// in.
func linked(p plain, o outline, heads []head) map[int]start {
	targets := targetsOf(p, o, heads, true)
	if len(targets) < fewest {
		// Some filers end with an index that leads back.
		if back := targetsOf(p, o, heads, false); spread(maps.Values(back)) {
			targets = back
		}
	}
	return settle(p, targets, heads)
}

// spread reports whether lines that links lead back to are those of an index:
// headings that all lead back to the contents are none.
func spread(lines iter.Seq[int]) bool {
	all := slices.Sorted(lines)
	links := len(all)
	distinct := len(slices.Compact(all))
	return distinct >= fewest && 2*distinct >= links
}

// targetsOf gives the line that each entry's first link leads to.
func targetsOf(p plain, o outline, heads []head, forward bool) map[int]int {
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
		to, ok := p.lands[l.target]
		if !ok || to == l.line || to > l.line != forward || len(l.text) >= maxLinkText || to >= len(p.lines) {
			continue
		}
		var beside head
		if at > 0 && heads[at-1].line == l.line {
			beside = heads[at-1]
		}
		if beside.part != "" && len(beside.numbers) == 0 {
			continue // "Part II", whose title is that of an item too
		}
		for _, entry := range entriesOf(o, l, beside, part) {
			if _, ok := targets[entry]; !ok {
				targets[entry] = to
			}
		}
	}
	return targets
}

// entriesOf tells which items a link is of.
func entriesOf(o outline, l link, beside head, part string) []int {
	if h, ok := headingOf(strings.TrimSpace(l.text)); ok && len(h.numbers) > 0 {
		if len(beside.entries) > 0 {
			return beside.entries
		}
		return o.all(h, part)
	}
	if entry, ok := o.named(l.text, part); ok {
		return []int{entry}
	}
	id := strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(l.target)
	if i := strings.Index(strings.ToLower(id), "item"); i >= 0 && !isPage(l.text) {
		if h, ok := idHeading(id[i:]); ok {
			return o.all(h, part)
		}
	}
	return beside.entries
}

func (o outline) all(h heading, part string) []int {
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
