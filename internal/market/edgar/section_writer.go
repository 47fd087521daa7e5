package edgar

import (
	"bytes"
	"unicode/utf8"
)

// Memory limits for hostile documents, far above any real filing.
const (
	maxID       = 256     // bytes of an id
	maxIDs      = 1 << 17 // per document
	maxLinks    = 1 << 16
	maxLinkText = 300 // bytes; longer text is a sentence
	maxTables   = 32  // nesting depth
)

// byteRange is a range of bytes.
type byteRange struct{ from, to int }

// documentLink is a link from a line to an ID in the same document.
type documentLink struct {
	target, text string
	line         int
}

// documentText is the text of a document, divided into lines.
type documentText struct {
	text        string
	lines       []byteRange
	links       []documentLink // in document order
	anchorLines map[string]int // line of each ID
}

func (p documentText) line(i int) string { return p.text[p.lines[i].from:p.lines[i].to] }

// textWriter collects lines. Text in a table goes to its cells, which become lines when the table
// closes.
type textWriter struct {
	text              []byte
	lines             []byteRange
	pages             []int // first line of each page
	links             []documentLink
	anchorLines       map[string]int
	ids               int // used so far, in a line or pending
	current           []byte
	serial            int  // number of the current line or cell
	blank             bool // white space is due before the next character
	pending           pendingMarks
	at                *documentLink // open, if any
	tables            []*htmlTable
	tooManyTables     int // number of open tables beyond maxTables
	preformattedDepth int // number of open elements that preserve line breaks
	verbatim          bool
}

// write adds text to the line and collapses white space to single spaces.
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

// separate writes the pending space. In text with columns, a wide space separates two cells.
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

// writeLine adds a line and everything that was pending for it.
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

// finish closes open elements and returns the text.
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

// pendingMarks are IDs and links of the next line.
type pendingMarks struct {
	ids   []string
	links []int
}

// newPage records that the next line is the first of a page.
func (w *textWriter) newPage() {
	if w.table() == nil && (len(w.pages) == 0 || w.pages[len(w.pages)-1] != len(w.lines)) {
		w.pages = append(w.pages, len(w.lines))
	}
}

// currentMarks returns where marks are pending: in the row of the open table, or for the next line.
func (w *textWriter) currentMarks() *pendingMarks {
	if t := w.table(); t != nil {
		return &t.row.marks
	}
	return &w.pending
}

// anchor records an ID at the current position.
func (w *textWriter) anchor(id []byte) {
	if len(id) == 0 || len(id) > maxID || w.ids >= maxIDs {
		return
	}
	w.ids++
	m := w.currentMarks()
	m.ids = append(m.ids, string(id))
}

func (w *textWriter) openLink(target string) {
	w.closeLink()
	w.at = &documentLink{target: target}
}

func (w *textWriter) closeLink() {
	if w.at == nil || len(w.links) >= maxLinks {
		w.at = nil
		return
	}
	m := w.currentMarks()
	m.links = append(m.links, len(w.links))
	w.links, w.at = append(w.links, *w.at), nil
}

// textPosition is a position in a line or cell.
type textPosition struct{ serial, at int }

// mark returns the position of the next text.
func (w *textWriter) mark() textPosition { return textPosition{w.serial, len(w.current)} }

// maxFootnoteMark is the maximum length of a footnote mark in bytes: "(1, 2)" and a space.
const maxFootnoteMark = 7

// footnote separates a superscript that began at from from the figure before it, so that "1,234"
// with note 1 does not become 1,2341.
func (w *textWriter) footnote(from textPosition) {
	if from.serial != w.serial || from.at == 0 || from.at >= len(w.current) || len(w.current)-from.at > maxFootnoteMark {
		return
	}
	note := bytes.Trim(w.current[from.at:], "() ")
	if !isFootnoteMark(note) {
		return
	}
	before, between := w.current[from.at-1], " ["
	switch before {
	case '$', '(', ',', '\n':
		return // the figure itself is raised
	case ' ':
		between = "["
	}
	w.current = append(w.current[:from.at], between+string(note)+"]"...)
}

// isFootnoteMark reports whether a text is "1", "12", "*" or several of these marks.
func isFootnoteMark(text []byte) bool {
	digits := 0
	for _, c := range text {
		switch {
		case isDigit(c):
			digits++
		case c == ',' || c == ' ' || c == '*':
			digits = 0
		default:
			return false
		}
		if digits > 2 {
			return false
		}
	}
	return len(text) > 0
}

// isSpace reports whether r is a space of any width.
func isSpace(r rune) bool {
	return r == 0xA0 || r >= 0x2000 && r <= 0x200A || r == 0x202F || r == 0x205F || r == 0x3000 || r == 0x2028 || r == 0x2029 || r == 0x85
}

// isInvisibleRune reports whether r has no width or may control a terminal.
func isInvisibleRune(r rune) bool {
	return r == 0xAD || r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F || r == 0xFEFF ||
		r >= 0x7F && r < 0xA0 || r >= 0xE0000 && r <= 0xE0FFF // tag characters, which can encode hidden sentences
}

// windows1252 decodes a byte that is not UTF-8, as in older filings.
func windows1252(c byte) rune {
	const table = "€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ"
	if c >= 0xA0 {
		return rune(c)
	}
	n := int(c - 0x80)
	for _, r := range table {
		if n == 0 {
			return r
		}
		n--
	}
	return utf8.RuneError
}
