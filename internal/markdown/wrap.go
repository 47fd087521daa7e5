package markdown

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// textWidth returns the number of cells of s.
func textWidth(s string) int { return displaywidth.String(s) }

// clusters iterates over the grapheme clusters of text, with a fast path for ASCII.
type clusters struct {
	text       []byte
	ascii      bool
	graphemes  displaywidth.Graphemes[[]byte]
	start, end int
	width      int
}

func clustersOf(text []byte) clusters {
	c := clusters{text: text, ascii: isASCII(text)}
	if !c.ascii {
		c.graphemes = displaywidth.BytesGraphemes(text)
	}
	return c
}

func (c *clusters) next() bool {
	c.start = c.end
	if c.ascii {
		if c.start == len(c.text) {
			return false
		}
		c.end, c.width = c.start+1, 1
		return true
	}
	if !c.graphemes.Next() {
		return false
	}
	c.end, c.width = c.start+len(c.graphemes.Value()), c.graphemes.Width()
	return true
}

// segment is one line of wrapped text: a range of bytes and its width.
type segment struct{ start, end, width int }

// wrapper breaks text into lines. It breaks at spaces and between ideographs,
// and inside a word only when the word alone is longer than a line.
type wrapper struct {
	max   int
	lines []segment

	start, end, width int // the line so far, and the end of its last visible cluster
	breakEnd          int // end of the line if it breaks at the last opportunity
	breakNext         int // start of the next line then, or 0 without an opportunity
	breakWidth        int // width up to breakEnd
	nextWidth         int // width up to breakNext
	markWidth         int // width up to end
}

// wrap returns the lines of r at the given width, at least 1. A wider cluster gets its own line. A cluster
// across a change of style gets the style of its start, so that no escape splits it. The segments are valid
// until the next call.
func (w *wrapper) wrap(r *rich, width int) []segment {
	*w = wrapper{max: max(width, 1), lines: w.lines[:0]}
	c := clustersOf(r.text)
	prev, at := rune(0), 0
	for c.next() {
		if !c.ascii {
			at = snap(r.spans, at, c.start, c.end)
		}
		switch b := r.text[c.start]; {
		case b == '\n':
			w.flush()
			w.restart(c.end)
			prev = 0
		case b == ' ' && c.end == c.start+1:
			w.space(c.end)
			prev = 0
		default:
			first := rune(b)
			if b >= utf8.RuneSelf {
				first = firstRune(r.text[c.start:c.end])
			}
			if prev != 0 && breaksBetween(prev, first) {
				w.breakEnd, w.breakWidth = w.end, w.markWidth
				w.breakNext, w.nextWidth = c.start, w.width
			}
			if w.end == w.start && c.width == 0 && joinsBefore(first) {
				w.restart(c.end)
				continue
			}
			w.place(c.start, c.end, c.width)
			if prev = first; c.end > c.start+1 {
				prev = lastRune(r.text[c.start:c.end])
			}
		}
	}
	w.flush()
	return w.lines
}

// snap moves a span boundary that falls inside the cluster to its end.
func snap(spans []span, at, start, end int) int {
	for at < len(spans) && spans[at].end <= start {
		at++
	}
	for i := at; i < len(spans) && spans[i].end < end; i++ {
		spans[i].end = end
	}
	return at
}

// joinsBefore reports whether a mark combines with the character before it. At the start of a line it
// would combine with the indentation.
func joinsBefore(r rune) bool {
	return unicode.Is(unicode.M, r) || r == 0x200c || r == 0x200d
}

func (w *wrapper) space(next int) {
	if w.end == w.start {
		w.restart(next)
		return
	}
	w.width++
	w.breakEnd, w.breakWidth = w.end, w.markWidth
	w.breakNext, w.nextWidth = next, w.width
}

func (w *wrapper) place(start, end, width int) {
	if w.width+width > w.max && w.breakNext > w.start {
		w.lines = append(w.lines, segment{w.start, w.breakEnd, w.breakWidth})
		rest := w.width - w.nextWidth
		lineEnd := w.end
		w.restart(w.breakNext)
		w.width, w.markWidth, w.end = rest, rest, max(lineEnd, w.start)
	}
	if w.width+width > w.max {
		w.flush()
		w.restart(start)
	}
	w.width += width
	w.end, w.markWidth = end, w.width
}

// flush ends the line without trailing spaces.
func (w *wrapper) flush() {
	w.lines = append(w.lines, segment{w.start, max(w.end, w.start), w.markWidth})
}

func (w *wrapper) restart(at int) {
	w.start, w.end, w.width, w.markWidth = at, at, 0, 0
	w.breakNext, w.breakEnd, w.breakWidth, w.nextWidth = 0, 0, 0, 0
}

// ellipsizeCell replaces clusters that do not fit into a line of one cell by an ellipsis.
func (p *painter) ellipsizeCell(r *rich) {
	if p.availableWidth() > 1 {
		return
	}
	var out rich
	c := clustersOf(r.text)
	at := 0
	for c.next() {
		for r.spans[at].end <= c.start {
			at++
		}
		cluster := r.text[c.start:c.end]
		if c.width > 1 {
			cluster = []byte("…")
		}
		out.write(cluster, r.spans[at].attr)
	}
	*r = out
}
