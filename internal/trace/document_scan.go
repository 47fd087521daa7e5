package trace

import (
	"strings"
	"unicode"
)

// Rune is the rune at i, or a newline outside of the text.
func (p *Document) Rune(i int) rune {
	if i < 0 || i >= len(p.runes) {
		return '\n'
	}
	return p.runes[i]
}

// Digit reports whether a digit stands at i.
func (p *Document) Digit(i int) bool { return IsDigit(p.Rune(i)) }

// Latin reports whether a Latin letter stands at i.
func (p *Document) Latin(i int) bool { return IsLatin(p.Rune(i)) }

// Digits is the end of the run of digits at i.
func (p *Document) Digits(i int) int {
	for p.Digit(i) {
		i++
	}
	return i
}

// Letters is the end of the run of Latin letters at i.
func (p *Document) Letters(i int) int {
	for p.Latin(i) {
		i++
	}
	return i
}

// LettersBefore is the start of the run of Latin letters that ends before i.
func (p *Document) LettersBefore(i int) int {
	for p.Latin(i - 1) {
		i--
	}
	return i
}

// Text is the folded text from i to j.
func (p *Document) Text(i, j int) string {
	i, j = max(i, 0), min(j, len(p.runes))
	if i >= j {
		return ""
	}
	return string(p.runes[i:j])
}

// Has reports whether s stands at i.
func (p *Document) Has(i int, s string) bool {
	for _, r := range s {
		if p.Rune(i) != r {
			return false
		}
		i++
	}
	return true
}

// HasBefore reports whether s ends before i.
func (p *Document) HasBefore(i int, s string) bool { return p.Has(i-len([]rune(s)), s) }

// Int is the whole number from i to j, digits that fit an int only.
func (p *Document) Int(i, j int) int {
	n := 0
	for ; i < j && n < 1<<40; i++ {
		n = 10*n + int(p.runes[i]-'0')
	}
	return n
}

// Space is the end of at most n blanks at i.
func (p *Document) Space(i, n int) int {
	for ; n > 0 && (p.Rune(i) == ' ' || p.Rune(i) == NBSP); n-- {
		i++
	}
	return i
}

// SpaceBefore is i without the blanks and marks of emphasis before it.
func (p *Document) SpaceBefore(i int) int {
	for strings.ContainsRune(" *_(", p.Rune(i-1)) || p.Rune(i-1) == NBSP {
		i--
	}
	return i
}

// Lower is the folded text from i to j in lower case.
func (p *Document) Lower(i, j int) string { return strings.ToLower(p.Text(i, j)) }

// DigitsBefore is the start of the run of digits that ends before i.
func (p *Document) DigitsBefore(i int) int {
	for p.Digit(i - 1) {
		i--
	}
	return i
}

// SentenceEnd reports whether a sentence ends at i.
func (p *Document) SentenceEnd(i int) bool {
	switch r := p.Rune(i); r {
	case '\n', '。', '；', '！', '？', '!', '?', ';':
		return true
	case '.':
		return p.Rune(i+1) == ' ' || p.Rune(i+1) == '\n'
	}
	return false
}

// IsDigit reports whether r is one of 0 to 9.
func IsDigit(r rune) bool { return r >= '0' && r <= '9' }

// IsLatin reports whether r is an unaccented letter.
func IsLatin(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// IsUpper reports whether r is an unaccented capital.
func IsUpper(r rune) bool { return r >= 'A' && r <= 'Z' }

// IsHan reports whether r is a Chinese character.
func IsHan(r rune) bool { return r >= 0x3400 && unicode.Is(unicode.Han, r) }
