package transcript

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// search is what is looked for in the transcript.
type search struct {
	words string // folded to lower case; "" while nothing is looked for
	at    place  // the line that was found last
	there bool   // that there was one
}

// Find looks for words, in letters of any case, and goes to the last line that
// holds them at or above the sight, else to the first below it. It reports whether
// there is one; "" ends the search and leaves the reader where they are.
func (t *Transcript) Find(words string) bool {
	t.found = search{words: folded(words)}
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
			t.show(t.found.at)
			return true
		}
	}
	return false
}

// rowIn is the row of block i that holds the words, nearest to p in the direction
// of step. Where they are broken over lines or folded away it is the head.
func (t *Transcript) rowIn(i int, p place, step int) (int, bool) {
	lines, gap := t.blocks[i].lines(t.st, t.width), t.gap(i)
	row := gap
	if step < 0 {
		row = gap + len(lines) - 1
	}
	if i == p.block {
		row = p.row
	}
	if !slices.ContainsFunc(lines, func(line string) bool { return t.found.in(ansi.Strip(line)) }) {
		return gap, i != p.block || !t.found.there
	}
	for ; row >= gap && row < gap+len(lines); row += step {
		if t.found.in(ansi.Strip(lines[row-gap])) {
			return row, true
		}
	}
	return 0, false
}

func (s search) in(text string) bool { return strings.Contains(folded(text), s.words) }

// folded is text in lower case, letter by letter, so that each stands where it
// stood.
func folded(text string) string {
	return strings.Map(func(r rune) rune {
		lower := []rune(strings.ToLower(string(r)))
		if len(lower) != 1 || utf8.RuneLen(lower[0]) != utf8.RuneLen(r) {
			return r
		}
		return lower[0]
	}, text)
}

// mark shows the words in a drawn line.
func (s search) mark(st *draw.Styles, line string) string {
	if s.words == "" {
		return line
	}
	plain := ansi.Strip(line)
	at := strings.Index(folded(plain), s.words)
	if at < 0 {
		return line
	}
	from := ansi.StringWidth(plain[:at])
	to := from + ansi.StringWidth(plain[at:at+len(s.words)])
	return ansi.Cut(line, 0, from) + st.Found.Apply(plain[at:at+len(s.words)]) + ansi.Cut(line, to, ansi.StringWidth(plain))
}
