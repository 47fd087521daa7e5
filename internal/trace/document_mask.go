package trace

import "strings"

// Mask says what holds digits and no figures.
type Mask string

// The covers.
const (
	MaskPlace   Mask = "place"   // list numbers, footnotes
	MaskHeading Mask = "heading" // in a heading
	MaskCode    Mask = "code"    // in code
	MaskAddress Mask = "address" // in a URL
)

// maskMarkdown covers what holds digits and no figures: fenced code, headings,
// list numbers, footnotes, and within a line code, addresses and links.
func (p *Document) maskMarkdown() {
	fence := rune(0)
	var columns []*TableColumn
	for start := 0; start < len(p.runes); {
		end := start
		for p.Rune(end) != '\n' {
			end++
		}
		head := p.Space(start, 3)
		mark := p.Rune(head)
		fenced := (mark == '`' || mark == '~') && p.Has(head, strings.Repeat(string(mark), 3))
		switch {
		case fence != 0:
			p.addMask(start, end, MaskCode)
			if fenced && mark == fence {
				fence = 0
			}
		case fenced && !(mark == '`' && p.find(head+3, end, '`') >= 0):
			fence = mark
			p.addMask(start, end, MaskCode)
		case p.headingAt(head, end):
			p.addMask(start, end, MaskHeading)
		default:
			p.maskLine(start, end)
		}
		columns = p.table(start, end, columns)
		start = end + 1
	}
}

func (p *Document) addMask(start, end int, c Mask) {
	if p.quoted && (c == MaskCode || c == MaskHeading) {
		return
	}
	for i := start; i < end; i++ {
		p.mask[i] = c
	}
}

func (p *Document) find(from, to int, r rune) int {
	for i := from; i < to; i++ {
		if p.runes[i] == r {
			return i
		}
	}
	return -1
}

func (p *Document) headingAt(i, end int) bool {
	marks := i
	for p.Rune(marks) == '#' {
		marks++
	}
	return marks > i && marks-i <= 6 && (marks == end || p.Rune(marks) == ' ')
}

// maskLine covers what a line that is prose, a list item or a row begins with and
// holds.
func (p *Document) maskLine(start, end int) {
	i := start
	for i < end && (p.runes[i] == ' ' || p.runes[i] == '\t' || p.runes[i] == '>' || (p.runes[i] == '-' || p.runes[i] == '*' || p.runes[i] == '+') && p.Rune(i+1) == ' ') {
		i++
	}
	for p.Rune(i) == '*' {
		i++ // **1.** First
	}
	switch open := i; {
	case p.Has(i, "[^"):
		if close := p.find(i, end, ']'); close > 0 && p.Rune(close+1) == ':' {
			p.addMask(start, end, MaskPlace)
			return
		}
	case p.Rune(i) == '(' && p.Digit(i+1):
		if j := p.Digits(i + 1); j-i <= 3 && p.Rune(j) == ')' && j+1 < end && p.unitless(j+1) {
			p.addMask(open, j+1, MaskPlace)
		}
	case p.Digit(i):
		j := p.Digits(i)
		after := p.Rune(j + 1)
		if j-i <= 3 && (p.Rune(j) == '、' || (p.Rune(j) == '.' || p.Rune(j) == ')') && (after == ' ' || after == '*' || IsHan(after))) {
			p.addMask(open, j+1, MaskPlace)
		}
	}
	p.maskSpans(i, end)
}

// unitless reports whether prose follows and no number goes on: "(1) First".
func (p *Document) unitless(i int) bool { return p.Rune(i) == ' ' && !p.Digit(i+1) || IsHan(p.Rune(i)) }

// maxCodeSpan is how far the end of a code span or a link is looked for.
const maxCodeSpan = 2000

// maskSpans covers code, addresses and footnote references.
func (p *Document) maskSpans(i, end int) {
	for ; i < end; i++ {
		switch {
		case p.runes[i] == '`':
			i = p.codeSpan(i, end)
		case p.runes[i] == '[' && p.Rune(i+1) == '^':
			if close := p.find(i, min(end, i+24), ']'); close > 0 {
				p.addMask(i, close+1, MaskPlace)
			}
		case p.runes[i] == ']' && p.Rune(i+1) == '(':
			if close := p.find(i, min(end, i+maxCodeSpan), ')'); close > 0 {
				p.addMask(i+1, close+1, MaskAddress)
				i = close
			}
		case p.runes[i] == ':' && p.Has(i, "://") || p.runes[i] == 'w' && p.Has(i, "www.") && !p.Latin(i-1):
			i = p.address(i, end)
		case p.runes[i] == '<' && p.Rune(i+1) == '!' && p.Has(i, "<!--"):
			if close := p.find(i, min(end, i+maxCodeSpan), '>'); close > 0 {
				p.addMask(i, close, MaskCode)
			}
		}
	}
}

// codeSpan covers a code span that is more than a number: a command, a name, an
// example. A number alone is a figure, however it is set.
func (p *Document) codeSpan(i, end int) int {
	ticks := i
	for p.Rune(ticks) == '`' {
		ticks++
	}
	n := ticks - i
	end = min(end, i+maxCodeSpan)
	close := ticks
	for run := 0; close < end; close++ {
		if p.runes[close] == '`' {
			run++
		} else {
			run = 0
		}
		if run == n && p.Rune(close+1) != '`' {
			break
		}
	}
	if close >= end {
		return ticks - 1
	}
	inside := strings.TrimSpace(p.Text(ticks, close-n+1))
	if !isBareNumber(inside) {
		p.addMask(i, close+1, MaskCode)
	}
	return close
}

// isBareNumber reports whether a text is a number with its sign and unit.
func isBareNumber(s string) bool {
	letters, digits := 0, 0
	for _, r := range s {
		switch {
		case IsDigit(r):
			digits++
		case IsLatin(r):
			letters++
		case strings.ContainsRune("+-.,%$€£¥ '()~", r), r == NBSP, IsHan(r):
		default:
			return false
		}
	}
	return digits > 0 && (letters == 0 || letters <= 4 && isDigitOrSign(s[0]))
}

func isDigitOrSign(b byte) bool { return b >= '0' && b <= '9' || b == '+' || b == '-' || b == '(' }

// address covers a URL around i and gives its last rune.
func (p *Document) address(i, end int) int {
	start := p.LettersBefore(i)
	for i < end && !strings.ContainsRune(" \t<>\"')]|，。；）", p.runes[i]) {
		i++
	}
	p.addMask(start, i, MaskAddress)
	return i - 1
}
