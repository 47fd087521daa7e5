package imports

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
	name   bool
}

type lexer struct {
	src  string
	at   int
	line int
	bol  int // where the physical line began
}

// logicalLine returns the tokens up to the next newline that is neither inside
// brackets nor escaped. More is false at the end of the source.
func (l *lexer) logicalLine() (tokens []token, more bool) {
	depth := 0
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == '\n':
			l.newline()
			if depth == 0 && len(tokens) > 0 {
				return tokens, true
			}
		case c == '\\' && l.escapesNewline():
			l.at = strings.IndexByte(l.src[l.at:], '\n') + l.at
			l.newline()
		case c == '#':
			l.skipComment()
		case c == '"' || c == '\'':
			l.skipString()
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			l.at++
		default:
			t, ok := l.token()
			if !ok {
				continue
			}
			tokens = append(tokens, t)
			depth = max(0, depth+nesting(t.text))
		}
	}
	return tokens, false
}

func nesting(text string) int {
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
	t := token{line: l.line, column: l.at - l.bol}
	begin := l.at
	for l.at < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[l.at:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
			break
		}
		l.at += size
	}
	if l.at == begin {
		_, size := utf8.DecodeRuneInString(l.src[l.at:])
		l.at += size
		t.text = l.src[begin:l.at]
		return t, true
	}
	t.text, t.name = l.src[begin:l.at], true
	if prefixesString(t.text) && l.at < len(l.src) && (l.src[l.at] == '"' || l.src[l.at] == '\'') {
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
	quote := l.src[l.at : l.at+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(l.src[l.at:], triple) {
		quote = triple
	}
	l.at += len(quote)
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == '\n' && len(quote) == 1:
			return
		case c == '\n':
			l.newline()
		case c == '\\' && l.at+1 < len(l.src):
			// A quote behind a backslash does not end even a raw string.
			l.at++
			if l.src[l.at] == '\n' {
				l.newline()
			} else {
				l.at++
			}
		case strings.HasPrefix(l.src[l.at:], quote):
			l.at += len(quote)
			return
		default:
			l.at++
		}
	}
}

func (l *lexer) skipComment() {
	end := strings.IndexByte(l.src[l.at:], '\n')
	if end < 0 {
		l.at = len(l.src)
		return
	}
	l.at += end
}

func (l *lexer) escapesNewline() bool {
	rest := strings.TrimPrefix(l.src[l.at+1:], "\r")
	return strings.HasPrefix(rest, "\n")
}

func (l *lexer) newline() {
	l.at++
	l.line++
	l.bol = l.at
}
