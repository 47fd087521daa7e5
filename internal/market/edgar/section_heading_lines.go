package edgar

import (
	"slices"
	"strings"
)

// headingLine is a line that reads like a heading.
type headingLine struct {
	heading
	line    int
	entries []int // of the outline; none for a part alone
	// listed means that the line stands in a table of contents.
	listed bool
	rank   headingRank
}

// headingRank is how sure a line is the heading it seems.
type headingRank int

const (
	rankOther  headingRank = iota // a title that the form does not know
	rankNumber                    // no title
	rankTitle                     // the title that belongs to the number
)

const (
	maxHeads = 1 << 16
	// maxContentsGap is the most text, in bytes, between two lines of a table of contents.
	maxContentsGap = 250
	// minContentsLines lines make a table of contents.
	minContentsLines = 3
)

// findHeadingLines finds the lines that read like headings of the outline's items, and
// which of them only list them.
func findHeadingLines(p documentText, o outline) []headingLine {
	var heads []headingLine
	for i := range p.lines {
		if len(heads) == maxHeads {
			break
		}
		h, ok := headingOf(p.line(i))
		if !ok || len(h.numbers) > 0 && !o.hasNumbers(h.numbers) {
			continue
		}
		if h.title == "" && len(h.numbers) > 0 && i+1 < len(p.lines) {
			// The title often stands in a line of its own.
			if next := p.line(i + 1); len(next) <= maxHeadingTitle/2 && o.fitsTitle(h.numbers, next) {
				h.title = next
			}
		}
		heads = append(heads, headingLine{heading: h, line: i})
	}
	markListed(p, heads)
	o.assign(heads)
	return heads
}

func (o outline) hasNumbers(numbers []string) bool {
	for _, n := range numbers {
		if len(o.byNumber[n]) > 0 {
			return true
		}
	}
	return false
}

// fitsTitle reports whether a text is a title of one of the numbers.
func (o outline) fitsTitle(numbers []string, text string) bool {
	normalized := normalizeWords(text)
	for _, n := range numbers {
		for _, i := range o.byNumber[n] {
			if o.entries[i].hasTitle(normalized) {
				return true
			}
		}
	}
	return false
}

// assign gives each heading the outline entries that it names. A number that occurs in two
// parts is resolved by the headings before it.
func (o outline) assign(heads []headingLine) {
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
		case o.fitsTitle(h.numbers, h.title):
			h.rank = rankTitle
		case h.title == "":
			h.rank = rankNumber
		}
	}
}

// markListed finds the heads that stand in a table of contents: they link to a
// later line, they end in a page number, or they stand close together and come
// again.
func markListed(p documentText, heads []headingLine) {
	leads := linesWithLinks(p, heads)
	last := make(map[string]int) // where a number stands last
	for i := range heads {
		h := &heads[i]
		h.listed = leads[h.line] || endsInPage(p.line(h.line), h.title)
		for _, n := range h.numbers {
			last[n] = i
		}
	}
	for from := 0; from < len(heads); {
		to := endOfRun(p, heads, from)
		if isContentsRun(heads[from:to], last, to) {
			for i := from; i < to; i++ {
				heads[i].listed = true
			}
		}
		from = to
	}
}

// linesWithLinks are the lines whose links lead to where something stands: forward from
// a table of contents, or back from an index at the end.
func linesWithLinks(p documentText, heads []headingLine) map[int]bool {
	forward, back := make(map[int]bool), make(map[int]int)
	for _, l := range p.links {
		switch at, ok := p.anchorLines[l.target]; {
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
	if isIndex(slices.Values(places)) {
		for line := range back {
			forward[line] = true
		}
	}
	return forward
}

// endOfRun returns the end of the heads that follow heads[from] closely. It ends
// where one comes again: there the list is over and the text begins.
func endOfRun(p documentText, heads []headingLine, from int) int {
	seen, part := make(map[string]bool), ""
	for to := from; to < len(heads); to++ {
		h := heads[to]
		if to > from && p.lines[h.line].from-p.lines[heads[to-1].line].to > maxContentsGap {
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

// isContentsRun reports whether heads that stand close together are a table of contents:
// half of them are known for it, or most of their items come again at or after
// head number after. The items of Part III that only point elsewhere stand as
// close, and do not.
func isContentsRun(heads []headingLine, last map[string]int, after int) bool {
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
	return items >= minContentsLines && (2*known >= items || 10*again >= 6*items)
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
