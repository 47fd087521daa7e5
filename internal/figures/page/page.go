// Package page reads a text rune by rune, as one who looks for its numbers does:
// full-width forms and typographic signs folded to the plain ones, Markdown known
// for what it is, and the cells of tables with their rows and columns.
package page

// Page is a text that has been read. Places in it are counted in runes; outside of
// it stand newlines, so that no place is out of range. One goroutine may use it.
type Page struct {
	src    string
	r      []rune
	at     []int   // the byte of each rune, and the length at the end
	mask   []Cover // of what holds no figures, by rune; "" elsewhere
	tables []Cell  // in the order of the text
	comma  bool
	quoted bool // code and headings of the text count, too
}

// Read reads a text as Markdown.
func Read(text string) *Page { return read(text, false) }

// ReadQuoted reads a text whose code and headings count like its prose.
func ReadQuoted(text string) *Page { return read(text, true) }

func read(text string, quoted bool) *Page {
	p := &Page{src: text, r: make([]rune, 0, len(text)), at: make([]int, 0, len(text)+1), quoted: quoted}
	for i, r := range text {
		p.r = append(p.r, folded(r))
		p.at = append(p.at, i)
	}
	p.at = append(p.at, len(text))
	p.mask = make([]Cover, len(p.r))
	p.comma = p.writesComma()
	p.maskMarkdown()
	return p
}

// Len is how many runes the text has.
func (p *Page) Len() int { return len(p.r) }

// Source is the text from rune i to rune j, both of the text, as it was written,
// and where in bytes it begins and ends.
func (p *Page) Source(i, j int) (text string, start, end int) {
	start, end = p.at[i], p.at[j]
	return p.src[start:end], start, end
}

// Comma reports whether the text writes decimals with a comma.
func (p *Page) Comma() bool { return p.comma }

// Covered is what the rune at i of the text is part of that holds no figures, or
// "".
func (p *Page) Covered(i int) Cover { return p.mask[i] }

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
		return NBSP
	case '×':
		return 'x'
	}
	return r
}

// NBSP stands for every space that keeps a number together.
const NBSP = '\u00a0'

// writesComma looks for a number that can only be written with a decimal comma:
// 1.234,56 or 1 234,56 or 3,5 %. One that can only be written with a point
// settles it the other way.
func (p *Page) writesComma() bool {
	for i := 1; i < len(p.r); i++ {
		if p.r[i] != ',' || !p.Digit(i-1) || !p.Digit(i+1) {
			continue
		}
		end := p.Digits(i + 1)
		start := i
		for p.Digit(start - 1) {
			start--
		}
		decimals := end - i - 1
		grouped := i-start == 3 && (p.Rune(start-1) == '.' || p.Rune(start-1) == NBSP || p.Rune(start-1) == ' ') && p.Digit(start-2)
		percent := p.Rune(p.Space(end, 1)) == '%' || p.Rune(p.Space(end, 1)) == '€'
		if p.Rune(end) != ',' && p.Rune(end) != '.' && p.Rune(start-1) != ',' && decimals != 3 && (grouped || percent) {
			return true
		}
	}
	return false
}
