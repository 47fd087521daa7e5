package edgar

import "bytes"

// textPosition is where in a line a text stands.
type textPosition struct{ serial, at int }

// mark is the place where the next text will stand.
func (w *textWriter) mark() textPosition { return textPosition{w.serial, len(w.current)} }

// maxFootnoteMark is in bytes: "(1, 2)" and a blank.
const maxFootnoteMark = 7

// footnote sets a superscript that began at from apart from the figure before
// it: "1,234" with the note 1 must not read 1,2341.
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
		return // the figure itself, set a little higher
	case ' ':
		between = "["
	}
	w.current = append(w.current[:from.at], between+string(note)+"]"...)
}

// isFootnoteMark reports whether a text is "1", "12", "*" or several of these.
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
