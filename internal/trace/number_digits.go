package trace

import (
	"strconv"

	"github.com/shopspring/decimal"
)

// maxDigits is more digits than any figure has; what has more is an identifier.
const maxDigits = 30

// digitRun is the digits of a number, without separators.
type digitRun struct {
	start, end int
	digits     string
	decimals   int32
	exponent   int32
	grouped    bool
}

// digitRun reads the digits at i with their separators: 1,234.56, 1.234,56, 1 234,56,
// 1'234.56, 12,34,567.
func (p *scanner) digitRun(i int) (digitRun, bool) {
	b := digitRun{start: i}
	if p.Rune(i) == '.' {
		b.end = p.Digits(i + 1)
		b.digits, b.decimals = p.Text(i+1, b.end), int32(b.end-i-1)
		return b, b.decimals > 0 && b.decimals < maxDigits
	}
	lead := p.Digits(i)
	b.end, b.digits = lead, p.Text(i, lead)
	sep := p.Rune(lead)
	if end, ok := p.groups(i, lead, sep); ok {
		b.grouped, b.end = true, end
		b.digits = p.onlyDigits(i, end)
	}
	p.fraction(&b, sep)
	if len(b.digits) > maxDigits {
		return b, false
	}
	return b, len(b.digits) > 0
}

// groups is the end of the groups of digits after the first, where they are
// groups.
func (p *scanner) groups(start, lead int, sep rune) (end int, ok bool) {
	width := lead - start
	if width > 3 || p.Rune(start) == '0' {
		return 0, false
	}
	switch sep {
	case ',', '.', '\'', ' ', NBSP:
	default:
		return 0, false
	}
	if sep == ' ' && p.Digit(start-2) && p.Rune(start-1) == ' ' {
		return 0, false // numbers side by side
	}
	n := 0
	for end = lead; p.Rune(end) == sep && p.Digits(end+1)-end == 4; end += 4 {
		n++
	}
	if sep == ',' && width <= 2 && p.Digits(lead+1)-lead == 3 {
		if indian := p.indian(lead); indian > 0 {
			return indian, true
		}
	}
	if n == 0 {
		return 0, false
	}
	switch sep {
	case ',':
		return end, n > 1 || !p.Comma()
	case '.':
		return end, n > 1 && p.Rune(end) != '.' || p.Rune(end) == ',' && p.Digit(end+1) || p.Comma()
	case ' ':
		return end, p.spaced(start, end, n)
	}
	return end, true
}

// indian is the end of groups of two before one of three: 12,34,567.
func (p *scanner) indian(lead int) int {
	end := lead
	for p.Rune(end) == ',' && p.Digits(end+1)-end == 3 {
		end += 3
	}
	if end > lead && p.Rune(end) == ',' && p.Digits(end+1)-end == 4 {
		return end + 4
	}
	return 0
}

// spaced reports whether digits with plain spaces between them are one number: in
// prose two numbers may stand side by side.
func (p *scanner) spaced(start, end, n int) bool {
	if n > 1 || p.Rune(end-3) == '0' || p.Rune(end) == ',' && p.Digit(end+1) || IsCurrencySign(p.Rune(start-1)) {
		return true
	}
	s := p.suffixAt(end, false)
	return s.end > end && !s.name && s.class == "" && (s.kind != UnitPlain || s.currency != "")
}

// fraction reads the decimals after the whole digits.
func (p *scanner) fraction(b *digitRun, sep rune) {
	mark := p.Rune(b.end)
	if (mark != '.' && mark != ',') || !p.Digit(b.end+1) || b.grouped && mark == sep {
		p.exponentOf(b)
		return
	}
	end := p.Digits(b.end + 1)
	n := end - b.end - 1
	if mark == ',' && !b.grouped {
		list := p.Rune(end) == ',' && p.Digit(end+1) || p.Rune(b.start-1) == ',' && p.Digit(b.start-2)
		if list || n == 3 && !p.Comma() && p.Rune(b.start) != '0' {
			return
		}
	}
	b.digits += p.Text(b.end+1, end)
	b.decimals, b.end = int32(n), end
	p.exponentOf(b)
}

func (p *scanner) exponentOf(b *digitRun) {
	if b.grouped || p.Rune(b.end) != 'e' && p.Rune(b.end) != 'E' {
		return
	}
	at := b.end + 1
	minus := p.Rune(at) == '-'
	if minus || p.Rune(at) == '+' {
		at++
	}
	end := p.Digits(at)
	if end == at || end-at > 2 || p.Latin(end) || p.Int(at, end) > 18 {
		return
	}
	b.exponent, b.end = int32(p.Int(at, end)), end
	if minus {
		b.exponent = -b.exponent
	}
}

func (p *scanner) onlyDigits(i, j int) string {
	out := make([]byte, 0, j-i)
	for ; i < j; i++ {
		if IsDigit(p.Rune(i)) {
			out = append(out, byte(p.Rune(i)))
		}
	}
	return string(out)
}

// numberFrom is the number of these digits, times ten to the power of scale.
func (p *scanner) numberFrom(b digitRun, scale int32) Number {
	exponent := scale + b.exponent - b.decimals
	n := Number{From: b.start, To: b.end, Power: scale, Unit: decimal.New(1, exponent)}
	if len(b.digits) <= 18 {
		v, _ := strconv.ParseInt(b.digits, 10, 64) // digits alone, and few enough
		n.Value = decimal.New(v, exponent)
		return n
	}
	v, _ := decimal.NewFromString(b.digits) // likewise
	n.Value = v.Shift(exponent)
	return n
}
