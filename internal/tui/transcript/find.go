package transcript

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// search is what is looked for in the transcript.
type search struct {
	words   string // in lower case, with single blanks; "" while nothing is looked for
	letters []byte // of the words, without the blanks
	begin   []int  // where each word begins in the letters
	at      place  // the line that was found last
	there   bool   // that there was one
}

// Find looks for words, in letters of any case, and goes to the last line that
// holds them at or above the sight, else to the first below it. It reports whether
// there is one; "" ends the search and leaves the reader where they are.
func (t *Transcript) Find(words string) bool {
	t.found = searchFor(words)
	if t.found.words == "" {
		return false
	}
	below := t.move(t.first(), max(t.height-1, 0))
	return t.seek(below, -1) || t.seek(below, +1)
}

// FindNext goes to the next line up (-1) or down (+1) that holds the words, and
// reports whether there is one.
func (t *Transcript) FindNext(step int) bool {
	if t.found.words == "" || !t.found.there {
		return false
	}
	from := t.found.at
	from.row += step
	return t.seek(from, step)
}

// Found says in how many things of the transcript the words are, and which of them
// is in sight, counted from the first; 0, 0 where there is none.
func (t *Transcript) Found() (at, of int) {
	if t.found.words == "" {
		return 0, 0
	}
	for i, b := range t.blocks {
		if !t.found.in(b.source()) {
			continue
		}
		of++
		if t.found.there && i <= t.found.at.block {
			at = of
		}
	}
	return at, of
}

// seek goes from p, which it counts in, up or down to a line that holds the words.
// Only blocks whose source holds them are drawn for it.
func (t *Transcript) seek(p place, step int) bool {
	for i := min(p.block, len(t.blocks)-1); i >= 0 && i < len(t.blocks); i += step {
		if !t.found.in(t.blocks[i].source()) {
			continue
		}
		if row, ok := t.rowIn(i, p, step); ok {
			t.found.at, t.found.there = place{i, row}, true
			t.showAround(t.found.at)
			return true
		}
	}
	return false
}

// rowIn is the row of block i in which the words begin, nearest to p in the direction
// of step. Where they are folded away it is the head.
func (t *Transcript) rowIn(i int, p place, step int) (int, bool) {
	lines, gap := t.blocks[i].lines(t.st, t.width), t.gap(i)
	begun := t.found.begun(lines)
	if len(begun) == 0 {
		return gap, i != p.block || !t.found.there
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

// showAround brings p into sight with some lines before and behind it.
func (t *Transcript) showAround(p place) {
	margin := min(2, (t.height-1)/2)
	t.show(t.move(p, margin))
	t.show(t.move(p, -margin))
}

// searchFor is the search for words as they were typed.
func searchFor(words string) search {
	s := search{words: flat(words)}
	for word := range strings.FieldsSeq(s.words) {
		s.begin = append(s.begin, len(s.letters))
		s.letters = append(s.letters, word...)
	}
	return s
}

// in reports whether a text holds the words, as it is written or without the marks of
// its emphasis, which are not seen.
func (s search) in(text string) bool {
	return strings.Contains(flat(text), s.words) ||
		strings.ContainsAny(text, emphasis) && strings.Contains(flat(unmarked(text)), s.words)
}

// emphasis are the marks of words that are drawn in another style.
const emphasis = "*_`~"

// unmarked is text without the marks around its words. One within a word, or alone as
// in 2 * 3, is a letter.
func unmarked(text string) string {
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
		if wordly(before) && wordly(behind) || alone(before, at == 0) && alone(behind, rest == "") {
			b.WriteString(text[at : len(text)-len(rest)])
		}
		text = rest
	}
	return b.String() + text
}

func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func alone(r rune, edge bool) bool { return edge || unicode.IsSpace(r) }

// spans are where the words stand in a flow, in their order and none within another.
func (s search) spans(f flow) []draw.Span {
	var out []draw.Span
	for from := 0; ; {
		at := bytes.Index(f.text[from:], s.letters)
		if at < 0 {
			return out
		}
		from += at
		if !s.fits(f.joints[from : from+len(s.letters)]) {
			from++
			continue
		}
		out = append(out, draw.Span{From: from, To: from + len(s.letters)})
		from += len(s.letters)
	}
}

// fits reports whether letters that are joined so are words as they are looked for.
func (s search) fits(joints []joint) bool {
	begin := s.begin[1:]
	for i, how := range joints[1:] {
		begins := len(begin) > 0 && begin[0] == i+1
		if begins {
			begin = begin[1:]
		}
		if begins && how == tight || !begins && how == apart {
			return false
		}
	}
	return true
}

// begun are the lines in which the words begin, each once.
func (s search) begun(lines []string) []int {
	f := flowOf(lines)
	var out []int
	for _, hit := range s.spans(f) {
		out = append(out, f.lineAt(hit.From))
	}
	return slices.Compact(out)
}

// marked are drawn lines from one up to another in which the words are marked, also
// where they are broken over lines.
func (s search) marked(st *draw.Styles, lines []string, from, to int) []string {
	if s.words == "" || from >= to {
		return lines[from:to]
	}
	// So far a hit may reach that begins before, or behind.
	first, behind := from, to
	for left := len(s.letters); left > 0 && first > 0; left -= len(flowOf(lines[first : first+1]).text) {
		first--
	}
	for left := len(s.letters); left > 0 && behind < len(lines); left -= len(flowOf(lines[behind-1 : behind]).text) {
		behind++
	}
	f := flowOf(lines[first:behind])
	hits := make([][]draw.Span, len(f.plain))
	for _, hit := range s.spans(f) {
		for i := f.lineAt(hit.From); i < len(f.plain) && f.from[i] < hit.To; i++ {
			if a, b := max(hit.From, f.from[i]), min(hit.To, f.from[i+1]); a < b {
				hits[i] = append(hits[i], draw.Span{From: f.at[a], To: f.at[b-1] + 1})
			}
		}
	}
	out := slices.Clone(lines[from:to])
	for i := range out {
		out[i] = mark(st, out[i], f.plain[from-first+i], hits[from-first+i])
	}
	return out
}

// mark shows spans of a drawn line, which is plain without its styles.
func mark(st *draw.Styles, line, plain string, spans []draw.Span) string {
	for _, s := range slices.Backward(spans) {
		from := ansi.StringWidth(plain[:s.From])
		to := from + ansi.StringWidth(plain[s.From:s.To])
		line = ansi.Cut(line, 0, from) + st.Found.Apply(plain[s.From:s.To]) + ansi.Cut(line, to, ansi.StringWidth(line))
	}
	return line
}
