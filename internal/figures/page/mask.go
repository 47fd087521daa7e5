package page

import "strings"

// Cover says what holds digits and no figures.
type Cover string

// The covers.
const (
	Place   Cover = "place"   // list numbers, footnotes
	Heading Cover = "heading" // in a heading
	Code    Cover = "code"    // in code
	Address Cover = "address" // in a URL
)

// maskMarkdown covers what holds digits and no figures: fenced code, headings,
// list numbers, footnotes, and within a line code, addresses and links.
func (p *Page) maskMarkdown() {
	fence := rune(0)
	var columns []*Column
	for start := 0; start < len(p.r); {
		end := start
		for p.Rune(end) != '\n' {
			end++
		}
		head := p.Space(start, 3)
		mark := p.Rune(head)
		fenced := (mark == '`' || mark == '~') && p.Has(head, strings.Repeat(string(mark), 3))
		switch {
		case fence != 0:
			p.cover(start, end, Code)
			if fenced && mark == fence {
				fence = 0
			}
		case fenced && !(mark == '`' && p.find(head+3, end, '`') >= 0):
			fence = mark
			p.cover(start, end, Code)
		case p.headingAt(head, end):
			p.cover(start, end, Heading)
		default:
			p.maskLine(start, end)
		}
		columns = p.table(start, end, columns)
		start = end + 1
	}
}

func (p *Page) cover(start, end int, c Cover) {
	if p.quoted && (c == Code || c == Heading) {
		return
	}
	for i := start; i < end; i++ {
		p.mask[i] = c
	}
}

func (p *Page) find(from, to int, r rune) int {
	for i := from; i < to; i++ {
		if p.r[i] == r {
			return i
		}
	}
	return -1
}

func (p *Page) headingAt(i, end int) bool {
	marks := i
	for p.Rune(marks) == '#' {
		marks++
	}
	return marks > i && marks-i <= 6 && (marks == end || p.Rune(marks) == ' ')
}

// maskLine covers what a line that is prose, a list item or a row begins with and
// holds.
func (p *Page) maskLine(start, end int) {
	i := start
	for i < end && (p.r[i] == ' ' || p.r[i] == '\t' || p.r[i] == '>' || (p.r[i] == '-' || p.r[i] == '*' || p.r[i] == '+') && p.Rune(i+1) == ' ') {
		i++
	}
	for p.Rune(i) == '*' {
		i++ // **1.** First
	}
	switch open := i; {
	case p.Has(i, "[^"):
		if close := p.find(i, end, ']'); close > 0 && p.Rune(close+1) == ':' {
			p.cover(start, end, Place)
			return
		}
	case p.Rune(i) == '(' && p.Digit(i+1):
		if j := p.Digits(i + 1); j-i <= 3 && p.Rune(j) == ')' && j+1 < end && p.unitless(j+1) {
			p.cover(open, j+1, Place)
		}
	case p.Digit(i):
		j := p.Digits(i)
		after := p.Rune(j + 1)
		if j-i <= 3 && (p.Rune(j) == '、' || (p.Rune(j) == '.' || p.Rune(j) == ')') && (after == ' ' || after == '*' || IsHan(after))) {
			p.cover(open, j+1, Place)
		}
	}
	p.maskSpans(i, end)
}

// unitless reports whether prose follows and no number goes on: "(1) First".
func (p *Page) unitless(i int) bool { return p.Rune(i) == ' ' && !p.Digit(i+1) || IsHan(p.Rune(i)) }

// longestSpan is how far the end of a code span or a link is looked for.
const longestSpan = 2000

// maskSpans covers code, addresses and footnote references.
func (p *Page) maskSpans(i, end int) {
	for ; i < end; i++ {
		switch {
		case p.r[i] == '`':
			i = p.codeSpan(i, end)
		case p.r[i] == '[' && p.Rune(i+1) == '^':
			if close := p.find(i, min(end, i+24), ']'); close > 0 {
				p.cover(i, close+1, Place)
			}
		case p.r[i] == ']' && p.Rune(i+1) == '(':
			if close := p.find(i, min(end, i+longestSpan), ')'); close > 0 {
				p.cover(i+1, close+1, Address)
				i = close
			}
		case p.r[i] == ':' && p.Has(i, "://") || p.r[i] == 'w' && p.Has(i, "www.") && !p.Latin(i-1):
			i = p.address(i, end)
		case p.r[i] == '<' && p.Rune(i+1) == '!' && p.Has(i, "<!--"):
			if close := p.find(i, min(end, i+longestSpan), '>'); close > 0 {
				p.cover(i, close, Code)
			}
		}
	}
}

// codeSpan covers a code span that is more than a number: a command, a name, an
// example. A number alone is a figure, however it is set.
func (p *Page) codeSpan(i, end int) int {
	ticks := i
	for p.Rune(ticks) == '`' {
		ticks++
	}
	n := ticks - i
	end = min(end, i+longestSpan)
	close := ticks
	for run := 0; close < end; close++ {
		if p.r[close] == '`' {
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
	if !numberAlone(inside) {
		p.cover(i, close+1, Code)
	}
	return close
}

// numberAlone reports whether a text is a number with its sign and unit.
func numberAlone(s string) bool {
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
func (p *Page) address(i, end int) int {
	start := p.LettersBefore(i)
	for i < end && !strings.ContainsRune(" \t<>\"')]|，。；）", p.r[i]) {
		i++
	}
	p.cover(start, i, Address)
	return i - 1
}
