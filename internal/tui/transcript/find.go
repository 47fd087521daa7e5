package transcript

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// textSearch is a search in the transcript.
type textSearch struct {
	words    string   // in lower case, with single blanks; "" without a search
	letters  []byte   // the words without blanks
	begin    []int    // where each word begins in letters
	position position // the line of the latest match
	found    bool     // there was a match
}

// Find searches for words, ignoring case, and scrolls to the last line with a match in or above
// the visible part, else to the first below it. It reports whether there is one; "" ends the
// search and does not scroll.
func (t *Transcript) Find(words string) bool {
	t.search = newTextSearch(words)
	if t.search.words == "" {
		return false
	}
	below := t.move(t.first(), max(t.height-1, 0))
	return t.seek(below, -1) || t.seek(below, +1)
}

// FindNext goes to the next line up (-1) or down (+1) with a match, and reports whether there is
// one.
func (t *Transcript) FindNext(step int) bool {
	if t.search.words == "" || !t.search.found {
		return false
	}
	from := t.search.position
	from.row += step
	return t.seek(from, step)
}

// MatchPosition returns how many blocks contain the words and which of them is visible, counted
// from the first; 0, 0 if there is none.
func (t *Transcript) MatchPosition() (at, of int) {
	if t.search.words == "" {
		return 0, 0
	}
	for i, b := range t.blocks {
		if !t.search.matches(b.source()) {
			continue
		}
		of++
		if t.search.found && i <= t.search.position.block {
			at = of
		}
	}
	return at, of
}

// seek goes from p, which it counts in, up or down to a line that holds the words.
// Only blocks whose source holds them are drawn for it.
func (t *Transcript) seek(p position, step int) bool {
	for i := min(p.block, len(t.blocks)-1); i >= 0 && i < len(t.blocks); i += step {
		if !t.search.matches(t.blocks[i].source()) {
			continue
		}
		if row, ok := t.matchRow(i, p, step); ok {
			t.search.position, t.search.found = position{i, row}, true
			t.scrollAround(t.search.position)
			return true
		}
	}
	return false
}

// matchRow is the row of block i in which the words begin, nearest to p in the direction
// of step. Where they are folded away it is the head.
func (t *Transcript) matchRow(i int, p position, step int) (int, bool) {
	lines, gap := t.blocks[i].lines(t.st, t.width), t.gap(i)
	begun := t.search.matchLines(lines)
	if len(begun) == 0 {
		return gap, i != p.block || !t.search.found
	}
	if step < 0 {
		slices.Reverse(begun)
	}
	for _, line := range begun {
		if row := gap + line; i != p.block || row == p.row || (row < p.row) == (step < 0) {
			return row, true
		}
	}
	return 0, false
}

// scrollAround brings p into sight with some lines before and behind it.
func (t *Transcript) scrollAround(p position) {
	margin := min(2, (t.height-1)/2)
	t.show(t.move(p, margin))
	t.show(t.move(p, -margin))
}

// newTextSearch is the search for words as they were typed.
func newTextSearch(words string) textSearch {
	s := textSearch{words: normalizeText(words)}
	for word := range strings.FieldsSeq(s.words) {
		s.begin = append(s.begin, len(s.letters))
		s.letters = append(s.letters, word...)
	}
	return s
}

// matches reports whether a text holds the words, as it is written or without the marks of
// its emphasis, which are not seen.
func (s textSearch) matches(text string) bool {
	return strings.Contains(normalizeText(text), s.words) ||
		strings.ContainsAny(text, emphasis) && strings.Contains(normalizeText(stripEmphasis(text)), s.words)
}

// emphasis are the marks of words that are drawn in another style.
const emphasis = "*_`~"

// stripEmphasis is text without the marks around its words. One within a word, or alone as
// in 2 * 3, is a letter.
func stripEmphasis(text string) string {
	var b strings.Builder
	for text != "" {
		at := strings.IndexAny(text, emphasis)
		if at < 0 {
			break
		}
		rest := strings.TrimLeft(text[at:], emphasis)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		behind, _ := utf8.DecodeRuneInString(rest)
		b.WriteString(text[:at])
		if isWordRune(before) && isWordRune(behind) || isStandalone(before, at == 0) && isStandalone(behind, rest == "") {
			b.WriteString(text[at : len(text)-len(rest)])
		}
		text = rest
	}
	return b.String() + text
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func isStandalone(r rune, edge bool) bool { return edge || unicode.IsSpace(r) }

// spans are where the words stand in a flow, in their order and none within another.
func (s textSearch) spans(f searchText) []widget.MatchSpan {
	var out []widget.MatchSpan
	for from := 0; ; {
		at := bytes.Index(f.text[from:], s.letters)
		if at < 0 {
			return out
		}
		from += at
		if !s.fits(f.separators[from : from+len(s.letters)]) {
			from++
			continue
		}
		out = append(out, widget.MatchSpan{From: from, To: from + len(s.letters)})
		from += len(s.letters)
	}
}

// fits reports whether letters that are joined so are words as they are looked for.
func (s textSearch) fits(joints []separator) bool {
	begin := s.begin[1:]
	for i, sep := range joints[1:] {
		begins := len(begin) > 0 && begin[0] == i+1
		if begins {
			begin = begin[1:]
		}
		if begins && sep == separatorNone || !begins && sep == separatorSpace {
			return false
		}
	}
	return true
}

// matchLines are the lines in which the words begin, each once.
func (s textSearch) matchLines(lines []string) []int {
	f := newSearchText(lines)
	var out []int
	for _, hit := range s.spans(f) {
		out = append(out, f.lineAt(hit.From))
	}
	return slices.Compact(out)
}

// highlight are drawn lines from one up to another in which the words are marked, also
// where they are broken over lines.
func (s textSearch) highlight(st *widget.Styles, lines []string, from, to int) []string {
	if s.words == "" || from >= to {
		return lines[from:to]
	}
	// So far a hit may reach that begins before, or behind.
	first, behind := from, to
	for left := len(s.letters); left > 0 && first > 0; left -= len(newSearchText(lines[first : first+1]).text) {
		first--
	}
	for left := len(s.letters); left > 0 && behind < len(lines); left -= len(newSearchText(lines[behind-1 : behind]).text) {
		behind++
	}
	f := newSearchText(lines[first:behind])
	hits := make([][]widget.MatchSpan, len(f.plain))
	for _, hit := range s.spans(f) {
		for i := f.lineAt(hit.From); i < len(f.plain) && f.lineStarts[i] < hit.To; i++ {
			if a, b := max(hit.From, f.lineStarts[i]), min(hit.To, f.lineStarts[i+1]); a < b {
				hits[i] = append(hits[i], widget.MatchSpan{From: f.offsets[a], To: f.offsets[b-1] + 1})
			}
		}
	}
	out := slices.Clone(lines[from:to])
	for i := range out {
		out[i] = highlightSpans(st, out[i], f.plain[from-first+i], hits[from-first+i])
	}
	return out
}

// highlightSpans shows spans of a drawn line, which is plain without its styles.
func highlightSpans(st *widget.Styles, line, plain string, spans []widget.MatchSpan) string {
	for _, s := range slices.Backward(spans) {
		from := ansi.StringWidth(plain[:s.From])
		to := from + ansi.StringWidth(plain[s.From:s.To])
		line = ansi.Cut(line, 0, from) + st.Match.Apply(plain[s.From:s.To]) + ansi.Cut(line, to, ansi.StringWidth(line))
	}
	return line
}
