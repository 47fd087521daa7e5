package transcript

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// search is what is looked for in the transcript.
type search struct {
	words string // in lower case, with single blanks; "" while nothing is looked for
	at    place  // the line that was found last
	there bool   // that there was one
}

// Find looks for words, in letters of any case, and goes to the last line that
// holds them at or above the sight, else to the first below it. It reports whether
// there is one; "" ends the search and leaves the reader where they are.
func (t *Transcript) Find(words string) bool {
	t.found = search{words: flat(words)}
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

// flat is text in lower case with single blanks.
func flat(text string) string { return strings.Join(strings.Fields(draw.Folded(text)), " ") }

func (s search) in(text string) bool { return strings.Contains(flat(text), s.words) }

// flow is drawn lines as one text, in which words that were broken over lines stand
// together.
type flow struct {
	text  string
	plain []string // the lines without styles
	from  []int    // where each begins in the text
	skip  []int    // and what of it stands before that: indents and frames
}

func flowOf(lines []string) flow {
	f := flow{plain: make([]string, len(lines)), from: make([]int, len(lines)), skip: make([]int, len(lines))}
	var b strings.Builder
	for i, line := range lines {
		f.plain[i] = ansi.Strip(line)
		words := strings.TrimLeft(f.plain[i], " │>")
		f.from[i], f.skip[i] = b.Len(), len(f.plain[i])-len(words)
		b.WriteString(strings.TrimRight(words, " ") + " ")
	}
	f.text = b.String()
	return f
}

// lineAt is the line in which a byte of the text stands.
func (f flow) lineAt(at int) int {
	i, _ := slices.BinarySearchFunc(f.from, at, func(from, at int) int { return cmp.Compare(from, at+1) })
	return i - 1
}

// begun are the lines in which the words begin, each once.
func (s search) begun(lines []string) []int {
	f := flowOf(lines)
	var out []int
	for _, hit := range draw.Spans(f.text, []string{s.words}) {
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
	reach := strings.Count(s.words, " ")
	first := max(from-reach, 0)
	f := flowOf(lines[first:min(to+reach, len(lines))])
	hits := make([][]draw.Span, len(f.plain))
	for _, hit := range draw.Spans(f.text, []string{s.words}) {
		for i := f.lineAt(hit.From); i < len(f.plain) && f.from[i] < hit.To; i++ {
			span := draw.Span{From: max(hit.From-f.from[i], 0) + f.skip[i], To: min(hit.To-f.from[i]+f.skip[i], len(f.plain[i]))}
			if span.From < span.To {
				hits[i] = append(hits[i], span)
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
