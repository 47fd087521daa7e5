package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// CodeRole is the role of a piece of code.
type CodeRole uint8

// The roles. CodePlain is everything else.
const (
	CodePlain CodeRole = iota
	CodeKeyword
	CodeLiteral
	CodeComment
)

// Highlighter assigns roles to code line by line. It knows keywords, strings, numbers and comments
// but no grammar: a wrong guess changes only the role and drops no text. A copy continues
// independently from the same line. The zero Highlighter has no language and returns only
// CodePlain.
type Highlighter struct {
	lang   *language
	inside delimiter // what a line before left open
	indent int       // bytes before the first word of the line
}

// NewHighlighter returns a Highlighter for the language that the info string of a fence names, or
// the zero Highlighter if it is not known.
func NewHighlighter(info []byte) Highlighter {
	name, _, _ := bytes.Cut(bytes.TrimSpace(info), []byte{' '})
	lang, ok := lookupLanguage(strings.ToLower(string(name)))
	if !ok {
		return Highlighter{}
	}
	return Highlighter{lang: &lang}
}

// HighlightLine passes line, which has no newline, to piece in consecutive parts, each with its
// role.
func (h *Highlighter) HighlightLine(line []byte, piece func(text []byte, r CodeRole)) {
	if h.lang == nil {
		piece(line, CodePlain)
		return
	}
	h.indent = len(line) - len(bytes.TrimLeft(line, " -"))
	for i := 0; i < len(line); {
		n, role := h.token(line, i)
		piece(line[i:i+n], role)
		i += n
	}
	if !h.inside.multiline {
		h.inside = delimiter{}
	}
}

// token returns the length and the role of the token at line[i:].
func (h *Highlighter) token(line []byte, i int) (int, CodeRole) {
	rest := line[i:]
	if h.inside.close != "" {
		return h.span(rest, 0)
	}
	if h.lang.commentAt(line, i) {
		return len(rest), CodeComment
	}
	inWord := i > 0 && isWordByte(line[i-1])
	for _, d := range h.lang.spans {
		if bytes.HasPrefix(rest, []byte(d.open)) && (d.comment || !inWord || h.lang.prefixed) {
			h.inside = d
			n, role := h.span(rest, len(d.open))
			if role == CodeLiteral && h.lang.keys && isKey(rest[n:]) {
				role = CodeKeyword
			}
			return n, role
		}
	}
	n := wordLength(rest)
	switch {
	case n == 0:
		_, size := utf8.DecodeRune(rest)
		return size, CodePlain
	case inWord:
		return n, CodePlain
	case rest[0] >= '0' && rest[0] <= '9':
		return n, CodeLiteral
	case h.lang.isKeyword(rest[:n]) || h.lang.bareKeys && i == h.indent && endsKey(rest[n:]):
		return n, CodeKeyword
	}
	return n, CodePlain
}

// span returns the length of what is left of the string or comment it is in,
// whose first from bytes open it, and its role.
func (h *Highlighter) span(rest []byte, from int) (int, CodeRole) {
	d, role := h.inside, CodeLiteral
	if d.comment {
		role = CodeComment
	}
	for i := from; i < len(rest); i++ {
		if d.escapes && rest[i] == '\\' {
			i++
			continue
		}
		if bytes.HasPrefix(rest[i:], []byte(d.close)) {
			h.inside = delimiter{}
			return i + len(d.close), role
		}
	}
	return len(rest), role
}

func isWordByte(b byte) bool {
	return b == '_' || b >= utf8.RuneSelf || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// wordLength is the length of the word or number b begins with.
func wordLength(b []byte) int {
	n := 0
	number := len(b) > 0 && b[0] >= '0' && b[0] <= '9'
	for n < len(b) && (isWordByte(b[n]) || number && (b[n] == '.' || isDateMark(b, n))) {
		n++
	}
	return n
}

// isDateMark reports the hyphen between two digits.
func isDateMark(b []byte, at int) bool {
	return b[at] == '-' && at+1 < len(b) && b[at+1] >= '0' && b[at+1] <= '9' && b[at-1] >= '0' && b[at-1] <= '9'
}

// isKey reports whether what was before b names a value.
func isKey(b []byte) bool {
	b = bytes.TrimLeft(b, " ")
	return len(b) > 0 && b[0] == ':'
}

// endsKey reports whether b begins with a colon that ends the name of a value.
func endsKey(b []byte) bool {
	return len(b) > 0 && b[0] == ':' && (len(b) == 1 || b[1] == ' ')
}
