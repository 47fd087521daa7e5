package edgar

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// heading is the content of a line that may be the heading of an item or a part.
type heading struct {
	part    string   // "I" to "IV"; empty if none is named
	numbers []string // item numbers as the form writes them; empty for a part
	title   string
	// bare means that only spaces separate the number from the title, as in sentences.
	bare bool
}

const (
	maxHeadingTitle   = 400 // maximum bytes of a title; longer ones run into the first paragraph
	maxHeadingNumbers = 20  // maximum number of items in one heading
)

// Patterns at the start of headings. A word and its number are separated by a space, a dot or
// nothing.
var (
	partPattern = lazyregexp.New(`(?i)^parts?(?:[ .#|]+(IV|I{1,3}|[1-4])|([1-4]))\b[ .,:;\-–—|/]*`)
	itemPattern = lazyregexp.New(`(?i)^items?[ .#|]*`)
	// itemNumberPattern matches up to two digits, then a letter or two more digits. "Item 9 A." is
	// 9A, but "Item 1 A description" is a sentence. The letter of a paragraph may follow, as in
	// 5.02(b), or the T of 9A(T), which small companies had from 2007 to 2010.
	itemNumberPattern = lazyregexp.New(`^(0?[1-9]|[1-9][0-9])(?:(\.[0-9]{2})\b|([A-Ka-k])\b| +([A-Ka-k])[.:)\-]|\b)`)
	paragraphPattern  = lazyregexp.New(`^\([A-Za-z0-9]\)`)
	// nextItemPattern matches what separates numbers: "1 and 2", "10, 11 and 12", "1 & Item 2".
	nextItemPattern = lazyregexp.New(`(?i)^ *(?:&|, *(?:and )?|and ) *(?:items?[ .#|]*)?`)
)

// headingOf parses a line as the heading of an item or a part. It accepts what filers write: "Item
// 7.", "ITEM 7 –", "Items 1 and 2:", "Part II, Item 1A", "PART I. Financial Information". A
// sentence that starts like one ("Item 7 of this report") is not a heading.
func headingOf(line string) (heading, bool) {
	var h heading
	rest := strings.TrimLeft(line, " •*|-–—")
	if rest == "" || !strings.Contains("PpIi", rest[:1]) {
		return heading{}, false // nearly all lines
	}
	if m := partPattern().FindStringSubmatch(rest); m != nil {
		h.part, rest = strings.ToUpper(m[1]+m[2]), rest[len(m[0]):]
		if n := strings.Index("1234", h.part); n >= 0 {
			h.part = [...]string{"I", "II", "III", "IV"}[n]
		}
		if rest == "" {
			return h, true
		}
		if !itemPattern().MatchString(rest) {
			// The name of the part; a sentence continues in lower case.
			return h, len(rest) <= 60 && beginsTitle(rest)
		}
	}
	h.numbers, rest = itemNumbersOf(rest)
	if len(h.numbers) == 0 {
		return heading{}, false
	}
	title := strings.TrimLeft(rest, " .:;-–—|)")
	h.bare = strings.TrimLeft(rest, " ") == title && title != ""
	h.title = strings.TrimSpace(title)
	switch {
	case title == "":
		return h, true
	case title == rest || !beginsTitle(title), isContinuedHeading(title):
		return heading{}, false
	case h.bare && len(title) > maxHeadingTitle/2:
		return heading{}, false
	}
	return h, true
}

// itemNumbersOf parses "Item 7" or "Items 1 and 2" at the beginning of text.
func itemNumbersOf(text string) (numbers []string, rest string) {
	separator := itemPattern()
	for rest = text; len(numbers) < maxHeadingNumbers; separator = nextItemPattern() {
		before := separator.FindString(rest)
		if before == "" {
			break
		}
		m := itemNumberPattern().FindStringSubmatchIndex(rest[len(before):])
		if m == nil {
			break
		}
		after := rest[len(before):]
		number, end := strings.TrimPrefix(after[m[2]:m[3]], "0"), m[3]
		for group := 4; group < len(m); group += 2 {
			if m[group] >= 0 {
				number, end = number+strings.ToUpper(after[m[group]:m[group+1]]), m[group+1]
			}
		}
		numbers, rest = append(numbers, number), after[end:]
		rest = rest[len(paragraphPattern().FindString(rest)):]
	}
	return numbers, rest
}

// beginsTitle reports whether text starts like a title.
func beginsTitle(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r) || strings.ContainsRune("[(“\"'‘", r)
}

// isContinuedHeading reports whether a heading repeats an earlier one on a later page.
func isContinuedHeading(title string) bool {
	tail := strings.ToLower(title[max(0, len(title)-16):])
	return strings.Contains(tail, "continued") || strings.Contains(tail, "(cont")
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// headingLine is a line that reads like a heading.
type headingLine struct {
	heading
	line    int
	entries []int // of the outline; empty for a part
	// listed means that the line is in a table of contents.
	listed bool
	rank   headingRank
}

// headingRank is the likelihood that a line is a real heading.
type headingRank int

const (
	rankOther  headingRank = iota // a title that the form does not have
	rankNumber                    // no title
	rankTitle                     // the title that belongs to the number
)

const (
	maxHeads = 1 << 16
	// maxContentsGap is the maximum number of bytes between two lines of a table of contents.
	maxContentsGap = 250
	// minContentsLines is the minimum number of lines in a table of contents.
	minContentsLines = 3
)

// findHeadingLines finds the lines that look like headings of the outline's items, and marks those
// in a table of contents.
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
			// The title is often on its own line.
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

// fitsTitle reports whether a text is the title of one of the numbered items.
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

// assign sets the outline entries of each heading. A number that occurs in two parts is resolved by
// the previous headings.
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

// markListed finds the headings in a table of contents: they link to a later line, end in a page
// number, or are close together and repeat later.
func markListed(p documentText, heads []headingLine) {
	leads := linesWithLinks(p, heads)
	last := make(map[string]int) // last line with a number
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

// linesWithLinks returns the lines with links to a section: forward from a table of contents, or
// back from an index at the end.
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

// endOfRun returns the end of the run of headings that starts at from and has small gaps. It ends where a
// heading repeats, because there the contents end and the text starts.
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
			anywhere = "-" + h.numbers[0] // for a list without part names
			key += anywhere
		}
		if seen[key] || seen[anywhere] {
			for to > from+1 && len(heads[to-1].numbers) == 0 {
				to-- // the part starts with its name
			}
			return to
		}
		seen[key] = true
	}
	return len(heads)
}

// isContentsRun reports whether headings that are close together are a table of contents: half of them are
// known to be, or most of their items repeat at or after index after. The items of Part III that only refer
// to another document are as close together, but do not repeat.
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

// endsInPage reports whether the line of a heading ends in a page number, as in a table of contents.
func endsInPage(line, title string) bool {
	rest := strings.TrimRight(line, "0123456789")
	digits := len(line) - len(rest)
	if title == "" || digits == 0 || digits > 3 {
		return false
	}
	rest = strings.TrimSuffix(rest, "F-")
	return strings.HasSuffix(rest, "| ") || strings.HasSuffix(rest, ". ") || strings.HasSuffix(rest, "..") || strings.HasSuffix(rest, "… ")
}
