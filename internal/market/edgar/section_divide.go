package edgar

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/market"
)

// maxClosingSize is longer, in bytes, than any signatures with a list of exhibits. Longer text after the
// signatures is financial statements, which belong to the item before.
const maxClosingSize = 20_000

// itemPiece is a candidate for the text of an item.
type itemPiece struct {
	itemStart
	entry    int
	method   string
	agreed   bool // contents and headings agree on the start
	differed bool // contents and headings disagree on the start
	next     int  // first line of the next item
}

// divideDocument finds the items of a document, in document order.
func divideDocument(p documentText, o outline) []Section {
	if len(o.entries) == 0 {
		return nil
	}
	heads := findHeadingLines(p, o)
	contents, headings := startsByContents(p, o, heads), startsByHeadings(p, heads)
	pieces := chooseStarts(p, o, contents, headings)
	var out []Section
	characters, bytes := 0, 0 // up to the section
	for i, item := range pieces {
		t := sectionOf(p, o, pieces, i, heads)
		begin := p.lines[item.line].from
		characters, bytes = characters+utf8.RuneCountInString(p.text[bytes:begin]), begin
		t.From, t.To = characters, characters+utf8.RuneCountInString(t.Text)
		out = append(out, t)
	}
	return out
}

// chooseStarts returns the start of each item. If contents and headings disagree, it chooses the
// start whose section has the usual length, otherwise the one from the contents.
func chooseStarts(p documentText, o outline, contents, headings map[int]itemStart) []itemPiece {
	byContents, byHeadings := sectionLengths(p, contents), sectionLengths(p, headings)
	var pieces []itemPiece
	for entry := range o.entries {
		c, inContents := contents[entry]
		h, inHeadings := headings[entry]
		item := itemPiece{entry: entry, itemStart: c, method: MethodContents}
		switch {
		case !inContents && !inHeadings:
			continue
		case inContents && inHeadings && c.line == h.line:
			item.agreed = true
		case inContents && inHeadings:
			item.differed = true
			usual := o.entries[entry].usualLength
			if !usual.contains(byContents[entry]) && usual.contains(byHeadings[entry]) {
				item.itemStart, item.method = h, MethodHeadings
			}
		case inHeadings:
			item.itemStart, item.method = h, MethodHeadings
		}
		pieces = append(pieces, item)
	}
	slices.SortStableFunc(pieces, func(a, b itemPiece) int { return cmp.Compare(a.line, b.line) })
	next := len(p.lines)
	for i := len(pieces) - 1; i >= 0; i-- {
		if i+1 < len(pieces) && pieces[i+1].line > pieces[i].line {
			next = pieces[i+1].line
		}
		pieces[i].next = next
	}
	return pieces
}

// contains reports whether a length is in the range. The zero range contains every length.
func (s byteRange) contains(length int) bool {
	return s == byteRange{} || length >= s.from && length <= s.to
}

// sectionLengths returns the lengths, in characters, of the sections for given starts.
func sectionLengths(p documentText, starts map[int]itemStart) map[int]int {
	lines := make([]int, 0, len(starts)+1)
	for begin := range maps.Values(starts) {
		lines = append(lines, begin.line)
	}
	slices.Sort(lines)
	lines = append(slices.Compact(lines), len(p.lines))
	length := make(map[int]int, len(lines))
	for i := range len(lines) - 1 {
		length[lines[i]] = utf8.RuneCountInString(p.between(lines[i], lines[i+1]))
	}
	out := make(map[int]int, len(starts))
	for entry, begin := range starts {
		out[entry] = length[begin.line]
	}
	return out
}

// between returns the text of the lines from one line up to, but not including, another.
func (p documentText) between(from, to int) string {
	if from >= to {
		return ""
	}
	return p.text[p.lines[from].from:p.lines[to-1].to]
}

// sectionOf returns the section of one piece, with its warnings.
func sectionOf(p documentText, o outline, pieces []itemPiece, i int, heads []headingLine) Section {
	current := pieces[i]
	e := o.entries[current.entry]
	t := Section{Item: e.item, Method: current.method}
	t.Item.Title = e.title(current.title)
	end := current.next
	if end == len(p.lines) {
		end = t.endOfLastItem(p, current.line+1, e)
	}
	// The name of the next part belongs to the next section.
	for end > current.line+1 && isPartLine(heads, end-1) {
		end--
	}
	t.Text = p.between(current.line, end)
	// A list of exhibits refers to other filings but is not a cross-reference.
	t.CrossReference = !strings.Contains(e.titles[0], "exhibit") && market.IsCrossReference(t.Text)
	t.setConfidence(current, e.usualLength, i+1 == len(pieces) || pieces[i+1].agreed)
	t.warnSharedHeading(o, pieces, i)
	return t
}

// setConfidence sets the confidence. ended means that the start of the next item is certain.
func (t *Section) setConfidence(item itemPiece, usual byteRange, ended bool) {
	switch {
	case item.differed:
		t.Confidence = 0.7
		t.Warnings = append(t.Warnings, "the table of contents and the headings disagree on the start; taken from the "+item.method)
	case item.agreed && ended:
		t.Confidence = 1
	case item.method == MethodContents:
		t.Confidence = 0.9
	default:
		t.Confidence = 0.8
	}
	if length := utf8.RuneCountInString(t.Text); !t.CrossReference && !usual.contains(length) {
		t.Confidence = min(t.Confidence, 0.5)
		t.Warnings = append(t.Warnings, fmt.Sprintf("unusual length of %d characters; this item usually has %d to %d", length, usual.from, usual.to))
	}
}

// warnSharedHeading warns if one heading names several items.
func (t *Section) warnSharedHeading(o outline, pieces []itemPiece, i int) {
	var others []string
	for _, step := range []int{-1, 1} {
		for k := i + step; k >= 0 && k < len(pieces) && pieces[k].line == pieces[i].line; k += step {
			others = append(others, o.entries[pieces[k].entry].item.String())
		}
	}
	if len(others) > 0 {
		t.Warnings = append(t.Warnings, "it has the same text as "+strings.Join(others, ", "))
	}
}

// endOfLastItem returns the line after the last item. It ends at the signatures, unless more
// follows than usual: the financial statements, which some filers put there.
func (t *Section) endOfLastItem(p documentText, from int, e outlineEntry) int {
	for i := from; i < len(p.lines); i++ {
		if !isSignatureLine(p.line(i)) {
			continue
		}
		rest := len(p.text) - p.lines[i].from
		if rest <= maxClosingSize {
			return i
		}
		t.Warnings = append(t.Warnings, fmt.Sprintf("it extends past the signatures: the %d bytes after them belong to no other item", rest))
		break
	}
	return len(p.lines)
}

func isSignatureLine(line string) bool {
	if len(line) > maxFurnitureSize {
		return false
	}
	normalized := normalizeWords(line)
	return normalized == "signature" || normalized == "signatures"
}

// isPartLine reports whether a line only names a part.
func isPartLine(heads []headingLine, line int) bool {
	i, ok := slices.BinarySearchFunc(heads, line, func(h headingLine, line int) int { return cmp.Compare(h.line, line) })
	return ok && len(heads[i].numbers) == 0
}
