package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// CodeRole is the role of a piece of code.
type CodeRole uint8

// The roles. CodePlain is all other code.
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
	inside delimiter // opened on an earlier line
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

// span returns the length of the rest of the current string or comment, whose first from bytes open it,
// and its role.
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

// wordLength returns the length of the word or number at the start of b.
func wordLength(b []byte) int {
	n := 0
	number := len(b) > 0 && b[0] >= '0' && b[0] <= '9'
	for n < len(b) && (isWordByte(b[n]) || number && (b[n] == '.' || isDateMark(b, n))) {
		n++
	}
	return n
}

// isDateMark reports whether a hyphen is between two digits.
func isDateMark(b []byte, at int) bool {
	return b[at] == '-' && at+1 < len(b) && b[at+1] >= '0' && b[at+1] <= '9' && b[at-1] >= '0' && b[at-1] <= '9'
}

// isKey reports whether the token before b is the name of a value.
func isKey(b []byte) bool {
	b = bytes.TrimLeft(b, " ")
	return len(b) > 0 && b[0] == ':'
}

// endsKey reports whether b starts with a colon that ends the name of a value.
func endsKey(b []byte) bool {
	return len(b) > 0 && b[0] == ':' && (len(b) == 1 || b[1] == ' ')
}

// language is the syntax that a [Highlighter] knows of a language.
type language struct {
	keywords          string // between spaces
	anyCase           bool   // keywords may be written in any case; they are in lower case here
	comment           string // opens a comment to the end of the line
	commentNeedsSpace bool   // only at the start of a line or after a space
	spans             []delimiter
	prefixed          bool // a string may follow a letter, as in r"..."
	keys              bool // a string before a colon is a name
	bareKeys          bool // so is a word at the start of a line
}

// delimiter is a string or comment between two marks.
type delimiter struct {
	open, close string
	escapes     bool // a backslash escapes the next character
	multiline   bool // continues on the next line
	comment     bool
}

// lookupLanguage returns the language with this name in the info string of a fence.
func lookupLanguage(name string) (language, bool) {
	double := delimiter{open: `"`, close: `"`, escapes: true}
	single := delimiter{open: `'`, close: `'`, escapes: true}
	verbatim := delimiter{open: `'`, close: `'`}
	block := delimiter{open: "/*", close: "*/", multiline: true, comment: true}
	switch name {
	case "go", "golang":
		raw := delimiter{open: "`", close: "`", multiline: true}
		return language{keywords: goWords, comment: "//", spans: []delimiter{double, single, raw, block}}, true
	case "python", "py", "python3":
		long := delimiter{open: `"""`, close: `"""`, escapes: true, multiline: true}
		other := delimiter{open: `'''`, close: `'''`, escapes: true, multiline: true}
		return language{keywords: pythonWords, comment: "#", prefixed: true, spans: []delimiter{long, other, double, single}}, true
	case "json", "jsonl", "jsonc", "json5":
		return language{keywords: " true false null ", keys: true, spans: []delimiter{double}}, true
	case "yaml", "yml":
		return language{keywords: " true false null yes no on off ", comment: "#", commentNeedsSpace: true, keys: true, bareKeys: true,
			spans: []delimiter{double, verbatim}}, true
	case "sh", "bash", "zsh", "shell", "console":
		return language{keywords: shellWords, comment: "#", commentNeedsSpace: true, spans: []delimiter{double, verbatim}}, true
	case "sql", "sqlite", "postgres", "postgresql", "mysql":
		return language{keywords: sqlWords, anyCase: true, comment: "--", spans: []delimiter{verbatim, block}}, true
	}
	return language{}, false
}

const (
	goWords = " break case chan const continue default defer else fallthrough for func go goto if import interface map " +
		"package range return select struct switch type var nil true false "
	pythonWords = " and as assert async await break case class continue def del elif else except finally for from global if " +
		"import in is lambda match nonlocal not or pass raise return try while with yield None True False "
	shellWords = " case do done elif else esac export fi for function if in local return then until while "
	sqlWords   = " add all alter and as asc begin between by case check column commit constraint create cross default delete " +
		"desc distinct drop else end except exists foreign from full group having if in index inner insert intersect into is " +
		"join key left like limit not null offset on or order outer over partition primary references right rollback select " +
		"set table then union unique update using values view when where with "
)

// maxKeywordLen is the maximum length of words to look up.
const maxKeywordLen = 16

func (l *language) isKeyword(word []byte) bool {
	if len(word) > maxKeywordLen {
		return false
	}
	if l.anyCase {
		word = bytes.ToLower(word)
	}
	return strings.Contains(l.keywords, " "+string(word)+" ")
}

// commentAt reports whether line[i:] is a comment to the end of the line.
func (l *language) commentAt(line []byte, i int) bool {
	return l.comment != "" && bytes.HasPrefix(line[i:], []byte(l.comment)) &&
		(!l.commentNeedsSpace || i == 0 || line[i-1] == ' ')
}
