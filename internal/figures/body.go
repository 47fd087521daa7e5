package figures

import (
	"strconv"

	"github.com/shopspring/decimal"
)

// longest is more digits than any figure has; what has more is an identifier.
const longest = 30

// body is the digits of a number, without separators.
type body struct {
	start, end int
	digits     string
	decimals   int32
	exponent   int32
	grouped    bool
}

// body reads the digits at i with their separators: 1,234.56, 1.234,56, 1 234,56,
// 1'234.56, 12,34,567.
func (p *page) body(i int) (body, bool) {
	b := body{start: i}
	if p.rune(i) == '.' {
		b.end = p.digits(i + 1)
		b.digits, b.decimals = p.text(i+1, b.end), int32(b.end-i-1)
		return b, b.decimals > 0 && b.decimals < longest
	}
	lead := p.digits(i)
	b.end, b.digits = lead, p.text(i, lead)
	sep := p.rune(lead)
	if end, ok := p.groups(i, lead, sep); ok {
		b.grouped, b.end = true, end
		b.digits = p.onlyDigits(i, end)
	}
	p.fraction(&b, sep)
	if len(b.digits) > longest {
		return b, false
	}
	return b, len(b.digits) > 0
}

// groups is the end of the groups of digits after the first, where they are
// groups.
func (p *page) groups(start, lead int, sep rune) (end int, ok bool) {
	width := lead - start
	if width > 3 || p.r[start] == '0' {
		return 0, false
	}
	switch sep {
	case ',', '.', '\'', ' ', nbsp:
	default:
		return 0, false
	}
	if sep == ' ' && p.digit(start-2) && p.rune(start-1) == ' ' {
		return 0, false // numbers side by side
	}
	n := 0
	for end = lead; p.rune(end) == sep && p.digits(end+1)-end == 4; end += 4 {
		n++
	}
	if sep == ',' && width <= 2 && p.digits(lead+1)-lead == 3 {
		if indian := p.indian(lead); indian > 0 {
			return indian, true
		}
	}
	if n == 0 {
		return 0, false
	}
	switch sep {
	case ',':
		return end, n > 1 || !p.comma
	case '.':
		return end, n > 1 && p.rune(end) != '.' || p.rune(end) == ',' && p.digit(end+1) || p.comma
	case ' ':
		return end, p.spaced(start, end, n)
	}
	return end, true
}

// indian is the end of groups of two before one of three: 12,34,567.
func (p *page) indian(lead int) int {
	end := lead
	for p.rune(end) == ',' && p.digits(end+1)-end == 3 {
		end += 3
	}
	if end > lead && p.rune(end) == ',' && p.digits(end+1)-end == 4 {
		return end + 4
	}
	return 0
}

// spaced reports whether digits with plain spaces between them are one number: in
// prose two numbers may stand side by side.
func (p *page) spaced(start, end, n int) bool {
	if n > 1 || p.rune(end-3) == '0' || p.rune(end) == ',' && p.digit(end+1) || isSign(p.rune(start-1)) {
		return true
	}
	s := p.suffixAt(end, false)
	return s.end > end && !s.name && s.class == "" && (s.kind != Plain || s.currency != "")
}

// fraction reads the decimals after the whole digits.
func (p *page) fraction(b *body, sep rune) {
	mark := p.rune(b.end)
	if (mark != '.' && mark != ',') || !p.digit(b.end+1) || b.grouped && mark == sep {
		p.exponentOf(b)
		return
	}
	end := p.digits(b.end + 1)
	n := end - b.end - 1
	if mark == ',' && !b.grouped {
		list := p.rune(end) == ',' && p.digit(end+1) || p.rune(b.start-1) == ',' && p.digit(b.start-2)
		if list || n == 3 && !p.comma && p.r[b.start] != '0' {
			return
		}
	}
	b.digits += p.text(b.end+1, end)
	b.decimals, b.end = int32(n), end
	p.exponentOf(b)
}

func (p *page) exponentOf(b *body) {
	if b.grouped || p.rune(b.end) != 'e' && p.rune(b.end) != 'E' {
		return
	}
	at := b.end + 1
	minus := p.rune(at) == '-'
	if minus || p.rune(at) == '+' {
		at++
	}
	end := p.digits(at)
	if end == at || end-at > 2 || p.latin(end) || p.number(at, end) > 18 {
		return
	}
	b.exponent, b.end = int32(p.number(at, end)), end
	if minus {
		b.exponent = -b.exponent
	}
}

func (p *page) onlyDigits(i, j int) string {
	out := make([]byte, 0, j-i)
	for ; i < j; i++ {
		if isDigit(p.r[i]) {
			out = append(out, byte(p.r[i]))
		}
	}
	return string(out)
}

// valued is the number of these digits, times ten to the power of scale.
func (p *page) valued(b body, scale int32) Number {
	exponent := scale + b.exponent - b.decimals
	n := Number{from: b.start, to: b.end, power: scale, Unit: decimal.New(1, exponent)}
	if len(b.digits) <= 18 {
		v, _ := strconv.ParseInt(b.digits, 10, 64) // digits alone, and few enough
		n.Value = decimal.New(v, exponent)
		return n
	}
	v, _ := decimal.NewFromString(b.digits) // likewise
	n.Value = v.Shift(exponent)
	return n
}

func itoa(n int) string { return strconv.Itoa(n) }
