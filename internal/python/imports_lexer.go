package python

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a name or a single sign; strings and comments yield none.
type token struct {
	text   string
	line   int
	column int // of the logical line's first token: its indentation, in bytes
	isName bool
}

type lexer struct {
	src       string
	pos       int
	line      int
	lineStart int // where the physical line began
}

// logicalLine returns the tokens up to the next newline that is neither inside
// brackets nor escaped. More is false at the end of the source.
func (l *lexer) logicalLine() (tokens []token, more bool) {
	depth := 0
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '\n':
			l.newline()
			if depth == 0 && len(tokens) > 0 {
				return tokens, true
			}
		case c == '\\' && l.escapesNewline():
			l.pos = strings.IndexByte(l.src[l.pos:], '\n') + l.pos
			l.newline()
		case c == '#':
			l.skipComment()
		case c == '"' || c == '\'':
			l.skipString()
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			l.pos++
		default:
			t, ok := l.token()
			if !ok {
				continue
			}
			tokens = append(tokens, t)
			depth = max(0, depth+nestingChange(t.text))
		}
	}
	return tokens, false
}

func nestingChange(text string) int {
	switch text {
	case "(", "[", "{":
		return 1
	case ")", "]", "}":
		return -1
	}
	return 0
}

// token reads a name or a sign. The prefix of a string is not a name: r"..."
// yields nothing.
func (l *lexer) token() (token, bool) {
	t := token{line: l.line, column: l.pos - l.lineStart}
	begin := l.pos
	for l.pos < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[l.pos:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
			break
		}
		l.pos += size
	}
	if l.pos == begin {
		_, size := utf8.DecodeRuneInString(l.src[l.pos:])
		l.pos += size
		t.text = l.src[begin:l.pos]
		return t, true
	}
	t.text, t.isName = l.src[begin:l.pos], true
	if prefixesString(t.text) && l.pos < len(l.src) && (l.src[l.pos] == '"' || l.src[l.pos] == '\'') {
		l.skipString()
		return token{}, false
	}
	return t, true
}

func prefixesString(text string) bool {
	return len(text) <= 2 && strings.Trim(text, "rRbBuUfF") == ""
}

// skipString passes a literal. A newline ends one that is not triple-quoted,
// so that a quote left open hides one line and not the rest of the source.
func (l *lexer) skipString() {
	quote := l.src[l.pos : l.pos+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(l.src[l.pos:], triple) {
		quote = triple
	}
	l.pos += len(quote)
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '\n' && len(quote) == 1:
			return
		case c == '\n':
			l.newline()
		case c == '\\' && l.pos+1 < len(l.src):
			// A quote behind a backslash does not end even a raw string.
			l.pos++
			if l.src[l.pos] == '\n' {
				l.newline()
			} else {
				l.pos++
			}
		case strings.HasPrefix(l.src[l.pos:], quote):
			l.pos += len(quote)
			return
		default:
			l.pos++
		}
	}
}

func (l *lexer) skipComment() {
	end := strings.IndexByte(l.src[l.pos:], '\n')
	if end < 0 {
		l.pos = len(l.src)
		return
	}
	l.pos += end
}

func (l *lexer) escapesNewline() bool {
	rest := strings.TrimPrefix(l.src[l.pos+1:], "\r")
	return strings.HasPrefix(rest, "\n")
}

func (l *lexer) newline() {
	l.pos++
	l.line++
	l.lineStart = l.pos
}
