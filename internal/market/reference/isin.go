package reference

import (
	"errors"
	"fmt"
	"strings"
)

// ErrInvalidISIN means that a text is not an International Securities Identification Number, because its form
// or its check digit is wrong.
var ErrInvalidISIN = errors.New("invalid ISIN")

// ISIN is a valid International Securities Identification Number (ISO 6166):
// twelve characters, upper case.
type ISIN string

// ParseISIN parses an ISIN in any case, with optional spaces or hyphens. Invalid or mistyped text
// yields ErrInvalidISIN.
func ParseISIN(text string) (ISIN, error) {
	if len(text) > 32 {
		return "", fmt.Errorf("%w: %d characters instead of 12", ErrInvalidISIN, len(text))
	}
	isin := strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(text))
	if !hasFormOfISIN(isin) {
		return "", fmt.Errorf("%w %q: expected two letters, nine letters or digits, and a check digit", ErrInvalidISIN, text)
	}
	if want := checkDigit(isin[:11]); isin[11] != want {
		return "", fmt.Errorf("%w %q: the check digit should be %c", ErrInvalidISIN, text, want)
	}
	return ISIN(isin), nil
}

func hasFormOfISIN(s string) bool {
	if len(s) != 12 || !isDigit(s[11]) {
		return false
	}
	for i := range len(s) {
		if letter := s[i] >= 'A' && s[i] <= 'Z'; !letter && (i < 2 || !isDigit(s[i])) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// checkDigit returns the Luhn check digit of the payload. A letter counts as two digits: A is 10, Z is 35
// (ISO 6166, annex C).
func checkDigit(payload string) byte {
	sum, double := 0, true
	add := func(digit int) {
		if double {
			digit *= 2
		}
		sum += digit/10 + digit%10
		double = !double
	}
	for i := len(payload) - 1; i >= 0; i-- {
		if isDigit(payload[i]) {
			add(int(payload[i] - '0'))
			continue
		}
		value := int(payload[i]-'A') + 10
		add(value % 10)
		add(value / 10)
	}
	return byte('0' + (10-sum%10)%10)
}
