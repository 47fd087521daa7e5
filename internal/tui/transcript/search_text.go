package transcript

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// searchText is drawn lines joined into one text, so that words that were broken over lines can be
// found.
type searchText struct {
	text       []byte      // in lower case, without white space
	separators []separator // what stands before each byte of it
	offsets    []int       // where each stands in its plain line
	plain      []string    // the lines without styles
	lineStarts []int       // where each begins in the text, and behind them where it ends
}

// separator is what stands between a letter and the one before.
type separator uint8

const (
	separatorNone     separator = iota // nothing
	separatorSpace                     // white space
	separatorOptional                  // white space or the end of a line, which may stand for nothing
)

const (
	codeContinuation = "↳"                      // begins what is left of a line of code
	linePrefixes     = " │>" + codeContinuation // what words stand behind: indents and frames
)

func newSearchText(lines []string) searchText {
	f := searchText{plain: make([]string, len(lines)), lineStarts: make([]int, len(lines)+1)}
	var end lineEnd
	for i, line := range lines {
		f.plain[i], f.lineStarts[i] = ansi.Strip(line), len(f.text)
		end = f.appendLine(i, end)
	}
	f.lineStarts[len(lines)] = len(f.text)
	return f
}

// lineEnd is the last letter of a flow so far.
type lineEnd struct {
	letter     rune
	line       int
	singleWord bool // its word is the only one of the line, but for the mark of a list
}

// appendLine appends the letters of a line and gives the end they come to.
func (f *searchText) appendLine(line int, end lineEnd) lineEnd {
	plain := f.plain[line]
	folded := widget.FoldCase(plain)
	if len(folded) != len(plain) {
		folded = plain // it is no UTF-8, and nothing would stand where it stood
	}
	skip := len(plain) - len(strings.TrimLeft(plain, linePrefixes))
	word, first, white := skip, true, false
	for at, size := skip, 0; at < len(plain); at += size {
		var r rune
		if r, size = utf8.DecodeRuneInString(plain[at:]); unicode.IsSpace(r) {
			white = true
			continue
		}
		sep := separatorNone
		switch {
		case first:
			sep = end.separatorBefore(line, r, strings.Contains(plain[:skip], codeContinuation))
		case white:
			sep, word = spaceSeparator(end.letter, r), at
		}
		for i := range size {
			f.text, f.offsets, f.separators = append(f.text, folded[at+i]), append(f.offsets, at+i), append(f.separators, sep)
			sep = separatorNone
		}
		end.letter, first, white = r, false, false
	}
	if !first {
		end.line, end.singleWord = line, !strings.ContainsFunc(plain[skip:word], unicode.IsLetter)
	}
	return end
}

// separatorBefore is what the end of a line stands for, before a letter that begins another. A
// line is broken between words, but for scripts that put no blanks, behind a hyphen, in
// code, and in a word that is longer than a line.
func (end lineEnd) separatorBefore(line int, next rune, folds bool) separator {
	if line == end.line+1 && (folds || end.singleWord || end.letter == '-' || isWideScript(end.letter) || isWideScript(next)) {
		return separatorOptional
	}
	return spaceSeparator(end.letter, next)
}

// spaceSeparator is what white space between two letters stands for.
func spaceSeparator(a, b rune) separator {
	if isWideScript(a) && isWideScript(b) {
		return separatorOptional
	}
	return separatorSpace
}

// isWideScript reports whether a letter is of a script that can be broken anywhere.
func isWideScript(r rune) bool { return r >= 0x1100 && ansi.StringWidth(string(r)) > 1 }

// lineAt is the line in which a byte of the text stands.
func (f searchText) lineAt(at int) int {
	i, _ := slices.BinarySearchFunc(f.lineStarts, at, func(from, at int) int { return cmp.Compare(from, at+1) })
	return i - 1
}

// normalizeText is text in lower case with single blanks, and with none where they say nothing.
func normalizeText(text string) string {
	var b strings.Builder
	last := rune(0)
	for word := range strings.FieldsSeq(widget.FoldCase(text)) {
		first, _ := utf8.DecodeRuneInString(word)
		if last != 0 && spaceSeparator(last, first) == separatorSpace {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		last, _ = utf8.DecodeLastRuneInString(word)
	}
	return b.String()
}
