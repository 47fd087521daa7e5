package importer

import (
	"strings"

	"github.com/shopspring/decimal"
)

// ParseMoney is ParseNumber for a text that may name its currency before or behind, by its ISO
// code or a sign: "$1,259.59", "-$694.48", "1.234,50 EUR". The currency is empty if none is
// written or if several currencies share the sign, as with $, ¥ and kr. A code is returned as
// it is written, so GBX and GBp are pence.
func ParseMoney(text string, s DecimalSeparator) (decimal.Decimal, string, error) {
	body, negative, ok := cutSign(trimCell(text))
	if !ok {
		return decimal.Decimal{}, "", notNumber(text)
	}
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
	body, negative, _ := cutSign(s)
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
