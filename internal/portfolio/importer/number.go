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

// ErrNumber means that a cell is not a number in the expected format.
var ErrNumber = errors.New("not a number")

// maxDigits is more than any amount or quantity has.
const maxDigits = 40

// DecimalSeparator is the decimal separator of a file.
type DecimalSeparator rune

// Decimal separators. The other one may separate thousands.
const (
	DecimalPoint DecimalSeparator = '.'
	DecimalComma DecimalSeparator = ','
)

// Other returns the other separator.
func (s DecimalSeparator) Other() DecimalSeparator {
	if s == DecimalComma {
		return DecimalPoint
	}
	return DecimalComma
}

// ParseNumber parses a number with the decimal separator s. Thousands may be grouped in exactly
// three digits by the other separator, a space or an apostrophe, used consistently. Parentheses, or
// a minus before or after, make it negative. Scientific notation as in spreadsheets, "1.5e-7", is
// accepted. Anything else is ErrNumber.
func ParseNumber(text string, s DecimalSeparator) (decimal.Decimal, error) {
	if s != DecimalPoint && s != DecimalComma {
		return decimal.Decimal{}, fmt.Errorf("decimal separator must be a point or a comma, not %q", rune(s))
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

// NumberReadings returns the numbers that a text can mean in a file with mixed decimal separators:
// none, one, or two if both separators give different numbers ("1.234") and s, the separator of the
// whole file, is neither.
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

// ParseEitherNumber works like ParseNumber with the decimal separator that makes the text a number; if both
// do, it uses s. A text that NumberReadings can read in two ways yields ErrNumber.
func ParseEitherNumber(text string, s DecimalSeparator) (decimal.Decimal, error) {
	switch read := NumberReadings(text, s); len(read) {
	case 0:
		return decimal.Decimal{}, notNumber(text)
	case 1:
		return read[0], nil
	default:
		return decimal.Decimal{}, fmt.Errorf("%w: %q can be %s or %s, because the file mixes number formats: enter the line by hand", ErrNumber, Shorten(text), read[0], read[1])
	}
}

func notNumber(text string) error { return fmt.Errorf("%w: %q", ErrNumber, Shorten(text)) }

// cutSign removes the sign of a number.
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

// parseUnsigned parses digits, groups, a fraction and an exponent, without a sign.
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

// cutExponent splits off an exponent of at most two digits.
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

// joinGroups joins groups of three digits after a first one of one to three.
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

// isGroupSeparator reports whether mark separates thousands.
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

// GuessDecimalSeparator finds the decimal separator of cells with numbers or money. It is sure only
// if some cell can be read with one separator and none only with the other: "1.234" proves nothing,
// "1.23" does. Other cells are ignored.
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

// ParseMoney works like ParseNumber for a text that may have its currency before or after the number, as
// ISO code or sign: "$1,259.59", "-$694.48", "1.234,50 EUR". The currency is empty if it is missing
// or if several currencies share the sign, as with $, ¥ and kr. Codes are returned as written, so
// GBX and GBp are pence.
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

// hasSign reports whether a number has a sign, even if it is zero.
func hasSign(s string) bool {
	body, negative := cutSign(s)
	return negative || body != trimCell(s)
}

// currencySigns maps signs to currencies. Longer signs come before shorter ones that they contain.
func currencySigns() [][2]string {
	return [][2]string{
		{"US$", "USD"}, {"HK$", "HKD"}, {"NZ$", "NZD"}, {"A$", "AUD"}, {"C$", "CAD"}, {"S$", "SGD"}, {"R$", "BRL"}, {"$", ""},
		{"€", "EUR"}, {"£", "GBP"}, {"₹", "INR"}, {"₩", "KRW"}, {"₪", "ILS"}, {"₺", "TRY"}, {"₽", "RUB"}, {"₴", "UAH"}, {"฿", "THB"},
		{"zł", "PLN"}, {"Kč", "CZK"}, {"Fr.", "CHF"}, {"kr.", ""}, {"kr", ""}, {"¥", ""},
	}
}

// cutCurrency removes a currency name from either end.
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

// isCurrencyCode reports whether s looks like an ISO code, or is GBp or ZAc, the codes for a hundredth of a
// pound and a rand.
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

// IsFiat reports whether code is a national currency. Coins may also have three-letter codes.
func IsFiat(code string) bool {
	switch code {
	case "USD", "EUR", "GBP", "CHF", "JPY", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BGN", "TRY", "ILS", "ZAR",
		"BRL", "MXN", "ARS", "CLP", "COP", "INR", "IDR", "MYR", "PHP", "SGD", "HKD", "CNY", "TWD", "KRW", "THB", "VND", "AED", "SAR", "RUB", "UAH", "ISK":
		return true
	}
	return false
}

// rejectMinorUnits rejects amounts in a hundredth of a currency, because pence and pounds are the
// same money under two names.
func rejectMinorUnits(currency string) error {
	if major, _ := market.MinorUnit(currency); major != "" {
		return fmt.Errorf("an amount is in %s, a fraction of %s, and the file does not show which amounts are: enter the line by hand in %s", currency, major, major)
	}
	return nil
}
