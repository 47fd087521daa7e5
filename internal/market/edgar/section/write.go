package section

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

// span is a range of bytes.
type span struct{ from, to int }

// link leads from a line to an id of the same document.
type link struct {
	target, text string
	line         int
}

// plain is a document as lines of text.
type plain struct {
	text  string
	lines []span
	links []link         // in the order of the document
	lands map[string]int // the line where an id stands
}

func (p plain) line(i int) string { return p.text[p.lines[i].from:p.lines[i].to] }

// writer collects lines. Where a table is open, the text goes to its cells, and
// becomes lines when it closes.
type writer struct {
	text     []byte
	lines    []span
	pages    []int // the line that each page begins with
	links    []link
	lands    map[string]int
	ids      int // taken so far, whether they stand in a line already or not
	current  []byte
	serial   int  // of the line or the cell that is written
	blank    bool // white space is due before the next character
	waiting  marks
	at       *link // open, if any
	tables   []*table
	over     int // tables open beyond maxTables
	verse    int // elements open where a line end is one
	verbatim bool
}

// write adds text to the line, its white space made one blank.
func (w *writer) write(text []byte) {
	verse := w.verse > 0 || w.verbatim
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
			w.put(text[i:end])
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
		case c <= ' ' || spaced(r):
			w.blank = true
			run++
		case unseen(r):
		default:
			w.separate(run)
			run = 0
			var one [utf8.UTFMax]byte
			w.put(one[:utf8.EncodeRune(one[:], r)])
		}
		i += size
	}
}

// separate writes the blank that is due. In text set in columns a wide one parts
// two cells.
func (w *writer) separate(run int) {
	if !w.blank {
		return
	}
	w.blank = false
	if len(w.current) == 0 || w.current[len(w.current)-1] == '\n' {
		return
	}
	if run > 2 && (w.verse > 0 || w.verbatim) {
		w.put([]byte(" | "))
		return
	}
	w.put([]byte{' '})
}

func (w *writer) put(text []byte) {
	w.current = append(w.current, text...)
	if w.at != nil && len(w.at.text) < maxLinkText {
		w.at.text += string(text[:min(len(text), maxLinkText)])
	}
}

// breakLine ends the line. Within a cell it ends a paragraph of the cell.
func (w *writer) breakLine() {
	w.blank = false
	if w.table() != nil {
		if n := len(w.current); n > 0 && w.current[n-1] != '\n' {
			w.current = append(w.current, '\n')
		}
		return
	}
	w.emit(w.current)
	w.clear()
}

// clear begins the next line or cell.
func (w *writer) clear() {
	w.current = w.current[:0]
	w.serial++
}

// emit adds a line, and with it whatever was waiting for one.
func (w *writer) emit(line []byte) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	for _, id := range w.waiting.ids {
		if _, ok := w.lands[id]; !ok {
			w.lands[id] = len(w.lines)
		}
	}
	for _, i := range w.waiting.links {
		w.links[i].line = len(w.lines)
	}
	w.waiting.ids, w.waiting.links = w.waiting.ids[:0], w.waiting.links[:0]
	from := len(w.text)
	w.text = append(append(w.text, line...), '\n')
	w.lines = append(w.lines, span{from, len(w.text) - 1})
}

// finish closes what is open and gives the text.
func (w *writer) finish() plain {
	w.closeLink()
	for len(w.tables) > 0 {
		w.over = 0
		w.closeTable()
	}
	w.breakLine()
	if len(w.pages) > 0 {
		w.newPage() // the last page ends too
	}
	for _, id := range w.waiting.ids {
		if _, ok := w.lands[id]; !ok {
			w.lands[id] = len(w.lines)
		}
	}
	return w.withoutFurniture()
}
