package edgar

import (
	"bytes"
	"unicode/utf8"
)

// What a hostile document may make us remember. Real filings stay far below.
const (
	maxID       = 256     // bytes of an id
	maxIDs      = 1 << 17 // of a document
	maxLinks    = 1 << 16
	maxLinkText = 300 // bytes; more is a sentence
	maxTables   = 32  // within one another
)

// byteRange is a range of bytes.
type byteRange struct{ from, to int }

// documentLink leads from a line to an id of the same document.
type documentLink struct {
	target, text string
	line         int
}

// documentText is a document as lines of text.
type documentText struct {
	text        string
	lines       []byteRange
	links       []documentLink // in the order of the document
	anchorLines map[string]int // the line where an id stands
}

func (p documentText) line(i int) string { return p.text[p.lines[i].from:p.lines[i].to] }

// textWriter collects lines. Where a table is open, the text goes to its cells, and
// becomes lines when it closes.
type textWriter struct {
	text              []byte
	lines             []byteRange
	pages             []int // the line that each page begins with
	links             []documentLink
	anchorLines       map[string]int
	ids               int // taken so far, whether they stand in a line already or not
	current           []byte
	serial            int  // of the line or the cell that is written
	blank             bool // white space is due before the next character
	pending           pendingMarks
	at                *documentLink // open, if any
	tables            []*htmlTable
	tooManyTables     int // tables open beyond maxTables
	preformattedDepth int // elements open where a line end is one
	verbatim          bool
}

// write adds text to the line, its white space made one blank.
func (w *textWriter) write(text []byte) {
	verse := w.preformattedDepth > 0 || w.verbatim
	run := 0 // of white space
	for i := 0; i < len(text); {
		c := text[i]
		if c > ' ' && c < 0x7F {
			w.separate(run)
			run = 0
			end := i + 1
			for end < len(text) && text[end] > ' ' && text[end] < 0x7F {
				end++
			}
			w.appendText(text[i:end])
			i = end
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			r = windows1252(c)
		}
		switch {
		case c == '\n' && verse:
			w.breakLine()
			run = 0
		case c <= ' ' || isSpace(r):
			w.blank = true
			run++
		case isInvisibleRune(r):
		default:
			w.separate(run)
			run = 0
			var one [utf8.UTFMax]byte
			w.appendText(one[:utf8.EncodeRune(one[:], r)])
		}
		i += size
	}
}

// separate writes the blank that is due. In text set in columns a wide one parts
// two cells.
func (w *textWriter) separate(run int) {
	if !w.blank {
		return
	}
	w.blank = false
	if len(w.current) == 0 || w.current[len(w.current)-1] == '\n' {
		return
	}
	if run > 2 && (w.preformattedDepth > 0 || w.verbatim) {
		w.appendText([]byte(" | "))
		return
	}
	w.appendText([]byte{' '})
}

func (w *textWriter) appendText(text []byte) {
	w.current = append(w.current, text...)
	if w.at != nil && len(w.at.text) < maxLinkText {
		w.at.text += string(text[:min(len(text), maxLinkText)])
	}
}

// breakLine ends the line. Within a cell it ends a paragraph of the cell.
func (w *textWriter) breakLine() {
	w.blank = false
	if w.table() != nil {
		if n := len(w.current); n > 0 && w.current[n-1] != '\n' {
			w.current = append(w.current, '\n')
		}
		return
	}
	w.writeLine(w.current)
	w.clear()
}

// clear begins the next line or cell.
func (w *textWriter) clear() {
	w.current = w.current[:0]
	w.serial++
}

// writeLine adds a line, and with it whatever was waiting for one.
func (w *textWriter) writeLine(line []byte) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	for _, id := range w.pending.ids {
		if _, ok := w.anchorLines[id]; !ok {
			w.anchorLines[id] = len(w.lines)
		}
	}
	for _, i := range w.pending.links {
		w.links[i].line = len(w.lines)
	}
	w.pending.ids, w.pending.links = w.pending.ids[:0], w.pending.links[:0]
	from := len(w.text)
	w.text = append(append(w.text, line...), '\n')
	w.lines = append(w.lines, byteRange{from, len(w.text) - 1})
}

// finish closes what is open and gives the text.
func (w *textWriter) finish() documentText {
	w.closeLink()
	for len(w.tables) > 0 {
		w.tooManyTables = 0
		w.closeTable()
	}
	w.breakLine()
	if len(w.pages) > 0 {
		w.newPage() // the last page ends too
	}
	for _, id := range w.pending.ids {
		if _, ok := w.anchorLines[id]; !ok {
			w.anchorLines[id] = len(w.lines)
		}
	}
	return w.dropFurniture()
}
