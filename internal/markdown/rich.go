package markdown

import (
	"strings"
	"unicode/utf8"
)

// attr is how a stretch of text is drawn.
type attr struct {
	style Style
	href  string // target of an OSC 8 hyperlink, "" for none
}

// span gives an attr to the text from the end of the span before it to end.
type span struct {
	end  int
	attr attr
}

// rich is text with its attributes: what inline Markdown becomes before it is
// wrapped. A newline in it is a hard break.
type rich struct {
	text  []byte
	spans []span
}

func (r *rich) reset() { r.text, r.spans = r.text[:0], r.spans[:0] }

func (r *rich) write(text []byte, a attr) {
	r.text = append(r.text, text...)
	r.extend(a)
}

func (r *rich) writeString(text string, a attr) {
	r.text = append(r.text, text...)
	r.extend(a)
}

func (r *rich) writeByte(b byte, a attr) {
	r.text = append(r.text, b)
	r.extend(a)
}

func (r *rich) extend(a attr) {
	end := len(r.text)
	n := len(r.spans)
	switch {
	case n > 0 && r.spans[n-1].attr == a:
		r.spans[n-1].end = end
	case n == 0 && end > 0, n > 0 && r.spans[n-1].end < end:
		r.spans = append(r.spans, span{end, a})
	}
}

// appendRange appends text[from:to] with its escapes to buf and returns it
// with the span the range ended in, from which the next range may start.
// Styles are closed at the end of the range.
func (r *rich) appendRange(buf []byte, from, to, at int) ([]byte, int) {
	for from < to {
		for at < len(r.spans)-1 && r.spans[at].end <= from {
			at++
		}
		end := min(to, r.spans[at].end)
		buf = r.spans[at].attr.append(buf, r.text[from:end])
		from = end
	}
	return buf, at
}

func (a attr) append(buf, text []byte) []byte {
	if a.href != "" {
		buf = append(buf, "\x1b]8;;"...)
		buf = append(buf, a.href...)
		buf = append(buf, "\x1b\\"...)
	}
	if a.style != "" {
		buf = append(buf, "\x1b["...)
		buf = append(buf, a.style...)
		buf = append(buf, 'm')
	}
	buf = append(buf, text...)
	if a.style != "" {
		buf = append(buf, resetSGR...)
	}
	if a.href != "" {
		buf = append(buf, "\x1b]8;;\x1b\\"...)
	}
	return buf
}

// isIdeograph reports a rune of the scripts that are written without spaces
// and may break between any two characters.
func isIdeograph(r rune) bool {
	return r >= 0x2e80 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff ||
		r >= 0xf900 && r <= 0xfaff || r >= 0xff00 && r <= 0xffef ||
		r >= 0x20000 && r <= 0x3ffff
}

// breaksBetween reports whether a line may end between two clusters that have
// no space between them, given the last rune of one and the first of the next.
func breaksBetween(prev, next rune) bool {
	if prev < 0x2e80 && next < 0x2e80 {
		return false
	}
	if !isIdeograph(prev) && !isIdeograph(next) {
		return false
	}
	// Marks that close stay with what they close, marks that open with what
	// they open.
	return !strings.ContainsRune("、。，．：；！？）］｝〕〉》」』】〗〙・ーゝゞ々％,.:;!?)]}%’”…", next) &&
		!strings.ContainsRune("（［｛〔〈《「『【〖〘＄￥([{$‘“", prev)
}

func firstRune(b []byte) rune {
	r, _ := utf8.DecodeRune(b)
	return r
}

func lastRune(b []byte) rune {
	r, _ := utf8.DecodeLastRune(b)
	return r
}
