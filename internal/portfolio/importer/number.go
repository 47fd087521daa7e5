package importer

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// ErrNumber means that a text is not a number as it has to be written.
var ErrNumber = errors.New("not a number")

// maxDigits is more than any sum or quantity has.
const maxDigits = 40

// DecimalSeparator is the decimal sign of a file.
type DecimalSeparator rune

// Decimal signs. Where one is the decimal sign, the other may separate thousands.
const (
	DecimalPoint DecimalSeparator = '.'
	DecimalComma DecimalSeparator = ','
)

// Other is the one that s is not.
func (s DecimalSeparator) Other() DecimalSeparator {
	if s == DecimalComma {
		return DecimalPoint
	}
	return DecimalComma
}

// ParseNumber reads a number with the decimal sign s. Thousands may be apart, in groups
// of exactly three, by the other sign, a blank or an apostrophe, always the same.
// Parentheses, or a minus before or behind, make it negative. "1.5e-7" is read as
// spreadsheets write small numbers. Anything else yields ErrNumber; nothing is
// repaired and nothing left over.
func ParseNumber(text string, s DecimalSeparator) (decimal.Decimal, error) {
	if s != DecimalPoint && s != DecimalComma {
		return decimal.Decimal{}, fmt.Errorf("the decimal sign is a point or a comma, not %q", rune(s))
	}
	body, negative, ok := cutSign(trimCell(text))
	if !ok || len(body) > 4*maxDigits {
		return decimal.Decimal{}, notNumber(text)
	}
	d, ok := parseUnsigned(body, s)
	if !ok {
		return decimal.Decimal{}, notNumber(text)
	}
	if negative {
		d = d.Neg()
	}
	return d, nil
}

// NumberReadings are the numbers that a text can be, of a file whose parts were written
// with different decimal signs: none, one, or two where either sign gives another
// number ("1.234") and s, the sign of all of the file, is neither.
func NumberReadings(text string, s DecimalSeparator) []decimal.Decimal {
	point, notPoint := ParseNumber(text, DecimalPoint)
	comma, notComma := ParseNumber(text, DecimalComma)
	switch {
	case notPoint != nil && notComma != nil:
		return nil
	case notPoint != nil:
		return []decimal.Decimal{comma}
	case notComma != nil || point.Equal(comma) || s == DecimalPoint:
		return []decimal.Decimal{point}
	case s == DecimalComma:
		return []decimal.Decimal{comma}
	}
	return []decimal.Decimal{point, comma}
}

// ParseEitherNumber is ParseNumber with whichever decimal separator makes a number of the text;
// if both do, it uses s. A text that NumberReadings can read in two ways yields ErrNumber.
func ParseEitherNumber(text string, s DecimalSeparator) (decimal.Decimal, error) {
	switch read := NumberReadings(text, s); len(read) {
	case 0:
		return decimal.Decimal{}, notNumber(text)
	case 1:
		return read[0], nil
	default:
		return decimal.Decimal{}, fmt.Errorf("%w: %q is %s or %s, and the file writes numbers in both manners: record the line by hand", ErrNumber, Shorten(text), read[0], read[1])
	}
}

func notNumber(text string) error { return fmt.Errorf("%w: %q", ErrNumber, Shorten(text)) }

// cutSign takes the one sign off that a number may have. It reports false for two.
func cutSign(s string) (body string, negative, ok bool) {
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		inner := trimCell(s[1 : len(s)-1])
		return inner, true, true
	}
	if rest, found := cutMinus(s, strings.CutPrefix); found {
		return trimCell(rest), true, true
	}
	if rest, found := cutMinus(s, strings.CutSuffix); found {
		return trimCell(rest), true, true
	}
	return trimCell(strings.TrimPrefix(s, "+")), false, true
}

func cutMinus(s string, cut func(s, minus string) (string, bool)) (string, bool) {
	for _, minus := range []string{"-", "\u2212", "\u2013"} {
		if rest, found := cut(s, minus); found {
			return rest, true
		}
	}
	return s, false
}

// parseUnsigned reads digits, groups, a fraction and a power of ten, without a sign.
func parseUnsigned(s string, sign DecimalSeparator) (decimal.Decimal, bool) {
	mantissa, exponent, ok := cutExponent(s)
	if !ok {
		return decimal.Decimal{}, false
	}
	whole, fraction, split := strings.Cut(mantissa, string(sign))
	digits, ok := joinGroups(whole, sign)
	if !ok || split && fraction == "" || digits == "" && fraction == "" || !onlyDigits(fraction) || len(digits)+len(fraction) > maxDigits {
		return decimal.Decimal{}, false
	}
	d, err := decimal.NewFromString(digits + fraction)
	if err != nil {
		return decimal.Decimal{}, false
	}
	return d.Shift(int32(exponent - len(fraction))), true
}

// cutExponent splits a power of ten off, of at most two digits.
func cutExponent(s string) (mantissa string, exponent int, ok bool) {
	i := strings.IndexAny(s, "eE")
	if i < 0 {
		return s, 0, true
	}
	mantissa, tail := s[:i], s[i+1:]
	negative := strings.HasPrefix(tail, "-")
	tail = strings.TrimLeft(tail, "+-")
	if len(s)-i-1-len(tail) > 1 || tail == "" || len(tail) > 2 || !onlyDigits(tail) {
		return "", 0, false
	}
	for _, c := range tail {
		exponent = exponent*10 + int(c-'0')
	}
	if negative {
		exponent = -exponent
	}
	return mantissa, exponent, true
}

// joinGroups joins groups of three digits behind a first one of one to three.
func joinGroups(s string, sign DecimalSeparator) (string, bool) {
	if onlyDigits(s) {
		return s, true
	}
	i := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	mark, size := utf8.DecodeRuneInString(s[i:])
	if i == 0 || i > 3 || s[0] == '0' || !isGroupSeparator(mark, sign) {
		return "", false
	}
	var b strings.Builder
	b.WriteString(s[:i])
	for rest := s[i:]; rest != ""; rest = rest[size+3:] {
		if len(rest) < size+3 || !strings.HasPrefix(rest, string(mark)) || !onlyDigits(rest[size:size+3]) {
			return "", false
		}
		b.WriteString(rest[size : size+3])
	}
	return b.String(), true
}

// isGroupSeparator tells the marks that separate thousands.
func isGroupSeparator(mark rune, sign DecimalSeparator) bool {
	return mark == rune(sign.Other()) || strings.ContainsRune(" \u00a0\u2009\u202f'\u2019", mark)
}

func onlyDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// GuessDecimalSeparator finds the decimal sign of cells that hold numbers, or money. It is sure
// only where a cell can be read with one sign alone and none with the other alone:
// "1.234" proves nothing, and "1.23" does. Cells that are no numbers do not count.
func GuessDecimalSeparator(cells []string) (DecimalSeparator, bool) {
	point, comma := false, false
	for _, cell := range cells {
		_, _, notPoint := ParseMoney(cell, DecimalPoint)
		_, _, notComma := ParseMoney(cell, DecimalComma)
		point = point || notPoint == nil && notComma != nil
		comma = comma || notComma == nil && notPoint != nil
	}
	switch {
	case point == comma:
		return 0, false
	case point:
		return DecimalPoint, true
	default:
		return DecimalComma, true
	}
}
