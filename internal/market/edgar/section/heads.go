package section

import (
	"slices"
	"strings"
)

// head is a line that reads like a heading.
type head struct {
	heading
	line    int
	entries []int // of the outline; none for a part alone
	// listed means that the line stands in a table of contents.
	listed bool
	rank   rank
}

// rank is how sure a line is the heading it seems.
type rank int

const (
	rankOther  rank = iota // a title that the form does not know
	rankNumber             // no title
	rankTitle              // the title that belongs to the number
)

const (
	maxHeads = 1 << 16
	// nearby is the most text, in bytes, between two lines of a table of contents.
	nearby = 250
	// fewest lines make a table of contents.
	fewest = 3
)

// headsOf finds the lines that read like headings of the outline's items, and
// which of them only list them.
func headsOf(p plain, o outline) []head {
	var heads []head
	for i := range p.lines {
		if len(heads) == maxHeads {
			break
		}
		h, ok := headingOf(p.line(i))
		if !ok || len(h.numbers) > 0 && !o.has(h.numbers) {
			continue
		}
		if h.title == "" && len(h.numbers) > 0 && i+1 < len(p.lines) {
			// The title often stands in a line of its own.
			if next := p.line(i + 1); len(next) <= longestTitle/2 && o.fits(h.numbers, next) {
				h.title = next
			}
		}
		heads = append(heads, head{heading: h, line: i})
	}
	markListed(p, heads)
	o.assign(heads)
	return heads
}

func (o outline) has(numbers []string) bool {
	for _, n := range numbers {
		if len(o.byNumber[n]) > 0 {
			return true
		}
	}
	return false
}

// fits reports whether a text is a title of one of the numbers.
func (o outline) fits(numbers []string, text string) bool {
	said := words(text)
	for _, n := range numbers {
		for _, i := range o.byNumber[n] {
			if o.entries[i].titled(said) {
				return true
			}
		}
	}
	return false
}

// assign gives each head the entries that it names. Numbers that two parts have
// are told apart by what came before.
func (o outline) assign(heads []head) {
	part, before := "", -1
	for i := range heads {
		h := &heads[i]
		if i > 0 && heads[i-1].listed != h.listed {
			part, before = "", -1
		}
		if h.part != "" {
			part = h.part
		}
		for _, number := range h.numbers {
			if at, ok := o.find(number, h.title, part, before); ok {
				h.entries = append(h.entries, at)
				before = at
				if part != "" {
					part = o.entries[at].item.Part // the title knew better
				}
			}
		}
		switch {
		case o.fits(h.numbers, h.title):
			h.rank = rankTitle
		case h.title == "":
			h.rank = rankNumber
		}
	}
}

// markListed finds the heads that stand in a table of contents: they link to a
// later line, they end in a page number, or they stand close together and come
// again.
func markListed(p plain, heads []head) {
	leads := leading(p, heads)
	last := make(map[string]int) // where a number stands last
	for i := range heads {
		h := &heads[i]
		h.listed = leads[h.line] || endsInPage(p.line(h.line), h.title)
		for _, n := range h.numbers {
			last[n] = i
		}
	}
	for from := 0; from < len(heads); {
		to := runOf(p, heads, from)
		if lists(heads[from:to], last, to) {
			for i := from; i < to; i++ {
				heads[i].listed = true
			}
		}
		from = to
	}
}

// leading are the lines whose links lead to where something stands: forward from
// a table of contents, or back from an index at the end.
func leading(p plain, heads []head) map[int]bool {
	forward, back := make(map[int]bool), make(map[int]int)
	for _, l := range p.links {
		switch at, ok := p.lands[l.target]; {
		case ok && at > l.line:
			forward[l.line] = true
		case ok && at < l.line:
			back[l.line] = at
		}
	}
	var places []int
	for _, h := range heads {
		if forward[h.line] {
			return forward
		}
		if at, ok := back[h.line]; ok {
			places = append(places, at)
		}
	}
	if spread(slices.Values(places)) {
		for line := range back {
			forward[line] = true
		}
	}
	return forward
}

// runOf returns the end of the heads that follow heads[from] closely. It ends
// where one comes again: there the list is over and the text begins.
func runOf(p plain, heads []head, from int) int {
	seen, part := make(map[string]bool), ""
	for to := from; to < len(heads); to++ {
		h := heads[to]
		if to > from && p.lines[h.line].from-p.lines[heads[to-1].line].to > nearby {
			return to
		}
		if h.part != "" {
			part = h.part
		}
		key, anywhere := part, ""
		if len(h.numbers) > 0 {
			anywhere = "-" + h.numbers[0] // of a list that names no parts
			key += anywhere
		}
		if seen[key] || seen[anywhere] {
			for to > from+1 && len(heads[to-1].numbers) == 0 {
				to-- // the part begins with its name
			}
			return to
		}
		seen[key] = true
	}
	return len(heads)
}

// lists reports whether heads that stand close together are a table of contents:
// half of them are known for it, or most of their items come again at or after
// head number after. The items of Part III that only point elsewhere stand as
// close, and do not.
func lists(heads []head, last map[string]int, after int) bool {
	items, known, again := 0, 0, 0
	for _, h := range heads {
		if len(h.numbers) == 0 {
			continue
		}
		items++
		if h.listed {
			known++
		}
		if last[h.numbers[0]] >= after {
			again++
		}
	}
	return items >= fewest && (2*known >= items || 10*again >= 6*items)
}

// endsInPage reports whether the line of a heading ends as a table of contents
// does, with a page number.
func endsInPage(line, title string) bool {
	rest := strings.TrimRight(line, "0123456789")
	digits := len(line) - len(rest)
	if title == "" || digits == 0 || digits > 3 {
		return false
	}
	rest = strings.TrimSuffix(rest, "F-")
	return strings.HasSuffix(rest, "| ") || strings.HasSuffix(rest, ". ") || strings.HasSuffix(rest, "..") || strings.HasSuffix(rest, "… ")
}
