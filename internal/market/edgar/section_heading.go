package edgar

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// heading is what a line that may head an item or a part says.
type heading struct {
	part    string   // "I" to "IV"; empty where it names none
	numbers []string // of items, as the form writes them; none for a part alone
	title   string
	// bare means that nothing but blanks parts the number from the title, which
	// sentences do too.
	bare bool
}

const (
	maxHeadingTitle   = 400 // bytes of a heading that runs into its first paragraph
	maxHeadingNumbers = 20  // items that one heading names
)

// headingOf reads a line as the heading of an item or a part. It takes what
// filers write: "Item 7.", "ITEM 7 –", "Items 1 and 2:", "Part II, Item 1A",
// "PART I. Financial Information". A sentence that begins like one ("Item 7 of
// this report") is none.
func headingOf(line string) (heading, bool) {
	var h heading
	rest := strings.TrimLeft(line, " •*|-–—")
	if part, after, ok := partOf(rest); ok {
		h.part, rest = part, after
		if rest == "" {
			return h, true
		}
		if _, ok := cutWord(rest, "item"); !ok {
			// The name of the part; a sentence goes on in small letters.
			return h, len(rest) <= 60 && beginsTitle(rest)
		}
	}
	rest, ok := cutWord(rest, "item")
	if !ok {
		return heading{}, false
	}
	if h.numbers, rest = numbersOf(rest); len(h.numbers) == 0 {
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

// beginsTitle reports whether text begins as a title does.
func beginsTitle(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r) || strings.ContainsRune("[(“\"'‘", r)
}

// isContinuedHeading reports whether a heading is the repetition of one on a later page.
func isContinuedHeading(title string) bool {
	tail := strings.ToLower(title[max(0, len(title)-16):])
	return strings.Contains(tail, "continued") || strings.Contains(tail, "(cont")
}

// cutWord cuts a word, or its plural, off the beginning of text, whatever its
// case.
func cutWord(text, word string) (after string, ok bool) {
	if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
		return text, false
	}
	after = text[len(word):]
	if after != "" && (after[0] == 's' || after[0] == 'S') {
		after = after[1:]
	}
	cut := strings.TrimLeft(after, " .#|")
	if cut == "" || cut == after && (cut[0] < '0' || cut[0] > '9') {
		return text, false
	}
	return cut, true
}

// partOf reads "PART II" off the beginning of text.
func partOf(text string) (part, after string, ok bool) {
	rest, ok := cutWord(text, "part")
	if !ok {
		return "", text, false
	}
	end := 0
	for end < len(rest) && isAlphanumeric(rest[end]) {
		end++
	}
	switch token := strings.ToUpper(rest[:end]); token {
	case "I", "II", "III", "IV":
		part = token
	case "1", "2", "3", "4":
		part = [...]string{"I", "II", "III", "IV"}[token[0]-'1']
	default:
		return "", text, false
	}
	return part, strings.TrimLeft(rest[end:], " .,:;-–—|/"), true
}

// numbersOf reads "7", "7A", "5.02", "1 and 2", "10, 11 and 12".
func numbersOf(text string) (numbers []string, rest string) {
	rest = text
	for len(numbers) < maxHeadingNumbers {
		number, after := numberOf(rest)
		if number == "" {
			return numbers, rest
		}
		numbers, rest = append(numbers, number), after
		next := strings.TrimLeft(after, " ")
		switch {
		case strings.HasPrefix(next, "&"):
			next = next[1:]
		case strings.HasPrefix(next, ","):
			next = strings.TrimPrefix(strings.TrimLeft(next[1:], " "), "and ")
		case len(next) > 4 && strings.EqualFold(next[:4], "and "):
			next = next[4:]
		default:
			return numbers, rest
		}
		next = strings.TrimLeft(next, " ")
		if again, ok := cutWord(next, "item"); ok {
			next = again
		}
		if number, _ := numberOf(next); number == "" {
			return numbers, rest
		}
		rest = next
	}
	return numbers, rest
}

// numberOf reads one: two digits at most, then a letter or two more digits.
func numberOf(text string) (number, rest string) {
	end := 0
	for end < len(text) && end < 3 && isDigit(text[end]) {
		end++
	}
	if end == 0 || end > 2 {
		return "", text
	}
	number, rest = strings.TrimLeft(text[:end], "0"), text[end:]
	if number == "" {
		return "", text
	}
	if len(rest) >= 3 && rest[0] == '.' && isDigit(rest[1]) && isDigit(rest[2]) && (len(rest) == 3 || !isAlphanumeric(rest[3])) {
		return number + rest[:3], withoutLetter(rest[3:])
	}
	letter := strings.TrimLeft(rest, " ")
	if letter == "" || !isLetter(letter[0]) || len(letter) > 1 && isAlphanumeric(letter[1]) {
		if rest != "" && isAlphanumeric(rest[0]) {
			return "", text
		}
		return number, withoutLetter(rest)
	}
	// "Item 9 A." is 9A, while "Item 1 A description" is a sentence.
	if letter != rest && (len(letter) == 1 || !strings.ContainsRune(".:)-", rune(letter[1]))) {
		return number, rest
	}
	return number + strings.ToUpper(letter[:1]), withoutLetter(letter[1:])
}

// withoutLetter cuts the letter of a paragraph off, as in 5.02(b), and that of
// 9A(T), which small companies had from 2007 to 2010.
func withoutLetter(text string) string {
	if len(text) >= 3 && text[0] == '(' && isAlphanumeric(text[1]) && text[2] == ')' {
		return text[3:]
	}
	return text
}

func isDigit(c byte) bool        { return c >= '0' && c <= '9' }
func isLetter(c byte) bool       { return c|0x20 >= 'a' && c|0x20 <= 'k' }
func isAlphanumeric(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }

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
