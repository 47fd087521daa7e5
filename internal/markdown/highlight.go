package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// highlighter styles code line by line. It knows keywords, strings, numbers and
// comments and no grammar: what it takes for something else is drawn otherwise,
// never left out. A copy goes on from the same line on its own. The zero
// highlighter styles nothing.
type highlighter struct {
	lang    *language
	keyword Style
	literal Style
	comment Style
	inside  delimited // what a line before left open
	indent  int       // bytes before the first word of the line
}

// highlighter returns that of the language that the info string of a fence
// names, the zero one if it is not known or the theme has no styles for it.
func (p *painter) highlighter(info []byte) highlighter {
	t := &p.opt.Theme
	if t.CodeKeyword == "" && t.CodeLiteral == "" && t.CodeComment == "" {
		return highlighter{}
	}
	name, _, _ := bytes.Cut(bytes.TrimSpace(info), []byte{' '})
	lang, ok := languageNamed(strings.ToLower(string(name)))
	if !ok {
		return highlighter{}
	}
	return highlighter{
		lang:    &lang,
		keyword: t.CodeBlock.With(t.CodeKeyword),
		literal: t.CodeBlock.With(t.CodeLiteral),
		comment: t.CodeBlock.With(t.CodeComment),
	}
}

// paint writes line, which holds no newline, to out.
func (h *highlighter) paint(out *rich, line []byte, base Style) {
	if h.lang == nil {
		out.write(line, attr{style: base})
		return
	}
	h.indent = len(line) - len(bytes.TrimLeft(line, " -"))
	for i := 0; i < len(line); {
		n, style := h.token(line, i, base)
		out.write(line[i:i+n], attr{style: style})
		i += n
	}
	if !h.inside.lines {
		h.inside = delimited{}
	}
}

// token returns the length and the style of the token at line[i:].
func (h *highlighter) token(line []byte, i int, base Style) (int, Style) {
	rest := line[i:]
	if h.inside.close != "" {
		return h.span(rest, 0)
	}
	if h.lang.commentAt(line, i) {
		return len(rest), h.comment
	}
	inWord := i > 0 && isWordByte(line[i-1])
	for _, d := range h.lang.spans {
		if bytes.HasPrefix(rest, []byte(d.open)) && (d.comment || !inWord || h.lang.prefixed) {
			h.inside = d
			n, style := h.span(rest, len(d.open))
			if style == h.literal && h.lang.keys && isKey(rest[n:]) {
				style = h.keyword
			}
			return n, style
		}
	}
	n := wordLength(rest)
	switch {
	case n == 0:
		_, size := utf8.DecodeRune(rest)
		return size, base
	case inWord:
		return n, base
	case rest[0] >= '0' && rest[0] <= '9':
		return n, h.literal
	case h.lang.isKeyword(rest[:n]) || h.lang.bareKeys && i == h.indent && endsKey(rest[n:]):
		return n, h.keyword
	}
	return n, base
}

// span returns the length of what is left of the string or comment it is in,
// whose first from bytes open it, and its style.
func (h *highlighter) span(rest []byte, from int) (int, Style) {
	d, style := h.inside, h.literal
	if d.comment {
		style = h.comment
	}
	for i := from; i < len(rest); i++ {
		if d.escapes && rest[i] == '\\' {
			i++
			continue
		}
		if bytes.HasPrefix(rest[i:], []byte(d.close)) {
			h.inside = delimited{}
			return i + len(d.close), style
		}
	}
	return len(rest), style
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
