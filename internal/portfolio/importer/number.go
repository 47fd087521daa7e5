package importer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
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
	body, negative := cutSign(trimCell(text))
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

// cutSign takes the sign off that a number may have.
func cutSign(s string) (body string, negative bool) {
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		return trimCell(s[1 : len(s)-1]), true
	}
	for _, minus := range []string{"-", "\u2212", "\u2013"} {
		if rest, found := strings.CutPrefix(s, minus); found {
			return trimCell(rest), true
		}
		if rest, found := strings.CutSuffix(s, minus); found {
			return trimCell(rest), true
		}
	}
	return trimCell(strings.TrimPrefix(s, "+")), false
}

// parseUnsigned reads digits, groups, a fraction and a power of ten, without a sign.
func parseUnsigned(s string, sign DecimalSeparator) (decimal.Decimal, bool) {
	mantissa, exponent, ok := cutExponent(s)
	if !ok || len(s) > 4*maxDigits {
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
	exponent, _ = strconv.Atoi(tail)
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

// ParseMoney is ParseNumber for a text that may name its currency before or behind, by its ISO
// code or a sign: "$1,259.59", "-$694.48", "1.234,50 EUR". The currency is empty if none is
// written or if several currencies share the sign, as with $, ¥ and kr. A code is returned as
// it is written, so GBX and GBp are pence.
func ParseMoney(text string, s DecimalSeparator) (decimal.Decimal, string, error) {
	body, negative := cutSign(trimCell(text))
	amount, currency, marked := cutCurrency(body)
	if !marked {
		d, err := ParseNumber(text, s)
		return d, "", err
	}
	d, err := ParseNumber(amount, s)
	if err != nil || negative && (d.IsNegative() || hasSign(amount)) {
		return decimal.Decimal{}, "", notNumber(text)
	}
	if negative {
		d = d.Neg()
	}
	return d, currency, nil
}

// hasSign tells a sign even where the number behind it is zero.
func hasSign(s string) bool {
	body, negative := cutSign(s)
	return negative || body != trimCell(s)
}

// currencySigns lead from a sign to its currency. Longer ones stand before those
// that they end or begin with.
func currencySigns() [][2]string {
	return [][2]string{
		{"US$", "USD"}, {"HK$", "HKD"}, {"NZ$", "NZD"}, {"A$", "AUD"}, {"C$", "CAD"}, {"S$", "SGD"}, {"R$", "BRL"}, {"$", ""},
		{"€", "EUR"}, {"£", "GBP"}, {"₹", "INR"}, {"₩", "KRW"}, {"₪", "ILS"}, {"₺", "TRY"}, {"₽", "RUB"}, {"₴", "UAH"}, {"฿", "THB"},
		{"zł", "PLN"}, {"Kč", "CZK"}, {"Fr.", "CHF"}, {"kr.", ""}, {"kr", ""}, {"¥", ""},
	}
}

// cutCurrency takes one name of a currency off either end.
func cutCurrency(s string) (amount, currency string, found bool) {
	if s == "" || isDigitOrPoint(s[0]) && isDigitOrPoint(s[len(s)-1]) {
		return s, "", false
	}
	if len(s) > 3 && isCurrencyCode(s[:3]) && !isLetter(s[3]) {
		return trimCell(s[3:]), s[:3], true
	}
	if n := len(s) - 3; n > 0 && isCurrencyCode(s[n:]) && !isLetter(s[n-1]) {
		return trimCell(s[:n]), s[n:], true
	}
	for _, sign := range currencySigns() {
		if rest, ok := strings.CutPrefix(s, sign[0]); ok {
			return trimCell(rest), sign[1], true
		}
		if rest, ok := strings.CutSuffix(s, sign[0]); ok {
			return trimCell(rest), sign[1], true
		}
	}
	return s, "", false
}

// isCurrencyCode tells ISO codes, and the two that are written with a small letter for a
// hundredth.
func isCurrencyCode(s string) bool {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return s == "GBp" || s == "ZAc"
		}
	}
	return true
}

func isLetter(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }

func isDigitOrPoint(c byte) bool { return c >= '0' && c <= '9' || c == '.' || c == ',' }

// ValidCurrency reports whether text has the form of an ISO 4217 code.
func ValidCurrency(text string) bool {
	return len(text) == 3 && isUpper(text[0]) && isUpper(text[1]) && isUpper(text[2])
}

// IsFiat tells the currencies of states from coins, of which many have codes of three
// letters too.
func IsFiat(code string) bool {
	switch code {
	case "USD", "EUR", "GBP", "CHF", "JPY", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BGN", "TRY", "ILS", "ZAR",
		"BRL", "MXN", "ARS", "CLP", "COP", "INR", "IDR", "MYR", "PHP", "SGD", "HKD", "CNY", "TWD", "KRW", "THB", "VND", "AED", "SAR", "RUB", "UAH", "ISK":
		return true
	}
	return false
}

// rejectMinorUnits refuses sums in a hundredth of a currency: a balance of pence beside one of
// pounds is the same money by two names.
func rejectMinorUnits(currency string) error {
	if major, _ := market.MinorUnit(currency); major != "" {
		return fmt.Errorf("sums in %s, a part of one %s, and nothing in the file proves that all of them are: record the line by hand in %s", currency, major, major)
	}
	return nil
}
