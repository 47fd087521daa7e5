package figures

import "unicode"

// page is a text as the scanner reads it: runes with their places, full-width
// forms and typographic signs folded to the plain ones.
type page struct {
	src    string
	r      []rune
	at     []int   // the byte of each rune, and the length at the end
	mask   []Class // of what holds no figures, by rune; "" elsewhere
	tables []cell  // in the order of the text
	near   string  // what stands around the number that begins at nearOf-1
	nearOf int
	// comma says that the text writes decimals with a comma.
	comma bool
	// quoted says that code and headings of the text count, too.
	quoted bool
}

func newPage(text string) *page {
	p := &page{src: text, r: make([]rune, 0, len(text)), at: make([]int, 0, len(text)+1)}
	for i, r := range text {
		p.r = append(p.r, folded(r))
		p.at = append(p.at, i)
	}
	p.at = append(p.at, len(text))
	p.mask = make([]Class, len(p.r))
	p.comma = p.writesComma()
	return p
}

// folded is the plain form of a rune that says the same.
func folded(r rune) rune {
	switch {
	case r < 0x80:
		return r
	case r >= '０' && r <= '９', r >= 'Ａ' && r <= 'Ｚ', r >= 'ａ' && r <= 'ｚ':
		return r - 0xFEE0
	}
	switch r {
	case '−', '－', '﹣':
		return '-'
	case '＋':
		return '+'
	case '％', '﹪':
		return '%'
	case '．':
		return '.'
	case '（':
		return '('
	case '）':
		return ')'
	case '：':
		return ':'
	case '／':
		return '/'
	case '＄':
		return '$'
	case '￥':
		return '¥'
	case '’':
		return '\''
	case '～', '〜', '∼':
		return '~'
	case '\u00a0', '\u202f', '\u2009', '\u2007':
		return nbsp
	case '×':
		return 'x'
	}
	return r
}

// nbsp stands for every space that keeps a number together.
const nbsp = '\u00a0'

// rune is the rune at i, or a newline outside of the text.
func (p *page) rune(i int) rune {
	if i < 0 || i >= len(p.r) {
		return '\n'
	}
	return p.r[i]
}

func (p *page) digit(i int) bool { return isDigit(p.rune(i)) }
func (p *page) latin(i int) bool { return isLatin(p.rune(i)) }

// digits is the end of the run of digits at i.
func (p *page) digits(i int) int {
	for p.digit(i) {
		i++
	}
	return i
}

// letters is the end of the run of Latin letters at i.
func (p *page) letters(i int) int {
	for p.latin(i) {
		i++
	}
	return i
}

// lettersBefore is the start of the run of Latin letters that ends before i.
func (p *page) lettersBefore(i int) int {
	for p.latin(i - 1) {
		i--
	}
	return i
}

// text is the folded text from i to j.
func (p *page) text(i, j int) string {
	i, j = max(i, 0), min(j, len(p.r))
	if i >= j {
		return ""
	}
	return string(p.r[i:j])
}

// has reports whether s stands at i.
func (p *page) has(i int, s string) bool {
	for _, r := range s {
		if p.rune(i) != r {
			return false
		}
		i++
	}
	return true
}

// hasBefore reports whether s ends before i.
func (p *page) hasBefore(i int, s string) bool { return p.has(i-len([]rune(s)), s) }

// number is the whole number from i to j, digits that fit an int only.
func (p *page) number(i, j int) int {
	n := 0
	for ; i < j && n < 1<<40; i++ {
		n = 10*n + int(p.r[i]-'0')
	}
	return n
}

// space is the end of at most n blanks at i.
func (p *page) space(i, n int) int {
	for ; n > 0 && (p.rune(i) == ' ' || p.rune(i) == nbsp); n-- {
		i++
	}
	return i
}

// writesComma looks for a number that can only be written with a decimal comma:
// 1.234,56 or 1 234,56 or 3,5 %. One that can only be written with a point
// settles it the other way.
func (p *page) writesComma() bool {
	for i := 1; i < len(p.r); i++ {
		if p.r[i] != ',' || !p.digit(i-1) || !p.digit(i+1) {
			continue
		}
		end := p.digits(i + 1)
		start := i
		for p.digit(start - 1) {
			start--
		}
		decimals := end - i - 1
		grouped := i-start == 3 && (p.rune(start-1) == '.' || p.rune(start-1) == nbsp || p.rune(start-1) == ' ') && p.digit(start-2)
		percent := p.rune(p.space(end, 1)) == '%' || p.rune(p.space(end, 1)) == '€'
		if p.rune(end) != ',' && p.rune(end) != '.' && p.rune(start-1) != ',' && decimals != 3 && (grouped || percent) {
			return true
		}
	}
	return false
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }
func isLatin(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
func isUpper(r rune) bool { return r >= 'A' && r <= 'Z' }
func isHan(r rune) bool   { return r >= 0x3400 && unicode.Is(unicode.Han, r) }
