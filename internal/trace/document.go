package trace

// Document is a text that has been read. Places in it are counted in runes; outside of
// it stand newlines, so that no place is out of range. One goroutine may use it.
type Document struct {
	src     string
	runes   []rune
	offsets []int       // the byte of each rune, and the length at the end
	mask    []Mask      // of what holds no figures, by rune; "" elsewhere
	tables  []TableCell // in the order of the text
	comma   bool
	quoted  bool // code and headings of the text count, too
}

// ParseDocument reads a text as Markdown.
func ParseDocument(text string) *Document { return parseDocument(text, false) }

// ParseQuoted reads a text whose code and headings count like its prose.
func ParseQuoted(text string) *Document { return parseDocument(text, true) }

func parseDocument(text string, quoted bool) *Document {
	p := &Document{src: text, runes: make([]rune, 0, len(text)), offsets: make([]int, 0, len(text)+1), quoted: quoted}
	for i, r := range text {
		p.runes = append(p.runes, foldRune(r))
		p.offsets = append(p.offsets, i)
	}
	p.offsets = append(p.offsets, len(text))
	p.mask = make([]Mask, len(p.runes))
	p.comma = p.writesComma()
	p.maskMarkdown()
	return p
}

// Len is how many runes the text has.
func (p *Document) Len() int { return len(p.runes) }

// Source is the text from rune i to rune j, both of the text, as it was written,
// and where in bytes it begins and ends.
func (p *Document) Source(i, j int) (text string, start, end int) {
	start, end = p.offsets[i], p.offsets[j]
	return p.src[start:end], start, end
}

// Comma reports whether the text writes decimals with a comma.
func (p *Document) Comma() bool { return p.comma }

// MaskAt is what the rune at i of the text is part of that holds no figures, or
// "".
func (p *Document) MaskAt(i int) Mask { return p.mask[i] }

// foldRune is the plain form of a rune that says the same.
func foldRune(r rune) rune {
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
func (p *Document) writesComma() bool {
	for i := 1; i < len(p.runes); i++ {
		if p.runes[i] != ',' || !p.Digit(i-1) || !p.Digit(i+1) {
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
