package transcript

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/displaywidth"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// textSearch is a search in the transcript. The zero textSearch searches for nothing.
type textSearch struct {
	pattern  *regexp.Regexp // nil without a search
	letters  int            // number of letters that the pattern matches
	run      string         // the longest run of ASCII letters and digits in the text, in lower case
	position position       // the line of the latest match
	found    bool           // there was a match
}

// Find searches for text, ignoring case. It scrolls to the last match in or above the visible part, else
// to the first below it, and reports whether there is one. "" ends the search and does not scroll.
func (t *Transcript) Find(text string) bool {
	t.search = newTextSearch(text)
	if t.search.pattern == nil {
		return false
	}
	below := t.move(t.first(), max(t.height-1, 0))
	return t.seek(below, -1) || t.seek(below, +1)
}

// FindNext scrolls to the next line with a match, up (-1) or down (+1), and reports whether there is
// one.
func (t *Transcript) FindNext(step int) bool {
	if t.search.pattern == nil || !t.search.found {
		return false
	}
	from := t.search.position
	from.row += step
	return t.seek(from, step)
}

// MatchPosition returns the number of blocks with a match and which of them the search is at, counted
// from 1. It returns 0, 0 if there is none.
func (t *Transcript) MatchPosition() (match, total int) {
	if t.search.pattern == nil {
		return 0, 0
	}
	for i, b := range t.blocks {
		if !t.search.matches(b.source()) {
			continue
		}
		total++
		if t.search.found && i <= t.search.position.block {
			match = total
		}
	}
	return match, total
}

// seek scrolls to the nearest line with a match at p or in the direction of step. It draws only blocks
// whose source matches.
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

// matchRow returns the row of block i in which a match starts, nearest to p in the direction of step, or
// the head if the match is in a collapsed part.
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

// scrollAround makes p visible with some lines before and after it.
func (t *Transcript) scrollAround(p position) {
	margin := min(2, (t.height-1)/2)
	t.show(t.move(p, margin))
	t.show(t.move(p, -margin))
}

// linePrefixes are the characters before the text of a drawn line: indents, frames and the mark of
// wrapped code.
const linePrefixes = " │>↳"

// maxSearchLetters is the maximum number of letters to search for, because a paste may have a million.
const maxSearchLetters = 200

// newTextSearch returns the search for the first maxSearchLetters of text, ignoring case. The pattern
// matches both sources and drawn lines: spaces match any white space, and lines may be wrapped between
// words, in long words and in scripts without spaces.
func newTextSearch(text string) textSearch {
	const lineBreak = `(?:\n[` + linePrefixes + `]*)`
	const blanks = `(?:` + lineBreak + `|\s)`
	var pattern strings.Builder
	letters, last, blank := 0, ' ', false
	text = strings.TrimSpace(text)
	for i, r := range text {
		if letters == maxSearchLetters {
			text = text[:i]
			break
		}
		if strings.TrimSpace(string(r)) == "" {
			blank = true
			continue
		}
		switch {
		case letters == 0:
		case isWideScript(last) && isWideScript(r):
			pattern.WriteString(blanks + "*")
		case blank:
			pattern.WriteString(blanks + "+")
		default:
			pattern.WriteString(lineBreak + "?")
		}
		pattern.WriteString(regexp.QuoteMeta(string(r)))
		letters, last, blank = letters+1, r, false
	}
	if letters == 0 {
		return textSearch{}
	}
	s := textSearch{pattern: regexp.MustCompile("(?i)" + pattern.String()), letters: letters}
	isOther := func(r rune) bool { return r >= utf8.RuneSelf || !isWordRune(r) }
	for run := range strings.FieldsFuncSeq(strings.ToLower(text), isOther) {
		if len(run) > len(s.run) {
			s.run = run
		}
	}
	return s
}

// isWideScript reports whether a letter belongs to a script whose lines can break between any letters.
func isWideScript(r rune) bool { return r >= 0x1100 && ansi.StringWidth(string(r)) > 1 }

// matches reports whether a text matches, with or without its emphasis markers, which are not drawn.
func (s textSearch) matches(text string) bool {
	if !strings.Contains(strings.ToLower(text), s.run) {
		return false // much faster than the pattern
	}
	return s.pattern.MatchString(text) ||
		strings.ContainsAny(text, emphasis) && s.pattern.MatchString(stripEmphasis(text))
}

// emphasis contains the Markdown marks of inline styles.
const emphasis = "*_`~"

// stripEmphasis removes the marks around words, but not marks inside a word or between spaces, as in
// 2 * 3.
func stripEmphasis(text string) string {
	var b strings.Builder
	for text != "" {
		at := strings.IndexAny(text, emphasis)
		if at < 0 {
			break
		}
		rest := strings.TrimLeft(text[at:], emphasis)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(rest)
		b.WriteString(text[:at])
		if isWordRune(before) && isWordRune(after) || isStandalone(before, at == 0) && isStandalone(after, rest == "") {
			b.WriteString(text[at : len(text)-len(rest)])
		}
		text = rest
	}
	return b.String() + text
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func isStandalone(r rune, edge bool) bool { return edge || unicode.IsSpace(r) }

// matchLines returns the indexes of the lines in which matches start.
func (s textSearch) matchLines(lines []string) []int {
	text := newDrawnText(lines)
	var out []int
	for _, match := range s.pattern.FindAllStringIndex(text.joined, -1) {
		out = append(out, text.lineAt(match[0]))
	}
	return slices.Compact(out)
}

// highlight returns lines[from:to] with the matches highlighted, including matches that span lines.
func (s textSearch) highlight(st *widget.Styles, lines []string, from, to int) []string {
	if s.pattern == nil || from >= to {
		return lines[from:to]
	}
	// A match may start before these lines or end after them; include as many lines as it can span.
	first, end := from, to
	for left := s.letters; left > 0 && first > 0; first-- {
		left -= len(strings.Trim(ansi.Strip(lines[first-1]), linePrefixes))
	}
	for left := s.letters; left > 0 && end < len(lines); end++ {
		left -= len(strings.Trim(ansi.Strip(lines[end]), linePrefixes))
	}
	text := newDrawnText(lines[first:end])
	spans := make([][]widget.MatchSpan, end-first)
	for _, match := range s.pattern.FindAllStringIndex(text.joined, -1) {
		for i := text.lineAt(match[0]); i < len(text.starts) && text.starts[i] < match[1]; i++ {
			line := text.joined[text.starts[i]:min(match[1], text.starts[i]+len(text.plain[i]))]
			begin := max(match[0]-text.starts[i], len(line)-len(strings.TrimLeft(line, linePrefixes)))
			if line = strings.TrimRight(line, " "); begin < len(line) {
				spans[i] = append(spans[i], widget.MatchSpan{From: begin, To: len(line)})
			}
		}
	}
	out := slices.Clone(lines[from:to])
	for i := range out {
		out[i] = highlightSpans(st, out[i], text.plain[from-first+i], spans[from-first+i])
	}
	return out
}

// drawnText is drawn lines without their styles, joined into one text.
type drawnText struct {
	joined string
	plain  []string // the lines
	starts []int    // their offsets in joined
}

func newDrawnText(lines []string) drawnText {
	t := drawnText{plain: make([]string, len(lines)), starts: make([]int, len(lines))}
	at := 0
	for i, line := range lines {
		t.plain[i], t.starts[i] = ansi.Strip(line), at
		at += len(t.plain[i]) + 1
	}
	t.joined = strings.Join(t.plain, "\n")
	return t
}

// lineAt returns the index of the line that contains an offset in joined.
func (t drawnText) lineAt(at int) int {
	i, found := slices.BinarySearch(t.starts, at)
	if found {
		return i
	}
	return i - 1
}

// highlightSpans highlights spans of a drawn line. plain is the line without styles.
func highlightSpans(st *widget.Styles, line, plain string, spans []widget.MatchSpan) string {
	for _, s := range slices.Backward(extendToCharacters(plain, spans)) {
		from := ansi.StringWidth(plain[:s.From])
		to := from + ansi.StringWidth(plain[s.From:s.To])
		line = ansi.Cut(line, 0, from) + st.Match.Apply(plain[s.From:s.To]) + ansi.Cut(line, to, ansi.StringWidth(line))
	}
	return line
}

// extendToCharacters extends spans to complete grapheme clusters and merges those that then overlap.
func extendToCharacters(plain string, spans []widget.MatchSpan) []widget.MatchSpan {
	if len(spans) == 0 {
		return nil
	}
	ends := []int{0} // of the characters
	for g := displaywidth.StringGraphemes(plain); g.Next(); {
		ends = append(ends, ends[len(ends)-1]+len(g.Value()))
	}
	var out []widget.MatchSpan
	for _, s := range spans {
		from, exact := slices.BinarySearch(ends, s.From)
		if !exact {
			from--
		}
		to, _ := slices.BinarySearch(ends, s.To)
		if n := len(out); n > 0 && ends[from] < out[n-1].To {
			out[n-1].To = ends[to]
			continue
		}
		out = append(out, widget.MatchSpan{From: ends[from], To: ends[to]})
	}
	return out
}
