package markdown

import (
	"bytes"
	"strings"
)

// language is the syntax that a [Highlighter] knows of a language.
type language struct {
	keywords          string // between spaces
	anyCase           bool   // keywords are written in any case; in lower case here
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
	escapes     bool // a backslash takes the next character in
	multiline   bool // goes on over the end of a line
	comment     bool
}

// lookupLanguage returns the language that is called name at the head of a
// fence.
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

// maxKeywordLen bounds what is looked up.
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

// commentAt reports a comment to the end of the line at line[i:].
func (l *language) commentAt(line []byte, i int) bool {
	return l.comment != "" && bytes.HasPrefix(line[i:], []byte(l.comment)) &&
		(!l.commentNeedsSpace || i == 0 || line[i-1] == ' ')
}
