package transcript

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// flow is drawn lines as one text, in which words that were broken over lines stand
// together.
type flow struct {
	text   []byte   // in lower case, without white space
	joints []joint  // what stands before each byte of it
	at     []int    // where each stands in its plain line
	plain  []string // the lines without styles
	from   []int    // where each begins in the text, and behind them where it ends
}

// joint is what stands between a letter and the one before.
type joint uint8

const (
	tight joint = iota // nothing
	apart              // white space
	loose              // white space or the end of a line, which may stand for nothing
)

const (
	codeFold = "↳"              // begins what is left of a line of code
	lead     = " │>" + codeFold // what words stand behind: indents and frames
)

func flowOf(lines []string) flow {
	f := flow{plain: make([]string, len(lines)), from: make([]int, len(lines)+1)}
	var so end
	for i, line := range lines {
		f.plain[i], f.from[i] = ansi.Strip(line), len(f.text)
		so = f.take(i, so)
	}
	f.from[len(lines)] = len(f.text)
	return f
}

// end is the last letter of a flow so far.
type end struct {
	letter rune
	line   int
	alone  bool // its word is the only one of the line, but for the mark of a list
}

// take appends the letters of a line and gives the end they come to.
func (f *flow) take(line int, so end) end {
	plain := f.plain[line]
	folded := draw.Folded(plain)
	if len(folded) != len(plain) {
		folded = plain // it is no UTF-8, and nothing would stand where it stood
	}
	skip := len(plain) - len(strings.TrimLeft(plain, lead))
	word, first, white := skip, true, false
	for at, size := skip, 0; at < len(plain); at += size {
		var r rune
		if r, size = utf8.DecodeRuneInString(plain[at:]); unicode.IsSpace(r) {
			white = true
			continue
		}
		how := tight
		switch {
		case first:
			how = so.broken(line, r, strings.Contains(plain[:skip], codeFold))
		case white:
			how, word = spaced(so.letter, r), at
		}
		for i := range size {
			f.text, f.at, f.joints = append(f.text, folded[at+i]), append(f.at, at+i), append(f.joints, how)
			how = tight
		}
		so.letter, first, white = r, false, false
	}
	if !first {
		so.line, so.alone = line, !strings.ContainsFunc(plain[skip:word], unicode.IsLetter)
	}
	return so
}

// broken is what the end of a line stands for, before a letter that begins another. A
// line is broken between words, but for scripts that put no blanks, behind a hyphen, in
// code, and in a word that is longer than a line.
func (so end) broken(line int, next rune, folds bool) joint {
	if line == so.line+1 && (folds || so.alone || so.letter == '-' || broad(so.letter) || broad(next)) {
		return loose
	}
	return spaced(so.letter, next)
}

// spaced is what white space between two letters stands for.
func spaced(a, b rune) joint {
	if broad(a) && broad(b) {
		return loose
	}
	return apart
}

// broad reports whether a letter is of a script that can be broken anywhere.
func broad(r rune) bool { return r >= 0x1100 && ansi.StringWidth(string(r)) > 1 }

// lineAt is the line in which a byte of the text stands.
func (f flow) lineAt(at int) int {
	i, _ := slices.BinarySearchFunc(f.from, at, func(from, at int) int { return cmp.Compare(from, at+1) })
	return i - 1
}

// flat is text in lower case with single blanks, and with none where they say nothing.
func flat(text string) string {
	var b strings.Builder
	last := rune(0)
	for word := range strings.FieldsSeq(draw.Folded(text)) {
		first, _ := utf8.DecodeRuneInString(word)
		if last != 0 && spaced(last, first) == apart {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		last, _ = utf8.DecodeLastRuneInString(word)
	}
	return b.String()
}
