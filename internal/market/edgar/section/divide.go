package section

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/market"
)

// longestClosing is more, in bytes, than signatures and a list of exhibits take.
// What is longer after the signatures is financial statements, and belongs to
// the text.
const longestClosing = 20_000

// piece is an item that is being told from the rest.
type piece struct {
	start
	entry    int
	method   string
	agreed   bool // contents and headings say the same of where it begins
	differed bool // or each says another
	next     int  // the line that the next item begins with
}

// divide finds the items of a document, in its order.
func divide(p plain, o outline) []Text {
	if len(o.entries) == 0 {
		return nil
	}
	heads := headsOf(p, o)
	contents, headings := linked(p, o, heads), headed(p, heads)
	pieces := choose(p, o, contents, headings)
	var out []Text
	characters, bytes := 0, 0 // up to the section
	for i, one := range pieces {
		t := textOf(p, o, pieces, i, heads)
		begin := p.lines[one.line].from
		characters, bytes = characters+utf8.RuneCountInString(p.text[bytes:begin]), begin
		t.From, t.To = characters, characters+utf8.RuneCountInString(t.Text)
		out = append(out, t)
	}
	return out
}

// choose takes, for each item, the start that one witness gives or the better of
// two that differ: the one whose section has the usual length, else what the
// contents say.
func choose(p plain, o outline, contents, headings map[int]start) []piece {
	byContents, byHeadings := sizes(p, contents), sizes(p, headings)
	var pieces []piece
	for entry := range o.entries {
		c, inContents := contents[entry]
		h, inHeadings := headings[entry]
		one := piece{entry: entry, start: c, method: MethodContents}
		switch {
		case !inContents && !inHeadings:
			continue
		case inContents && inHeadings && c.line == h.line:
			one.agreed = true
		case inContents && inHeadings:
			one.differed = true
			usual := o.entries[entry].usual
			if !usual.holds(byContents[entry]) && usual.holds(byHeadings[entry]) {
				one.start, one.method = h, MethodHeadings
			}
		case inHeadings:
			one.start, one.method = h, MethodHeadings
		}
		pieces = append(pieces, one)
	}
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(a.line, b.line) })
	next := len(p.lines)
	for i := len(pieces) - 1; i >= 0; i-- {
		if i+1 < len(pieces) && pieces[i+1].line > pieces[i].line {
			next = pieces[i+1].line
		}
		pieces[i].next = next
	}
	return pieces
}

// holds reports whether a length is in the range. No range holds all.
func (s span) holds(length int) bool { return s == span{} || length >= s.from && length <= s.to }

// sizes are the lengths, in characters, of the sections that starts would give.
func sizes(p plain, starts map[int]start) map[int]int {
	lines := make([]int, 0, len(starts)+1)
	for one := range maps.Values(starts) {
		lines = append(lines, one.line)
	}
	slices.Sort(lines)
	lines = append(slices.Compact(lines), len(p.lines))
	length := make(map[int]int, len(lines))
	for i := range len(lines) - 1 {
		length[lines[i]] = utf8.RuneCountInString(p.between(lines[i], lines[i+1]))
	}
	out := make(map[int]int, len(starts))
	for entry, one := range starts {
		out[entry] = length[one.line]
	}
	return out
}

// between is the text of lines, the last exclusive.
func (p plain) between(from, to int) string {
	if from >= to {
		return ""
	}
	return p.text[p.lines[from].from:p.lines[to-1].to]
}

// textOf is the section of one piece, with what is to be doubted of it.
func textOf(p plain, o outline, pieces []piece, i int, heads []head) Text {
	one := pieces[i]
	e := o.entries[one.entry]
	t := Text{Item: e.item, Method: one.method}
	t.Item.Title = e.title(one.title)
	end := one.next
	if end == len(p.lines) {
		end = t.close(p, one.line+1, e)
	}
	// What names the next part belongs to what follows.
	for end > one.line+1 && partLine(heads, end-1) {
		end--
	}
	t.Text = p.between(one.line, end)
	// A list of exhibits says of most where they were filed, and is no reference.
	t.CrossReference = !strings.Contains(e.known[0], "exhibit") && market.RefersElsewhere(t.Text)
	t.judge(one, e.usual, i+1 == len(pieces) || pieces[i+1].agreed)
	t.together(o, pieces, i)
	return t
}

// judge sets the confidence. ended means that where the next item begins is sure.
func (t *Text) judge(one piece, usual span, ended bool) {
	switch {
	case one.differed:
		t.Confidence = 0.7
		t.Warnings = append(t.Warnings, "the table of contents and the headings differ on where it begins; taken from the "+one.method)
	case one.agreed && ended:
		t.Confidence = 1
	case one.method == MethodContents:
		t.Confidence = 0.9
	default:
		t.Confidence = 0.8
	}
	if length := utf8.RuneCountInString(t.Text); !t.CrossReference && !usual.holds(length) {
		t.Confidence = min(t.Confidence, 0.5)
		t.Warnings = append(t.Warnings, fmt.Sprintf("its length of %d characters is unusual: such an item mostly has %d to %d", length, usual.from, usual.to))
	}
}

// together warns where a heading names several items at once.
func (t *Text) together(o outline, pieces []piece, i int) {
	var others []string
	for _, step := range []int{-1, 1} {
		for k := i + step; k >= 0 && k < len(pieces) && pieces[k].line == pieces[i].line; k += step {
			others = append(others, o.entries[pieces[k].entry].item.String())
		}
	}
	if len(others) > 0 {
		t.Warnings = append(t.Warnings, "it stands in one text with "+strings.Join(others, ", "))
	}
}

// close returns the line after the last item. It ends at the signatures, unless
// more follows than closes a filing: the financial statements, which some
// filers put there.
func (t *Text) close(p plain, from int, e entry) int {
	for i := from; i < len(p.lines); i++ {
		if !signatures(p.line(i)) {
			continue
		}
		rest := len(p.text) - p.lines[i].from
		if rest <= longestClosing {
			return i
		}
		t.Warnings = append(t.Warnings, fmt.Sprintf("it goes on past the signatures: the %d bytes that follow them are part of no other item", rest))
		break
	}
	return len(p.lines)
}

func signatures(line string) bool {
	if len(line) > longestFurniture {
		return false
	}
	said := words(line)
	return said == "signature" || said == "signatures"
}

// partLine reports whether a line only names a part.
func partLine(heads []head, line int) bool {
	i, ok := slices.BinarySearchFunc(heads, line, func(h head, line int) int { return cmp.Compare(h.line, line) })
	return ok && len(heads[i].numbers) == 0
}
